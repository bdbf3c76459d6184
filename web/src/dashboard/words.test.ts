import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dashboards } from '@caseway/contract/dashboards/all';
import { operations } from '@caseway/contract/dashboards/operations';
import { expect, test } from 'vitest';
import { wordFilesOf, wordsOf } from './words.ts';

const locales = join(import.meta.dirname, '../../public/locales');

/** Whether a file of words has a text under this group and name. */
function has(language: string, file: string, group: string, name: string): boolean {
  const path = join(locales, language, `${file}.json`);
  return existsSync(path) && typeof JSON.parse(readFileSync(path, 'utf8'))[group]?.[name] === 'string';
}

test.each(['en', 'es', 'ht'])('[S1.4] in %s every class of a dashboard has its words', (language) => {
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
  '[S1.4] in %s the words of every code by which a dashboard counts come before it is shown',
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
