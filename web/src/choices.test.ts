import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const locales = path.join(import.meta.dirname, '../public/locales');
type Words = { [key: string]: string | Words };
const read = (language: string, file: string) =>
  JSON.parse(readFileSync(path.join(locales, language, file), 'utf8')) as Words;
const at = (words: Words, key: string) =>
  key.split('.').reduce<Words | string | undefined>((inner, part) => (inner as Words)?.[part], words);

/** The lists that people choose from, with their option for no answer. */
const lists: [file: string, list: string, none?: string][] = [
  ['case-reports.json', 'outcome', 'record.notKnown'],
  ['case-reports.json', 'yesNoUnknown', 'record.notKnown'],
  ['case-reports.json', 'classification'],
  ['case-reports.json', 'status'],
  ['case-reports.json', 'source'],
  ['analytics.json', 'eventDate'],
];

test.each(
  ['en', 'es', 'ht'].flatMap((language) =>
    lists.map(([file, list, none]) => [language, `${file} ${list}`, file, list, none] as const),
  ),
)('in %s no two choices of %s read the same', (language, _, file, list, none) => {
  const words = read(language, file);
  const labels = [...Object.values(at(words, list) ?? {}), ...(none ? [at(words, none)] : [])];
  expect(labels.length).toBeGreaterThan(1);
  expect(new Set(labels).size).toBe(labels.length);
});
