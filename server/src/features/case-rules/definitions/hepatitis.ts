import { all, any, type CaseDefinition, type Criterion, fact, none, positive, refuted } from '../criteria.ts';

/** Six months. */
const halfYear = 182;
const signs = all(fact('hepatitis-signs'), fact('other-diagnosis-excluded'));

const marker = positive('hbsag', 'hbeag', 'hbv-dna');
const igmPositive = positive('hbc-igm');
const hbvConverted: Criterion = {
  is: 'converted',
  tests: ['hbsag'],
  to: ['hbsag', 'hbeag', 'hbv-dna'],
  withinDays: 365,
};
const twiceApart = any(
  { is: 'twice', tests: ['hbsag'], apartDays: halfYear },
  { is: 'twice', tests: ['hbeag'], apartDays: halfYear },
);
const hbvChild: Criterion = { is: 'age-below', months: 24 };
const hbvNotChild: Criterion = { is: 'age-from', months: 24, assumed: true };

const hepatitisB = {
  family: 'hepatitis-b',
  conditions: [
    'hepatitis-b-acute',
    'hepatitis-b-chronic',
    'hepatitis-b-perinatal',
    'hepatitis-b-undetermined',
  ],
  files: 'hepatitis-b-undetermined',
  evidenceDays: null,
} as const;

const perinatalB: CaseDefinition['classes'] = [
  {
    classification: 'confirmed',
    condition: 'hepatitis-b-perinatal',
    when: all({ is: 'age-from', months: 1 }, hbvChild, marker, fact('mother-hbv')),
  },
  {
    classification: 'probable',
    condition: 'hepatitis-b-perinatal',
    when: all({ is: 'age-from', months: 1 }, hbvChild, marker),
  },
];
/** What is left when nobody can say whether it is acute or chronic. */
const hbvOpen: CaseDefinition['classes'] = [
  { classification: 'probable', when: all(hbvNotChild, positive('hbsag', 'hbeag')) },
  { classification: 'suspect', when: all(hbvNotChild, igmPositive) },
];

const hcvChild: Criterion = { is: 'age-below', months: 36 };
const hcvNotChild: Criterion = { is: 'age-from', months: 36, assumed: true };
const detected = positive('hcv-detection');
const hcvConverted = any(
  { is: 'converted', tests: ['hcv-antibody'], to: ['hcv-antibody', 'hcv-detection'], withinDays: 365 },
  { is: 'converted', tests: ['hcv-detection'], withinDays: 365 },
);

export const hepatitis: readonly CaseDefinition[] = [
  {
    id: 'hepatitis-a-2019',
    family: 'hepatitis-a',
    conditions: ['hepatitis-a-acute'],
    files: 'hepatitis-a-acute',
    statement: '18-ID-09',
    source: 'CDC NNDSS case definition, hepatitis A 2019 (18-ID-09)',
    validFrom: 2019,
    evidenceDays: 90,
    classes: [
      { classification: 'confirmed', when: positive('hav-rna') },
      { classification: 'confirmed', when: all(signs, positive('hav-igm')) },
      { classification: 'confirmed', when: all(fact('hepatitis-signs'), fact('link-confirmed-case')) },
      // IgM stays long and is often wrong where nobody is ill.
      { classification: 'unknown', when: positive('hav-igm') },
    ],
  },
  {
    ...hepatitisB,
    id: 'hepatitis-b-2012',
    statement: '11-ID-03',
    source: 'CDC NNDSS case definitions, hepatitis B acute and chronic 2012 (11-ID-03, 11-ID-04)',
    validFrom: 2012,
    classes: [
      ...perinatalB,
      {
        classification: 'confirmed',
        condition: 'hepatitis-b-acute',
        when: all(hbvNotChild, any(all(signs, positive('hbsag'), igmPositive), hbvConverted)),
      },
      {
        classification: 'confirmed',
        condition: 'hepatitis-b-chronic',
        when: all(
          hbvNotChild,
          any(twiceApart, all(marker, { is: 'negative', tests: ['hbc-igm'] }), {
            is: 'twice',
            tests: ['hbv-dna'],
            apartDays: halfYear,
          }),
        ),
      },
      {
        classification: 'probable',
        condition: 'hepatitis-b-chronic',
        when: all(hbvNotChild, positive('hbv-dna')),
      },
      ...hbvOpen,
    ],
  },
  {
    ...hepatitisB,
    id: 'hepatitis-b-2024',
    statement: '23-ID-05',
    source: 'CDC NNDSS case definitions, hepatitis B acute and chronic 2024 (23-ID-05)',
    validFrom: 2024,
    classes: [
      ...perinatalB,
      {
        classification: 'confirmed',
        condition: 'hepatitis-b-acute',
        when: all(
          hbvNotChild,
          any(
            all(marker, igmPositive),
            hbvConverted,
            all(signs, positive('hbsag', 'hbv-dna'), { is: 'not-done', tests: ['hbc-igm'] }),
          ),
        ),
      },
      {
        classification: 'confirmed',
        condition: 'hepatitis-b-chronic',
        when: all(
          hbvNotChild,
          any(
            twiceApart,
            all(positive('hbsag', 'hbeag'), positive('hbc-total')),
            all(positive('hbsag'), positive('hbeag')),
            positive('hbv-dna'),
          ),
        ),
      },
      {
        classification: 'probable',
        condition: 'hepatitis-b-acute',
        when: all(hbvNotChild, signs, igmPositive, none(marker)),
      },
      {
        classification: 'probable',
        condition: 'hepatitis-b-chronic',
        when: all(hbvNotChild, positive('hbsag', 'hbeag'), { is: 'negative', tests: ['hbc-igm'] }),
      },
      ...hbvOpen,
    ],
  },
  ...[
    { validFrom: 2016, statement: '15-ID-03' },
    { validFrom: 2020, statement: '19-ID-06' },
  ].map(
    ({ validFrom, statement }): CaseDefinition => ({
      id: `hepatitis-c-${validFrom}`,
      family: 'hepatitis-c',
      conditions: [
        'hepatitis-c-acute',
        'hepatitis-c-chronic',
        'hepatitis-c-perinatal',
        'hepatitis-c-undetermined',
      ],
      files: 'hepatitis-c-undetermined',
      statement,
      source: `CDC NNDSS case definitions, hepatitis C acute and chronic ${validFrom} (${statement})`,
      validFrom,
      evidenceDays: null,
      classes: [
        {
          classification: 'confirmed',
          condition: 'hepatitis-c-perinatal',
          when: all({ is: 'age-from', months: 2 }, hcvChild, detected),
        },
        // Under two months the virus found may be the mother's; later a child's own counts.
        { classification: 'suspect', when: all({ is: 'age-below', months: 2 }, detected) },
        {
          classification: 'confirmed',
          condition: 'hepatitis-c-acute',
          when: all(
            hcvNotChild,
            any(
              validFrom >= 2020
                ? hcvConverted
                : { is: 'converted', tests: ['hcv-antibody'], withinDays: 365 },
              all(signs, detected),
            ),
          ),
        },
        // Chronic unless signs of an acute infection are found.
        { classification: 'confirmed', when: all(hcvNotChild, detected) },
        {
          classification: 'probable',
          condition: 'hepatitis-c-acute',
          when: all(hcvNotChild, signs, positive('hcv-antibody'), {
            is: 'not-done',
            tests: ['hcv-detection'],
          }),
        },
        {
          classification: 'not_a_case',
          when: all(hcvNotChild, refuted(['hcv-antibody'], ['hcv-detection'], 365)),
          flag: 'confirmatory-negative',
        },
        { classification: 'probable', when: all(hcvNotChild, positive('hcv-antibody')) },
        // A mother's antibodies last in a child for three years.
        { classification: 'not_a_case', when: all(hcvChild, positive('hcv-antibody'), none(detected)) },
      ],
    }),
  ),
];
