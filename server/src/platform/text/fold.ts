const letters: Record<string, string> = {
  ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i',
}; // biome-ignore format: one line reads as the table
const german: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' };

const folded = new Map<string, string>();
const foldedLimit = 20_000;
/** A longer text, such as a whole message, is not repeated. */
const foldedLength = 200;

/** Lower case without accents and punctuation; words are separated by one blank. */
export function fold(text: string): string {
  const known = folded.get(text);
  if (known !== undefined) return known;
  const result = text
    .toLowerCase()
    .replace(/[ßøæœłđðþı]/g, (letter) => letters[letter]!)
    .normalize('NFKD')
    .replace(/[\p{M}'’`´.]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (text.length > foldedLength) return result;
  if (folded.size >= foldedLimit) folded.clear();
  folded.set(text, result);
  return result;
}

/** The same with ä, ö and ü written ae, oe and ue. */
export const foldGerman = (text: string): string =>
  fold(
    text
      .toLowerCase()
      .normalize('NFC')
      .replace(/[äöü]/g, (letter) => german[letter]!),
  );
