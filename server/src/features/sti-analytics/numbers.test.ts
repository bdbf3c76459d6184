import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticsAnswer } from '@caseway/contract/analytics';
import { sti } from '@caseway/contract/dashboards/sti';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import {
  makeCaseReport,
  makePatient,
  makeResult,
  makeTenant,
  makeTreatment,
} from '../../../test/factories.ts';
import { startAnalytics } from '../../platform/analytics/engine.ts';
import { dashboardNumbers } from '../../platform/dashboards/numbers.ts';
import type { PopulationSet } from '../../platform/dashboards/population.ts';
import { populationsFor } from '../../platform/dashboards/population-read.ts';
import { storedFactsOf } from '../../platform/dashboards/serve-dashboard.ts';
import { createLog } from '../../platform/log/log.ts';
import type { Scope } from '../../platform/scope.ts';
import { caseFact } from '../case-reports/case-fact.ts';
import { resultFact } from '../results/result-fact.ts';
import { treatmentFact } from '../treatments/treatment-fact.ts';

/* Every number of STI analytics worked out once by hand, for four people in March 2026, on both engines. */

const { database } = await createTestDatabase();
const facts = [resultFact, caseFact, treatmentFact];
const today = '2026-03-31';
const { id: tenant_id } = await makeTenant(database);
const person = async (sex_at_birth: string) =>
  (await makePatient(database, { tenant_id, sex_at_birth, county_fips: '13121' })).id;
const [ana, ben, cleo, dan] = [await person('F'), await person('M'), await person('F'), await person('M')];

const tested = (
  patient_id: string,
  disease_family: string,
  result_category: string,
  collected_on: string,
  more: { specimen_site?: string; assay?: string; method?: string } = {},
) => makeResult(database, { tenant_id, patient_id, disease_family, result_category, collected_on, ...more });
await tested(ana, 'chlamydia', 'positive', '2026-03-02', { specimen_site: 'Vaginal', assay: 'Xpert CT/NG' });
await tested(ana, 'chlamydia', 'negative', '2026-03-02', { specimen_site: 'rectal swab site' });
await tested(ben, 'gonorrhea', 'positive', '2026-03-05', { specimen_site: 'THROAT', assay: ' xpert ct/ng' });
await tested(ben, 'gonorrhea', 'negative', '2026-03-05', { specimen_site: 'urine' });
await tested(cleo, 'syphilis', 'positive', '2026-03-10', { specimen_site: 'blood' });
await tested(dan, 'chlamydia', 'indeterminate', '2026-03-12', { specimen_site: 'urine' });
// Of another family; Ana's within 30 days of her specimen, Ben's 31 days before his.
await tested(ana, 'hiv', 'negative', '2026-03-20');
await tested(ben, 'hiv', 'negative', '2026-02-02');
// Cleo has had HIV for longer. A viral load, like Dan's, is not a test for HIV.
await tested(cleo, 'hiv', 'positive', '2026-01-01');
await tested(dan, 'hiv', 'negative', '2026-02-20', { method: 'viral-load' });
await tested(dan, 'influenza', 'negative', '2026-03-12');

const reported = (
  patient_id: string,
  disease_family: string,
  collected_on: string,
  more: { condition_code?: string; classification?: string; pregnant?: string; county_fips?: string } = {},
) =>
  makeCaseReport(database, {
    tenant_id,
    patient_id,
    disease_family,
    condition_code: disease_family,
    collected_on,
    ...more,
  });
const treat = async (of: ReturnType<typeof reported>, ...days: (readonly [string, string?])[]) => {
  const report = await of;
  for (const [started_on, state = 'given'] of days)
    await makeTreatment(database, report, { started_on, state });
};
// 5 days after the specimen. A treatment entered in error on the day does not count, nor does a later one.
await treat(
  reported(ana, 'chlamydia', '2026-03-02'),
  ['2026-03-02', 'entered-in-error'],
  ['2026-03-09'],
  ['2026-03-07'],
);
// 2 days before it.
await treat(reported(ben, 'gonorrhea', '2026-03-05', { classification: 'probable' }), ['2026-03-03']);
// 20 days after it.
const primary = { condition_code: 'syphilis-primary', pregnant: 'yes' };
await treat(reported(cleo, 'syphilis', '2026-03-10', primary), ['2026-03-30']);
// Not treated; and one that is only suspected.
await treat(reported(dan, 'chlamydia', '2026-03-12'));
await treat(reported(ben, 'chlamydia', '2026-03-05', { classification: 'suspect' }), ['2026-03-05']);

// Half a year before: retested after 71 days; after 166 days, by the test of March; after 30 and 188, which is
// neither; of a disease without retests; and one whose 180 days end on 3 April.
await treat(reported(ana, 'chlamydia', '2025-09-09'), ['2025-09-10']);
await tested(ana, 'chlamydia', 'negative', '2025-11-20');
await treat(reported(ben, 'gonorrhea', '2025-09-19'), ['2025-09-20']);
await treat(reported(dan, 'chlamydia', '2025-09-04'), ['2025-09-05']);
await tested(dan, 'chlamydia', 'negative', '2025-10-05');
await treat(reported(cleo, 'syphilis', '2025-09-11', { condition_code: 'syphilis-late' }), ['2025-09-12']);
await treat(reported(ana, 'chlamydia', '2025-10-05'), ['2025-10-05']);

// Two children with congenital syphilis in January; one that is only suspected, and one of the year before.
const congenital = { condition_code: 'syphilis-congenital', county_fips: '13121' };
await reported(await person('F'), 'syphilis', '2026-01-05', congenital);
await reported(await person('M'), 'syphilis', '2026-01-31', { ...congenital, classification: 'probable' });
await reported(await person('M'), 'syphilis', '2026-01-20', { ...congenital, classification: 'suspect' });
await reported(await person('F'), 'syphilis', '2025-12-31', congenital);
const births: PopulationSet = {
  kind: 'live-births',
  year: 2026,
  publisher: 'Made up',
  title: 'Births',
  published: 2026,
  counts: [{ county: '13121', sex: null, from: 0, below: null, people: 7300 }],
};

const folder = await mkdtemp(join(tmpdir(), 'caseway-sti-'));
const options = { facts, database, log: createLog('fatal'), folder };
const engines = {
  duckdb: await startAnalytics({ ...options, engine: 'duckdb' }),
  postgres: await startAnalytics({ ...options, engine: 'postgres' }),
};
await engines.duckdb.caughtUp(tenant_id);
afterAll(async () => {
  for (const engine of Object.values(engines)) await engine.close();
  await rm(folder, { recursive: true, force: true });
});

const counting = { dashboard: sti, stored: storedFactsOf(sti, facts) };
function asked(
  engine: keyof typeof engines,
  filters: Record<string, string[]> = {},
  {
    start = '2026-03-01',
    end = today,
    hiddenFamilies = [] as string[],
    populations = [] as PopulationSet[],
  } = {},
): Promise<AnalyticsAnswer> {
  const scope: Scope = {
    kind: 'org',
    tenantId: tenant_id,
    orgType: 'T',
    orgId: tenant_id,
    accountId: tenant_id,
    counties: [],
    hiddenFamilies,
    genderIdentityShown: true,
  };
  return engines[engine].read({ scopes: [scope], freshness: 'any' }, (ask) =>
    dashboardNumbers(ask, counting, {
      query: { dateRangeValue: { start, end }, filters, eventDate: 'collected' },
      today,
      timeZone: 'UTC',
      asOf: new Date(0),
      hiddenFamilies,
      populations: populationsFor([scope], populations, today),
    }),
  );
}

describe.each(['duckdb', 'postgres'] as const)('[S1.1] STI analytics on %s', (engine) => {
  test('every number by hand', async () => {
    const { measures, series, countedBy } = await asked(engine);
    const value = (name: string) => measures[name]!.value;
    expect([value('tests'), value('people'), value('positive'), value('negative')]).toEqual([6, 4, 3, 2]);
    expect(value('positivity')).toBe(0.6);
    expect(value('cases')).toBe(4);
    expect([value('syphilisCases'), value('syphilisInPregnancy')]).toEqual([1, 1]);
    // Untreated cases stay in the denominator, and before the specimen counts as the same day.
    expect(measures.treated7).toMatchObject({ value: 0.5, numerator: 2, denominator: 4 });
    expect(measures.treated14).toMatchObject({ value: 0.5, numerator: 2, denominator: 4 });
    expect(measures.treated30).toMatchObject({ value: 0.75, numerator: 3, denominator: 4 });
    expect(value('presumptive')).toBe(1);
    expect(measures.hivTested).toMatchObject({ numerator: 1, denominator: 3 });
    expect(value('retestEligible')).toBe(3);
    expect(measures.retested).toMatchObject({ numerator: 2, denominator: 3 });
    // Nobody has imported a population.
    expect(value('rate')).toBeNull();
    expect(countedBy).toEqual({ results: 'collectedOn', cases: 'collectedOn', treatments: 'retestDueOn' });
    const sites = series.siteBySex!.map(({ key, key2, values }) => [
      key,
      key2,
      values.positivity!.numerator,
      values.positivity!.denominator,
    ]);
    expect(sites.filter(([, , , all]) => all !== 0).sort()).toEqual([
      ['blood', 'F', 1, 1],
      ['missing', 'F', 0, 1],
      ['pharynx', 'M', 1, 1],
      ['urine', 'M', 0, 1],
      ['vagina', 'F', 1, 1],
    ]);
    expect(series.stage!.map(({ key, values }) => [key, values.cases!.value])).toEqual([
      ['syphilis-primary', 1],
    ]);
    expect(
      series.condition!.map(({ key, values }) => [key, values.cases!.value, values.treated7!.value]),
    ).toEqual([
      ['chlamydia', 2, 0.5],
      ['gonorrhea', 1, 1],
      ['syphilis-primary', 1, 0],
    ]);
  });

  test('the time to treatment is for people treated after the specimen; untreated ones are counted separately', async () => {
    const { series } = await asked(engine);
    expect(
      series.timeToTreatment!.map(({ key, values }) => [
        key,
        values.n!.value,
        values.n!.excluded,
        values.p50!.value,
      ]),
    ).toEqual([
      // Ana after 5 days and Dan not; Ben's presumptive treatment is left out; Cleo after 20.
      ['chlamydia', 1, 1, 5],
      ['syphilis-primary', 1, 0, 20],
    ]);
  });

  test('congenital syphilis is per live births of the range, and has no rate if these are unknown', async () => {
    const january = { start: '2026-01-01', end: '2026-01-31', populations: [births] };
    const { measures } = await asked(engine, {}, january);
    expect(measures.congenitalSyphilis!.value).toBe(2);
    // 7,300 a year are 620 in 31 of 365 days: 2 ÷ 620 × 100,000.
    expect(measures.congenitalSyphilisRate).toMatchObject({ numerator: 2, denominator: 620 });
    expect(measures.congenitalSyphilisRate!.value!.toFixed(1)).toBe('322.6');
    const unknown = await asked(engine, {}, { ...january, populations: [] });
    expect(unknown.measures.congenitalSyphilisRate!.value).toBeNull();
  });

  test('a treatment is in the number of retests once its 180 days have passed', async () => {
    const { measures } = await asked(engine, {}, { end: '2026-04-30' });
    expect(measures.retestEligible!.value).toBe(3);
  });

  test('[S3.11] an assay is found in any spelling; it does not filter cases and treatments, and the answer says so', async () => {
    const { measures, unfiltered } = await asked(engine, { assayFilter: ['xpert ct/ng'] });
    expect([measures.tests!.value, measures.cases!.value, measures.retestEligible!.value]).toEqual([2, 4, 3]);
    expect(unfiltered).toEqual({ cases: ['assayFilter'], treatments: ['assayFilter'] });
  });

  test('[S3.11, P18] restricted families are counted in addition, for people who may see them', async () => {
    const filters = { restrictedDiseaseFamilies: ['hiv'] };
    const { measures } = await asked(engine, filters);
    expect([measures.tests!.value, measures.positivity!.value]).toEqual([7, 0.5]);
    // For readers from whom HIV is hidden, nothing shows who was tested for it.
    const hidden = await asked(engine, filters, { hiddenFamilies: ['hiv'] });
    expect(hidden.measures.tests!.value).toBe(6);
    expect(hidden.measures).not.toHaveProperty('hivTested');
  });
});
