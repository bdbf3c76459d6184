import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loincCheckDigitValid, snomedCheckDigitValid } from '@caseway/contract/codes';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sharedData } from '../../../test/shared-data.ts';
import {
  ageBandOf,
  ageBands,
  caseRules,
  conditionByCode,
  conditionByNndssCode,
  conditionBySnomedCode,
  conditions,
  demographics,
  diseaseCategories,
  diseaseFamilies,
  familyOf,
  laboratoryTests,
  listEntryOf,
  organisms,
  resultCategories,
  resultCodes,
  resultStatuses,
  resultStatusOf,
  resultWords,
  routineTests,
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
    ['routine-tests', z.array(schema.routineTest), routineTests],
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

  test('no code occurs twice', () => {
    expect(repeated(diseaseCategories.map((item) => item.code))).toEqual([]);
    expect(repeated(diseaseFamilies.map((item) => item.code))).toEqual([]);
    expect(repeated(conditions.map((item) => item.code))).toEqual([]);
    expect(repeated(conditions.flatMap((item) => item.nndssCode ?? []))).toEqual([]);
    expect(repeated(conditions.flatMap((item) => item.snomedCode ?? []))).toEqual([]);
    expect(repeated([...laboratoryTests, ...routineTests].map((item) => item.loinc))).toEqual([]);
    expect(repeated(organisms.map((item) => item.snomedCode))).toEqual([]);
    expect(repeated(resultCodes.map((item) => `${item.system} ${item.code}`))).toEqual([]);
    expect(
      repeated(specimenTypes.flatMap((item) => [item.code, item.snomedCode, ...(item.hl7Codes ?? [])])),
    ).toEqual([]);
    for (const list of Object.values(demographics))
      expect(repeated(list.map((item) => item.code))).toEqual([]);
  });

  test('every reference has a target', () => {
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

  test('only HIV is restricted from the start', () => {
    expect(diseaseFamilies.filter((item) => item.restricted).map((item) => item.code)).toEqual(['hiv']);
  });

  test('a rule gives a classification that is valid for the condition it opens', () => {
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

  test('only positive and negative count in positivity', () => {
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
    // Often mistaken for a sputum culture; LOINC says Bordetella pertussis in throat.
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

describe.runIf(sharedData)('real messages', () => {
  test('every LOINC test of the laboratory reports and case notifications is in the catalog', () => {
    const unknown = new Set<string>();
    let seen = 0;
    for (const folder of ['hl7-elr', 'hl7-batch', 'hl7-case-notification']) {
      for (const entry of readdirSync(join(sharedData!, folder), { recursive: true, withFileTypes: true })) {
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
    // LOINC parts (LP…) mean an analyte in a case notification; they are not tests.
    expect([...unknown].filter((code) => !code.startsWith('LP')).sort()).toEqual([]);
  });
});
