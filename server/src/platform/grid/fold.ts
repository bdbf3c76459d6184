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
 * A text as grids compare and sort it: lower case, accents folded, typographic apostrophes plain. The same as the
 * database's app_fold, letter for letter.
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

/** Most texts are nothing else, and an import folds hundreds of thousands. */
const plain = /^[\0-\x7f]*$/;
