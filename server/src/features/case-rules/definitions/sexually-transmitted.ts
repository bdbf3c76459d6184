import {
  all,
  antigenRefuted,
  any,
  anyFact,
  type CaseDefinition,
  type Criterion,
  fact,
  none,
  positive,
  refuted,
} from '../criteria.ts';
import type { TestKind } from '../lab-tests.ts';

const serology: readonly TestKind[] = ['nontreponemal', 'treponemal'];
const bothReactive = all(positive('nontreponemal'), positive('treponemal'));
const organism = positive('treponema-direct');
/** Two dilutions are fourfold. */
const fourfoldRise: Criterion = { is: 'rise', tests: ['nontreponemal'], dilutions: 2 };
/** This test turns negative after a cure, and positive again with a new infection. */
const converted: Criterion = { is: 'converted', tests: ['nontreponemal'], withinMonths: 12 };
/** Without a history, both tests; with one, a titer that has risen. */
const serologyMet = any(
  all({ is: 'first-time' }, bothReactive),
  all({ is: 'earlier-case' }, any(fourfoldRise, converted)),
);
const noSigns = none(fact('primary-lesion'), fact('secondary-signs'));
const withinTheYear = any(
  converted,
  // Its antibodies persist for life: it turns positive once.
  { is: 'converted', tests: ['treponemal'], withinMonths: 12, first: true },
  { ...fourfoldRise, withinMonths: 12 },
  anyFact('syphilis-symptoms-year', 'syphilis-partner-early', 'sexual-debut-year'),
);
const refutedByTreponemal = refuted(['nontreponemal'], ['treponemal'], 90);
/** The reverse order: a treponemal screen, a nontreponemal test, and a second treponemal test that decides. */
const refutedInReverse = all(
  positive('treponemal'),
  { is: 'negative', tests: ['nontreponemal'], after: ['treponemal'], withinDays: 90 },
  { is: 'negative', tests: ['treponemal'], after: ['treponemal'], withinDays: 90 },
  none(positive('nontreponemal'), { is: 'different', tests: ['treponemal'] }),
);
const infant: Criterion = { is: 'age-below', months: 12 };
const notInfant: Criterion = { is: 'age-from', months: 12, assumed: true };

export const sexuallyTransmitted: readonly CaseDefinition[] = [
  {
    id: 'syphilis-2018',
    family: 'syphilis',
    conditions: [
      'syphilis-primary',
      'syphilis-secondary',
      'syphilis-early-latent',
      'syphilis-late',
      'syphilis-congenital',
      'syphilis-unknown-stage',
    ],
    files: 'syphilis-unknown-stage',
    statement: '17-ID-11',
    source: 'CDC NNDSS case definition, syphilis 2018 (17-ID-11)',
    validFrom: 2018,
    evidenceDays: 365,
    // Antibodies persist: a positive test years later is a new infection only if the titer shows it. The organism
    // does not persist.
    newCase: any(fourfoldRise, converted, organism),
    classes: [
      { classification: 'confirmed', condition: 'syphilis-congenital', when: all(infant, organism) },
      {
        classification: 'probable',
        condition: 'syphilis-congenital',
        when: all(
          infant,
          any(
            fact('mother-untreated'),
            all(positive('nontreponemal'), any(fact('congenital-signs'), positive('csf-vdrl'))),
          ),
        ),
      },
      {
        classification: 'unknown',
        condition: 'syphilis-congenital',
        when: all(infant, any(positive('nontreponemal'), positive('csf-vdrl'))),
      },
      {
        classification: 'confirmed',
        condition: 'syphilis-primary',
        when: all(notInfant, fact('primary-lesion'), organism),
      },
      {
        classification: 'confirmed',
        condition: 'syphilis-secondary',
        when: all(notInfant, fact('secondary-signs'), organism),
      },
      {
        classification: 'probable',
        condition: 'syphilis-primary',
        when: all(notInfant, fact('primary-lesion'), any(positive('nontreponemal'), positive('treponemal'))),
      },
      {
        classification: 'probable',
        condition: 'syphilis-secondary',
        when: all(notInfant, fact('secondary-signs'), bothReactive),
      },
      {
        classification: 'probable',
        condition: 'syphilis-early-latent',
        when: all(notInfant, noSigns, serologyMet, withinTheYear),
      },
      {
        classification: 'probable',
        condition: 'syphilis-late',
        when: all(notInfant, noSigns, serologyMet, none(withinTheYear)),
      },
      // The laboratory criteria are met; an investigation has to find the stage.
      { classification: 'probable', when: all(notInfant, any(serologyMet, organism)) },
      {
        classification: 'not_a_case',
        when: all(notInfant, { is: 'first-time' }, any(refutedByTreponemal, refutedInReverse)),
      },
      // Only one reactive test: the second one is missing.
      { classification: 'suspect', when: all(notInfant, { is: 'positive', tests: serology }) },
    ],
    contradicted: all(any(refutedByTreponemal, all(notInfant, refutedInReverse)), none(organism)),
  },
  ...[
    { validFrom: 2014, statement: '13-ID-01' },
    { validFrom: 2023, statement: '22-ID-03' },
  ].map(
    ({ validFrom, statement }): CaseDefinition => ({
      id: `gonorrhea-${validFrom}`,
      family: 'gonorrhea',
      conditions: ['gonorrhea'],
      files: 'gonorrhea',
      statement,
      source: `CDC NNDSS case definition, gonorrhea ${validFrom} (${statement})`,
      validFrom,
      evidenceDays: 30,
      classes: [
        { classification: 'confirmed', when: positive('gonorrhea-direct') },
        // A smear of the urethra is conclusive only in men.
        {
          classification: 'probable',
          when: any(
            positive('gonorrhea-smear-cervix'),
            all({ is: 'sex', code: 'M' }, positive('gonorrhea-smear')),
          ),
        },
        { classification: 'unknown', when: positive('gonorrhea-smear', 'gonorrhea-smear-elsewhere') },
      ],
      contradicted: refuted(['gonorrhea-smear', 'gonorrhea-smear-elsewhere'], ['gonorrhea-direct'], 7),
    }),
  ),
  {
    id: 'chlamydia-2022',
    family: 'chlamydia',
    conditions: ['chlamydia'],
    files: 'chlamydia',
    statement: null,
    source: 'CDC STI Surveillance 2022, case definitions, Chlamydia trachomatis infection',
    validFrom: 2022,
    evidenceDays: 30,
    classes: [{ classification: 'confirmed', when: positive('chlamydia-direct') }],
    contradicted: antigenRefuted(7),
  },
  {
    id: 'chancroid-1996',
    family: 'chancroid',
    conditions: ['chancroid'],
    files: 'chancroid',
    statement: null,
    source: 'CDC STI Surveillance 2022, case definitions, chancroid (1996)',
    validFrom: 1996,
    evidenceDays: 30,
    classes: [
      { classification: 'confirmed', when: positive('ducreyi-culture') },
      { classification: 'probable', when: all(fact('painful-ulcer'), fact('herpes-excluded')) },
      // The definition of 1996 has no nucleic acid test.
      { classification: 'unknown', when: positive('ducreyi-naat') },
    ],
  },
];
