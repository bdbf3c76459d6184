import type { Tx } from './db/database.ts';
import { fold } from './grid/fold.ts';
import { type KeyedRecord, writeRecordKeys } from './record-keys.ts';

/*
 * Search keys: the normalised words by which a record is found. A word of the search box finds every record that has
 * a key beginning with it. A key is lower case, without accents, blanks or punctuation:
 * - each word of a name, and the whole name in one (`vanderberg`); a letter with an umlaut or stroke also as German
 *   and Nordic typists write it, so that Müller is found as Muller, Mueller and Müller;
 * - a birth date as 19800213, 02131980 (month first) and 13021980 (day first);
 * - a phone number by its digits: with country code, without it, and its last seven;
 * - an identifier or case number by its letters and digits.
 */

export interface SearchablePatient {
  lastName: string | null;
  firstName: string | null;
  middleName?: string | null;
  /** Aliases, maiden names, earlier spellings. */
  otherNames?: readonly { last?: string | null; first?: string | null; middle?: string | null }[];
  /** `YYYY-MM-DD`. */
  birthDate: string | null;
  phones: readonly string[];
  emails: readonly string[];
  identifiers: readonly { value: string }[];
}

export interface SearchableCase {
  caseId: string;
  externalId: string | null;
}

/** The keys of a person; cases have only their own keys, but are also found by those of their person. */
export function keysOfPatient(patient: SearchablePatient): string[] {
  const keys = new Set<string>();
  const names = [
    { last: patient.lastName, first: patient.firstName, middle: patient.middleName },
    ...(patient.otherNames ?? []),
  ];
  for (const { last, first, middle } of names)
    for (const name of [last, first, middle]) for (const key of nameKeys(name ?? '')) keys.add(key);
  if (patient.birthDate !== null) for (const key of dateKeys(patient.birthDate)) keys.add(key);
  for (const phone of patient.phones) for (const key of phoneKeys(phone)) keys.add(key);
  for (const text of [...patient.emails, ...patient.identifiers.map(({ value }) => value)])
    keys.add(bare(text));
  keys.delete('');
  return [...keys];
}

export function keysOfCase({ caseId, externalId }: SearchableCase): string[] {
  const keys = new Set([bare(caseId), bare(externalId ?? '')]);
  keys.delete('');
  return [...keys];
}

/**
 * The search of a search box: every one of the words, each in any of its spellings. A text without letters or digits is
 * not a word.
 */
export const searchWords = (values: readonly string[]): string[][] =>
  withPhonesInOne(values.flatMap((value) => value.split(/[\s,;]+/)))
    .map((word) => spellings(word).map((spelling) => dateDigits(spelling) ?? bare(spelling)))
    .map((terms) => [...new Set(terms)].filter((term) => term !== ''))
    .filter((terms) => terms.length > 0);

/** The keys that begin with a term, as a range by code point: from the first, included, to the second, excluded. */
export const keyRange = (term: string): [from: string, to: string] => [term, `${term}\u{10ffff}`];

/**
 * Replaces the keys of records. `tenantId` is that of the transaction's scope. Call it in the transaction that writes
 * the records, together with `recordChange`.
 */
export const writeSearchKeys = (
  tx: Tx,
  tenantId: string,
  recordKind: 'patient' | 'case',
  records: readonly KeyedRecord[],
): Promise<void> =>
  writeRecordKeys(
    tx,
    tenantId,
    {
      name: 'search_key',
      idColumn: 'record_id',
      recordKind,
      carriedOf: recordKind === 'case' ? 'case_report' : 'patient',
    },
    records,
  );

/** Folded, and without anything but letters and digits. Long enough for any name, short enough for an index. */
const bare = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 100);

function nameKeys(name: string): string[] {
  // An apostrophe is within a word, a hyphen between two.
  const words = name.split(/[^\p{L}\p{M}\p{N}'’‘ʼʻ`.]+/u);
  return [...words, name].flatMap((word) => spellings(word).map(bare));
}

const typed: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** A word, and its spelling on a keyboard that lacks its letters. */
function spellings(word: string): string[] {
  const composed = word.normalize('NFC').toLowerCase();
  const other = composed.replace(/[äöüøå]/g, (letter) => typed[letter]!);
  return other === composed ? [word] : [word, other];
}

function dateKeys(date: string): string[] {
  const [year, month, day] = date.split('-') as [string, string, string];
  return [`${year}${month}${day}`, `${month}${day}${year}`, `${day}${month}${year}`];
}

/** Words that together are a phone number typed with blanks (`+1 404 555 0123`) as one word. */
function withPhonesInOne(words: readonly string[]): string[] {
  const joined: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    const digits = run.join('').replace(/\D/g, '');
    // A text that begins with a year is a birth date and something else.
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

function phoneKeys(phone: string): string[] {
  const digits = phone.replace(/\D/g, '').slice(0, 30);
  if (digits === '') return [];
  // Only in the North American plan does the length show where the country code ends; other numbers are found from
  // their first digit and by their last seven.
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  const international = national.length === 10 ? `1${national}` : digits;
  return [national, international, digits.slice(-7)];
}
