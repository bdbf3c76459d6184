import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { incidentReports } from '@caseway/contract/dashboards/incident-reports';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeIncident, makePatient, makeTenant } from '../../../test/factories.ts';
import { facts } from '../../facts.ts';
import { type Analytics, startAnalytics } from '../../platform/analytics/engine.ts';
import { dashboardNumbers } from '../../platform/dashboards/numbers.ts';
import { storedFactsOf } from '../../platform/dashboards/serve-dashboard.ts';
import { createLog } from '../../platform/log/log.ts';
import { wholeTenant } from '../testing-analytics/test-facts.ts';

/* A worked example: eight reports of November, one older, and every number by hand. */

const { database } = await createTestDatabase();
const { id: tenantId } = await makeTenant(database);
const { id: manyId } = await makeTenant(database);
let engines: Record<'duckdb' | 'postgres', Analytics>;
let folder: string;

beforeAll(async () => {
  const person = (sex_at_birth: string, birth_date: string) =>
    makePatient(database, { tenant_id: tenantId, sex_at_birth, birth_date });
  const [ana, ben, cam, dee] = [
    await person('F', '1990-05-05'),
    await person('M', '2024-01-10'),
    await person('F', '2023-02-02'),
    await person('M', '1960-01-01'),
  ];
  const report = (received_on: string, given: object) =>
    makeIncident(database, { tenant_id: tenantId, received_on, created_on: received_on, ...given });
  const closed = { stage: 'final', ended_at: '2026-11-19T12:00:00Z' };
  const after = (vaccinated_on: string, occurred_on: string | null, vaccines: string[], given: object) => ({
    kind: 'vaccine-adverse-event',
    category: null,
    event: null,
    vaccinated_on,
    occurred_on,
    vaccines: JSON.stringify(vaccines.map((vaccine) => ({ vaccine, dose: '1' }))),
    ...given,
  });
  await report(
    '2026-11-05',
    after('2026-11-01', '2026-11-02', ['influenza'], {
      patient_id: ana!.id,
      reactions: ['fever', 'hives'],
      seriousness: ['hospitalization'],
      outcome: 'recovering',
    }),
  );
  await report(
    '2026-11-12',
    after('2026-11-01', '2026-11-11', ['mmr', 'dtap'], {
      patient_id: ben!.id,
      reactions: ['fever'],
      outcome: 'recovered',
      classification: 'related',
      ...closed,
    }),
  );
  await report(
    '2026-11-20',
    after('2026-11-03', '2026-11-10', ['mmr'], {
      patient_id: cam!.id,
      reactions: ['fever', 'seizure'],
      seriousness: ['life-threatening'],
      outcome: 'recovered',
    }),
  );
  await report(
    '2026-11-06',
    after('2026-11-05', null, ['influenza'], {
      patient_id: dee!.id,
      reactions: ['hives'],
      outcome: 'unknown',
      emergency_visit: 'yes',
    }),
  );
  // No reaction from the list.
  await report(
    '2026-11-07',
    after('2026-11-07', '2026-11-07', ['influenza'], {
      patient_id: ana!.id,
      seriousness: ['death'],
      outcome: 'fatal',
      ...closed,
    }),
  );
  await report('2026-11-08', { occurred_on: '2026-11-08', event: 'near-miss', harm: 'none' });
  await report('2026-11-09', {
    patient_id: dee!.id,
    occurred_on: '2026-11-08',
    category: 'medication',
    harm: 'severe',
  });
  await report(
    '2026-11-10',
    after('2026-11-01', '2026-11-02', ['mmr'], {
      patient_id: ben!.id,
      reactions: ['fever'],
      ...closed,
      stage: 'discarded',
    }),
  );
  await report('2026-10-20', after('2026-10-19', '2026-10-19', ['mmr'], { patient_id: cam!.id }));

  // The 1990 reports to VAERS that name DTP or OPV and screaming, by their margins: `practice.md` 5.6.
  await database.withScope({ kind: 'service', tenantId: manyId }, (tx) =>
    tx.run(
      `insert into incident (tenant_id, id, number, kind, received_on, created_on, narrative, vaccines, reactions)
       select $1, gen_random_uuid(), row_number() over (), 'vaccine-adverse-event', '2026-11-10', '2026-11-10', 'x',
         jsonb_build_array(jsonb_build_object('vaccine', vaccine)), array[reaction]
       from (values ('dtp', 'screaming', 274), ('dtp', 'rash', 610), ('polio-oral', 'screaming', 6), ('polio-oral', 'rash', 1216))
         as r (vaccine, reaction, n) cross join lateral generate_series(1, r.n)`,
      [manyId],
    ),
  );
  folder = await mkdtemp(join(tmpdir(), 'caseway-incidents-'));
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

async function numbers(engine: 'duckdb' | 'postgres', of = tenantId, start = '2026-11-01') {
  await engines.duckdb.caughtUp(of);
  const counting = { dashboard: incidentReports, stored: storedFactsOf(incidentReports, facts) };
  return engines[engine].read({ scopes: [wholeTenant(of)], freshness: 'any', asks: 'numbers' }, (ask) =>
    dashboardNumbers(ask, counting, {
      query: {
        dateRangeValue: { start, end: '2026-11-30' },
        filters: Object.fromEntries(Object.keys(incidentReports.filters).map((name) => [name, []])),
        eventDate: 'received',
      },
      today: '2026-11-20',
      timeZone: 'UTC',
      asOf: new Date(0),
    }),
  );
}

describe.each(['duckdb', 'postgres'] as const)('analytics of incident reports on %s', (engine) => {
  test('[S1.1] count reports and people except discarded reports, and how serious they are', async () => {
    const { measures } = await numbers(engine);
    expect(measures.reports!.value).toBe(7);
    // Ana, Ben, Cam and Dee; one report is about nobody.
    expect(measures.people!.value).toBe(4);
    // Ana's two, Cam's, and the severe harm to Dee.
    expect(measures.serious!.value).toBe(4);
    expect(measures.seriousShare).toMatchObject({ numerator: 4, denominator: 7 });
    expect(
      [measures.deaths, measures.hospitalized, measures.emergencyVisits].map((one) => one!.value),
    ).toEqual([1, 1, 1]);
    // Ben and Cam, of four with a known outcome.
    expect(measures.recovered).toMatchObject({ numerator: 2, denominator: 4 });
    expect([measures.nearMisses, measures.harmful].map((one) => one!.value)).toEqual([1, 1]);
  });

  test('have the days to the onset and to the report', async () => {
    const { measures, series } = await numbers(engine);
    // 0, 1, 7 and 10 days; one has no onset.
    expect(measures.onsetMedian!.value).toBe(4);
    // At place 2.7: 7 + 0.7 × 3.
    expect(measures.onsetP90!.value).toBeCloseTo(9.1, 9);
    // 0, 0, 1, 1, 3 and 10 days.
    expect(measures.reportDelayMedian!.value).toBe(1);
    expect(measures.reportDelayP90!.value).toBeCloseTo(6.5, 9);
    expect(series.onset!.flatMap(({ key, values }) => (values.reports!.value ? [key] : []))).toEqual([
      '0',
      '1',
      '4',
      '8',
      'missing',
    ]);
  });

  test('show which are open, and for how long', async () => {
    expect((await numbers(engine)).measures.open!.value).toBe(5);
    const { measures } = await numbers(engine, tenantId, '2026-10-01');
    // The one of October 20 was received 31 days ago.
    expect([measures.reports, measures.open, measures.openOver30].map((one) => one!.value)).toEqual([
      8, 6, 1,
    ]);
  });

  test('count a report once for each of its vaccines and reactions, and once in the total', async () => {
    const { measures, series } = await numbers(engine);
    expect([measures.vaccineReports, measures.seriousReports].map((one) => one!.value)).toEqual([5, 3]);
    const rows = (name: string) =>
      Object.fromEntries(
        series[name]!.map(({ key, values }) => [
          key,
          [values.vaccineReports!.value, values.seriousReports!.value],
        ]),
      );
    expect(rows('vaccine')).toEqual({ influenza: [3, 2], mmr: [2, 1], dtap: [1, 0] });
    expect(rows('reaction')).toEqual({ fever: [3, 2], hives: [2, 1], seizure: [1, 1], missing: [1, 1] });
    // No pair is in three reports.
    expect(series.together).toEqual([]);
  });

  test('show what is reported together more often than expected, as in the 1990 reports to VAERS', async () => {
    const { series } = await numbers(engine, manyId);
    const pair = series.together!.find(({ key, key2 }) => key === 'dtp' && key2 === 'screaming')!;
    expect(pair.pair).toEqual({ both: 274, first: 610, second: 6, neither: 1216 });
    // 274 ÷ 884 over 6 ÷ 1,222; one stratum, because no age or sex is known.
    expect(pair.values.prr!.value).toBeCloseTo(63.1275, 4);
    expect(pair.values.adjusted!.value).toBeCloseTo(63.1275, 4);
  });
});
