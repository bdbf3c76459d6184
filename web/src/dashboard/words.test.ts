import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { factOfSeries } from '@caseway/contract/dashboard';
import { dashboards } from '@caseway/contract/dashboards/all';
import { operations } from '@caseway/contract/dashboards/operations';
import { expect, test } from 'vitest';
import { codesOf, columnsOf } from './labels.ts';
import { wordFilesOf, wordsOf } from './words.ts';

const locales = join(import.meta.dirname, '../../public/locales');

/** Whether a locale file has a text at this path. */
function wordAt(language: string, file: string, at: readonly string[]): boolean {
  const path = join(locales, language, `${file}.json`);
  if (!existsSync(path)) return false;
  return (
    typeof at.reduce((words, name) => words?.[name], JSON.parse(readFileSync(path, 'utf8'))) === 'string'
  );
}
const has = (language: string, file: string, group: string, name: string) =>
  wordAt(language, file, [group, name]);

test.each(['en', 'es', 'ht'])('[S1.4] in %s every class of a dashboard has its text', (language) => {
  const without = dashboards.flatMap((of) => {
    const { classes, measures, facts, main } = of;
    return [...Object.keys(classes?.are ?? {}), ...(classes ? [classes.rest] : [])]
      .filter(
        (name) =>
          !(name in measures) &&
          !has(language, wordsOf(of), 'class', name) &&
          !has(language, facts[main]!.counting.records, classes!.by, name),
      )
      .map((name) => `${of.id}: ${name}`);
  });
  expect(without).toEqual([]);
});

test.each(['en', 'es', 'ht'])(
  '[S1.4] in %s the texts of every code a dashboard counts by load before it is shown',
  (language) => {
    const without = dashboards.flatMap((of) =>
      wordFilesOf(of)
        .filter((file) => !existsSync(join(locales, language, `${file}.json`)))
        .map((file) => `${of.id}: ${file}`),
    );
    expect(without).toEqual([]);
    expect(wordFilesOf(operations)).toContain('work-tasks');
  },
);

test.each(['en', 'es', 'ht'])(
  '[S1.4] in %s every code that a dashboard filters or splits by has its label',
  (language) => {
    const without = dashboards.flatMap((of) => {
      const main = of.facts[of.main]!;
      const shown = [
        ...Object.values(of.filters).map((column) => [main, column] as const),
        ...Object.values(of.series).flatMap((series) =>
          columnsOf(series).map((column) => [of.facts[factOfSeries(of, series)]!, column] as const),
        ),
      ];
      return shown.flatMap(([fact, column]) => {
        const { records, words } = fact.counting!;
        return (codesOf(fact, column) ?? [])
          .filter((code) => !wordAt(language, records, [...(words?.split('.') ?? []), column, code]))
          .map((code) => `${of.id}: ${records}.json ${words ? `${words}.` : ''}${column}.${code}`);
      });
    });
    expect([...new Set(without)]).toEqual([]);
  },
);
