import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { wordsIn } from '../../platform/words/words.ts';
import {
  analyteKindOfLoinc,
  caseRules,
  conditions,
  diseaseFamilies,
  laboratoryTests,
  organisms,
  patientWords,
  resultCategories,
} from '../reference/catalog.ts';
import { explainedAnswers, type LaboratoryTest, patientWords as shape } from '../reference/schema.ts';
import { explanationsPage } from './explanations-page.ts';
import { answerOf } from './own-results.ts';
import { type Explained, explanationOf, patientWordsReview, shownAnswer } from './patient-words.ts';

const none: Explained = {
  testLoinc: null,
  diseaseFamily: null,
  conditionCode: null,
  resultCategory: 'positive',
  valueText: null,
  valueNumber: null,
  valueComparator: null,
  units: null,
  referenceRange: null,
  abnormalFlag: null,
};

interface Meant {
  diseaseFamily: string | null;
  conditionCode: string | null;
}
const distinct = (all: readonly Meant[]) => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
];

/** Other meanings of a positive test besides its own: a condition of its family, the case that it opens. */
function ownMeanings(known: LaboratoryTest): Meant[] {
  const own = { diseaseFamily: known.family ?? null, conditionCode: known.condition ?? null };
  const opened = caseRules
    .filter(
      ({ condition, family, methods }) =>
        methods.includes(known.method) &&
        (condition === undefined ? family === known.family : condition === known.condition),
    )
    .flatMap(({ opens }) => (opens ? [{ ...own, conditionCode: opens }] : []));
  const ofFamily = conditions
    .filter(({ family }) => family === known.family)
    .map(({ code }) => ({ ...own, conditionCode: code }));
  return distinct([...opened, ...ofFamily]);
}

/** The meaning of a positive answer of any test with an organism, because a message may contradict itself. */
const foundMeanings = distinct(
  organisms.map(({ family, condition }) => ({
    diseaseFamily: family ?? null,
    conditionCode: condition ?? null,
  })),
);

/** A value of each kind that a laboratory sends with an answer. */
const values: readonly Partial<Explained>[] = [
  {},
  { valueText: '1:64', valueNumber: 1, units: '{titer}' },
  { valueText: '12', valueNumber: 12, units: 'ug/dL', referenceRange: '<3.5' },
  { valueText: '70', valueNumber: 70, units: 'ug/dL', referenceRange: '<3.5' },
  { valueText: '<20', valueNumber: 20, valueComparator: '<', units: '{copies}/mL', referenceRange: '<20' },
  { valueText: '250', valueNumber: 250, units: 'm[IU]/mL', referenceRange: '>10' },
  { valueText: '3', valueNumber: 3, units: 'g/dL', referenceRange: '12-16', abnormalFlag: 'L' },
  { valueText: 'Detected', abnormalFlag: 'A' },
];

/** Every test of the catalogue × what it can mean × every answer × every kind of value. */
function everyResult(): { known: LaboratoryTest; result: Explained; key: string; found: boolean }[] {
  return laboratoryTests.flatMap((known) => {
    const make = (meant: Meant, resultCategory: string, value: Partial<Explained>, found: boolean) => {
      const result = { ...none, ...meant, ...value, testLoinc: known.loinc, resultCategory };
      return { known, result, key: explanationOf(result).key, found };
    };
    const sought = { diseaseFamily: known.family ?? null, conditionCode: known.condition ?? null };
    const own = resultCategories.flatMap(({ code }) =>
      values.map((value) => make(sought, code, value, false)),
    );
    const finds = ['positive', 'weak-positive', 'presumptive-positive', 'indeterminate', 'quantitative'];
    const can = ownMeanings(known).flatMap((meant) =>
      finds.flatMap((category) => values.map((value) => make(meant, category, value, false))),
    );
    const found = foundMeanings.flatMap((meant) => finds.map((category) => make(meant, category, {}, true)));
    return [...own, ...can, ...found];
  });
}
const every = everyResult();

/**
 * The tests that each explanation may be given for, by hand and by LOINC names: independent of the table's own kinds
 * and the methods behind them.
 */
const mayBeSaidOf: readonly [RegExp, { of: RegExp; not?: RegExp }][] = [
  [/^any\./, { of: /./ }],
  [/^part\./, { of: /./ }],
  [/^susceptibility\./, { of: /susceptibility|lactamase|carbapenemase|mecA|vanA/i }],
  [/^resistant\./, { of: /carbapenemase|^Candida auris/i, not: /susceptibility/ }],
  [
    /^sterile-culture\./,
    { of: /blood culture|bone marrow culture|fluid culture/, not: /sputum|urine|stool|throat/ },
  ],
  [/^newborn\./, { of: /newborn/i }],
  [
    /^contagious\.negative/,
    {
      of: /^(Bordetella pertussis|Mumps|Hepatitis A|Varicella|Measles|Rubella|Polio|Coryne|Neisseria mening|Yersinia pestis|Monkeypox|Orthopox|Variola|Ebola|Marburg|Lassa|Crimean|MERS|SARS coronavirus|Influenza A H[579])/,
      not: /IgG|IgA/,
    },
  ],
  [/^contagious\./, { of: /^(Bordetella pertussis|Mumps|Hepatitis A|Varicella)/, not: /IgG|IgA/ }],
  [/^malaria\./, { of: /^Plasmodium/, not: /antibody|Ig[GM]/ }],
  [/^rabies\./, { of: /^Rabies/, not: /antibody|Ig[GM]/ }],
  [/^immunity\./, { of: /^(Measles|Rubella) virus (IgG|antibody)/, not: /IgM/ }],
  [/^antibody-igm\./, { of: /IgM/, not: /IgG and IgM/ }],
  [/^antibody\./, { of: /antibod|Ig[GAM]\b/i, not: /antigen|RNA|DNA|immunoblot band$|receptor/i }],
  [/^viral-load\./, { of: /viral load|quantitative/i, not: /antibody|IgG|IgM|antigen/ }],
  [/^urgent/, { of: /./, not: /IgG|susceptibility|genotype|Reagin|surface antibody/ }],
  // "HIV 1 and 2 antibody identified" tells the two viruses apart: the second test of CDC's algorithm, never the
  // screen.
  [
    /^hiv\.screening\./,
    { of: /^HIV .*antibody/, not: /band|blot|immunofluorescence|identified|viral load|CD4/ },
  ],
  [
    /^hiv\.confirmed\./,
    {
      of: /^HIV (.*(blot|immunofluorescence|RNA|DNA|nucleic)|1 and 2 antibody identified)/,
      not: /viral load|immunoblot band$|CD4/,
    },
  ],
  [/^hiv\.antibody\./, { of: /^HIV .*antibody/, not: /antigen|band|blot|immunofluorescence|identified|RNA/ }],
  [/^hiv\.antigen-antibody\./, { of: /^HIV .*antigen and antibody/ }],
  [
    /^hiv\.confirmatory\./,
    { of: /^HIV (.*(blot|immunofluorescence)|1 and 2 antibody identified)/, not: /immunoblot band$|RNA/ },
  ],
  [/^hiv\.nucleic-acid\./, { of: /^HIV .*(RNA|DNA|nucleic)/, not: /viral load|antibody/ }],
  [/^hiv\.unclear/, { of: /^HIV /, not: /viral load|immunoblot band$|CD4|genotype/ }],
  [/^hiv\.viral-load\./, { of: /^HIV .*viral load/ }],
  [
    /^hepatitis-b\.virus\./,
    {
      of: /Hepatitis B virus (surface antigen|(polymerase )?DNA)/,
      not: /antibody|viral load|quantitative DNA/,
    },
  ],
  [/^hepatitis-b\.surface-antibody\./, { of: /Hepatitis B virus surface antibody/ }],
  [/^hepatitis-b\.core-antibody\./, { of: /Hepatitis B virus core (antibody|IgG)/, not: /IgM/ }],
  [/^hepatitis-b\.core-igm\./, { of: /Hepatitis B virus core IgM/ }],
  [
    /^hepatitis-c\.antibody\./,
    { of: /Hepatitis C virus.*(antibody|IgG)/, not: /RNA|antigen|immunoblot band$|signal/ },
  ],
  [/^hepatitis-c\.virus\./, { of: /Hepatitis C virus.*(RNA|core antigen)/, not: /antibody|genotype/ }],
  [/^syphilis\.nontreponemal\./, { of: /^Reagin/ }],
  [/^syphilis\.treponemal\./, { of: /^Treponema pallidum (antibody|Ig[GM])/ }],
  [/^syphilis\.antibody\./, { of: /^(Reagin|Treponema pallidum (antibody|Ig[GM]))/ }],
  [/^syphilis\.direct\./, { of: /^Treponema pallidum/, not: /antibody|Ig[GM]/ }],
  [/^chlamydia\./, { of: /Chlamydia|Chlamydophila/i, not: /antibody|Ig[GM]/ }],
  [/^gonorrhea\./, { of: /gonorrhoeae/, not: /antibody|Ig[GM]|susceptibility/ }],
  [/^trichomoniasis\./, { of: /Trichomonas/, not: /antibody|Ig[GM]/ }],
  [/^tuberculosis\.blood-test\./, { of: /gamma interferon/, not: /culture|DNA|stain/i }],
  [/^tuberculosis\.(found|possible|sample)\./, { of: /Mycobacteri|Acid fast/, not: /interferon/ }],
  [/^covid-19\.antigen\./, { of: /SARS-CoV-2 antigen/ }],
  [
    /^covid-19\.positive/,
    {
      // Both viruses have the E gene; a result that names SARS-CoV-2 says which one it is.
      of: /SARS-CoV-2|SARS-related coronavirus/,
      not: /Ig[GM]|antibody|receptor|volatile|genome|viral load|MERS/,
    },
  ],
  [/^covid-19\./, { of: /SARS-CoV-2/, not: /Ig[GM]|antibody|receptor|volatile|genome|viral load|MERS/ }],
  [/^influenza\./, { of: /Influenza/, not: /H5|H7|H9|Haemophilus|parainfluenza|hemagglutinin type/i }],
  [/^lead\./, { of: /^Lead,/ }],
  [/^metal\./, { of: /^Cadmium/ }],
];

/** A test for no particular disease: the germ that it finds decides. */
const identifies = ({ family }: LaboratoryTest) => family === undefined;

describe('the words that explain a result [P26]', () => {
  test('the table has the shape of its schema', () => {
    expect(shape.safeParse(patientWords).error).toBeUndefined();
    const families = new Set<string>(diseaseFamilies.map(({ code }) => code));
    const known = new Map(conditions.map(({ code, family }) => [code, family]));
    for (const row of patientWords.rows) {
      for (const family of row.families ?? []) expect(families, row.key).toContain(family);
      // A condition without its family would never be reached.
      for (const code of row.conditions ?? [])
        if (code !== null) expect(row.families, `${row.key} ${code}`).toContain(known.get(code));
      for (const source of row.sources) expect(patientWords.sources, row.key).toHaveProperty(source);
      expect(
        mayBeSaidOf.some(([key]) => key.test(row.key)),
        row.key,
      ).toBe(true);
    }
    const used = new Set(patientWords.rows.flatMap(({ sources }) => sources));
    expect([...used].sort()).toEqual(Object.keys(patientWords.sources).sort());
  });

  test('no test of the catalogue, with any answer, value and condition, has words of another kind of test', () => {
    const wrong = new Set<string>();
    for (const { known, key, found } of every) {
      const { of, not } = mayBeSaidOf.find(([pattern]) => pattern.test(key))![1];
      const isNamed = of.test(known.component) || (found && identifies(known));
      if (!isNamed || not?.test(known.component)) wrong.add(`${known.loinc} ${known.component}: ${key}`);
    }
    expect([...wrong]).toEqual([]);
    expect(laboratoryTests.length).toBeGreaterThanOrEqual(1045);
    expect(every.length).toBeGreaterThan(laboratoryTests.length * resultCategories.length * values.length);
    // Every row is reached.
    const reached = new Set(every.map(({ key }) => key));
    expect(patientWords.rows.map(({ key }) => key).filter((key) => !reached.has(key))).toEqual([]);
  });

  test('every explanation is given only for its own family, and never an ordinary one for an urgent illness', () => {
    const families = new Set<string>(diseaseFamilies.map(({ code }) => code));
    const urgent = new Set(
      patientWords.rows.filter(({ key }) => key.startsWith('urgent')).flatMap((row) => row.conditions ?? []),
    );
    const wrong = new Set<string>();
    for (const { known, result, key } of every) {
      const about = key.split('.')[0]!;
      const family = about === 'covid-19' ? 'coronavirus' : about;
      const isOther = families.has(family) && result.diseaseFamily !== family;
      if (
        isOther ||
        (families.has(family) &&
          urgent.has(result.conditionCode) &&
          result.conditionCode !== null &&
          // A person with that urgent illness in mind gets an explanation of a negative result.
          key !== 'malaria.negative')
      )
        wrong.add(`${known.loinc} ${result.conditionCode}: ${key}`);
    }
    expect([...wrong]).toEqual([]);
  });

  test('each has its words in each language, and no words are unused', () => {
    const keys = [...new Set(patientWords.rows.map(({ key }) => key))];
    for (const language of ['en', 'es', 'ht'])
      for (const key of keys)
        for (const part of ['meaning', 'next'])
          expect(
            wordsIn('explanations', language, 'PUBLIC_HEALTH')(`explained.${key}.${part}`),
            `${language} ${key}`,
          ).toBeTruthy();
  });

  test('a result that fits no row has the general words of its answer', () => {
    expect(
      patientWords.rows
        .slice(-8)
        .every(({ families, conditions, kinds }) => !families && !conditions && !kinds),
    ).toBe(true);
    const general = patientWords.rows.filter(
      ({ families, conditions, kinds }) => !families && !conditions && !kinds,
    );
    expect(new Set(general.flatMap(({ answers }) => answers))).toEqual(new Set(explainedAnswers));
  });
});

const of = (loinc: string, more: Partial<Explained>): Explained => {
  const known = laboratoryTests.find((one) => one.loinc === loinc)!;
  return {
    ...none,
    testLoinc: loinc,
    diseaseFamily: known.family ?? null,
    conditionCode: known.condition ?? null,
    ...more,
  };
};

describe('results that once had the wrong words', () => {
  test.each<[string, string, Partial<Explained>, string]>([
    ['HIV viral load not detected', '25836-8', { resultCategory: 'negative' }, 'hiv.viral-load.negative'],
    [
      'HIV viral load below the limit',
      '25836-8',
      { resultCategory: 'inconclusive', valueText: '<20' },
      'hiv.viral-load.below',
    ],
    [
      'HIV viral load that nobody could measure',
      '25836-8',
      { resultCategory: 'indeterminate' },
      'viral-load.unclear',
    ],
    [
      'HIV viral load below the limit, as a number',
      '25836-8',
      { resultCategory: 'quantitative', valueText: '< 20 copies/mL', units: null },
      'hiv.viral-load.below',
    ],
    ['HIV antibody indeterminate', '7918-6', { resultCategory: 'indeterminate' }, 'hiv.unclear'],
    ['malaria', '47085-6', {}, 'urgent.positive'],
    ['Legionella', '32781-7', {}, 'urgent.positive'],
    ['listeriosis', '61369-5', { resultCategory: 'indeterminate' }, 'urgent.unclear'],
    ['cholera', '53942-9', {}, 'urgent.positive'],
    ['Salmonella that is Typhi', '17563-8', { conditionCode: 'typhoid-fever' }, 'urgent.positive'],
    ['Salmonella of another kind', '17563-8', { conditionCode: 'salmonellosis' }, 'any.positive'],
    ['whooping cough', '23826-1', {}, 'contagious.positive'],
    ['hepatitis A', '13950-1', {}, 'contagious.positive'],
    ['rabies not found', '6532-6', { resultCategory: 'negative' }, 'rabies.negative'],
    ['medicines that work', '20-8', { resultCategory: 'quantitative', valueText: 'S' }, 'susceptibility.any'],
    ['a gene of resistance', '49617-4', {}, 'resistant.positive'],
    ['a gene of resistance not found', '49617-4', { resultCategory: 'negative' }, 'resistant.negative'],
    ['a germ on the skin that resists medicines', '90002-7', {}, 'resistant.positive'],
    [
      'which medicines work against a germ that resists many',
      '20-8',
      {
        diseaseFamily: 'carbapenemase-producing-organisms',
        conditionCode: 'cpo-clinical',
        resultCategory: 'positive',
      },
      'susceptibility.any',
    ],
    ['bacteria in the blood', '600-7', {}, 'sterile-culture.positive'],
    ['Salmonella in the blood', '93385-3', {}, 'sterile-culture.positive'],
    ['meningococci in the blood', '93388-7', {}, 'urgent-contagious.positive'],
    [
      'a blood culture that names meningococci',
      '600-7',
      { diseaseFamily: 'meningococcal', conditionCode: 'meningococcal-disease' },
      'urgent-contagious.positive',
    ],
    ['bacteria in urine', '630-4', {}, 'any.positive'],
    ['invasive pneumococci', '49672-9', {}, 'urgent.positive'],
    ['a newborn screen out of range', '46737-3', {}, 'newborn.positive'],
    ['a newborn screen, not clear', '46737-3', { resultCategory: 'indeterminate' }, 'newborn.positive'],
    ['a newborn screen that found nothing', '46737-3', { resultCategory: 'negative' }, 'newborn.negative'],
    ['measles not found', '48508-6', { resultCategory: 'negative' }, 'contagious.negative'],
    ['measles IgM not found', '21503-8', { resultCategory: 'negative' }, 'contagious.negative'],
    ['mpox not found', '100383-9', { resultCategory: 'negative' }, 'contagious.negative'],
    ['MERS not found', '88199-5', { resultCategory: 'negative' }, 'contagious.negative'],
    ['whooping cough not found', '23826-1', { resultCategory: 'negative' }, 'contagious.negative'],
    ['chickenpox', '11483-5', {}, 'contagious.positive'],
    ['malaria not found', '51587-4', { resultCategory: 'negative' }, 'malaria.negative'],
    [
      'measles antibodies of no named kind, none',
      '46197-0',
      { resultCategory: 'negative' },
      'immunity.negative',
    ],
    ['Lyme disease, IgM by immunoblot', '6321-4', {}, 'antibody-igm.positive'],
    ['Lyme disease, IgG by immunoblot', '6320-6', {}, 'antibody.positive'],
    [
      'HIV viral load counted',
      '25836-8',
      { valueText: '48000', valueNumber: 48000 },
      'hiv.viral-load.positive',
    ],
    ['HIV 1 and 2 told apart', '80203-3', {}, 'hiv.confirmed.positive'],
    ['neither HIV 1 nor 2', '69668-2', { resultCategory: 'negative' }, 'hiv.confirmatory.negative'],
    ['HIV antibody negative', '7918-6', { resultCategory: 'negative' }, 'hiv.antibody.negative'],
    [
      'HIV antigen and antibody negative',
      '56888-1',
      { resultCategory: 'negative' },
      'hiv.antigen-antibody.negative',
    ],
    [
      'TB culture that names the germ',
      '539-7',
      { conditionCode: 'tuberculosis' },
      'tuberculosis.found.positive',
    ],
    ['TB culture that grows something', '539-7', {}, 'tuberculosis.possible.positive'],
    ['TB DNA', '38379-4', {}, 'tuberculosis.found.positive'],
    ['acid-fast smear', '11545-1', {}, 'tuberculosis.possible.positive'],
    ['acid-fast smear negative', '11545-1', { resultCategory: 'negative' }, 'tuberculosis.sample.negative'],
    ['TB blood test', '71773-6', {}, 'tuberculosis.blood-test.positive'],
    [
      'another mycobacterium',
      '539-7',
      {
        diseaseFamily: 'nontuberculous-mycobacteria',
        conditionCode: 'nontuberculous-mycobacteria-pulmonary',
      },
      'any.positive',
    ],
    ['hepatitis B surface antibody', '10900-9', {}, 'hepatitis-b.surface-antibody.positive'],
    [
      'hepatitis B surface antibody, 250',
      '16935-9',
      { resultCategory: 'quantitative', valueText: '250', units: 'm[IU]/mL' },
      'hepatitis-b.surface-antibody.positive',
    ],
    [
      'hepatitis B surface antibody, 3',
      '16935-9',
      { resultCategory: 'quantitative', valueText: '<3', units: 'm[IU]/mL' },
      'hepatitis-b.surface-antibody.negative',
    ],
    ['hepatitis B surface antigen', '5196-1', {}, 'hepatitis-b.virus.positive'],
    ['SARS-CoV-2 IgG', '94563-4', {}, 'antibody.positive'],
    ['SARS-CoV-2 antigen negative', '94558-4', { resultCategory: 'negative' }, 'covid-19.antigen.negative'],
    ['SARS-CoV-2 RNA negative', '94500-6', { resultCategory: 'negative' }, 'covid-19.nucleic-acid.negative'],
    ['MERS', '88199-5', {}, 'urgent-contagious.positive'],
    ['MERS, not clear', '88199-5', { resultCategory: 'indeterminate' }, 'urgent-contagious.unclear'],
    ['influenza A H5', '38272-1', {}, 'urgent-contagious.positive'],
    [
      'influenza A that turns out to be a new one',
      '34487-9',
      { conditionCode: 'influenza-novel-a' },
      'urgent-contagious.positive',
    ],
    [
      'a MERS test that calls it COVID-19',
      '88199-5',
      { conditionCode: 'covid-19' },
      'urgent-contagious.positive',
    ],
    [
      'hepatitis B DNA that names another germ',
      '5009-6',
      { diseaseFamily: 'gonorrhea', conditionCode: 'gonorrhea' },
      'any.positive',
    ],
    ['influenza A H3', '49524-2', {}, 'influenza.positive'],
    ['measles IgM', '21503-8', {}, 'urgent-contagious.positive'],
    ['measles IgG', '20479-2', {}, 'immunity.positive'],
    ['rubella IgG not found', '41763-4', { resultCategory: 'negative' }, 'immunity.negative'],
    ['lead, much', '5671-3', { valueText: '70', units: 'ug/dL', referenceRange: '<3.5' }, 'lead.very-high'],
    [
      'measles IgG, an amount',
      '22502-9',
      { resultCategory: 'quantitative', valueText: '1:320', referenceRange: '<1:10' },
      'any.number',
    ],
    ['lead, much, without a range', '10368-9', { valueText: '45.0', units: 'ug/dL' }, 'lead.very-high'],
    ['lead, more than can be counted', '10368-9', { valueText: '>65', units: 'ug/dL' }, 'lead.very-high'],
    ['lead, much, in another unit', '5671-3', { valueText: '460', units: 'ug/L' }, 'lead.very-high'],
    ['lead, high in another unit', '5671-3', { valueText: '70', units: 'ug/L' }, 'lead.high'],
    [
      'lead within an old range, in no unit',
      '5671-3',
      { resultCategory: 'quantitative', valueText: '4.2', referenceRange: '<5' },
      'lead.number',
    ],
    ['lead, high', '5671-3', { valueText: '12', units: 'ug/dL', referenceRange: '< 3.5' }, 'lead.high'],
    ['lead, high without a range', '5671-3', { valueText: '12', units: 'ug/dL' }, 'lead.high'],
    [
      'lead, usual',
      '5671-3',
      { resultCategory: 'negative', valueText: '1.2', units: 'ug/dL', referenceRange: '< 3.5' },
      'lead.usual',
    ],
    [
      'lead, of which two things are said',
      '5671-3',
      { valueText: '4', units: 'ug/dL', referenceRange: '< 5' },
      'lead.number',
    ],
    ['RPR 1:8', '20508-8', { valueText: '1:8', valueNumber: 1 }, 'syphilis.nontreponemal.positive'],
    [
      'CD4 count below the range',
      '24467-3',
      { resultCategory: 'quantitative', valueText: '180', units: '{cells}/uL', referenceRange: '500-1500' },
      'any.number-low',
    ],
    ['one band of an HIV blot', '9660-2', {}, 'part.any'],
    ['hepatitis B e antigen', '13954-3', { resultCategory: 'negative' }, 'part.any'],
    ['a test that nobody knows', '00000-0', {}, 'any.positive'],
  ])('%s', (_, loinc, more, key) => {
    const known = laboratoryTests.some((one) => one.loinc === loinc);
    expect(explanationOf(known ? of(loinc, more) : { ...none, testLoinc: loinc, ...more }).key).toBe(key);
  });

  test('an amount of lead is neither positive nor negative, and a titer is shown next to its answer', () => {
    expect(shownAnswer(of('5671-3', { valueText: '12', units: 'ug/dL', referenceRange: '<3.5' }))).toEqual({
      mark: 'found',
      named: false,
      valued: true,
      position: 'high',
    });
    // A range from before CDC lowered its limit does not reassure.
    expect(shownAnswer(of('5671-3', { valueText: '4.2', units: 'ug/dL', referenceRange: '<5' }))).toEqual({
      mark: 'other',
      named: false,
      valued: true,
      position: null,
    });
    // A titer of measles antibodies does not alarm either.
    expect(
      shownAnswer(
        of('22502-9', { resultCategory: 'quantitative', valueText: '1:320', referenceRange: '<1:10' }),
      ),
    ).toMatchObject({ mark: 'other', valued: true, position: null });
    expect(shownAnswer(of('20508-8', { valueText: '1:8' }))).toEqual({
      mark: 'found',
      named: true,
      valued: true,
      position: null,
    });
    expect(shownAnswer(of('94500-6', { valueText: 'Detected' }))).toMatchObject({
      named: true,
      valued: false,
    });
    expect(shownAnswer(of('16935-9', { resultCategory: 'quantitative', valueText: '250' }))).toMatchObject({
      named: false,
      valued: true,
    });
  });
});

test.each([
  ['56888-1', 'positive', 'Needs a second test'],
  ['46737-3', 'positive', 'Needs another test'],
  ['46737-3', 'negative', 'Negative'],
  ['94563-4', 'weak-positive', 'Antibodies found'],
  ['6321-4', 'negative', 'No antibodies found'],
  ['25836-8', 'negative', 'Virus not found in this sample'],
  ['5196-1', 'positive', 'Positive'],
])('[P26] the answer of %s, %s, in a word that says no more than the test does', (loinc, category, said) => {
  expect(answerOf(of(loinc, { resultCategory: category })).label).toBe(said);
});

test('every test of the catalogue has a kind', () => {
  for (const one of laboratoryTests) expect(analyteKindOfLoinc(one.loinc), one.loinc).not.toBe('unknown');
  expect(analyteKindOfLoinc(null)).toBe('unknown');
});

test('words that no one signed, or that were changed since, do not count as reviewed', () => {
  expect(patientWordsReview()).toMatchObject({ reviewed: null });
  const before = patientWords.reviewed;
  patientWords.reviewed = { by: 'A physician', on: '2026-01-02', words: '0'.repeat(64) };
  expect(patientWordsReview().reviewed).toBeNull();
  patientWords.reviewed = before;
});

test('the page that a clinician signs is up to date with the table; otherwise run `npm run explanations`', async () => {
  const page = await readFile(new URL('../../../../docs/patient-explanations.md', import.meta.url), 'utf8');
  expect(page).toBe(explanationsPage());
  expect(page).toContain('**Reviewed: not yet.**');
  for (const { key } of patientWords.rows) expect(page).toContain(`## ${key}\n`);
});
