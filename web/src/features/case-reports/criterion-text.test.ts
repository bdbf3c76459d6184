import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CriterionKind, type CriterionLine, criterionKinds } from '@caseway/contract/case-rules';
import i18next from 'i18next';
import { describe, expect, test } from 'vitest';
import { criterionText } from './criterion-text.ts';

const locales = join(import.meta.dirname, '../../../public/locales');
const wordsOf = (language: string) =>
  JSON.parse(readFileSync(join(locales, language, 'case-rules.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
const english = wordsOf('en');
const codesOf = (kind: CriterionKind): string[] =>
  kind === 'sex' ? ['F', 'M'] : Object.keys(english[kind === 'fact' || kind === 'place' ? kind : 'test']!);

/**
 * Every line an explanation can have: each kind with each of its codes, single, all together, and with a
 * number.
 */
const lines = criterionKinds.flatMap((kind): CriterionLine[] => {
  const line = { depth: 0, kind, state: 'unknown' as const, ...(hasNumber(kind) ? { number: 182 } : {}) };
  if (['all', 'any', 'none', 'age-from', 'age-below', 'first-time', 'earlier-case'].includes(kind))
    return [line];
  const codes = codesOf(kind);
  return [...codes.map((code) => ({ ...line, what: [code] })), { ...line, what: codes }];
});
function hasNumber(kind: CriterionKind): boolean {
  return english.kind![kind]!.includes('{{number}}');
}

describe.each(['en', 'es', 'ht'])('in %s', (language) => {
  const i18n = i18next.createInstance();
  const missed: string[] = [];
  i18n.init({
    lng: language,
    resources: { [language]: { 'case-rules': wordsOf(language) } },
    defaultNS: 'case-rules',
    initAsync: false,
    saveMissing: true,
    missingKeyHandler: (_, __, key) => missed.push(key),
    interpolation: { escapeValue: false },
  });
  const text = (line: CriterionLine) =>
    criterionText(line, {
      t: i18n.t,
      sex: (code) => ({ F: 'Female', M: 'Male' })[code]!,
      number: String,
    });

  test('no criterion shows a code, a gap or a placeholder', () => {
    const shown = lines.map((line) => [line, text(line)] as const);
    expect(missed).toEqual([]);
    const odd = shown.filter(
      ([{ what = [], kind, number }, words]) =>
        words === '' ||
        words !== words.trim() ||
        /\{\{|\}\}| {2}|,\s*,|:\s*$|\(\)/.test(words) ||
        // A code with a dash is never a word; one without, such as "culture", can be.
        [...what, kind].some((code) => code.includes('-') && words.includes(code)) ||
        (number !== undefined && !words.includes('182')),
    );
    expect(odd).toEqual([]);
  });

  test('each code has its own words', () => {
    for (const part of ['test', 'fact', 'kind', 'state'] as const) {
      const said = Object.values(wordsOf(language)[part]!).filter((words) => words !== '{{what}}');
      expect(said.toSorted()).toEqual([...new Set(said)].toSorted());
    }
  });
});
