import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dashboard } from '@caseway/contract/dashboard';
import { fieldVisits } from '@caseway/contract/dashboards/field-visits';
import { telemedicine } from '@caseway/contract/dashboards/telemedicine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import {
  makeFieldVisit,
  makePatient,
  makeTelemedicineVisit,
  makeTenant,
  makeVisitAttempt,
} from '../../../test/factories.ts';
import { facts } from '../../facts.ts';
import { type Analytics, startAnalytics } from '../../platform/analytics/engine.ts';
import { dashboardNumbers } from '../../platform/dashboards/numbers.ts';
import { storedFactsOf } from '../../platform/dashboards/serve-dashboard.ts';
import { createLog } from '../../platform/log/log.ts';
import { wholeTenant } from '../testing-analytics/test-facts.ts';

/* Worked examples: seven visits to people, eight by video, and every number by hand. */

const { database } = await createTestDatabase();
const { id: tenant_id } = await makeTenant(database);
let engines: Record<'duckdb' | 'postgres', Analytics>;
let folder: string;

type Tried = readonly [day: string, time: string, outcome: string, method?: string];

beforeAll(async () => {
  const person = async () => (await makePatient(database, { tenant_id })).id;
  const [ana, ben, cam, dee] = [await person(), await person(), await person(), await person()];
  const visit = async (
    patient_id: string,
    created_on: string,
    planned_for: string,
    given: object,
    tried: readonly Tried[] = [],
  ) => {
    const made = await makeFieldVisit(database, {
      tenant_id,
      patient_id,
      created_on,
      planned_for,
      // Of the attempts below, only those that sent something without an answer do not count.
      attempt_count: tried.filter(([, , outcome]) => outcome !== 'sent').length,
      ...given,
    });
    for (const [day, at_time, outcome, method = 'visit'] of tried)
      await makeVisitAttempt(database, made, { day, at_time, outcome, method });
  };
  const done = (done_on: string, result: string, given = {}) => ({
    status: 'done',
    done_on,
    result,
    ...given,
  });
  // Nobody was there on the Tuesday morning; met on the Wednesday evening.
  await visit(ana!, '2026-11-02', '2026-11-03', done('2026-11-04', 'cooperative', { due_on: '2026-11-05' }), [
    ['2026-11-03', '09:00', 'nobody'],
    ['2026-11-04', '18:00', 'done'],
  ]);
  await visit(
    ben!,
    '2026-11-02',
    '2026-11-05',
    done('2026-11-06', 'uncooperative', { due_on: '2026-11-05' }),
    [['2026-11-06', '13:00', 'refused']],
  );
  // A letter first, which is not an attempt.
  await visit(
    cam!,
    '2026-11-01',
    '2026-11-10',
    done('2026-11-16', 'not-found', { visit_type: 'treatment' }),
    [
      ['2026-11-02', '10:00', 'sent', 'letter'],
      ['2026-11-09', '10:00', 'nobody'],
      ['2026-11-12', '10:00', 'nobody'],
      ['2026-11-16', '18:30', 'moved-unknown'],
    ],
  );
  await visit(dee!, '2026-11-10', '2026-11-12', { status: 'attempted', due_on: '2026-11-14' }, [
    ['2026-11-17', '10:00', 'nobody', 'phone'],
  ]);
  await visit(ana!, '2026-11-15', '2026-11-20', { status: 'open' });
  await visit(ben!, '2026-11-03', '2026-11-09', { status: 'cancelled', cancelled_on: '2026-11-08' });
  // Planned in October.
  await visit(cam!, '2026-10-01', '2026-10-02', done('2026-10-02', 'cooperative'), [
    ['2026-10-02', '09:00', 'done'],
  ]);

  const call = (patient_id: string, planned_on: string, status: string, given: object) =>
    makeTelemedicineVisit(database, {
      tenant_id,
      patient_id,
      planned_on,
      status,
      created_on: '2026-11-02',
      ...given,
    });
  const at = (day: string, time: string) => `2026-11-${day}T${time}:00Z`;
  // Waited from the start: 6 minutes; from the arrival: 3; let in early: 0.
  await call(ana!, '2026-11-03', 'fulfilled', {
    starts_at: at('03', '15:00'),
    start_hour: '10',
    arrived_at: at('03', '14:50'),
    joined_at: at('03', '15:06'),
    ended_at: at('03', '15:26'),
    connection: 'good',
    language: 'es',
    interpreter: 'yes',
  });
  await call(ben!, '2026-11-04', 'fulfilled', {
    starts_at: at('04', '15:00'),
    start_hour: '10',
    arrived_at: at('04', '15:17'),
    joined_at: at('04', '15:20'),
    ended_at: at('04', '15:50'),
    connection: 'poor',
    interpreter: 'no',
  });
  await call(cam!, '2026-11-10', 'fulfilled', {
    starts_at: at('10', '16:00'),
    start_hour: '11',
    arrived_at: at('10', '15:50'),
    joined_at: at('10', '15:58'),
    ended_at: at('10', '16:08'),
    connection: 'good',
    interpreter: 'no',
  });
  await call(dee!, '2026-11-10', 'no-show', { starts_at: at('10', '15:00'), start_hour: '10' });
  // 25 hours before, and 2 hours before.
  await call(ana!, '2026-11-12', 'cancelled', {
    starts_at: at('12', '15:00'),
    start_hour: '10',
    cancelled_at: at('11', '14:00'),
    cancelled_by: 'patient',
  });
  await call(ben!, '2026-11-12', 'cancelled', {
    starts_at: at('12', '15:00'),
    start_hour: '10',
    cancelled_at: at('12', '13:00'),
    cancelled_by: 'clinic',
  });
  await call(cam!, '2026-11-25', 'waitlisted', {});
  await call(dee!, '2026-11-25', 'entered-in-error', { starts_at: at('25', '15:00'), start_hour: '10' });

  folder = await mkdtemp(join(tmpdir(), 'caseway-visits-'));
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
  dashboard: Dashboard,
  filters: Record<string, string> = {},
) {
  await engines.duckdb.caughtUp(tenant_id);
  const counting = { dashboard, stored: storedFactsOf(dashboard, facts) };
  const none = <T>(names: object, value: T): Record<string, T> =>
    Object.fromEntries(Object.keys(names).map((name) => [name, value]));
  const { measures, series } = await engines[engine].read(
    { scopes: [wholeTenant(tenant_id)], freshness: 'any', asks: 'numbers' },
    (ask) =>
      dashboardNumbers(ask, counting, {
        query: {
          dateRangeValue: { start: '2026-11-01', end: '2026-11-30' },
          filters: { ...none(dashboard.filters, []), ...none(dashboard.textFilters, ''), ...filters },
          eventDate: 'planned',
        },
        today: '2026-11-20',
        timeZone: 'UTC',
        asOf: new Date(0),
      }),
  );
  const values = (...names: string[]) => names.map((name) => measures[name]!.value);
  const rows = (name: string, measure: string) =>
    Object.fromEntries(
      series[name]!.flatMap(({ key, key2, values: found }) =>
        found[measure]!.value ? [[[key, key2].filter(Boolean).join(' '), found[measure]!.value]] : [],
      ),
    );
  return { measures, values, rows };
}

describe.each(['duckdb', 'postgres'] as const)('[S1.1] analytics of field visits on %s', (engine) => {
  test('count visits by their outcome', async () => {
    const { measures, values, rows } = await numbers(engine, fieldVisits);
    // Ana, Ben, Cam and Dee.
    expect(values('visits', 'people')).toEqual([6, 4]);
    expect(values('done', 'cancelled', 'open', 'unassigned', 'overdue')).toEqual([3, 1, 2, 1, 1]);
    expect(measures.completion).toMatchObject({ numerator: 3, denominator: 5 });
    expect(rows('status', 'visits')).toEqual({ done: 3, cancelled: 1, attempted: 1, open: 1 });
    expect(rows('taskCategory', 'visits')).toEqual({ 'case-investigation': 5, treatment: 1 });
  });

  test('show who was met, and after how many attempts', async () => {
    const { measures, values, rows } = await numbers(engine, fieldVisits);
    // Ana and Ben, of three completed visits.
    expect(measures.contactRate).toMatchObject({ numerator: 2, denominator: 3 });
    expect(measures.notFound).toMatchObject({ numerator: 1, denominator: 3 });
    // With fewer than 20 there is no value.
    expect(measures.cooperation).toMatchObject({ value: null, numerator: 1, denominator: 2 });
    // 2, 1 and 3 attempts; 2 and 1 until Ana and Ben were met.
    expect(values('attemptsPerVisit', 'attemptsPerContact')).toEqual([2, 1.5]);
    expect(rows('attemptCount', 'visits')).toEqual({ 1: 1, 2: 1, 3: 1 });
  });

  test('have the days to the first attempt, to the first contact and to the result', async () => {
    const { measures, values } = await numbers(engine, fieldVisits);
    // 1, 4, 8 (not the letter) and 7 days.
    expect(values('firstAttemptMedian')).toEqual([5.5]);
    // At place 2.7: 7 + 0.7 × 1.
    expect(measures.firstAttemptP90!.value).toBeCloseTo(7.7, 9);
    // 2 and 4 days; then 2, 4 and 15.
    expect(values('contactMedian', 'doneMedian')).toEqual([3, 4]);
    expect(measures.attemptedWithin3).toMatchObject({ numerator: 1, denominator: 5 });
    expect(measures.doneWithin7).toMatchObject({ numerator: 2, denominator: 5 });
    expect(measures.doneWithin14).toMatchObject({ numerator: 2, denominator: 5 });
    // Ana's was done by its day, Ben's was not; Cam's had no day.
    expect(measures.inTime).toMatchObject({ numerator: 1, denominator: 2 });
  });

  test('count attempts on their own days, and when people are met', async () => {
    const { measures, values, rows } = await numbers(engine, fieldVisits);
    expect(values('attempts')).toEqual([7]);
    expect(measures.reachedShare).toMatchObject({ numerator: 2, denominator: 7 });
    expect(rows('timeOfDay', 'attempts')).toEqual({
      'tue morning': 2,
      'wed evening': 1,
      'fri afternoon': 1,
      'mon morning': 1,
      'thu morning': 1,
      'mon evening': 1,
    });
    expect(rows('method', 'attempts')).toEqual({ visit: 6, phone: 1 });
    expect(
      (await numbers(engine, fieldVisits, { statusFilter: 'attempted' })).values('visits', 'attempts'),
    ).toEqual([1, 1]);
  });
});

describe.each(['duckdb', 'postgres'] as const)('[S1.1] analytics of telemedicine on %s', (engine) => {
  test('count visits by their outcome, without those entered in error', async () => {
    const { measures, values, rows } = await numbers(engine, telemedicine);
    expect(values('visits', 'people', 'booked', 'unbooked')).toEqual([7, 4, 6, 1]);
    expect(values('fulfilled', 'noShow', 'cancelled')).toEqual([3, 1, 2]);
    expect(measures.completion).toMatchObject({ numerator: 3, denominator: 6 });
    // Canceled visits, also late ones, do not count.
    expect(measures.noShowShare).toMatchObject({ numerator: 1, denominator: 4 });
    expect(measures.cancelledLate).toMatchObject({ numerator: 1, denominator: 2 });
    expect(rows('cancelledBy', 'visits')).toEqual({ patient: 1, clinic: 1 });
    expect(rows('language', 'visits')).toEqual({ es: 1, missing: 6 });
  });

  test('have the days until the visit, and the minutes of waiting and of the visit', async () => {
    const { measures, values, rows } = await numbers(engine, telemedicine);
    // 1, 2, 8, 8, 10 and 10 days.
    expect(values('leadMedian')).toEqual([8]);
    // 6, 3 and 0 minutes.
    expect(values('waitMedian')).toEqual([3]);
    expect(measures.waitP90!.value).toBeCloseTo(5.4, 9);
    expect(measures.waitedLong).toMatchObject({ numerator: 0, denominator: 3 });
    // 20, 30 and 10 minutes.
    expect(values('lastedMedian', 'minutesHeld')).toEqual([20, 60]);
    expect(measures.goodConnection).toMatchObject({ numerator: 2, denominator: 3 });
    expect(measures.interpreted).toMatchObject({ numerator: 1, denominator: 3 });
    expect(rows('wait', 'visits')).toEqual({ 0: 2, 6: 1 });
  });

  test('show the hours and days of visits, and how many are missed', async () => {
    const { rows } = await numbers(engine, telemedicine);
    expect(rows('slots', 'visits')).toEqual({ '10 tue': 2, '10 wed': 1, '11 tue': 1, '10 thu': 2 });
    expect(rows('slots', 'noShowShare')).toEqual({ '10 tue': 0.5 });
  });
});
