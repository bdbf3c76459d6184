import {
  all,
  antigenRefuted,
  any,
  type CaseDefinition,
  type Criterion,
  fact,
  none,
  positive,
  refuted,
} from '../criteria.ts';

const nndss = (name: string, year: number, statement: string | null) => ({
  statement,
  source: `CDC NNDSS case definition, ${name} ${year}${statement ? ` (${statement})` : ''}`,
  validFrom: year,
});
const one = (family: string, condition: string) => ({ family, conditions: [condition], files: condition });

const measlesLab = any(
  positive('measles-direct'),
  { is: 'converted', tests: ['measles-igg'], withinDays: 60 },
  { is: 'rise', tests: ['measles-igg'], dilutions: 2 },
  all(positive('measles-igm'), fact('not-vaccine-rash')),
);
const sterile = (tests: 'meningococcus-direct' | 'meningococcus-antigen'): Criterion => ({
  is: 'positive',
  tests: [tests],
  sterile: true,
});

export const respiratory: readonly CaseDefinition[] = [
  {
    ...one('tuberculosis', 'tuberculosis'),
    ...nndss('tuberculosis', 2009, '09-ID-65'),
    id: 'tuberculosis-2009',
    evidenceDays: 365,
    classes: [
      { classification: 'confirmed', when: positive('mtb-culture') },
      { classification: 'confirmed', when: positive('mtb-naat') },
      { classification: 'confirmed', when: all(positive('afb-smear'), fact('culture-not-possible')) },
      { classification: 'confirmed', when: fact('tb-clinical') },
      { classification: 'suspect', when: positive('afb-smear') },
    ],
    readsAlso: ['nontuberculous-mycobacteria'],
    // The cultures of a specimen take up to eight weeks, but have its day.
    contradicted: all(
      positive('afb-smear'),
      any(
        { is: 'negative', tests: ['mtb-naat', 'culture'], after: ['afb-smear'], withinDays: 60 },
        positive('other-mycobacterium'),
      ),
      none(positive('mtb-naat', 'mtb-culture')),
    ),
  },
  ...[
    { validFrom: 2021, statement: '21-ID-01' },
    { validFrom: 2023, statement: '22-ID-01' },
  ].map(
    ({ validFrom, statement }): CaseDefinition => ({
      ...one('coronavirus', 'covid-19'),
      ...nndss('coronavirus disease 2019', validFrom, statement),
      id: `covid-19-${validFrom}`,
      evidenceDays: 90,
      classes: [
        { classification: 'confirmed', when: positive('sars2-molecular') },
        { classification: 'probable', when: positive('sars2-antigen') },
        { classification: 'probable', when: fact('death-certificate') },
        ...(validFrom < 2023
          ? [
              {
                classification: 'probable' as const,
                when: all(fact('covid-clinical'), fact('contact-confirmed-case')),
              },
            ]
          : []),
      ],
      // A molecular test confirms or refutes an antigen within two days; later the virus may be gone.
      contradicted: refuted(['sars2-antigen'], ['sars2-molecular'], 2, { beforeDays: 0 }),
    }),
  ),
  {
    family: 'orthopoxvirus',
    conditions: ['mpox', 'orthopoxvirus-undetermined'],
    files: 'orthopoxvirus-undetermined',
    ...nndss('mpox', 2022, '22-ID-10'),
    id: 'mpox-2022',
    evidenceDays: 90,
    classes: [
      { classification: 'confirmed', condition: 'mpox', when: positive('mpox-direct') },
      { classification: 'probable', when: positive('orthopox-direct') },
      {
        classification: 'probable',
        condition: 'mpox',
        when: all(positive('orthopox-igm'), fact('mpox-rash')),
      },
      {
        classification: 'suspect',
        condition: 'mpox',
        when: any(fact('mpox-rash'), fact('mpox-exposure'), positive('orthopox-igm')),
      },
    ],
    contradicted: any(
      refuted(['orthopox-direct', 'orthopox-igm'], ['mpox-direct'], 30),
      all(refuted(['orthopox-igm'], ['orthopox-direct'], 30), none(positive('mpox-direct'))),
    ),
  },
  {
    ...one('pertussis', 'pertussis'),
    ...nndss('pertussis', 2020, '19-ID-08'),
    id: 'pertussis-2020',
    evidenceDays: 90,
    classes: [
      { classification: 'confirmed', when: all(fact('acute-cough'), positive('pertussis-direct')) },
      {
        classification: 'probable',
        when: all(fact('cough-two-weeks'), fact('pertussis-sign'), fact('other-diagnosis-excluded')),
      },
      {
        classification: 'probable',
        when: all(
          fact('acute-cough'),
          fact('pertussis-sign'),
          fact('contact-confirmed-case'),
          fact('other-diagnosis-excluded'),
        ),
      },
      { classification: 'unknown', when: positive('pertussis-direct') },
    ],
  },
  {
    ...one('measles', 'measles'),
    ...nndss('measles', 2013, '12-ID-07'),
    id: 'measles-2013',
    evidenceDays: 90,
    classes: [
      {
        classification: 'confirmed',
        when: all(fact('febrile-rash'), any(measlesLab, fact('link-confirmed-case'))),
      },
      {
        classification: 'probable',
        when: all(fact('measles-clinical'), none(fact('link-confirmed-case'), measlesLab)),
      },
      {
        classification: 'suspect',
        when: any(positive('measles-direct'), positive('measles-igm'), fact('febrile-rash')),
      },
    ],
    contradicted: refuted(['measles-igm'], ['measles-direct'], 14),
  },
  {
    ...one('legionellosis', 'legionellosis'),
    ...nndss('legionellosis', 2020, '19-ID-04'),
    id: 'legionellosis-2020',
    evidenceDays: 90,
    classes: [
      { classification: 'confirmed', when: all(fact('pneumonia'), positive('legionella-direct')) },
      { classification: 'probable', when: all(fact('pneumonia'), fact('link-confirmed-case')) },
      { classification: 'suspect', when: positive('legionella-direct') },
    ],
  },
  {
    ...one('varicella', 'varicella'),
    ...nndss('varicella', 2024, null),
    id: 'varicella-2024',
    evidenceDays: 60,
    classes: [
      { classification: 'confirmed', when: all(fact('varicella-clinical'), positive('varicella-direct')) },
      { classification: 'confirmed', when: all(fact('varicella-clinical'), fact('link-confirmed-case')) },
      { classification: 'probable', when: fact('varicella-clinical') },
      // Shingles is the same virus.
      { classification: 'unknown', when: positive('varicella-direct') },
    ],
    contradicted: antigenRefuted(7),
  },
  ...[
    { validFrom: 2012, statement: '11-ID-18' },
    { validFrom: 2024, statement: null },
  ].map(
    ({ validFrom, statement }): CaseDefinition => ({
      ...one('mumps', 'mumps'),
      ...nndss('mumps', validFrom, statement),
      id: `mumps-${validFrom}`,
      evidenceDays: 60,
      classes: [
        { classification: 'confirmed', when: all(fact('mumps-clinical'), positive('mumps-direct')) },
        {
          classification: 'probable',
          when: all(fact('mumps-clinical'), any(positive('mumps-igm'), fact('link-confirmed-case'))),
        },
        {
          classification: 'suspect',
          when: any(positive('mumps-direct'), positive('mumps-igm'), fact('mumps-clinical')),
        },
      ],
      contradicted: refuted(['mumps-igm'], ['mumps-direct'], 14),
    }),
  ),
  {
    ...one('meningococcal', 'meningococcal-disease'),
    ...nndss('meningococcal disease', 2015, '14-ID-06'),
    id: 'meningococcal-disease-2015',
    evidenceDays: 30,
    classes: [
      { classification: 'confirmed', when: sterile('meningococcus-direct') },
      { classification: 'probable', when: sterile('meningococcus-antigen') },
      { classification: 'suspect', when: fact('meningococcal-clinical') },
    ],
    contradicted: antigenRefuted(7),
  },
  {
    ...one('rabies', 'rabies-human'),
    ...nndss('rabies, human', 2011, '10-ID-16'),
    id: 'rabies-human-2011',
    evidenceDays: 365,
    classes: [
      { classification: 'confirmed', when: all(fact('rabies-clinical'), positive('rabies-direct')) },
      { classification: 'unknown', when: positive('rabies-direct') },
    ],
    contradicted: antigenRefuted(30),
  },
];
