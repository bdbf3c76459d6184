import {
  all,
  antigenRefuted,
  any,
  type CaseClass,
  type CaseDefinition,
  fact,
  positive,
  refuted,
} from '../criteria.ts';
import type { TestKind } from '../lab-tests.ts';

const linked: CaseClass = {
  classification: 'probable',
  when: all(fact('diarrheal-illness'), fact('link-confirmed-case')),
};

/** A culture confirms, a test that grows nothing is probable. */
const bacterial = (
  name: string,
  validFrom: number,
  statement: string,
  culture: TestKind,
  withoutCulture: TestKind,
  evidenceDays: number,
): CaseDefinition => ({
  id: `${name}-${validFrom}`,
  family: name,
  conditions: [name],
  files: name,
  statement,
  source: `CDC NNDSS case definition, ${name} ${validFrom} (${statement})`,
  validFrom,
  evidenceDays,
  classes: [
    { classification: 'confirmed', when: positive(culture) },
    {
      classification: 'probable',
      when: {
        is: 'positive',
        tests: [withoutCulture],
        answers: ['positive', 'weak-positive', 'presumptive-positive'],
      },
    },
    linked,
  ],
  // A culture often misses what a nucleic acid test finds, so by the definition it refutes nothing.
  contradicted: antigenRefuted(7),
});

export const enteric: readonly CaseDefinition[] = [
  bacterial('salmonellosis', 2017, '16-ID-03', 'salmonella-culture', 'salmonella-cidt', 365),
  bacterial('campylobacteriosis', 2015, '14-ID-09', 'campylobacter-culture', 'campylobacter-cidt', 30),
  bacterial('shigellosis', 2017, '16-ID-04', 'shigella-culture', 'shigella-cidt', 90),
  {
    id: 'stec-2018',
    family: 'stec',
    conditions: ['stec'],
    files: 'stec',
    statement: '17-ID-10',
    source: 'CDC NNDSS case definition, Shiga toxin-producing Escherichia coli 2018 (17-ID-10)',
    validFrom: 2018,
    evidenceDays: 180,
    classes: [
      { classification: 'confirmed', when: positive('stec-isolate') },
      { classification: 'confirmed', when: all(positive('ecoli-isolate'), positive('shiga-toxin')) },
      { classification: 'probable', when: all(fact('diarrheal-illness'), positive('shiga-toxin')) },
      linked,
      {
        classification: 'suspect',
        when: {
          is: 'positive',
          tests: ['ecoli-isolate', 'shiga-toxin'],
          answers: ['positive', 'weak-positive', 'presumptive-positive'],
        },
      },
    ],
    contradicted: any(
      refuted(['toxin'], ['naat'], 7),
      antigenRefuted(7),
      // O157 that makes no toxin.
      refuted(['ecoli-isolate'], ['shiga-toxin'], 30),
    ),
  },
];
