import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, languages } from '@caseway/contract/session';
import i18next from 'i18next';
import { describe, expect, test } from 'vitest';
import { startTestLocales } from './test/locales.ts';

const locales = join(import.meta.dirname, '../public/locales');
const namespaces = readdirSync(join(locales, 'en'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''));
await startTestLocales(...namespaces);

/** 1,234,567 in each language; Creole as in French, with narrow spaces. [S9.15] */
const million: Readonly<Record<Language, string>> = {
  en: '1,234,567',
  'en-GB': '1,234,567',
  es: '1,234,567',
  ht: '1\u202f234\u202f567',
};

const placeholdersOf = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!);

/** Every text with a placeholder, by its key. */
function textsOf(language: string, namespace: string): [key: string, text: string][] {
  const found: [string, string][] = [];
  const walk = (value: unknown, path: string) => {
    if (typeof value === 'string') {
      if (placeholdersOf(value).length > 0) found.push([`${namespace}:${path}`, value]);
    } else
      for (const [name, inner] of Object.entries(value as object))
        walk(inner, path === '' ? name : `${path}.${name}`);
  };
  walk(JSON.parse(readFileSync(join(locales, language, `${namespace}.json`), 'utf8')), '');
  return found;
}

describe.each(languages)('the numbers inside the texts of %s', (language) => {
  const texts = namespaces.flatMap((namespace) => textsOf(language, namespace));

  test('[S9.14, S9.15] are written as in the language, in whatever form the caller passes them', () => {
    const t = i18next.getFixedT(language);
    const wrong = texts.flatMap(([key, text]) => {
      const numbers = placeholdersOf(text).filter((name) => !/year$/i.test(name) && name !== 'lane');
      const said = t(key, Object.fromEntries(numbers.map((name) => [name, 1_234_567])));
      return numbers.length > 0 && (/1234567/.test(said) || !said.includes(million[language])) ? [said] : [];
    });
    expect(texts.length).toBeGreaterThan(language === 'en-GB' ? 10 : 200);
    expect(wrong).toEqual([]);
  });
});

test('years and lanes are not counts, and a part keeps its decimals', () => {
  const t = i18next.getFixedT('en');
  expect(t('common:date.mmwrWeek', { week: 7, year: 2026 })).toBe('MMWR week 7 of 2026');
  expect(t('analytics:screen.againstYears', { fromYear: 2021, toYear: 2025 })).toMatch(
    /from 2021 to 2025\.$/,
  );
  expect(t('audit:panel.place', { lane: 1_113_088_987, number: 1076 })).toBe('Lane 1113088987, place 1,076');
  expect(t('common:tile.days', { count: 1.25, number: 1.25 })).toBe('1.25 days');
});
