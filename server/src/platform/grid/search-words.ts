import { fold } from '../text/fold.ts';

/* The words of a search box, in the form of a record's search keys. */

/** The pieces of typed texts between blanks, commas and semicolons; some can be empty. */
export const splitWords = (values: readonly string[]): string[] =>
  values.flatMap((value) => value.split(/[\s,;]+/));

/** A search: all of the words, each in any of its spellings. A text without letters or digits is not a word. */
export const searchWords = (values: readonly string[]): string[][] =>
  withPhonesInOne(splitWords(values))
    .map((word) => spellings(word).map((spelling) => dateDigits(spelling) ?? bare(spelling)))
    .map((terms) => [...new Set(terms)].filter((term) => term !== ''))
    .filter((terms) => terms.length > 0);

/** The keys that begin with a term, as a range by code point: from the first, included, to the second, excluded. */
export const keyRange = (term: string): [from: string, to: string] => [term, `${term}\u{10ffff}`];

/** Folded, with only letters and digits. Long enough for any name, short enough for an index. */
export const bare = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 100);

const typed: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** A word, and its spelling on a keyboard that lacks its letters. */
export function spellings(word: string): string[] {
  const composed = word.normalize('NFC').toLowerCase();
  const other = composed.replace(/[äöüøå]/g, (letter) => typed[letter]!);
  return other === composed ? [word] : [word, other];
}

/** Joins words that form a phone number typed with blanks (`+1 404 555 0123`). */
function withPhonesInOne(words: readonly string[]): string[] {
  const joined: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    const digits = run.join('').replace(/\D/g, '');
    // A text that begins with a year is a birth date followed by something else.
    const isPhone = digits.length >= 7 && digits.length <= 11 && !/^(19|20)\d\d$/.test(run[0]!);
    joined.push(...(run.length > 1 && isPhone ? [digits] : run));
    run = [];
  };
  for (const word of words)
    if (/^\+?\(?\d[\d().-]{0,9}$/.test(word) && dateDigits(word) === null) run.push(word);
    else {
      endRun();
      joined.push(word);
    }
  endRun();
  return joined;
}

/** The digits of a date that was typed with separators, each part at full width; null for anything else. */
function dateDigits(word: string): string | null {
  const match = /^(?:(\d{4})[-./](\d{1,2})[-./](\d{1,2})|(\d{1,2})[-./](\d{1,2})[-./](\d{4}))$/.exec(word);
  if (!match) return null;
  const [, year, month, day, first, second, last] = match;
  return year
    ? `${year}${month!.padStart(2, '0')}${day!.padStart(2, '0')}`
    : `${first!.padStart(2, '0')}${second!.padStart(2, '0')}${last}`;
}
