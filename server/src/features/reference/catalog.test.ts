import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loincCheckDigitValid, snomedCheckDigitValid } from '@caseway/contract/codes';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Answer,
  ageBandOf,
  ageBands,
  caseOf,
  caseRuleFor,
  caseRules,
  conditionByCode,
  conditionByNndssCode,
  conditionBySnomedCode,
  conditions,
  demographics,
  diseaseCategories,
  diseaseFamilies,
  expectsCategory,
  familyOf,
  laboratoryTests,
  listEntryOf,
  organisms,
  resultCategories,
  resultCategoryOf,
  resultCodes,
  resultStatuses,
  resultStatusOf,
  resultWords,
  specimenTypeOf,
  specimenTypes,
  testByLoinc,
} from './catalog.ts';
import * as schema from './schema.ts';

const codes = (list: readonly { code: string }[]) => new Set(list.map((item) => item.code));
const repeated = (values: readonly string[]) =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe('the files [S3.13, S7.6]', () => {
  test.each([
    ['disease-categories', z.array(schema.diseaseCategory), diseaseCategories],
    ['disease-families', z.array(schema.diseaseFamily), diseaseFamilies],
    ['conditions', z.array(schema.condition), conditions],
    ['tests', z.array(schema.laboratoryTest), laboratoryTests],
    ['result-categories', z.array(schema.resultCategoryEntry), resultCategories],
    ['result-statuses', z.array(schema.resultStatus), resultStatuses],
    ['result-codes', z.array(schema.resultCode), resultCodes],
    ['result-words', z.array(schema.resultWords), resultWords],
    ['organisms', z.array(schema.organism), organisms],
    ['case-rules', z.array(schema.caseRule), caseRules],
    ['specimen-types', z.array(schema.specimenType), specimenTypes],
    ['age-bands', z.array(schema.ageBand), ageBands],
    ['demographics', schema.demographicLists, demographics],
  ] as const)('%s has its shape, check digits and labels in three languages', (_, shape, content) => {
    expect(shape.safeParse(content).error?.issues.slice(0, 3)).toBeUndefined();
  });

  test('every LOINC and SNOMED CT code among the codings has its check digit', () => {
    const codings = [
      ...Object.values(demographics)
        .flat()
        .flatMap((entry) => entry.codings),
      ...resultCodes,
    ];
    const wrong = codings.filter(
      ({ system, code }) =>
        (system === 'SCT' && !snomedCheckDigitValid(code)) ||
        (system === 'LN' && !loincCheckDigitValid(code)),
    );
    expect(wrong).toEqual([]);
  });

  test('no code stands twice', () => {
    expect(repeated(diseaseCategories.map((item) => item.code))).toEqual([]);
    expect(repeated(diseaseFamilies.map((item) => item.code))).toEqual([]);
    expect(repeated(conditions.map((item) => item.code))).toEqual([]);
    expect(repeated(conditions.flatMap((item) => item.nndssCode ?? []))).toEqual([]);
    expect(repeated(conditions.flatMap((item) => item.snomedCode ?? []))).toEqual([]);
    expect(repeated(laboratoryTests.map((item) => item.loinc))).toEqual([]);
    expect(repeated(organisms.map((item) => item.snomedCode))).toEqual([]);
    expect(repeated(resultCodes.map((item) => `${item.system} ${item.code}`))).toEqual([]);
    expect(
      repeated(specimenTypes.flatMap((item) => [item.code, item.snomedCode, ...(item.hl7Codes ?? [])])),
    ).toEqual([]);
    for (const list of Object.values(demographics))
      expect(repeated(list.map((item) => item.code))).toEqual([]);
  });

  test('what refers to something refers to something that is there', () => {
    const categories = codes(diseaseCategories);
    const families = codes(diseaseFamilies);
    const sites = codes(demographics.specimenSite);
    expect(diseaseFamilies.filter((item) => !categories.has(item.category))).toEqual([]);
    expect(conditions.filter((item) => !families.has(item.family))).toEqual([]);
    for (const item of [...laboratoryTests, ...organisms, ...caseRules]) {
      if (item.family) expect(families).toContain(item.family);
      if (item.condition) expect(codes(conditions)).toContain(item.condition);
    }
    for (const item of [...laboratoryTests, ...organisms]) {
      if (item.condition) expect(conditionByCode(item.condition)!.family).toBe(item.family);
    }
    expect(laboratoryTests.filter((item) => item.site && !sites.has(item.site))).toEqual([]);
    expect(specimenTypes.filter((item) => !sites.has(item.site))).toEqual([]);
  });

  test('there are 16 categories, more than 60 families and more than 120 conditions', () => {
    expect(diseaseCategories).toHaveLength(16);
    expect(diseaseFamilies.length).toBeGreaterThan(60);
    expect(conditions.length).toBeGreaterThan(120);
    expect(laboratoryTests.length).toBeGreaterThan(350);
  });

  test('HIV alone is restricted from the start', () => {
    expect(diseaseFamilies.filter((item) => item.restricted).map((item) => item.code)).toEqual(['hiv']);
  });

  test('a rule gives a classification that is lawful for the condition it opens', () => {
    for (const rule of caseRules) {
      const opened = rule.opens ?? rule.condition;
      if (opened) expect(conditionByCode(opened)!.classifications, opened).toContain(rule.classification);
    }
  });

  test('no two rules answer the same finding', () => {
    const findings = caseRules.flatMap((rule) =>
      rule.methods.flatMap((method) =>
        rule.categories.map(
          (category) => `${rule.condition ?? ''}/${rule.family ?? ''} ${method} ${category}`,
        ),
      ),
    );
    expect(repeated(findings)).toEqual([]);
  });

  test('every result category of the schema has its words', () => {
    expect(resultCategories.map((item) => item.code).sort()).toEqual(
      [...schema.resultCategory.options].sort(),
    );
  });

  test('only positive and negative are in positivity', () => {
    expect(resultCategories.filter((item) => item.positivity !== 'outside').map((item) => item.code)).toEqual(
      ['positive', 'negative'],
    );
  });
});

describe('look-ups', () => {
  test('a condition by its own code, its NNDSS event and its SNOMED CT code', () => {
    expect(conditionByCode('gonorrhea')).toMatchObject({
      nndssCode: '10280',
      snomedCode: '15628003',
      reReportDays: 30,
    });
    expect(conditionByNndssCode('10274')!.code).toBe('chlamydia');
    expect(conditionByNndssCode('11065')!.code).toBe('covid-19');
    expect(conditionBySnomedCode('840539006')!.code).toBe('covid-19');
    expect(conditionByCode('no-such')).toBeUndefined();
  });

  test('the stages of syphilis are one family', () => {
    const events = {
      '10311': 'syphilis-primary',
      '10312': 'syphilis-secondary',
      '10313': 'syphilis-early-latent',
      '10316': 'syphilis-congenital',
    };
    for (const [event, code] of Object.entries(events)) {
      expect(conditionByNndssCode(event)!.code).toBe(code);
      expect(familyOf(code)!.code).toBe('syphilis');
    }
  });

  test('windows for a second report', () => {
    expect(conditionByCode('salmonellosis')!.reReportDays).toBe(365);
    expect(conditionByCode('shigellosis')!.reReportDays).toBe(90);
    expect(conditionByCode('covid-19')!.reReportDays).toBe(90);
    expect(conditionByCode('hepatitis-c-chronic')!.reReportDays).toBeNull();
  });

  test('a test by LOINC', () => {
    expect(testByLoinc('21613-5')).toMatchObject({
      family: 'chlamydia',
      condition: 'chlamydia',
      method: 'naat',
      scale: 'Ord',
    });
    expect(testByLoinc('57458-2')).toMatchObject({ condition: 'gonorrhea', site: 'rectum' });
    // Often taken for a sputum culture; LOINC says Bordetella pertussis in throat.
    expect(testByLoinc('548-8')).toMatchObject({ condition: 'pertussis', method: 'culture' });
    expect(testByLoinc('94558-5')).toBeUndefined();
  });

  test('the status of a result', () => {
    expect(resultStatusOf('C', 'HL70085')!.code).toBe('corrected');
    expect(resultStatusOf('F', 'HL70123')!.code).toBe('final');
    expect(resultStatusOf('X', 'HL70085')!.code).toBe('cancelled');
    expect(resultStatusOf('W', 'HL70085')!.code).toBe('withdrawn');
    expect(resultStatusOf('?', 'HL70085')).toBeUndefined();
  });

  test('a list entry by code, foreign code, label in any language or another word', () => {
    expect(listEntryOf('race', '2106-3')!.code).toBe('2106-3');
    expect(listEntryOf('race', ' Caucasian ')!.code).toBe('2106-3');
    expect(listEntryOf('race', 'Nwa oswa Afriken Ameriken')!.code).toBe('2054-5');
    expect(listEntryOf('sexAtBirth', 'Mujer')!.code).toBe('F');
    expect(listEntryOf('sexAtBirth', 'A')!.code).toBe('O');
    expect(listEntryOf('pregnancyStatus', '77386006')!.code).toBe('pregnant');
    expect(listEntryOf('preferredLanguage', 'Kreyòl ayisyen')!.code).toBe('ht');
    expect(listEntryOf('preferredLanguage', 'hat')!.code).toBe('ht');
    expect(listEntryOf('ethnicity', 'purple')).toBeUndefined();
  });

  test('the races are the CDC codes, other, multiple, asked and unknown', () => {
    expect(demographics.race.map((item) => item.code)).toEqual([
      '1002-5',
      '2028-9',
      '2054-5',
      '2076-8',
      '2106-3',
      '2131-1',
      'multiple',
      'ASKU',
      'UNK',
    ]);
    expect(demographics.ethnicity.map((item) => item.code)).toEqual(['2135-2', '2186-5', 'ASKU', 'UNK']);
  });

  test('a specimen type by SNOMED CT, HL7 or word', () => {
    expect(specimenTypeOf('258528007')).toMatchObject({
      code: 'rectal-swab',
      site: 'rectum',
      sterile: false,
    });
    expect(specimenTypeOf('CSF')).toMatchObject({ code: 'csf', sterile: true });
    expect(specimenTypeOf('Nasopharyngeal Swab')!.code).toBe('nasopharyngeal-swab');
    expect(specimenTypeOf('nonsense')).toBeUndefined();
  });

  test('age bands begin with their first year and leave no gap', () => {
    expect([0, 1, 4, 5, 14, 44, 45, 84, 85, 110].map((age) => ageBandOf(age).code)).toEqual([
      '0-0',
      '1-4',
      '1-4',
      '5-9',
      '10-14',
      '40-44',
      '45-54',
      '75-84',
      '85+',
      '85+',
    ]);
    expect(ageBandOf(null).code).toBe('unknown');
    expect(ageBandOf(-1).code).toBe('unknown');
  });
});

const categoryOf = (answer: Answer) => resultCategoryOf(answer)?.category;

describe('what a result says, by its code', () => {
  test.each([
    ['10828004', 'positive'],
    ['260373001', 'positive'],
    ['11214006', 'positive'],
    ['260385009', 'negative'],
    ['260415000', 'negative'],
    ['131194007', 'negative'],
    ['720735008', 'presumptive-positive'],
    ['260408008', 'weak-positive'],
    ['419984006', 'inconclusive'],
    ['82334004', 'indeterminate'],
    ['42425007', 'equivocal'],
    ['455371000124106', 'invalid'],
    ['125154007', 'unsatisfactory'],
    ['373121007', 'not-done'],
  ])('SNOMED CT %s is %s', (code, category) => {
    expect(resultCategoryOf({ loinc: '94500-6', code, system: 'SCT' })).toEqual({ category, by: 'code' });
  });

  test('LOINC answers', () => {
    expect(categoryOf({ code: 'LA6576-8', system: 'LN' })).toBe('positive');
    expect(categoryOf({ code: 'LA6577-6', system: 'http://loinc.org' })).toBe('negative');
    expect(categoryOf({ code: 'LA11883-8', system: 'LN' })).toBe('negative');
  });

  test('the code counts before the words, and a contradiction is told', () => {
    expect(resultCategoryOf({ code: '260415000', system: 'SCT', text: 'Positive' })).toEqual({
      category: 'negative',
      by: 'code',
      textDisagrees: true,
    });
    expect(resultCategoryOf({ code: '260415000', system: 'SCT', text: 'Negative' })).toEqual({
      category: 'negative',
      by: 'code',
    });
  });

  test('a code of the sender’s own counts for nothing; two codes that contradict each other wait', () => {
    expect(resultCategoryOf({ code: '10828004', system: 'L' })).toBeUndefined();
    expect(
      resultCategoryOf({ code: '10828004', system: 'SCT', codings: [{ code: 'LA6577-6', system: 'LN' }] }),
    ).toBeUndefined();
  });

  test('a code with a wrong check digit does not count, and its two texts contradict each other', () => {
    expect(
      resultCategoryOf({
        code: '260415007',
        system: 'SCT',
        codings: [{ text: 'detected' }, { code: '260415000', system: 'L', text: 'Not Detected' }],
      }),
    ).toBeUndefined();
  });

  test('an organism is a positive for its condition', () => {
    expect(resultCategoryOf({ loinc: '625-4', code: '85729005', system: 'SCT' })).toMatchObject({
      category: 'positive',
      by: 'code',
      organismConditionCode: 'shigellosis',
    });
    expect(
      resultCategoryOf({ loinc: '543-9', code: '113858008', system: 'SCT' })?.organismConditionCode,
    ).toBe('tuberculosis');
    expect(resultCategoryOf({ loinc: '11475-1', code: '53326005', system: 'SCT' })).toMatchObject({
      category: 'positive',
    });
    expect(
      resultCategoryOf({ loinc: '11475-1', code: '53326005', system: 'SCT' })?.organismConditionCode,
    ).toBeUndefined();
  });

  test('answers to questions, susceptibilities and assay controls have no category', () => {
    expect(resultCategoryOf({ loinc: '95419-8', text: 'Positive' })).toBeUndefined();
    expect(
      resultCategoryOf({ loinc: '82810-3', code: '60001007', system: 'SCT', text: 'Not detected' }),
    ).toBeUndefined();
    expect(resultCategoryOf({ loinc: '6932-8', number: 0.5, abnormalFlag: 'R' })).toBeUndefined();
    expect(resultCategoryOf({ loinc: '68993-5', code: '10828004', system: 'SCT' })).toBeUndefined();
    expect(expectsCategory(testByLoinc('95419-8')!)).toBe(false);
    expect(expectsCategory(testByLoinc('21613-5')!)).toBe(true);
  });
});

describe('what a result says, by its words', () => {
  const says = (text: string) => resultCategoryOf({ loinc: '94500-6', text })?.category ?? 'waits';

  test.each([
    ['Detected', 'positive'],
    ['NOT DETECTED', 'negative'],
    ['Not Detected (Negative)', 'negative'],
    ['Undetected', 'negative'],
    ['None detected', 'negative'],
    ['NotDetected', 'waits'],
    ['SARS-CoV-2not detected', 'negative'],
    ['SARS-CoV-2 RNA was not detected', 'negative'],
    ['Virus has not been detected', 'negative'],
    ['No SARS-CoV-2 RNA detected', 'negative'],
    ['Target Not Detected', 'negative'],
    ['<20 copies/mL detected', 'positive'],
    ['Reactive', 'positive'],
    ['Non-Reactive', 'negative'],
    ['NONREACTIVE', 'negative'],
    ['non-reactive (negative/non-detected)', 'negative'],
    ['Reactive (positive/detected)', 'positive'],
    ['POS', 'positive'],
    ['neg', 'negative'],
    ['+', 'positive'],
    ['-', 'negative'],
    ['3+', 'positive'],
    ['+/-', 'equivocal'],
    ['Positive *** High ***', 'positive'],
    ['Presumptive Positive', 'presumptive-positive'],
    ['Presumptive SARS-CoV-2 Positive', 'presumptive-positive'],
    ['Reactive (Presumptive)', 'presumptive-positive'],
    ['Presumptive Negative', 'negative'],
    ['Presumptive Negative Test for SARS-CoV-2 (no antigen detected)', 'negative'],
    ['Weakly reactive', 'weak-positive'],
    ['weakly positive', 'weak-positive'],
    ['Inconclusive', 'inconclusive'],
    ['Indeterminate', 'indeterminate'],
    ['Borderline', 'equivocal'],
    ['Invalid. Repeat the test', 'invalid'],
    ['controls are not valid', 'invalid'],
    ['Quantity not sufficient', 'unsatisfactory'],
    ['QNS', 'unsatisfactory'],
    ['Test not done', 'not-done'],
    ['Pending', 'pending'],
    ['Result to follow', 'pending'],
  ])('English: %s is %s', (text, category) => {
    expect(says(text)).toBe(category);
  });

  test.each([
    ['Positivo', 'positive'],
    ['NO DETECTADO', 'negative'],
    ['No se detectó ARN viral', 'negative'],
    ['Detectado', 'positive'],
    ['No reactivo', 'negative'],
    ['Reactivo débil', 'weak-positive'],
    ['Débilmente reactivo', 'weak-positive'],
    ['Presuntivo positivo', 'presumptive-positive'],
    ['No concluyente', 'inconclusive'],
    ['Muestra insuficiente', 'unsatisfactory'],
    ['No realizado', 'not-done'],
    ['Négatif', 'negative'],
    ['Non détectée', 'negative'],
    ['Positif', 'positive'],
    ['Douteux', 'equivocal'],
    ['Pa detekte', 'negative'],
    ['Detekte', 'positive'],
    ['Pozitif', 'positive'],
    ['Fèbleman pozitif', 'weak-positive'],
    ['Endetèmine', 'indeterminate'],
    ['Pa reyaktif', 'negative'],
    ['An atant', 'pending'],
  ])('Spanish, French, Haitian Creole: %s is %s', (text, category) => {
    expect(says(text)).toBe(category);
  });

  test.each([
    'HIV-1 positive; HIV-2 negative',
    'Previously reported as positive, corrected to negative',
    'Internal control positive. Target not detected',
    'Positive, confirmation pending',
    'See comment',
    'Abnormal',
    'Normal',
    'A',
    'ND',
    '12.4',
    'Y',
    'No',
    '',
    '   ',
  ])('waits for a person: %j', (text) => {
    expect(says(text)).toBe('waits');
  });

  test('an identified test names its organism in words, the more exact name first', () => {
    const grew = (loinc: string, text: string) => resultCategoryOf({ loinc, text });
    expect(grew('625-4', 'Salmonella species isolated')).toMatchObject({
      category: 'positive',
      by: 'text',
      organismConditionCode: 'salmonellosis',
    });
    expect(grew('625-4', 'Salmonella Typhi')).toMatchObject({ organismConditionCode: 'typhoid-fever' });
    expect(grew('625-4', 'Salmonella enterica serovar Typhimurium')).toMatchObject({
      organismConditionCode: 'salmonellosis',
    });
    expect(grew('625-4', 'Presumptive Shigella sonnei')).toMatchObject({
      category: 'presumptive-positive',
      organismConditionCode: 'shigellosis',
    });
    expect(grew('625-4', 'No Salmonella, Shigella or Campylobacter isolated')).toEqual({
      category: 'negative',
      by: 'text',
    });
    expect(grew('625-4', 'No E. coli O157 isolated')).toEqual({ category: 'negative', by: 'text' });
    expect(grew('625-4', 'No growth')).toEqual({ category: 'negative', by: 'text' });
    expect(grew('625-4', 'Normal enteric flora')).toEqual({ category: 'negative', by: 'text' });
    expect(grew('625-4', 'No growth of Shigella. Salmonella isolated')).toBeUndefined();
    expect(grew('625-4', 'Salmonella and Shigella sonnei')).toBeUndefined();
    // A culture for one organism may answer with its name, and with no other; a probe does not name organisms.
    expect(grew('698-1', 'Neisseria gonorrhoeae')).toMatchObject({ organismConditionCode: 'gonorrhea' });
    expect(grew('698-1', 'Shigella sonnei')).toBeUndefined();
    expect(grew('698-1', 'Neisseria gonorrhoeae not isolated')).toEqual({ category: 'negative', by: 'text' });
    expect(grew('21613-5', 'Neisseria gonorrhoeae')).toBeUndefined();
  });

  test('a local code that is itself the word', () => {
    expect(resultCategoryOf({ code: 'POS', system: 'L' })).toEqual({ category: 'positive', by: 'text' });
    expect(resultCategoryOf({ code: 'A1', system: 'L' })).toBeUndefined();
  });
});

describe('what a result says, by its number or its flag', () => {
  test('a titre is reactive from 1:1', () => {
    const titre = (answer: Answer) => categoryOf({ loinc: '31147-2', ...answer });
    expect(titre({ number: 16 })).toBe('positive');
    expect(titre({ text: '1:64' })).toBe('positive');
    expect(titre({ text: '1:1' })).toBe('positive');
    expect(titre({ text: '<1:1' })).toBe('negative');
    expect(titre({ number: 1, comparator: '<' })).toBe('negative');
    expect(titre({ number: 0 })).toBe('negative');
    expect(titre({ text: 'Non-reactive' })).toBe('negative');
    // Titres of other antibodies count from where the laboratory says.
    expect(categoryOf({ loinc: '6812-2', text: '1:256', abnormalFlag: 'H' })).toBe('positive');
    expect(categoryOf({ loinc: '6812-2', text: '1:16', abnormalFlag: 'N' })).toBe('negative');
    expect(categoryOf({ loinc: '6812-2', text: '1:16' })).toBeUndefined();
    expect(categoryOf({ loinc: '6812-2', text: '<1:16' })).toBe('negative');
    // The same words at a test that has no titre.
    expect(categoryOf({ loinc: '94500-6', text: '1:64' })).toBeUndefined();
  });

  test('a viral load above nothing is a detection; below the limit of quantification it is inconclusive', () => {
    expect(resultCategoryOf({ loinc: '62469-2', number: 4500 })).toEqual({
      category: 'positive',
      by: 'number',
    });
    expect(categoryOf({ loinc: '62469-2', number: 20, comparator: '<' })).toBe('inconclusive');
    expect(categoryOf({ loinc: '62469-2', text: '<20 copies/mL detected' })).toBe('positive');
    expect(resultCategoryOf({ loinc: '62469-2', number: 0 })).toBeUndefined();
  });

  test('lead counts from 3.5 µg/dL, in that unit only', () => {
    const lead = (number: number, unit?: string, comparator?: string) =>
      categoryOf({ loinc: '10368-9', number, unit, comparator });
    expect(lead(3.5, 'ug/dL')).toBe('positive');
    expect(lead(3.4, 'µg/dL')).toBe('negative');
    expect(lead(12, 'mcg/dL')).toBe('positive');
    expect(lead(3.3, 'ug/dL', '<')).toBe('negative');
    expect(lead(5, 'ug/dL', '<')).toBeUndefined();
    expect(lead(0.2, 'umol/L')).toBeUndefined();
    expect(lead(12)).toBeUndefined();
  });

  test('other numbers say nothing', () => {
    expect(categoryOf({ loinc: '1742-6', number: 400, abnormalFlag: 'H' })).toBeUndefined();
    expect(categoryOf({ loinc: '5198-7', number: 8.2 })).toBeUndefined();
  });

  test('flags that name the outcome are read last; abnormal, high and normal are not outcomes', () => {
    expect(resultCategoryOf({ loinc: '5198-7', number: 8.2, abnormalFlag: 'POS' })).toEqual({
      category: 'positive',
      by: 'flag',
    });
    expect(categoryOf({ loinc: '21613-5', abnormalFlag: ['A', 'DET'] })).toBe('positive');
    expect(categoryOf({ loinc: '21613-5', abnormalFlag: 'ND' })).toBe('negative');
    expect(categoryOf({ loinc: '21613-5', text: 'Not detected', abnormalFlag: 'POS' })).toBe('negative');
    for (const flag of ['A', 'AA', 'H', 'HH', 'L', 'N', 'W', '']) {
      expect(categoryOf({ loinc: '21613-5', abnormalFlag: flag })).toBeUndefined();
    }
  });
});

describe('the case that a result opens', () => {
  const opens = (loinc: string, answer: Answer, specimen?: string) => {
    const reading = resultCategoryOf({ loinc, ...answer });
    const decision = reading && caseOf(loinc, reading, specimen);
    return decision && `${decision.condition.code} ${decision.classification}`;
  };

  test.each([
    ['24111-7', 'gonorrhea confirmed'],
    ['21613-5', 'chlamydia confirmed'],
    ['13955-0', 'hepatitis-c-undetermined probable'],
    ['11259-9', 'hepatitis-c-undetermined confirmed'],
    ['20507-0', 'syphilis-unknown-stage probable'],
    ['24110-9', 'syphilis-unknown-stage probable'],
    ['94500-6', 'covid-19 confirmed'],
    ['94558-4', 'covid-19 probable'],
    ['56888-1', 'hiv suspect'],
    ['62469-2', 'hiv confirmed'],
    ['82301-3', 'salmonellosis confirmed'],
    ['49612-5', 'salmonellosis probable'],
    ['79386-9', 'stec suspect'],
    ['21503-8', 'measles suspect'],
    ['48508-6', 'measles confirmed'],
    ['100383-9', 'mpox confirmed'],
    ['100434-0', 'orthopoxvirus-undetermined probable'],
    ['38379-4', 'tuberculosis confirmed'],
    ['11545-1', 'tuberculosis suspect'],
    ['38272-1', 'influenza-novel-a confirmed'],
    ['41636-2', 'ebola confirmed'],
    ['31703-2', 'west-nile-neuroinvasive confirmed'],
  ])('positive %s: %s', (loinc, expected) => {
    expect(opens(loinc, { text: 'Positive' })).toBe(expected);
  });

  test.each([
    ['a negative', '24111-7', 'Negative'],
    ['immunity to measles', '20479-2', 'Positive'],
    ['antibody to the hepatitis B core', '16933-4', 'Positive'],
    ['antibody to SARS-CoV-2', '94563-4', 'Positive'],
    ['a virus that is not reportable', '76070-2', 'Detected'],
    ['a culture that names nothing', '11475-1', 'Positive'],
  ])('%s opens none', (_, loinc, text) => {
    expect(opens(loinc, { text })).toBeUndefined();
  });

  test('the organism decides, not what the test looked for', () => {
    expect(opens('543-9', { code: '83723009', system: 'SCT' })).toBeUndefined();
    expect(opens('543-9', { code: '113861009', system: 'SCT' })).toBe('tuberculosis confirmed');
    expect(opens('625-4', { code: '27268008', system: 'SCT' })).toBe('salmonellosis confirmed');
    expect(opens('95423-0', { code: '840533007', system: 'SCT' })).toBe('covid-19 confirmed');
  });

  test('pneumococci are a case from blood, not from a throat', () => {
    const grown: Answer = { code: '9861002', system: 'SCT' };
    expect(opens('11475-1', grown, '119297000')).toBe('pneumococcal-invasive confirmed');
    expect(opens('600-7', grown)).toBe('pneumococcal-invasive confirmed');
    expect(opens('11475-1', grown, '258529004')).toBeUndefined();
    expect(opens('11475-1', grown)).toBeUndefined();
  });

  test('a rule by condition, by family, by method', () => {
    expect(caseRuleFor('gonorrhea', 'culture', 'positive')).toMatchObject({
      classification: 'confirmed',
      basis: 'CSTE',
    });
    expect(caseRuleFor('syphilis', 'treponemal', 'weak-positive')?.condition.code).toBe(
      'syphilis-unknown-stage',
    );
    expect(caseRuleFor('syphilis-primary', 'treponemal', 'positive')?.condition.code).toBe(
      'syphilis-unknown-stage',
    );
    expect(caseRuleFor('gonorrhea', 'naat', 'indeterminate')).toBeUndefined();
    expect(caseRuleFor('no-such', 'naat', 'positive')).toBeUndefined();
    expect(caseRuleFor('pertussis', 'naat', 'positive')?.clinicalCriteria).toBe(true);
  });
});

/** Messages and tables nobody here wrote, when they lie beside the checkout. */
const checkout = fileURLToPath(new URL('../../../../', import.meta.url));
const shared = [
  process.env.CASEWAY_SHARED_DATA,
  join(checkout, '../shared/data'),
  join(checkout, '../../shared/data'),
].find((path) => path !== undefined && existsSync(path));
const livd = shared && join(shared, 'reference/reportstream/LIVD-SARS-CoV-2.csv');

describe.runIf(shared)('real messages', () => {
  test('every LOINC test of the laboratory reports and case notifications is in the catalog', () => {
    const unknown = new Set<string>();
    let seen = 0;
    for (const folder of ['hl7-elr', 'hl7-batch', 'hl7-case-notification']) {
      for (const entry of readdirSync(join(shared!, folder), { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const segments = readFileSync(join(entry.parentPath, entry.name), 'utf8').split(/[\r\n]+/);
        for (const segment of segments) {
          const fields = segment.split('|');
          const field = fields[0] === 'OBX' ? fields[3] : fields[0] === 'OBR' ? fields[4] : undefined;
          const [code = '', , system, other = '', , otherSystem] = field?.split('^') ?? [];
          for (const loinc of [system === 'LN' ? code : '', otherSystem === 'LN' ? other : '']) {
            if (!loincCheckDigitValid(loinc)) continue;
            seen += 1;
            if (!testByLoinc(loinc)) unknown.add(loinc);
          }
        }
      }
    }
    expect(seen).toBeGreaterThan(1000);
    // LOINC parts (LP…) stand for an analyte in a case notification; they are no tests.
    expect([...unknown].filter((code) => !code.startsWith('LP')).sort()).toEqual([]);
  });
});

describe.runIf(livd)('results as the makers of SARS-CoV-2 assays word them', () => {
  test('no positive is read as negative and no negative as positive', () => {
    const rows = parse(readFileSync(livd!), { columns: true, bom: true }) as Record<string, string>[];
    const texts = new Map<string, { text: string; code: string }>();
    for (const row of rows) {
      for (const line of row['Vendor Result Description']!.split('\n')) {
        const match = /^(.+?)\s*\((\d+)\^[^()]*\)"?\s*$/.exec(line.trim());
        if (match) texts.set(match[0], { text: match[1]!, code: match[2]! });
      }
    }
    const outcome = {
      positive: '+',
      'presumptive-positive': '+',
      'weak-positive': '+',
      negative: '-',
    } as Record<string, string>;
    const opposite = new Set<string>();
    let read = 0;
    for (const { text, code } of texts.values()) {
      const byText = categoryOf({ text });
      const byCode = categoryOf({ code, system: 'SCT' });
      if (byText) read += 1;
      if (byText && byCode && `${outcome[byText]}${outcome[byCode]}`.match(/\+-|-\+/)) opposite.add(text);
    }
    // The four lines whose codes the table itself has wrong.
    expect([...opposite].sort()).toEqual([
      'Negative/Not Detected',
      'Positive SARSCoV-2',
      'Positive/Detected',
      'SARS-CoV-2 Not Detected',
    ]);
    expect(texts.size).toBeGreaterThan(300);
    expect(read / texts.size).toBeGreaterThan(0.9);
  });
});
