import type { AnalyticsAnswer, AnalyticsComparison, AnalyticsQuery } from '@caseway/contract/analytics';
import { testing as testingAnalytics } from '@caseway/contract/dashboards/testing';
import { addDays, daysBetween } from '@caseway/contract/date-range';
import { initialFilters } from '@caseway/contract/search-params';
import { beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../../seeds/demo/random.ts';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { load } from '../../../test/load.ts';
import { type SignedIn, signInAs } from '../../../test/sign-in.ts';
import { wholePeriods } from '../../platform/dashboards/protect.ts';
import { type Ask, adversary, anyHalf, type By, hiddenCells, testOf } from './test-adversary.ts';
import { lastDay, makeResults, matching, storeResults } from './test-facts.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const tenantId = world.demo.id;
const results = makeResults(5, { people: 260, results: 800 });

const epi = await signInAs(testing, 'epi@demo.caseway.test');
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const analyst = await signInAs(testing, 'analyst@demo.caseway.test');

type Headers = SignedIn['headers'] | Record<string, string>;
const call = async (method: 'POST', url: string, headers: Headers, payload?: object) => {
  const response = await app.fastify.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: response.statusCode, body: response.json() };
};
const path = '/api/web/analytics/testing';
const query: AnalyticsQuery = {
  dateRangeValue: { start: '2026-02-01', end: lastDay },
  filters: initialFilters(testingAnalytics),
  eventDate: 'collected',
};
const numbers = async (headers: Headers, asked: object = query): Promise<AnalyticsAnswer> => {
  const { status, body } = await call('POST', path, headers, asked);
  expect(status).toBe(200);
  return body;
};
const comparison = async (headers: Headers, asked: object): Promise<AnalyticsComparison> => {
  const { status, body } = await call('POST', `${path}/comparison`, headers, asked);
  expect(status).toBe(200);
  return body;
};
const records = (headers: Headers, asked: object) =>
  call('POST', '/api/web/grid/testing-records/search', headers, asked);
const soon = (condition: () => Promise<unknown>) => expect.poll(condition, { interval: 10 });

beforeAll(async () => {
  await storeResults(database, results, tenantId);
  while ((await numbers(admin.headers)).measures.tests!.value === 0);
});

describe('the numbers of readers without permission for exact ones', () => {
  test('[P17] readers without the permission see twice the half, in whole periods, and nothing small', async () => {
    const narrow = { ...query, dateRangeValue: { start: '2026-03-20', end: lastDay } };
    const answer = await numbers(analyst.headers, narrow);
    expect(answer).toMatchObject({
      suppressionThreshold: 11,
      anySuppressed: true,
      half: true,
      granularity: 'four-weeks',
      dateRangeValue: wholePeriods(narrow.dateRangeValue, 4),
    });
    const shown = Object.values(answer.series).flatMap((rows) =>
      rows.flatMap(({ values }) =>
        ['tests', 'positive', 'negative', 'other'].map((name) => values[name]!.value),
      ),
    );
    expect(shown.filter((value) => value !== null && value > 0 && value < 11)).toEqual([]);
    expect(shown.filter((value) => value !== null && value % 2 !== 0)).toEqual([]);
    const whole = await numbers(epi.headers, narrow);
    expect(whole).toMatchObject({ suppressionThreshold: null, anySuppressed: false });
    expect(whole.half).toBeUndefined();
  });

  test('[P17] with the permission, numbers are exact, and no record opens', async () => {
    const grant = (add: boolean) =>
      asSuperuser(
        add
          ? `insert into role_grant (tenant_id, role_id, obj, act, eft)
             select tenant_id, id, 'T', 'analytics/exact', 'allow' from role where tenant_id = $1 and code = 'read-only-analyst'`
          : `delete from role_grant where tenant_id = $1 and act = 'analytics/exact'
               and role_id = (select id from role where tenant_id = $1 and code = 'read-only-analyst')`,
        [tenantId],
        superuserUrl,
      ).then(() =>
        asSuperuser(
          'update policy_version set version = version + 1 where tenant_id = $1',
          [tenantId],
          superuserUrl,
        ),
      );
    await grant(true);
    try {
      const isHalf = async () => (await numbers(analyst.headers)).half ?? false;
      await soon(isHalf).toBe(false);
      const all = matching(results, query).filter(({ disease_family }) => disease_family !== 'hiv');
      expect((await numbers(analyst.headers)).measures.tests!.value).toBe(all.length);
      expect((await records(analyst.headers, {})).status).toBe(403);
    } finally {
      await grant(false);
      await soon(async () => (await numbers(analyst.headers)).half).toBe(true);
    }
  });

  test("[P17] the threshold is the tenant's own", async () => {
    const setTo = (threshold: number) =>
      asSuperuser(
        'update tenant set small_cell_threshold = $1 where id = $2',
        [threshold, tenantId],
        superuserUrl,
      );
    for (const threshold of [5, 30, 11]) {
      await setTo(threshold);
      expect((await numbers(analyst.headers)).suppressionThreshold).toBe(threshold);
    }
  });

  test('[P17] two filters at once narrow a protected answer, and a third is refused', async () => {
    const filtered = (...names: string[]) => ({
      ...query,
      filters: { ...query.filters, ...Object.fromEntries(names.map((name) => [name, ['2028-9']])) },
    });
    const leftOut = async (...names: string[]) =>
      (await numbers(analyst.headers, filtered(...names))).leftOut;
    expect(await leftOut()).toBeUndefined();
    // Age and sex are two columns.
    expect(await leftOut('raceFilter')).toEqual(['ageSex']);
    const withTwo = await leftOut('raceFilter', 'ethnicityFilter');
    expect(withTwo).toContain('facility');
    expect(withTwo).not.toContain('race');
    expect(withTwo).not.toContain('trend');
    const refused = await call(
      'POST',
      path,
      analyst.headers,
      filtered('raceFilter', 'ethnicityFilter', 'sexFilter'),
    );
    expect(refused).toMatchObject({
      status: 422,
      body: { faults: [{ path: 'filters', code: 'too-many-filters' }] },
    });
    await numbers(epi.headers, filtered('raceFilter', 'ethnicityFilter', 'sexFilter'));
  });
});

describe('attacks on protected numbers, by subtraction [P17]', () => {
  type Values = AnalyticsAnswer['measures'];
  /** Every number in an answer's series, by its position. */
  const numbersIn = ({ series }: AnalyticsAnswer) =>
    new Map(
      Object.entries(series).flatMap(([name, rows]) =>
        // Days for readers of exact numbers, weeks for others.
        (name.endsWith('rend') ? [] : rows).flatMap(({ key, key2, values }) =>
          Object.entries(values as Values)
            .filter(([, { denominator }]) => denominator === null)
            .map(([of, { value }]) => [`${name} ${key} ${key2} ${of}`, value] as const),
        ),
      ),
    );
  const weeks = { ...query, dateRangeValue: wholePeriods({ start: '2026-02-01', end: '2026-03-20' }, 4) };

  test('F01: ranges that differ by days have the same answer', async () => {
    const [first, ...others] = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((days) =>
        numbers(analyst.headers, {
          ...weeks,
          dateRangeValue: { start: addDays(weeks.dateRangeValue.start, days), end: weeks.dateRangeValue.end },
        }),
      ),
    );
    for (const { asOf: _, ...other } of others) expect(first).toMatchObject(other);
  });

  test('F02: a list without one value, subtracted from all, gives that value’s half and not its number', async () => {
    const whole = numbersIn(await numbers(analyst.headers, weeks));
    let [hidden, subtracted, found] = [0, 0, 0];
    const sexes = ['F', 'M', 'U', 'missing'];
    // In `npm test`, every other value.
    for (const [filter, values] of [
      ['sexFilter', sexes],
      ['raceFilter', [...new Set(results.map(({ person }) => person.race ?? 'missing'))]],
    ] as const)
      for (const value of values.filter((_, at) => load(at % 2 === 0, true))) {
        const all = {
          ...weeks,
          filters: { ...weeks.filters, [filter]: values.filter((one) => one !== value) },
        };
        const only = { ...weeks, filters: { ...weeks.filters, [filter]: [value] } };
        const [rest, own, truth] = await Promise.all([
          numbers(analyst.headers, all).then(numbersIn),
          numbers(analyst.headers, only).then(numbersIn),
          numbers(epi.headers, only).then(numbersIn),
        ]);
        for (const [place, number] of truth) {
          if (number === null || number === 0 || number > 10) continue;
          expect(own.get(place) ?? null, place).toBeNull();
          hidden++;
          const [more, less] = [whole.get(place) ?? null, rest.get(place) ?? null];
          if (more === null || less === null) continue;
          subtracted++;
          expect((more - less) % 2, place).toBe(0);
          if (more - less === number) found++;
        }
      }
    expect(hidden).toBeGreaterThan(load(25, 50));
    expect(subtracted).toBeGreaterThan(load(10, 20));
    expect(found / subtracted).toBeLessThan(0.45);
  });

  test('an adversary with some questions about each number finds few', async () => {
    const period = wholePeriods({ start: '2026-02-10', end: '2026-02-10' }, 4);
    const seen = matching(results, { ...query, dateRangeValue: { start: '2020-01-01', end: '2030-01-01' } });
    const tests = seen
      .filter(({ disease_family }) => disease_family !== 'hiv')
      .map(({ person, ...result }) => testOf(person, result, false));
    const seriesOf = { family: 'diseaseFamily', sex: 'ageSex' } as Partial<Record<By, string>>;
    const ask: Ask = async ({ filters, date, ...dateRangeValue }) => {
      const picked = Object.entries(filters).map(([by, values]) => [
        `${seriesOf[by as By] ?? by}Filter`,
        values,
      ]);
      const answer = await numbers(analyst.headers, {
        dateRangeValue,
        eventDate: date,
        filters: { ...query.filters, ...Object.fromEntries(picked) },
      });
      return (of, bar) => {
        const rows = bar ? answer.series[seriesOf[bar.by] ?? bar.by] : undefined;
        const values = bar ? rows?.find(({ key }) => key === bar.key)?.values : answer.measures;
        return values?.[of === 'timed' ? 'none' : of]?.value ?? undefined;
      };
    };
    const random = new Random('endpoint');
    const cells = hiddenCells(
      tests,
      (day) => (day >= period.start && day <= period.end ? period : undefined),
      random,
    );
    const outcome = await adversary(ask, cells, {
      each: load(1, 5),
      questions: load(12, 20),
      gives: anyHalf,
      random,
    });
    // Some sizes have fewer than five.
    expect(outcome.targets).toBeGreaterThanOrEqual(load(10, 45));
    expect(outcome.questions).toBeGreaterThan(load(4, 8) * outcome.targets);
    // Guessing finds one in ten.
    expect(outcome.exact).toBeLessThanOrEqual(load(0.5, 0.3));
    expect(outcome.sure).toBeLessThanOrEqual(0.1);
  });

  test('F03: what is hidden in a range is also hidden as the range before the next one', async () => {
    const { start, end } = weeks.dateRangeValue;
    const now = await numbers(analyst.headers, weeks);
    const days = daysBetween(start, end) + 1;
    const next = await comparison(analyst.headers, {
      ...weeks,
      dateRangeValue: { start: addDays(start, days), end: addDays(end, days) },
    });
    expect(next.previousRange).toEqual(weeks.dateRangeValue);
    const { undated: _, ...measures } = now.measures;
    expect(next.measures).toEqual(measures);
  });
});
