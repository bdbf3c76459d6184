/**
 * A name as it is compared with other spellings of it: lower case, accents folded, punctuation gone, words apart by
 * one blank. `St. Mary’s  Hospital` and `ST MARYS HOSPITAL` are the same.
 */
export const matchName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}'’`.]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
