import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conditionByCode } from '../reference/catalog.ts';
import { decide } from './decide.ts';
import { factCodes } from './facts.ts';
import { testKinds } from './lab-tests.ts';
import { caseDefinitions } from './rules.ts';
import { personOf } from './test-cases.ts';

/*
 * Every code that an explanation can contain has words in each language. `criterion-text.test.ts`, next to the
 * screen, tests how a line is composed.
 */

const locales = join(import.meta.dirname, '../../../../web/public/locales');
const read = (language: string, name: string) =>
  JSON.parse(readFileSync(join(locales, language, `${name}.json`), 'utf8')) as Record<
    string,
    Record<string, string>
  >;

const event = {
  day: '2026-03-02',
  findings: [],
  earlierCases: [],
  onset: null,
  person: personOf({ sex: undefined }),
  facts: {},
};
/** All criteria of each definition: if nothing is known, every class is tried. */
const explained = caseDefinitions.map((definition) => ({
  definition,
  explanation: decide(definition, event),
  against: definition.contradicted
    ? decide(
        { ...definition, classes: [{ classification: 'suspect', when: definition.contradicted }] },
        event,
      ).classes
    : [],
}));

describe.each(['en', 'es', 'ht'])('in %s', (language) => {
  const rules = read(language, 'case-rules');
  const reports = read(language, 'case-reports');

  test.each(explained.map((each) => [each.definition.id, each] as const))(
    'every criterion of %s has words',
    (_, { definition, explanation, against }) => {
      expect(explanation.classes).toHaveLength(definition.classes.length);
      const missing: string[] = [];
      const ask = (part: string, code: string) => {
        if (!rules[part]?.[code]) missing.push(`${part}.${code}`);
      };
      for (const { criteria, variant, classification, condition } of [...explanation.classes, ...against]) {
        if (variant) ask('variant', variant);
        if (!reports.classification?.[classification]) missing.push(`classification.${classification}`);
        const labels = conditionByCode(condition)!;
        if (!labels.label || (language !== 'en' && !labels.labelI18N?.[language as 'es' | 'ht']))
          missing.push(condition);
        for (const { kind, state, what = [], number } of criteria) {
          ask('kind', kind);
          ask('state', state);
          const words = rules.kind![kind] ?? '';
          if (words.includes('{{number}}') !== (number !== undefined)) missing.push(`${kind}: number`);
          if (words.includes('{{what}}') !== what.length > 0) missing.push(`${kind}: what`);
          if (kind !== 'sex')
            for (const code of what) ask(kind === 'fact' || kind === 'place' ? kind : 'test', code);
        }
      }
      expect(missing).toEqual([]);
    },
  );

  test('there are words for each test and fact, and for no other', () => {
    expect(Object.keys(rules.test!).sort()).toEqual([...testKinds].sort());
    expect(Object.keys(rules.fact!).sort()).toEqual([...factCodes].sort());
  });
});
