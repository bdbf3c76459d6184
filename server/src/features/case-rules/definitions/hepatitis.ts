import { all, any, type CaseDefinition, type Criterion, fact, none, positive, refuted } from '../criteria.ts';

const signs = all(fact('hepatitis-signs'), fact('other-diagnosis-excluded'));

const marker = positive('hbsag', 'hbeag', 'hbv-dna');
const igmPositive = positive('hbc-igm');
/** If the infection was found before, finding the virus again is a relapse, not an acute infection. */
const hbvConverted = {
  is: 'converted',
  tests: ['hbsag'],
  to: ['hbsag', 'hbeag', 'hbv-dna'],
  first: true,
} as const;
/** IgM in a flare, years after the infection was found, does not make a chronic infection acute. */
const igmWithFirst: Criterion = {
  is: 'with-first',
  tests: ['hbc-igm'],
  of: ['hbsag', 'hbeag', 'hbv-dna'],
  withinMonths: 6,
};
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
  contradicted: any(
    // The total antibody includes IgM: without total antibody there is no IgM.
    all(hbvNotChild, refuted(['hbc-igm'], ['hbc-total'], 30), none(marker)),
    // The same antigen is soon not found again, as in a neutralization test, or there is neither virus nor antibody.
    all(
      { is: 'age-from', months: 1, assumed: true },
      positive('hbsag'),
      any(
        { is: 'negative', tests: ['hbsag'], after: ['hbsag'], withinDays: 30, beforeDays: 0 },
        all(
          { is: 'negative', tests: ['hbv-dna'], after: ['hbsag'], withinDays: 30 },
          { is: 'negative', tests: ['hbc-total'], after: ['hbsag'], withinDays: 30 },
        ),
      ),
      none(positive('hbeag', 'hbv-dna', 'hbc-igm', 'hbc-total'), { is: 'twice', tests: ['hbsag'] }),
    ),
  ),
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
/** The IgM test that would show an acute infection was not done, and the person is not ill: then it is chronic. */
const igmNotDoneNorIll: Criterion = all({ is: 'not-done', tests: ['hbc-igm'] }, none(signs));
/** The class if it is unknown whether the infection is acute or chronic. */
const hbvOpen: CaseDefinition['classes'] = [
  { classification: 'probable', when: all(hbvNotChild, positive('hbsag', 'hbeag')) },
  { classification: 'suspect', when: all(hbvNotChild, igmPositive) },
];

const hcvChild: Criterion = { is: 'age-below', months: 36 };
const hcvNotChild: Criterion = { is: 'age-from', months: 36, assumed: true };
const detected = positive('hcv-detection');
/** Until 2019 the illness counted whatever other causes were possible. */
const hcvIll = (validFrom: number): Criterion => (validFrom >= 2020 ? signs : fact('hepatitis-signs'));
const hcvRefuted = refuted(['hcv-antibody'], ['hcv-detection'], 365);
/** A virus that was found before has come back; these tests alone do not make it a new infection. */
const hcvConverted = any(
  {
    is: 'converted',
    tests: ['hcv-antibody'],
    to: ['hcv-antibody', 'hcv-detection'],
    withinMonths: 12,
    first: true,
  },
  { is: 'converted', tests: ['hcv-detection'], withinMonths: 12, first: true },
);
/** The version of 2016: a negative of one of these tests, then a positive of any. */
const hcvConvertedByAny: Criterion = {
  is: 'converted',
  tests: ['hcv-antibody', 'hcv-detection'],
  withinMonths: 12,
  first: true,
};

export const hepatitis: readonly CaseDefinition[] = [
  {
    id: 'hepatitis-a-2019',
    family: 'hepatitis-a',
    conditions: ['hepatitis-a-acute'],
    files: 'hepatitis-a-acute',
    statement: '18-ID-07',
    source: 'CDC NNDSS case definition, hepatitis A 2019 (18-ID-07)',
    validFrom: 2019,
    evidenceDays: 90,
    classes: [
      { classification: 'confirmed', when: positive('hav-rna') },
      { classification: 'confirmed', when: all(signs, positive('hav-igm')) },
      { classification: 'confirmed', when: all(signs, fact('link-confirmed-case')) },
      // IgM persists and is often false positive in people who are not ill.
      { classification: 'unknown', when: positive('hav-igm') },
    ],
    contradicted: refuted(['hav-igm'], ['hav-rna'], 30),
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
        when: all(
          hbvNotChild,
          any(all(signs, positive('hbsag'), any(igmPositive, { is: 'not-done', tests: ['hbc-igm'] })), {
            ...hbvConverted,
            withinMonths: 6,
          }),
        ),
      },
      {
        classification: 'confirmed',
        condition: 'hepatitis-b-chronic',
        when: all(
          hbvNotChild,
          any(
            // Any two of the three count.
            { is: 'twice', tests: ['hbsag', 'hbeag', 'hbv-dna'], apartMonths: 6 },
            all(marker, { is: 'negative', tests: ['hbc-igm'] }),
          ),
        ),
      },
      {
        classification: 'probable',
        condition: 'hepatitis-b-chronic',
        when: all(hbvNotChild, any(positive('hbv-dna'), all(positive('hbsag', 'hbeag'), igmNotDoneNorIll))),
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
            igmWithFirst,
            { ...hbvConverted, withinDays: 365 },
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
            { is: 'twice', tests: ['hbsag'], apartMonths: 6 },
            { is: 'twice', tests: ['hbeag'], apartMonths: 6 },
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
        when: all(
          hbvNotChild,
          positive('hbsag', 'hbeag'),
          any({ is: 'negative', tests: ['hbc-igm'] }, igmNotDoneNorIll),
        ),
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
        // Under two months the virus may be the mother's; later it is the child's own.
        { classification: 'suspect', when: all({ is: 'age-below', months: 2 }, detected) },
        {
          classification: 'confirmed',
          condition: 'hepatitis-c-acute',
          when: all(
            hcvNotChild,
            any(validFrom >= 2020 ? hcvConverted : hcvConvertedByAny, all(hcvIll(validFrom), detected)),
          ),
        },
        // Chronic unless signs of an acute infection are found.
        { classification: 'confirmed', when: all(hcvNotChild, detected) },
        {
          classification: 'probable',
          condition: 'hepatitis-c-acute',
          when: all(hcvNotChild, hcvIll(validFrom), positive('hcv-antibody'), {
            is: 'not-done',
            tests: ['hcv-detection'],
          }),
        },
        {
          classification: 'not_a_case',
          when: all(hcvNotChild, hcvRefuted),
        },
        { classification: 'probable', when: all(hcvNotChild, positive('hcv-antibody')) },
        // A mother's antibodies last in a child for three years.
        { classification: 'not_a_case', when: all(hcvChild, positive('hcv-antibody'), none(detected)) },
      ],
      contradicted: any(
        all(hcvNotChild, hcvRefuted),
        // The mother's virus disappears.
        all({ is: 'age-below', months: 2 }, detected, {
          is: 'negative',
          tests: ['hcv-detection'],
          after: ['hcv-detection'],
          beforeDays: 0,
          withinDays: 365,
        }),
      ),
    }),
  ),
];
