/*
 * How texts are compared. There are several ways for different purposes; each says what it is for and why the others
 * do not fit. Both texts must be folded in the same way.
 */

/*
 * Letters that Unicode does not decompose into a plain letter and a mark, and apostrophes. The database has the same
 * table in its function app_fold (server/migrations/0001_tenants.sql); a test compares both for every letter.
 */
const singles = {
  from: 'ĐđÐðŁłØøĦħŦŧŊŋƏıΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ‘’ʼʻ',
  to: "ddddlloohhttnnəiαβγδεζηθικλμνξοπρστυφχψωσабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ''''",
};
const pairs: Record<string, string> = {
  ß: 'ss',
  ẞ: 'ss',
  Æ: 'ae',
  æ: 'ae',
  Œ: 'oe',
  œ: 'oe',
  Þ: 'th',
  þ: 'th',
};

const replacements = new Map<string, string>([
  ...[...singles.from].map((letter, index): [string, string] => [letter, singles.to[index]!]),
  ...Object.entries(pairs),
]);

/**
 * For what the database also compares: grids, their search and sorting, names that must be unique. Lower case,
 * accents folded, typographic apostrophes plain, punctuation kept. The same as the database's app_fold, letter for
 * letter.
 */
export const fold = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .replace(
          /[A-Z\u0080-\uffff]/g,
          (letter) => replacements.get(letter) ?? (letter <= 'Z' ? letter.toLowerCase() : letter),
        );

/** Most texts are pure ASCII, and an import folds hundreds of thousands. */
const plain = /^[\0-\x7f]*$/;

const letters: Record<string, string> = {
  ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i',
}; // biome-ignore format: one line reads as the table
const german: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' };

const folded = new Map<string, string>();
const foldedLimit = 20_000;
/** Longer texts, such as whole messages, rarely repeat and are not cached. */
const foldedLength = 200;

/**
 * For words of names, tests and conditions, which senders punctuate differently: lower case without accents and
 * punctuation, words separated by one blank. Stored keys of patients and mapped words have this form, so a change of
 * it has to rewrite them.
 */
export function foldWords(text: string): string {
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

/** For names of persons, which typists write in two ways: ä, ö and ü match ae, oe and ue. */
export const foldGermanWords = (text: string): string =>
  foldWords(
    text
      .toLowerCase()
      .normalize('NFC')
      .replace(/[äöü]/g, (letter) => german[letter]!),
  );

/**
 * For names of places: like `foldWords`, but letters such as ø and ß stay. It is stored in columns (`match_name`),
 * so a change of it needs a migration. `St. Mary’s  Hospital` and `ST MARYS HOSPITAL` are the same.
 */
export const matchName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}'’`.]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** For keys of the code tables, which are in capitals. Punctuation is kept, because it is part of codes. */
export const foldUpper = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase().replace(/\s+/g, ' ').trim();

/** For labels of code lists. Accents and punctuation are kept, because some labels differ only in them. */
export const foldLabel = (text: string): string =>
  text.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');

/**
 * For names of states, counties and cities, which are ASCII in the reference data. `&` and saints get one spelling.
 */
export const foldPlace = (text: string): string =>
  withoutAccents(text)
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replace(/^saint /, 'st ')
    .replace(/^sainte /, 'ste ');

/** For texts that have their own patterns, such as statements of laboratories: only the accents are removed. */
export const withoutAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '');
