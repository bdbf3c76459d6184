import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dashboards } from '@caseway/contract/dashboards/all';
import { expect, test } from 'vitest';
import { wordsOf } from './words.ts';

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
