import { addDays } from '@caseway/contract/date-range';
import { describe, expect, it } from 'vitest';
import {
  conditionByCode,
  demographics,
  specimenTypeOf,
  testByLoinc,
} from '../../src/features/reference/catalog.ts';
import { encounters } from './epidemiology.ts';
import { Random } from './random.ts';
import { demoRecords } from './records.ts';
import type { DemoChunk } from './rows.ts';
import type { TenantToFill } from './tenant-to-fill.ts';

const tenant: TenantToFill = {
  tenantId: '00000000-0000-4000-8000-000000000001',
  timeZone: 'America/New_York',
  facilities: ['12086', '12057', '12031', '12011', '12105'].map((countyFips, index) => ({
    facilityType: index === 4 ? 'worksite' : 'clinic',
    id: `00000000-0000-4000-8000-00000000010${index}`,
    name: `Clinic ${index}`,
    organizationId: null,
    countyFips,
    city: 'Town',
    postalCode: '33101',
  })),
  laboratories: [{ id: '00000000-0000-4000-8000-000000000200' }],
  programs: [],
  investigators: ['00000000-0000-4000-8000-000000000300'],
  jurisdictionOfCounty: new Map(),
};
const today = '2026-03-10';
const now = Date.parse('2026-03-10T18:00:00Z');
const size = { patients: 400, results: 1200, cases: 160 };

function run(seed: string) {
  const chunks: DemoChunk[] = [];
  const records = demoRecords(tenant, size, today, now, seed);
  let step = records.next();
  for (; !step.done; step = records.next()) chunks.push(step.value);
  return {
    patients: chunks.flatMap((chunk) => chunk.patients),
    results: chunks.flatMap((chunk) => chunk.results),
    specimens: chunks.flatMap((chunk) => chunk.specimens),
    ...step.value,
  };
}

describe('the demo generator [S10.1]', () => {
  const made = run('a');

  it('makes exactly the requested number of people, current results and cases', () => {
    expect(made.patients).toHaveLength(400);
    expect(made.results.filter((result) => result.superseded_by === null)).toHaveLength(1200);
    expect(made.cases).toHaveLength(160);
  });

  it('makes the same records from the same seed, and others from another', () => {
    expect(run('a')).toEqual(made);
    expect(run('b').patients[0]).not.toEqual(made.patients[0]);
  });

  it('stores with each person the families of their records [P18]', () => {
    const families = new Map(made.patients.map(({ id, disease_families }) => [id, disease_families]));
    for (const { patient_id, disease_family } of [...made.results, ...made.cases])
      expect(families.get(patient_id)).toContain(disease_family);
  });

  it('ends today: nothing was collected, resulted or reported later', () => {
    for (const result of made.results) {
      expect(result.collected_on! <= today && result.reported_on <= today).toBe(true);
      expect(result.collected_at! <= result.resulted_at && result.resulted_at <= result.reported_at).toBe(
        true,
      );
    }
    expect(made.results.some((result) => result.collected_on! >= addDays(today, -14))).toBe(true);
  });

  it('takes a specimen that its test can be done on', () => {
    const specimens = new Map(made.specimens.map((one) => [one.id, one]));
    const sites: Record<string, string> = {
      nasopharyngeal: 'nasopharynx',
      nasal: 'nose',
      urine: 'urine',
      vaginal: 'vagina',
      cervical: 'cervix',
      urethral: 'urethra',
      pharyngeal: 'pharynx',
      rectal: 'rectum',
      blood: 'blood',
      stool: 'stool',
    };
    for (const result of made.results) {
      const specimen = specimens.get(result.specimen_id)!;
      const known = testByLoinc(result.test_loinc)!;
      const site = specimenTypeOf(specimen.type_code)!.site;
      const said = `${known.component} on ${specimen.type_code}, ${specimen.site_text}`;
      expect(site, said).toBe(sites[specimen.site_text!]);
      expect(result.specimen_site, said).toBe(specimen.site_text);
      // Antibodies, the surface antigen and blood-borne viruses are tested in blood, germs at their site.
      const isOfBlood = /antibod|IgM|Reagin|surface antigen|HIV 1 RNA|Hepatitis C virus RNA/.test(
        known.component,
      );
      expect(site === 'blood', said).toBe(isOfBlood);
      if (known.site) expect(site, said).toBe(known.site);
    }
    expect(made.specimens.every(({ id }) => made.results.some((one) => one.specimen_id === id))).toBe(true);
  });

  it('tests people where and for what people of their age are tested', () => {
    const worksite = tenant.facilities.find(({ facilityType }) => facilityType === 'worksite')!.id;
    const ages = (results: typeof made.results) => results.flatMap(({ age_years: years }) => years ?? []);
    const atWork = ages(made.results.filter(({ facility_id }) => facility_id === worksite));
    expect(atWork.length).toBeGreaterThan(0);
    expect(atWork.filter((years) => years < 18 || years > 70)).toEqual([]);
    const ofSti = made.results.filter(({ disease_family }) =>
      ['chlamydia', 'gonorrhea'].includes(disease_family),
    );
    expect(ofSti.length).toBeGreaterThan(0);
    expect(ages(ofSti).filter((years) => years < 13)).toEqual([]);
  });

  it('tests no one before birth and gives ages in whole years', () => {
    const born = new Map(made.patients.map((patient) => [patient.id, patient.birth_date]));
    for (const result of made.results) {
      const birth = born.get(result.patient_id);
      if (birth) expect(birth <= result.collected_on!).toBe(true);
      if (result.age_years !== null) expect(result.age_years).toBeGreaterThanOrEqual(0);
    }
  });

  it('gives cases valid classifications, the order of their creation, and results of the same person', () => {
    const resultOf = new Map(made.results.map((result) => [result.id, result]));
    for (const row of made.cases)
      expect(conditionByCode(row.condition_code)!.classifications).toContain(row.classification);
    const caseOf = new Map(made.cases.map((row) => [row.id, row]));
    for (const link of made.caseResults)
      expect(resultOf.get(link.result_id)!.patient_id).toBe(caseOf.get(link.case_report_id)!.patient_id);
    const times = made.cases.map((row) => row.created_at);
    expect(times).toHaveLength(160);
    expect(times.toSorted()).toEqual(times);
  });

  it('leaves demographics unknown for some, as senders do', () => {
    const unknown = made.patients.filter((patient) => patient.race === 'UNK').length / made.patients.length;
    expect(unknown).toBeGreaterThan(0.1);
    expect(unknown).toBeLessThan(0.3);
  });

  it('writes demographics in the codes that screens have words for', () => {
    const codesOf = (list: readonly { code: string }[]) => new Set(list.map(({ code }) => code));
    const used = (of: (patient: (typeof made.patients)[number]) => string | null) =>
      new Set(made.patients.map(of).filter((code) => code !== null));
    expect([...used((one) => one.sex_at_birth).difference(codesOf(demographics.sexAtBirth))]).toEqual([]);
    expect([...used((one) => one.race).difference(codesOf(demographics.race))]).toEqual([]);
    expect([...used((one) => one.ethnicity).difference(codesOf(demographics.ethnicity))]).toEqual([]);
  });

  it('orders only tests that the catalog knows, under their family', () => {
    for (const encounter of encounters)
      for (const test of encounter.tests)
        expect(testByLoinc(test.loinc)?.family, test.loinc).toBe(test.family);
  });
});

describe('the source of numbers', () => {
  it('gives well-formed version 4 identifiers that do not repeat', () => {
    const random = new Random('ids');
    const ids = new Set(Array.from({ length: 5000 }, () => random.uuid()));
    expect(ids.size).toBe(5000);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
