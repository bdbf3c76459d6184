import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { sharedData } from '../../../test/shared-data.ts';
import { type Answer, expectsCategory, resultCategoryOf, testByLoinc } from './catalog.ts';

const categoryOf = (answer: Answer) => resultCategoryOf(answer)?.category;

describe('the category of a result, by its code', () => {
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

  test('the code counts before the words, and a contradiction is reported', () => {
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

  test('a local code does not count; two codes that contradict each other wait', () => {
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

  test('an organism whose words contradict its code is reported', () => {
    // SNOMED CT: Mycobacterium bovis, Escherichia coli, Salmonella.
    const coded = (code: string, text: string) =>
      resultCategoryOf({ loinc: '6463-4', code, system: 'SCT', text })?.textDisagrees ?? false;
    expect(coded('27142009', 'Salmonella Enteritidis')).toBe(true);
    expect(coded('112283007', 'Neisseria meningitidis')).toBe(true);
    expect(coded('27142009', 'Mycobacterium bovis')).toBe(false);
    expect(coded('112283007', 'Escherichia coli')).toBe(false);
    expect(coded('112283007', 'Heavy growth')).toBe(false);
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

describe('the category of a result, by its words', () => {
  const says = (text: string) => resultCategoryOf({ loinc: '94500-6', text })?.category ?? 'waits';

  test.each([
    ['Detected', 'positive'],
    ['NOT DETECTED', 'negative'],
    ['Not Detected (Negative)', 'negative'],
    ['Undetected', 'negative'],
    ['None detected', 'negative'],
    ['NotDetected', 'negative'],
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
    expect(grew('625-4', 'No growth of Shigella. Salmonella isolated')).toMatchObject({
      organismConditionCode: 'salmonellosis',
    });
    expect(grew('625-4', 'Salmonella and Shigella sonnei')).toBeUndefined();
    // A culture for one organism may answer with its name, and with no other; a probe does not name organisms.
    expect(grew('698-1', 'Neisseria gonorrhoeae')).toMatchObject({ organismConditionCode: 'gonorrhea' });
    expect(grew('698-1', 'Shigella sonnei')).toBeUndefined();
    expect(grew('698-1', 'Neisseria gonorrhoeae not isolated')).toEqual({ category: 'negative', by: 'text' });
    expect(grew('21613-5', 'Neisseria gonorrhoeae')).toBeUndefined();
  });

  test('a local code that is a word itself', () => {
    expect(resultCategoryOf({ code: 'POS', system: 'L' })).toEqual({ category: 'positive', by: 'text' });
    expect(resultCategoryOf({ code: 'A1', system: 'L' })).toBeUndefined();
  });
});

describe('the category of a result, by its number or its flag', () => {
  test('a titre is reactive from 1:1', () => {
    const titre = (answer: Answer) => categoryOf({ loinc: '31147-2', ...answer });
    expect(titre({ number: 16 })).toBe('positive');
    expect(titre({ text: '1:64' })).toBe('positive');
    expect(titre({ text: '1:1' })).toBe('positive');
    expect(titre({ text: '<1:1' })).toBe('negative');
    expect(titre({ number: 1, comparator: '<' })).toBe('negative');
    expect(titre({ number: 0 })).toBe('negative');
    expect(titre({ text: 'Non-reactive' })).toBe('negative');
    // For titres of other antibodies, the laboratory says what is positive.
    expect(categoryOf({ loinc: '6812-2', text: '1:256', abnormalFlag: 'H' })).toBe('positive');
    expect(categoryOf({ loinc: '6812-2', text: '1:16', abnormalFlag: 'N' })).toBe('negative');
    expect(categoryOf({ loinc: '6812-2', text: '1:16' })).toBeUndefined();
    expect(categoryOf({ loinc: '6812-2', text: '<1:16' })).toBe('negative');
    // The same words for a test without a titre.
    expect(categoryOf({ loinc: '94500-6', text: '1:64' })).toBeUndefined();
  });

  test('a viral load above nothing is a detection; below the limit of quantification it is inconclusive', () => {
    expect(resultCategoryOf({ loinc: '62469-2', number: 4500 })).toEqual({
      category: 'positive',
      by: 'number',
    });
    expect(categoryOf({ loinc: '62469-2', number: 20, comparator: '<' })).toBe('inconclusive');
    expect(categoryOf({ loinc: '62469-2', text: '<20 copies/mL detected' })).toBe('positive');
    // A count of zero means not found; above or below zero is not a count.
    expect(categoryOf({ loinc: '62469-2', number: 0 })).toBe('negative');
    expect(resultCategoryOf({ loinc: '62469-2', number: 0, comparator: '>' })).toBeUndefined();
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

  test.each([
    // HCV antibody in LabCorp's form: a signal beyond what the assay measures, and the laboratory's own limit.
    [{ number: 11, comparator: '>', range: '0.0-0.9', abnormalFlag: 'H' }, 'positive'],
    [{ number: 0.1, comparator: '<', range: '0.0-0.9' }, 'negative'],
    [{ number: 0.1, comparator: '<', range: '<1.00 s/co', abnormalFlag: 'N' }, 'negative'],
    [{ number: 1, comparator: '<', range: '< 1.0' }, 'negative'],
    [{ number: 1, comparator: '>=', range: '≤0.99', abnormalFlag: 'A' }, 'positive'],
    // The laboratory does not say that it is high, or says that a low one is.
    [{ number: 11, comparator: '>', range: '0.0-0.9' }, undefined],
    [{ number: 0.1, comparator: '<', range: '0.0-0.9', abnormalFlag: 'A' }, undefined],
    // Within the range of the assay: 0.8 to 0.9 may be its grey zone.
    [{ number: 0.85, range: '0.0-0.9' }, undefined],
    [{ number: 0.95, range: '0.0-0.9', abnormalFlag: 'H' }, undefined],
    // On the other side of the limit, or no limit at all.
    [{ number: 5, comparator: '<', range: '0.0-0.9' }, undefined],
    [{ number: 0.5, comparator: '>', range: '0.0-0.9', abnormalFlag: 'H' }, undefined],
    [{ number: 11, comparator: '>', range: '>0.99', abnormalFlag: 'H' }, undefined],
    [{ number: 11, comparator: '>', range: '1.0-9.0', abnormalFlag: 'H' }, undefined],
    [{ number: 11, comparator: '>', range: 'Negative', abnormalFlag: 'H' }, undefined],
    [{ number: 11, comparator: '>', abnormalFlag: 'H' }, undefined],
  ] as [Answer, string | undefined][])(
    'a test answered in words, with a number: %j is %s',
    (answer, category) => {
      expect(categoryOf({ loinc: '16128-1', ...answer })).toBe(category);
    },
  );

  test('a test that is answered with a number keeps it, with any range', () => {
    expect(
      categoryOf({ loinc: '5198-7', number: 11, comparator: '>', range: '0.0-0.9', abnormalFlag: 'H' }),
    ).toBeUndefined();
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

const livd = sharedData && join(sharedData, 'reference/reportstream/LIVD-SARS-CoV-2.csv');

describe.runIf(livd)('results in the words of the makers of SARS-CoV-2 assays', () => {
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
    // The four lines with wrong codes in the table itself.
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
