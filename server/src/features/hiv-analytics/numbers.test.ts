import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hiv } from '@caseway/contract/dashboards/hiv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeCaseReport, makePatient, makeResult, makeTenant } from '../../../test/factories.ts';
import { facts } from '../../facts.ts';
import { type Analytics, startAnalytics } from '../../platform/analytics/engine.ts';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { storedFactsOf } from '../../platform/dashboards/serve-dashboard.ts';
import { comparedNumbers } from '../../platform/dashboards/test-dashboard.ts';
import { createLog } from '../../platform/log/log.ts';
import { wholeTenant } from '../testing-analytics/test-facts.ts';

/* A worked example: fourteen people, and every number of HIV analytics by hand. */

const { database } = await createTestDatabase();
const { id: tenantId } = await makeTenant(database);
let engines: Record<'duckdb' | 'postgres', Analytics>;
let folder: string;
const people = new Map<string, string>();

const person = async (name: string, given: object = {}) => {
  const { id } = await makePatient(database, { tenant_id: tenantId, first_name: name, ...given });
  people.set(name, id);
};
const result = async (name: string, collected_on: string, given: object) => {
  const { id } = await makeResult(database, {
    tenant_id: tenantId,
    patient_id: people.get(name)!,
    disease_family: 'hiv',
    condition_code: 'hiv',
    status: 'final',
    collected_on,
    created_on: collected_on,
    ...given,
  });
  return id;
};
const screening = (
  name: string,
  day: string,
  result_category: string,
  method = 'antigen-antibody',
  given: object = {},
) => result(name, day, { test_loinc: '56888-1', method, result_category, ...given });
const viralLoad = (name: string, day: string, value_number: number, given: object = {}) =>
  result(name, day, {
    test_loinc: '20447-9',
    method: 'viral-load',
    result_category: 'quantitative',
    value_number,
    ...given,
  });
const cd4 = (name: string, day: string) =>
  result(name, day, {
    test_loinc: '24467-3',
    method: 'quantity',
    result_category: 'quantitative',
    value_number: 400,
  });
const diagnosis = (name: string, collected_on: string, classification = 'confirmed') =>
  makeCaseReport(database, {
    tenant_id: tenantId,
    patient_id: people.get(name)!,
    condition_code: 'hiv',
    disease_family: 'hiv',
    classification,
    collected_on,
    created_on: collected_on,
  });

beforeAll(async () => {
  for (const name of ['Ana', 'Ben', 'Cam', 'Dee', 'Fay', 'Hal', 'Ivy', 'Jon', 'Kim', 'Lea'])
    await person(name);
  await person('Eve', { deceased: true, deceased_on: '2025-12-31' });
  await person('Gus', { deceased: true, deceased_on: '2026-02-01' });

  // Care in 2025 of people diagnosed before it.
  await diagnosis('Ana', '2024-03-01');
  await viralLoad('Ana', '2025-02-01', 150);
  await cd4('Ana', '2025-03-01');
  await diagnosis('Ben', '2023-05-01');
  await viralLoad('Ben', '2025-01-10', 90);
  await viralLoad('Ben', '2025-06-10', 5000);
  await diagnosis('Cam', '2022-07-01');
  // A logarithm: 20 copies.
  await viralLoad('Cam', '2025-12-31', 1.3, { test_loinc: '29541-0' });
  await diagnosis('Dee', '2020-01-01');
  await viralLoad('Dee', '2024-12-31', 50);
  await viralLoad('Dee', '2026-01-01', 50);
  await diagnosis('Eve', '2019-01-01');
  await viralLoad('Eve', '2025-05-05', 50);
  await diagnosis('Fay', '2025-08-01');
  await viralLoad('Fay', '2025-08-20', 50);
  await diagnosis('Gus', '2019-02-01');
  await viralLoad('Gus', '2025-05-05', 20, { value_comparator: '<' });
  await viralLoad('Gus', '2025-09-09', 900, { status: 'withdrawn' });
  await diagnosis('Lea', '2018-02-01', 'suspect');

  // Tests and diagnoses of October and November 2026.
  await screening('Hal', '2026-10-05', 'negative');
  await screening('Ivy', '2025-01-05', 'negative');
  await screening('Ivy', '2026-10-10', 'positive');
  await screening('Ivy', '2026-10-14', 'positive', 'confirmatory-antibody', { assay: 'Geenius HIV 1/2 ' });
  await diagnosis('Ivy', '2026-10-10');
  await viralLoad('Ivy', '2026-11-09', 80_000);
  await screening('Jon', '2026-09-01', 'positive');
  await screening('Jon', '2026-11-01', 'positive');
  await screening('Kim', '2026-10-01', 'positive');
  await diagnosis('Kim', '2026-10-01');
  await cd4('Kim', '2026-11-20');

  folder = await mkdtemp(join(tmpdir(), 'caseway-hiv-'));
  const options = { facts, database, log: createLog('fatal'), folder };
  engines = {
    duckdb: await startAnalytics({ ...options, engine: 'duckdb' }),
    postgres: await startAnalytics({ ...options, engine: 'postgres' }),
  };
});
afterAll(async () => {
  await Promise.all(Object.values(engines ?? {}).map((one) => one.close()));
  if (folder) await rm(folder, { recursive: true, force: true });
});

const query = {
  dateRangeValue: { start: '2026-10-01', end: '2026-11-30' },
  filters: Object.fromEntries(Object.keys(hiv.filters).map((name) => [name, []])),
  eventDate: 'collected',
};
async function numbers(
  engine: 'duckdb' | 'postgres',
  hiddenFamilies: string[] = [],
  filters: Record<string, string[]> = {},
) {
  await engines.duckdb.caughtUp(tenantId);
  const scopes = [wholeTenant(tenantId, hiddenFamilies)];
  const counting = { dashboard: hiv, stored: storedFactsOf(hiv, facts) };
  return engines[engine].read({ scopes, freshness: 'any', asks: 'numbers' }, (ask) =>
    comparedNumbers(ask, counting, {
      query: { ...query, filters: { ...query.filters, ...filters } },
      today: '2026-11-20',
      timeZone: 'UTC',
      asOf: new Date(0),
      hiddenFamilies,
    }),
  );
}

describe.each(['duckdb', 'postgres'] as const)('HIV analytics on %s', (engine) => {
  test('has tests, people and positives of the range, new and known ones', async () => {
    const { measures } = await numbers(engine);
    // Hal one, Ivy two, Jon one, Kim one. Viral loads and CD4 counts do not count.
    expect(measures.tests!.value).toBe(5);
    expect(measures.people!.value).toBe(4);
    expect(measures.positivity).toMatchObject({ numerator: 4, denominator: 5 });
    // Hal and Kim. Ivy and Jon were tested before.
    expect(measures.firstTesters).toMatchObject({ numerator: 2, denominator: 4 });
    // Ivy, whose second test confirms the first, and Kim. Jon was positive two months before.
    expect(measures.newPositives!.value).toBe(2);
    expect(measures.knownPositives!.value).toBe(1);
  });

  test('[S3.11] filters tests by their assay, in any spelling, and says that diagnoses and care are not filtered', async () => {
    const { measures, unfiltered } = await numbers(engine, [], { assayFilter: ['geenius hiv 1/2'] });
    expect([measures.tests!.value, measures.diagnoses!.value, measures.living!.value]).toEqual([1, 2, 5]);
    expect(unfiltered).toEqual({ cases: ['assayFilter'], careYears: ['assayFilter'] });
  });

  test('has the diagnoses of the range, and who was linked to care', async () => {
    const { measures } = await numbers(engine);
    // Ivy after 30 days, Kim after 50.
    expect(measures.diagnoses!.value).toBe(2);
    expect(measures.linked30).toMatchObject({ numerator: 1, denominator: 2 });
    expect(measures.linked90).toMatchObject({ numerator: 2, denominator: 2 });
  });

  test('has the care continuum of the last complete year, on one denominator', async () => {
    const { measures, series, previous } = await numbers(engine);
    // Ana, Ben, Cam, Dee and Gus. Eve died on the last day, Fay was diagnosed in the year, Lea is only suspected.
    expect(measures.living!.value).toBe(5);
    // All except Dee.
    expect(measures.received).toMatchObject({ numerator: 4, denominator: 5 });
    // Ben. Ana's two are a month apart.
    expect(measures.retained).toMatchObject({ numerator: 1, denominator: 5 });
    // Ana, Cam and Gus: more than are retained, so the steps are not nested. Ben's last value was 5,000.
    expect(measures.suppressed).toMatchObject({ numerator: 3, denominator: 5 });
    expect(series.continuum!.map(({ key, values }) => [key, values[key]!.value])).toEqual([
      ['received', 0.8],
      ['retained', 0.2],
      ['suppressed', 0.6],
    ]);
    // The previous range ends in the same year, so its last complete year is the same.
    expect(previous.living!.value).toBe(5);
  });

  test('[P18] is absent for readers from whom HIV is hidden', async () => {
    const { measures, series } = await numbers(engine, ['hiv']);
    expect(measures).toEqual({});
    const { trend, ...others } = series;
    expect(Object.values(others).flat()).toEqual([]);
    expect(trend!.every(({ values }) => values.tests === undefined && values.positive!.value === 0)).toBe(
      true,
    );
  });
});

test('a new result of a person changes what is known about their care and their other tests', async () => {
  const added = await viralLoad('Dee', '2025-04-04', 199);
  const before = await viralLoad('Kim', '2026-07-01', 3000);
  await database.withScope({ kind: 'service', tenantId }, (tx) =>
    recordChange(tx, tenantId, 'result', [added, before]),
  );
  const { measures } = await numbers('duckdb');
  expect(measures.received).toMatchObject({ numerator: 5, denominator: 5 });
  expect(measures.suppressed!.numerator).toBe(4);
  // Kim had a viral load three months before, so the test counts as one of a known positive.
  expect([measures.newPositives!.value, measures.knownPositives!.value]).toEqual([1, 2]);
});
