import type { Tx } from '../../platform/db/database.ts';
import { type KeyedRecord, writeRecordKeys } from '../../platform/db/record-keys.ts';
import { bare, spellings } from '../../platform/grid/search-words.ts';

/*
 * Search keys: the normalised words that find a record. A word of the search box finds every record with a key that
 * begins with it. A key is lower case, without accents, blanks or punctuation:
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

/** The keys of a person. Cases have only their own keys, but their person's keys also find them. */
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

/**
 * Replaces the keys of records. `tenantId` is the tenant of the transaction's scope. Call it in the transaction that
 * writes the records, together with `recordChange`.
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

function nameKeys(name: string): string[] {
  // An apostrophe is part of a word; a hyphen separates two.
  const words = name.split(/[^\p{L}\p{M}\p{N}'’‘ʼʻ`.]+/u);
  return [...words, name].flatMap((word) => spellings(word).map(bare));
}

function dateKeys(date: string): string[] {
  const [year, month, day] = date.split('-') as [string, string, string];
  return [`${year}${month}${day}`, `${month}${day}${year}`, `${day}${month}${year}`];
}

function phoneKeys(phone: string): string[] {
  const digits = phone.replace(/\D/g, '').slice(0, 30);
  if (digits === '') return [];
  // Only in the North American plan does the length show where the country code ends. Other numbers are found from
  // their first digit and by their last seven.
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  const international = national.length === 10 ? `1${national}` : digits;
  return [national, international, digits.slice(-7)];
}
