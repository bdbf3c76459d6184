/**
 * A name in the form in which spellings are compared: lower case, accents folded, no punctuation, words separated by
 * one blank. `St. Mary’s  Hospital` and `ST MARYS HOSPITAL` are the same.
 */
export const matchName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}'’`.]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
