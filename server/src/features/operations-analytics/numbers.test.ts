import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@caseway/contract/dashboards/operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import {
  makeCaseReport,
  makeFacility,
  makePatient,
  makeResult,
  makeShipment,
  makeTenant,
  makeTransition,
  makeWorkTask,
} from '../../../test/factories.ts';
import { facts } from '../../facts.ts';
import { type Analytics, startAnalytics } from '../../platform/analytics/engine.ts';
import { dashboardNumbers } from '../../platform/dashboards/numbers.ts';
import { storedFactsOf } from '../../platform/dashboards/serve-dashboard.ts';
import { createLog } from '../../platform/log/log.ts';
import type { Scope } from '../../platform/scope.ts';
import { wholeTenant } from '../testing-analytics/test-facts.ts';

/* A worked example: five cases of November with their tasks and transitions, four shipments, every number by hand. */

const { database } = await createTestDatabase();
const { id: tenantId } = await makeTenant(database);
let engines: Record<'duckdb' | 'postgres', Analytics>;
let folder: string;

beforeAll(async () => {
  const { id: patient_id } = await makePatient(database, { tenant_id: tenantId });
  const report = (created_on: string, status: string, given: object = {}) =>
    makeCaseReport(database, { tenant_id: tenantId, patient_id, created_on, status, ...given });
  const fresh = await report('2026-11-20', 'new');
  const old = await report('2026-10-10', 'under_investigation');
  const complete = await report('2026-11-02', 'complete');
  const back = await report('2026-11-10', 'rejected_by_investigator');
  const approved = await report('2026-11-03', 'approved', { disease_family: 'hiv', condition_code: 'hiv' });

  const task = (of: typeof fresh, made_on: string, state: string, due_on: string | null) =>
    makeWorkTask(database, of, { made_on, state, due_on });
  // Due yesterday, today and five days ago; the last has no due day.
  await task(fresh, '2026-11-20', 'open', '2026-11-24');
  await task(old, '2026-11-12', 'open', '2026-11-25');
  await task(old, '2026-11-12', 'open', '2026-11-20');
  await task(back, '2026-11-13', 'open', null);
  await task(complete, '2026-11-04', 'done', '2026-11-05');
  await task(complete, '2026-11-04', 'not-needed', '2026-11-05');
  await task(approved, '2026-11-04', 'withdrawn', '2026-11-05');

  const step = (of: typeof fresh, on_day: string, from_state: string, to_state: string, took: object) =>
    makeTransition(database, of, { on_day, from_state, to_state, ...took });
  await step(complete, '2026-11-03', 'new', 'assigned', {
    ...{ days: 1, workdays: 1, days_to_assign: 1, workdays_to_assign: 1 },
  });
  await step(complete, '2026-11-06', 'assigned', 'under_investigation', {
    ...{ days: 3, workdays: 3, days_to_start: 3, workdays_to_start: 3 },
  });
  await step(complete, '2026-11-24', 'under_investigation', 'complete', {
    ...{ days: 18, workdays: 11, days_to_complete: 18, workdays_to_complete: 11 },
  });
  // Over a weekend; accepted and started at once.
  await step(approved, '2026-11-09', 'new', 'under_investigation', {
    ...{
      days: 6,
      workdays: 4,
      days_to_assign: 6,
      workdays_to_assign: 4,
      days_to_start: 0,
      workdays_to_start: 0,
    },
  });
  await step(approved, '2026-11-15', 'under_investigation', 'complete', {
    ...{ days: 6, workdays: 3, days_to_complete: 6, workdays_to_complete: 3 },
  });
  await step(approved, '2026-11-17', 'complete', 'approved', {
    ...{ days: 2, workdays: 2, days_to_approve: 2, workdays_to_approve: 2 },
  });
  await step(back, '2026-11-13', 'new', 'assigned', {
    ...{ days: 3, workdays: 2, days_to_assign: 3, workdays_to_assign: 2 },
  });
  await step(back, '2026-11-14', 'assigned', 'rejected_by_investigator', { days: 1, workdays: 0 });
  // Undone.
  await step(fresh, '2026-11-21', 'new', 'assigned', { counts: false, days: 1, days_to_assign: 1 });

  const [north, south] = [
    await makeFacility(database, { tenant_id: tenantId }),
    await makeFacility(database, { tenant_id: tenantId }),
  ];
  const shipment = (state: string, expected_on: string | null, sent_on: string | null) =>
    makeShipment(database, {
      ...{ tenant_id: tenantId, origin_id: north.id, destination_id: south.id },
      ...{ created_on: '2026-11-12', state, expected_on, sent_on },
    });
  await shipment('packed', '2026-11-20', null);
  await shipment('in-transit', '2026-11-24', '2026-11-20');
  await shipment('receiving', '2026-11-25', '2026-11-20');
  await shipment('lost', null, '2026-11-13');
  for (const created_on of ['2026-11-12', '2026-11-18', '2026-10-18'])
    await makeResult(database, { tenant_id: tenantId, patient_id, created_on });

  folder = await mkdtemp(join(tmpdir(), 'caseway-operations-'));
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

async function numbers(
  engine: 'duckdb' | 'postgres',
  {
    start = '2026-11-01',
    scope = wholeTenant(tenantId) as Scope,
    threshold = undefined as number | undefined,
  } = {},
) {
  await engines.duckdb.caughtUp(tenantId);
  const counting = { dashboard: operations, stored: storedFactsOf(operations, facts) };
  return engines[engine].read({ scopes: [scope], freshness: 'any', asks: 'numbers' }, (ask) =>
    dashboardNumbers(ask, counting, {
      query: {
        dateRangeValue: { start, end: '2026-11-25' },
        filters: Object.fromEntries(Object.keys(operations.filters).map((name) => [name, []])),
        eventDate: 'created',
      },
      today: '2026-11-25',
      timeZone: 'UTC',
      asOf: new Date(0),
      threshold,
    }),
  );
}

describe.each(['duckdb', 'postgres'] as const)('the operational overview on %s', (engine) => {
  const valuesOf = async (names: string, asked: Parameters<typeof numbers>[1] = {}) => {
    const { measures } = await numbers(engine, asked);
    return names.split(' ').map((name) => measures[name]?.value);
  };

  test('[S1.1] cases by what they wait for', async () => {
    // The one of October is outside these dates; new and given back cases are open.
    expect(await valuesOf('reports open awaitingReview rejected openOver30')).toEqual([4, 2, 1, 1, 0]);
    // Entered 46 days ago.
    expect(await valuesOf('reports open openOver30', { start: '2026-10-01' })).toEqual([5, 3, 1]);
    const { series } = await numbers(engine);
    expect(series.status!.map(({ key, values }) => [key, values.reports!.value]).sort()).toEqual([
      ['approved', 1],
      ['complete', 1],
      ['new', 1],
      ['rejected_by_investigator', 1],
    ]);
  });

  test('tasks, and overdue ones', async () => {
    // Six without the withdrawn one; of four open ones, those due yesterday and five days ago.
    expect(await valuesOf('tasks tasksOpen tasksDone tasksOverdue')).toEqual([6, 4, 1, 2]);
    const { measures, series } = await numbers(engine);
    expect(measures.tasksOverdueShare).toMatchObject({ numerator: 2, denominator: 4, value: 0.5 });
    expect(
      series.overdueAge!.flatMap(({ key, values: { tasksOverdue } }) =>
        tasksOverdue!.value ? [[key, tasksOverdue!.value]] : [],
      ),
    ).toEqual([
      ['1', 1],
      ['4', 1],
    ]);
  });

  test('the duration of each step, from transitions that were not undone', async () => {
    // To assign 1, 3 and 6 days, in working days 1, 2 and 4; to start 0 and 3; to complete 6 and 18, in working days
    // 3 and 11; to approve 2.
    expect(await valuesOf('transitions rejections assignMedian assignWorkdays')).toEqual([8, 1, 3, 2]);
    expect(await valuesOf('startMedian startWorkdays completeMedian completeWorkdays approveMedian')).toEqual(
      [1.5, 1.5, 12, 7, 2],
    );
    const { measures, series } = await numbers(engine);
    // One of three within one working day; five of the eight transitions belong to other steps.
    expect(measures.assignedInTime).toMatchObject({ numerator: 1, denominator: 3, excluded: 5 });
    expect(measures.startedInTime).toMatchObject({ numerator: 2, denominator: 2, excluded: 6 });
    expect(measures.completedInTime).toMatchObject({ numerator: 1, denominator: 2, excluded: 6 });
    expect(measures.approvedInTime).toMatchObject({ numerator: 1, denominator: 1, excluded: 7 });
    // New for 1, 3 and 6 days; under investigation for 6 and 18.
    const spread = (key: string) => series.inStatus!.find((row) => row.key === key)!.values;
    expect([spread('new').n!.value, spread('new').p50!.value]).toEqual([3, 3]);
    expect(spread('under_investigation').p50!.value).toBe(12);
  });

  test('shipments, each counted once in total and at both of its ends', async () => {
    expect(
      await valuesOf(
        'shipments shipmentsReady shipmentsInTransit shipmentsAwaited shipmentsLate shipmentsLost',
      ),
    ).toEqual([4, 1, 1, 2, 1, 1]);
    const { series } = await numbers(engine);
    // At the destination, the three that were sent.
    expect(series.shipmentFacility!.map(({ values }) => values.shipments!.value).sort()).toEqual([3, 4]);
  });

  test('received results, and the day of the latest', async () => {
    expect(await valuesOf('results latestResult')).toEqual([2, Date.parse('2026-11-18')]);
  });

  test('[P18] people who may not see a family see neither its cases nor their transitions', async () => {
    const scope = { ...wholeTenant(tenantId), hiddenFamilies: ['hiv'] } as Scope;
    expect(await valuesOf('reports tasks transitions assignMedian approveMedian', { scope })).toEqual([
      3,
      6,
      5,
      2,
      null,
    ]);
  });

  test('[P17] protected readers get no numbers of boxes, which are not in any half', async () => {
    const { measures, series } = await numbers(engine, { threshold: 11 });
    expect(measures.shipments).toBeUndefined();
    expect(series.shipmentState ?? []).toEqual([]);
    expect(measures.reports).toMatchObject({ value: null });
  });
});
