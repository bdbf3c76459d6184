import { randomUUID } from 'node:crypto';
import type { Dashboard } from '@caseway/contract/dashboard';
import { caseReports, tenantCaseReports } from '@caseway/contract/dashboards/case-reports';
import { addDays } from '@caseway/contract/date-range';
import { describe, expect, test } from 'vitest';
import { makeTenant } from '../../../test/factories.ts';
import type { PopulationSet } from '../../platform/dashboards/population.ts';
import { caseFact } from '../case-reports/case-fact.ts';
import {
  type Asked,
  caseOf,
  database,
  duckdb,
  insert,
  numbersOf,
  org,
  postgres,
  service,
  today,
} from './test-cases.ts';

/* The numbers of a few case reports, worked out by hand. */

describe('a worked example: seven reports of four people, every number by hand', async () => {
  const { id: tenantId } = await makeTenant(database);
  const [ana, ben, cam, dee] = Array.from({ length: 4 }, () => randomUUID()) as [
    string,
    string,
    string,
    string,
  ];
  const person = (
    id: string,
    sex_at_birth: string | null,
    birth_date: string | null,
    race: string | null,
  ) => ({
    id,
    sex_at_birth,
    birth_date,
    race,
    ethnicity: '2186-5',
    county_fips: '12001',
  });
  await insert(tenantId, 'patient', [
    person(ana, 'F', '2000-03-01', '2106-3'),
    person(ben, 'M', '1980-01-01', 'UNK'),
    person(cam, 'U', null, null),
    person(dee, 'F', '2025-12-01', '2054-5'),
  ]);
  const [type, program, task] = [randomUUID(), randomUUID(), randomUUID()];
  await insert(tenantId, 'program_type', [{ id: type, label: 'STI' }]);
  await insert(tenantId, 'program', [{ id: program, program_type_id: type, label: 'Chlamydia' }]);
  await insert(tenantId, 'task', [
    {
      id: task,
      program_id: program,
      task_category: 'case-investigation',
      label: 'Cases',
      organization_ids: [],
    },
  ]);
  await insert(tenantId, 'case_report', [
    // 5 days from onset to report, received the day after. 83 days old.
    caseOf(ana, '2026-01-04', {
      onset_on: '2025-12-29',
      reported_on: '2026-01-03',
      received_on: '2026-01-04',
      outcome: 'recovered',
      program_id: program,
      task_id: task,
    }),
    // The same person and condition, 60 days later: a possible duplicate. 23 days old.
    caseOf(ana, '2026-03-05', {
      onset_on: '2026-03-01',
      reported_on: '2026-03-03',
      received_on: '2026-03-05',
    }),
    // Another condition of the same person.
    caseOf(ana, '2026-03-06', {
      condition_code: 'gonorrhea',
      disease_family: 'gonorrhea',
      classification: 'probable',
    }),
    // 100 days after a report that was entered before the range: no duplicate. Onset after the report is out of
    // order.
    caseOf(ben, '2025-12-01', { status: 'closed' }),
    caseOf(ben, '2026-03-11', {
      onset_on: '2026-03-12',
      reported_on: '2026-03-10',
      received_on: '2026-03-20',
      status: 'closed',
    }),
    // Not a case, and an undecided one.
    caseOf(cam, '2026-03-20', {
      classification: 'not_a_case',
      onset_on: '2026-03-10',
      reported_on: '2026-03-20',
    }),
    caseOf(dee, '2026-03-27', {
      classification: 'suspect',
      status: 'under_investigation',
      source: 'provider',
    }),
    caseOf(dee, '2026-03-28', {
      condition_code: 'syphilis',
      disease_family: 'syphilis',
      county_fips: '13121',
    }),
  ]);
  await duckdb.caughtUp(tenantId);

  const populations: PopulationSet[] = [
    {
      kind: 'residents',
      year: 2026,
      publisher: 'Made up',
      title: 'People',
      published: 2026,
      counts: ['F', 'M'].map((sex) => ({
        county: '12001',
        sex,
        from: 0,
        below: null,
        people: 18_250,
      })) as never,
    },
  ];

  test.each([
    ['PostgreSQL', postgres],
    ['DuckDB', duckdb],
  ])('by the day of entry, on %s', async (_, analytics) => {
    const { measures, series, overlays } = await numbersOf(analytics, caseReports, [org(tenantId)], {
      populations,
    });
    const value = (name: string) => measures[name]!.value;
    // Ben's first was entered before.
    expect(value('reports')).toBe(7);
    expect(value('people')).toBe(4);
    // Ana's three, Ben's, and Dee's syphilis.
    expect(value('cases')).toBe(5);
    // Four of them in the county with a population: 36,500 people for 87 of 365 days are 8,700 person-years.
    expect(measures.caseRate).toMatchObject({ numerator: 4, denominator: 8700, excluded: 1, unstable: true });
    expect(value('caseRate')).toBeCloseTo(45.977, 3);
    // All except Ben's.
    expect(value('open')).toBe(6);
    expect(value('openOver30')).toBe(1);
    // 5, 2 and 10 days; Ben's are out of order.
    expect(measures.onsetToReportedMedian).toMatchObject({ value: 5, denominator: 3 });
    // At place 1.8: 5 + 0.8 × 5.
    expect(value('onsetToReportedP90')).toBeCloseTo(9, 9);
    // 1, 2 and 10 days.
    expect(value('reportedToReceivedMedian')).toBe(2);
    expect(value('reportedToReceivedP90')).toBeCloseTo(8.4, 9);
    expect(measures.receivedWithinDay).toMatchObject({ numerator: 1, denominator: 3, excluded: 4 });
    expect(measures.receivedWithinWeek).toMatchObject({ numerator: 2, denominator: 3, excluded: 4 });
    // Sex 6, age 6, race 5 (Ben's and Cam's are not known), ethnicity 7, county 7, onset 4, outcome 1: 36 of 49.
    expect(measures.completeness).toMatchObject({ numerator: 36, denominator: 49 });
    expect(value('possibleDuplicates')).toBe(1);
    expect(value('undated')).toBe(0);

    const counted = (name: string, measure: string) =>
      series[name]!.map(({ key, key2, values }) => [...(key2 ? [key, key2] : [key]), values[measure]!.value]);
    // Entered 1, 8, 22, 23 and 83 days ago, and today.
    expect(counted('openAge', 'open')).toEqual([
      ['0', 2],
      ['8', 1],
      ['15', 2],
      ['31', 1],
    ]);
    expect(counted('registration', 'reports')).toEqual([
      ['elr', 6],
      ['provider', 1],
    ]);
    // Without reports that are not cases.
    expect(counted('curve', 'reports').filter(([, , n]) => n !== 0)).toEqual([
      ['2026-01-04', 'confirmed', 1],
      ['2026-03-01', 'confirmed', 1],
      ['2026-03-01', 'probable', 1],
      ['2026-03-08', 'confirmed', 1],
      ['2026-03-22', 'confirmed', 1],
      ['2026-03-22', 'suspect', 1],
    ]);
    // By the day of entry nothing is undated or late.
    expect(overlays!.curve).toEqual({ against: expect.any(Array) });
    // Dee was born in December.
    expect(counted('ageSex', 'reports')).toEqual([
      ['0-0', 'F', 2],
      ['25-29', 'F', 3],
      ['45-54', 'M', 1],
      ['missing', 'U', 1],
    ]);
  });

  test.each([
    ['PostgreSQL', postgres],
    ['DuckDB', duckdb],
  ])('by onset, on %s: the curve says how many reports have none', async (_, analytics) => {
    const { measures, overlays, series } = await numbersOf(analytics, caseReports, [org(tenantId)], {
      eventDate: 'onset',
    });
    // The first began in December.
    expect(measures.reports!.value).toBe(3);
    expect(measures.undated!.value).toBe(3);
    // Of six that were entered in the range and are not non-cases.
    expect(overlays!.curve!.undated).toMatchObject({ numerator: 3, denominator: 6, value: 0.5 });
    // Three reports are too few for an estimate: nothing is known about the weeks in which reports may be missing.
    expect(overlays!.curve!.estimate!.every(({ value }) => value === null)).toBe(true);
    expect(series.curve!.filter(({ values }) => values.reports!.value !== 0).map(({ key }) => key)).toEqual([
      '2026-03-01',
      '2026-03-08',
    ]);
  });

  test('[S3.11] each filter picks what it names: task category, status and registration; module, program and task', async () => {
    const reports = async (dashboard: Dashboard, filters: Asked['filters'] = {}) =>
      (await numbersOf(duckdb, dashboard, [org(tenantId)], { filters })).measures.reports!.value;
    expect(await reports(caseReports, { taskCategory: ['case-investigation'] })).toBe(1);
    expect(await reports(caseReports, { status: 'closed' })).toBe(1);
    expect(await reports(caseReports, { registration: 'provider' })).toBe(1);
    expect(await reports(tenantCaseReports)).toBe(7);
    expect(await reports(tenantCaseReports, { moduleFilter: [type] })).toBe(1);
    expect(await reports(tenantCaseReports, { moduleFilter: ['missing'] })).toBe(6);
    expect(await reports(tenantCaseReports, { taskFilter: [task], programFilter: [program] })).toBe(1);
    expect(await reports(tenantCaseReports, { countyFilter: ['13121'] })).toBe(1);
  });

  test('for changed reports, each report of the person is read again once, and so are deleted ones [P5]', async () => {
    const how = caseFact.sql.changedBy.case_report as { rows: (ids: string, tenant: string) => string };
    const [gone, ids] = [
      randomUUID(),
      await database.withScope(service(tenantId), (tx) =>
        tx.rows<{ id: string }>('select id from case_report where patient_id = $1', [ana]),
      ),
    ];
    expect(ids).toHaveLength(3);
    const changed = [...ids.slice(0, 2).map(({ id }) => id), gone];
    const again = await database.withScope(service(tenantId), (tx) =>
      tx.rows<{ id: string }>(how.rows('$1::uuid[]', '$2::uuid'), [changed, tenantId]),
    );
    expect(again.map(({ id }) => id).sort()).toEqual([...ids.map(({ id }) => id), gone].sort());
  });

  test('[P1] possible duplicates are only for the tenant, because they reveal reports of other places', async () => {
    for (const analytics of [postgres, duckdb]) {
      const scopes = [org(tenantId, { orgType: 'PHJ', orgId: randomUUID(), counties: ['12001'] })];
      const { measures } = await numbersOf(analytics, caseReports, scopes);
      expect(Object.keys(measures)).not.toContain('possibleDuplicates');
    }
  });
});

describe('recent weeks', async () => {
  const { id: tenantId } = await makeTenant(database);
  const people = Array.from({ length: 80 }, (_, index) => ({ id: randomUUID(), half: index % 2 === 0 }));
  await insert(tenantId, 'patient', people);
  // 40, 30, 20 and 10 % of each week arrive in it and one, two and three weeks later; equally in both halves.
  const parts = [0.4, 0.3, 0.2, 0.1];
  const weeks = [100, 150, 200, 250, 300].flatMap((n, week) =>
    parts.flatMap((part, delay) => {
      const onset = addDays('2026-02-25', 7 * week);
      const created = addDays(onset, 7 * delay);
      if (created > today) return [];
      return Array.from({ length: 2 * n * part }, (_, index) =>
        caseOf(people[index % people.length]!.id, created, { onset_on: onset }),
      );
    }),
  );
  // Enough in a year that protected numbers are by single weeks; their onset is long ago.
  const others = Array.from({ length: 10_000 }, (_, index) =>
    caseOf(people[index % people.length]!.id, '2025-05-01', { onset_on: '2025-04-20' }),
  );
  await insert(tenantId, 'case_report', [...weeks, ...others]);
  const curve = async (asked: Asked) =>
    (
      await numbersOf(postgres, caseReports, [org(tenantId)], {
        eventDate: 'onset',
        start: '2026-02-01',
        ...asked,
      })
    ).overlays!.curve!;
  /** The shares that the weeks were built from give these, plus the correction for zeros. */
  const total = (known: number, by: number) => {
    let [sum, arrived] = [known, by];
    for (const part of parts.slice(parts.findIndex((_, delay) => cumulated[delay]! >= by - 1e-9) + 1)) {
      sum += (part * (sum + 1 - arrived)) / arrived;
      arrived += part;
    }
    return sum;
  };
  const cumulated = [0.4, 0.7, 0.9, 1];

  test('have the expected total if 40 to 95 % have arrived', async () => {
    const { estimate = [] } = await curve({});
    const found = new Map(estimate.map((one) => [one.key, one]));
    // 360 of 400 and 350 of 500 have arrived.
    expect(found.get('2026-03-08')!.value).toBeCloseTo(total(360, 0.9), 6);
    expect(found.get('2026-03-08')!.value).toBeCloseTo(400.011, 3);
    expect(found.get('2026-03-15')!.value).toBeCloseTo(500.106, 3);
    const { low, high } = found.get('2026-03-15')!.interval!;
    expect(low).toBeGreaterThanOrEqual(350);
    expect(low).toBeLessThan(500);
    expect(high).toBeGreaterThan(500);
    // All of the weeks before have arrived.
    expect([...found.keys()].sort()).toEqual(['2026-03-08', '2026-03-15', '2026-03-22']);
  });

  test('[P17] protected readers get twice the number of the half, built only from numbers that are shown', async () => {
    const { estimate = [], against } = await curve({ threshold: 11 });
    const found = new Map(estimate.map((one) => [one.key, one]));
    // In the half: 180 of 200, and 175 of 250.
    expect(found.get('2026-03-08')!.value).toBeCloseTo(2 * total(180, 0.9), 6);
    expect(found.get('2026-03-15')!.value).toBeCloseTo(2 * total(175, 0.7), 6);
    expect(found.get('2026-03-15')!.interval!.low % 2).toBe(0);
    expect(against!.every(({ value }) => value === null)).toBe(true);
  });

  test('[P17] and none if one of the weeks behind it has few people', async () => {
    await insert(tenantId, 'case_report', [caseOf(people[0]!.id, '2025-11-05', { onset_on: '2025-11-05' })]);
    expect((await curve({ threshold: 11 })).estimate).toEqual([]);
    expect((await curve({})).estimate).toHaveLength(3);
  });
});
