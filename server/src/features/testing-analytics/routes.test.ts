import { randomUUID } from 'node:crypto';
import type { AnalyticsAnswer, AnalyticsComparison, AnalyticsQuery } from '@caseway/contract/analytics';
import { addDays, daysBetween } from '@caseway/contract/date-range';
import type { Column } from '@caseway/contract/grid';
import { initialFilters } from '@caseway/contract/search-params';
import {
  answerOfCategory,
  type ResultCategory,
  type TestingRecord,
  testingAnalytics,
  testingRecords,
  uncountedStatuses,
} from '@caseway/contract/testing-analytics';
import { beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../../seeds/demo/random.ts';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makePatient, makeResult } from '../../../test/factories.ts';
import { load } from '../../../test/load.ts';
import { actFor, type SignedIn, signInAs } from '../../../test/sign-in.ts';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { wholePeriods } from '../../platform/dashboards/protect.ts';
import { ageBands, resultCategories, resultStatuses } from '../reference/catalog.ts';
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
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');

type Headers = SignedIn['headers'] | Record<string, string>;
const call = async (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  headers: Headers,
  payload?: object,
) => {
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

describe('the numbers of testing analytics', () => {
  test('are for people who are signed in and may see them, from their own tenant', async () => {
    expect((await call('POST', path, {}, query)).status).toBe(401);
    const auditor = await signInAs(testing, 'auditor@demo.caseway.test');
    expect(await call('POST', path, auditor.headers, query)).toMatchObject({
      status: 403,
      body: { permission: 'testing-analytics/read' },
    });
    expect((await numbers(vendor.headers)).measures.tests!.value).toBe(0);
  });

  test('[P15] are logged in every tenant that was queried, with the names of the filters and not their values', async () => {
    const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
    const filters = { ...query.filters, sexFilter: ['F'], raceFilter: ['2028-9'] };
    await numbers(jurisdiction.headers, { ...query, filters });
    const events = await asSuperuser<{ tenant_id: string; detail: object }>(
      'select tenant_id, detail from audit_event where account_id = $1 and action = $2',
      [jurisdiction.init.user.id, `POST ${path}`],
      superuserUrl,
    );
    expect(events.map(({ tenant_id }) => tenant_id).sort()).toEqual([world.demo.id, world.vendor.id].sort());
    for (const { detail } of events)
      expect(detail).toEqual({
        range: query.dateRangeValue,
        eventDate: 'collected',
        filteredBy: ['sexFilter', 'raceFilter'],
      });
  });

  test('[S7.10] a filter, event date or property that is not declared, and a range the wrong way round, are refused by name', async () => {
    const refused = async (asked: object) => {
      const { status, body } = await call('POST', path, epi.headers, asked);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      return JSON.stringify(body.faults);
    };
    expect(await refused({ ...query, filters: { assayFilter: [] } })).toContain('assayFilter');
    expect(await refused({ ...query, eventDate: 'born' })).toContain('eventDate');
    expect(await refused({ ...query, top: 10 })).toContain('top');
    expect(await refused({ ...query, dateRangeValue: { start: '2026-03-02', end: '2026-03-01' } })).toContain(
      'dateRangeValue',
    );
    expect(await refused({ ...query, dateRangeValue: { start: '0001-01-01', end: '9999-12-31' } })).toContain(
      'dateRangeValue',
    );
  });

  test('[P18] leave out restricted families without the permission', async () => {
    const all = matching(results, query);
    const without = all.filter(({ disease_family }) => disease_family !== 'hiv');
    expect((await numbers(admin.headers)).measures.tests!.value).toBe(all.length);
    const answer = await numbers(epi.headers);
    expect(answer.measures.tests!.value).toBe(without.length);
    expect(answer.series.diseaseFamily!.map(({ key }) => key)).not.toContain('hiv');
  });

  test('[P17] readers without exact rights are shown twice the half, in whole periods, and nothing small', async () => {
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

  test('[P17] with the permission for them, numbers are true, and no record opens', async () => {
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

  test('have a committed result in them within a second', async () => {
    const before = (await numbers(admin.headers)).measures.tests!.value!;
    const patient = await makePatient(database, { tenant_id: tenantId });
    const result = await makeResult(database, { tenant_id: tenantId, patient_id: patient.id });
    const scope = { kind: 'service', tenantId } as const;
    await database.withScope(scope, (tx) => recordChange(tx, tenantId, 'result', [result.id]));
    const committed = performance.now();
    await soon(async () => (await numbers(admin.headers)).measures.tests!.value).toBe(before + 1);
    expect(performance.now() - committed).toBeLessThan(25_000);
    await database.withScope(scope, async (tx) => {
      await tx.run('delete from result where id = $1', [result.id]);
      await recordChange(tx, tenantId, 'result', [result.id]);
    });
    await soon(async () => (await numbers(admin.headers)).measures.tests!.value).toBe(before);
  });
});

describe('attacks on protected numbers, by subtraction [P17]', () => {
  type Values = AnalyticsAnswer['measures'];
  /** Every number of an answer's series by its place. */
  const numbersIn = ({ series }: AnalyticsAnswer) =>
    new Map(
      Object.entries(series).flatMap(([name, rows]) =>
        // Days for readers of true numbers, weeks for others.
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
    for (const [filter, values] of [
      ['sexFilter', sexes],
      ['raceFilter', [...new Set(results.map(({ person }) => person.race ?? 'missing'))]],
    ] as const)
      for (const value of values) {
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
    expect(hidden).toBeGreaterThan(50);
    expect(subtracted).toBeGreaterThan(20);
    expect(found / subtracted).toBeLessThan(0.45);
  });

  test('an adversary with twenty questions about each number finds few', async () => {
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
    const outcome = await adversary(ask, cells, { each: load(1, 5), questions: 20, gives: anyHalf, random });
    expect(outcome.targets).toBe(load(10, 50));
    expect(outcome.questions).toBeGreaterThan(8 * outcome.targets);
    // Of ten, guessing finds one.
    expect(outcome.exact).toBeLessThanOrEqual(load(0.5, 0.3));
    expect(outcome.sure).toBeLessThanOrEqual(0.1);
  });

  test('F03: what is hidden of a range is hidden as the range before the next one', async () => {
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

describe('the records behind a number', () => {
  test('are found by the server from the declaration, exactly as many as the number says', async () => {
    for (const asked of [
      query,
      { ...query, eventDate: 'received', dateRangeValue: { start: '2025-11-12', end: '2026-03-18' } },
      {
        ...query,
        filters: {
          ...query.filters,
          resultCategoryFilter: ['positive', 'invalid'],
          raceFilter: ['missing', '2028-9'],
        },
      },
    ]) {
      const answer = await numbers(admin.headers, asked);
      const count = async (mark: object) => {
        const behind = { dashboard: 'testing', ...asked, ...mark };
        const { status, body } = await records(admin.headers, { behind, paginationModel: { pageSize: 1 } });
        expect(status, JSON.stringify(mark)).toBe(200);
        return body.rowCount;
      };
      for (const [measure, { numerator, denominator }] of Object.entries(answer.measures)) {
        const expected = measure === 'people' ? answer.measures.tests!.value : (numerator ?? denominator);
        expect(await count({ measure }), measure).toBe(expected);
      }
      for (const [series, rows] of Object.entries(answer.series))
        for (const { key, key2, values } of rows.filter((_, index) => index % load(60, 9) === 0)) {
          expect(await count({ series, key, key2 }), `${series} ${key} ${key2}`).toBe(values.tests!.value);
          for (const name of ['positive', 'other'])
            expect(await count({ series, key, key2, class: name }), `${series} ${key} ${name}`).toBe(
              values[name]!.value,
            );
        }
    }
  });

  test('are not found for a number that there is not, nor by a list of something else', async () => {
    const behind = { dashboard: 'testing', dateRangeValue: query.dateRangeValue, measure: 'positive' };
    const refused = async (given: object, grid = 'testing-records') =>
      (await call('POST', `/api/web/grid/${grid}/search`, admin.headers, { behind: { ...behind, ...given } }))
        .status;
    expect(await refused({})).toBe(200);
    expect(await refused({ dashboard: 'sti' })).toBe(422);
    expect(await refused({ measure: 'constructor' })).toBe(422);
    expect(await refused({ series: 'race', key: '2028-9', class: 'toString' })).toBe(422);
    expect(await refused({ filters: { assayFilter: ['x'] } })).toBe(422);
    expect(await refused({ eventDate: 'born' })).toBe(422);
    expect(await refused({}, 'imports')).toBe(400);
  });

  test('are for people who may see line lists, and are written into the audit log', async () => {
    const behind = { behind: { dashboard: 'testing', ...query, measure: 'positive' } };
    expect((await records(analyst.headers, behind)).status).toBe(403);
    expect((await records(vendor.headers, behind)).body.rowCount).toBe(0);
    const { body } = await records(epi.headers, behind);
    const ids = body.rows.map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(25);
    const audited = await asSuperuser<{ record_ids: string[] }>(
      "select record_ids from audit_event where record_kind = 'result' and account_id = $1 order by at desc limit 1",
      [epi.init.user.id],
      superuserUrl,
    );
    expect(audited[0]!.record_ids).toEqual(ids);
    expect(body.rows[0]).toMatchObject({ resultCategory: 'positive', lastName: null });
  });

  test('can be sorted by each column, and pages do not overlap', async () => {
    const behind = { behind: { dashboard: 'testing', ...query, measure: 'tests' } };
    const sortable = Object.entries<Column>(testingRecords.columns).filter(
      ([, { sortable }]) => sortable !== false,
    );
    for (const [field] of sortable) {
      const page = async (number: number) => {
        const sortModel = [{ field, sort: 'desc' }];
        const { status, body } = await records(epi.headers, {
          ...behind,
          sortModel,
          paginationModel: { page: number },
        });
        expect(status, field).toBe(200);
        return body.rows as TestingRecord[];
      };
      const ids = [...(await page(0)), ...(await page(1))].map(({ id }) => id);
      expect(new Set(ids).size, field).toBe(50);
    }
  });
});

describe('presets [S4.10]', () => {
  const view = {
    filters: { raceFilter: ['2028-9'] },
    range: { relative: 'last-7-days' },
    eventDate: 'reported',
  };
  const presets = async (headers: Headers) => (await call('GET', `${path}/presets`, headers)).body.presets;
  const save = (headers: Headers, given: object = {}) =>
    call('POST', `${path}/presets`, headers, { name: 'Mine', shared: false, view, ...given });

  test('a personal one is seen only by its owner', async () => {
    const { status, body } = await save(epi.headers);
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'Mine', shared: false, own: true, view: { eventDate: 'reported' } });
    expect(body.view.filters).toEqual({ ...initialFilters(testingAnalytics), raceFilter: ['2028-9'] });
    expect(await presets(epi.headers)).toContainEqual(body);
    expect(await presets(admin.headers)).toEqual([]);
    const theirs = await call('PATCH', `${path}/presets/${body.id}`, admin.headers, { name: 'Theirs' });
    expect(theirs.status).toBe(404);
    expect((await call('DELETE', `${path}/presets/${body.id}`, admin.headers)).status).toBe(404);
    const change = (given: object) =>
      call('PATCH', `${path}/presets/${body.id}`, epi.headers, given).then((answer) => answer.body);
    // Parts that a change does not name do not change.
    expect(await change({ name: 'Renamed' })).toEqual({ ...body, name: 'Renamed' });
    const other = { ...view, eventDate: 'collected', filters: {} };
    expect(await change({ view: other })).toEqual({
      ...body,
      name: 'Renamed',
      view: { ...body.view, eventDate: 'collected', filters: initialFilters(testingAnalytics) },
    });
    expect(await presets(epi.headers)).toMatchObject([{ name: 'Renamed', view: { eventDate: 'collected' } }]);
    expect((await call('DELETE', `${path}/presets/${body.id}`, epi.headers)).status).toBe(200);
    expect(await presets(epi.headers)).toEqual([]);
  });

  test('a shared one is seen only in its organisation, and changed only by its owner', async () => {
    const { body } = await save(epi.headers, { name: 'Ours', shared: true });
    const theirs = { ...body, own: false };
    expect(await presets(admin.headers)).toEqual([theirs]);
    const college = epi.init.availableOrgs.find(({ orgType }) => orgType === 'O')!;
    const inCollege = await actFor(testing, epi.tokens, `O:${college.id}`);
    // Its owner sees it everywhere, and nobody else in another organisation.
    expect(await presets(inCollege.headers)).toHaveLength(1);
    expect(await presets(vendor.headers)).toEqual([]);
    const rename = (headers: Headers, name: string) =>
      call('PATCH', `${path}/presets/${body.id}`, headers, { name });
    expect((await rename(admin.headers, 'Theirs')).status).toBe(404);
    // Renamed while its owner acts for another organization, it stays where it is shared.
    expect((await rename(inCollege.headers, 'Ours, in fall')).status).toBe(200);
    expect(await presets(admin.headers)).toEqual([{ ...theirs, name: 'Ours, in fall' }]);
    await call('PATCH', `${path}/presets/${body.id}`, epi.headers, { shared: false });
    expect(await presets(admin.headers)).toEqual([]);
    await call('PATCH', `${path}/presets/${body.id}`, epi.headers, { shared: true });
    expect(await presets(admin.headers)).toHaveLength(1);
    expect((await call('DELETE', `${path}/presets/${body.id}`, admin.headers)).status).toBe(404);
    expect((await call('DELETE', `${path}/presets/${body.id}`, epi.headers)).status).toBe(200);
  });

  test('sharing needs its permission', async () => {
    expect(await save(analyst.headers, { shared: true })).toMatchObject({
      status: 403,
      body: { permission: 'presets/share' },
    });
    const { status, body } = await save(analyst.headers);
    expect(status).toBe(200);
    const share = { name: 'Everyone’s', shared: true };
    expect(await call('PATCH', `${path}/presets/${body.id}`, analyst.headers, share)).toMatchObject({
      status: 403,
      body: { permission: 'presets/share' },
    });
    // Nothing of a refused change is stored.
    expect(await presets(analyst.headers)).toEqual([body]);
  });

  test('unknown parts of a query are refused', async () => {
    const filters = { assayFilter: [] };
    expect((await save(epi.headers, { view: { ...view, filters } })).status).toBeGreaterThanOrEqual(400);
    expect((await save(epi.headers, { name: ' ' })).status).toBe(422);
    expect((await call('DELETE', `${path}/presets/${randomUUID()}`, epi.headers)).status).toBe(404);
  });
});

describe('gender identity that the tenant no longer records', () => {
  test('is in no record, no filter, no order and no number', async () => {
    const tenant_id = world.vendor.id;
    for (const gender_identity of ['female', 'male', null]) {
      const patient = await makePatient(database, { tenant_id, gender_identity });
      const { id } = await makeResult(database, { tenant_id, patient_id: patient.id });
      await database.withScope({ kind: 'service', tenantId: tenant_id }, (tx) =>
        recordChange(tx, tenant_id, 'result', [id]),
      );
    }
    const female = { genderFilter: ['female'] };
    const seen = async () => {
      const asked = { filters: female, sortModel: [{ field: 'gender', sort: 'asc' }] };
      const is = { field: 'gender', operator: 'is', value: 'male' };
      const all = (await records(vendor.headers, { sortModel: [{ field: 'gender', sort: 'desc' }] })).body;
      return {
        genders: all.rows.map(({ gender }: TestingRecord) => gender !== null),
        filtered: (await records(vendor.headers, asked)).body.rowCount,
        picked: (await records(vendor.headers, { filterModel: { items: [is] } })).body.rowCount,
        counted: (await numbers(vendor.headers, { ...query, filters: { ...query.filters, ...female } }))
          .measures.tests!.value,
      };
    };
    await expect
      .poll(seen, { interval: 100 })
      .toEqual({ genders: [true, true, false], filtered: 1, picked: 1, counted: 1 });
    const keep = (kept: boolean) =>
      asSuperuser(
        'update tenant set gender_identity_kept = $2 where id = $1',
        [tenant_id, kept],
        superuserUrl,
      );
    await keep(false);
    await expect
      .poll(seen, { interval: 100 })
      .toEqual({ genders: [false, false, false], filtered: 0, picked: 0, counted: 0 });
    await keep(true);
  });
});

describe('one truth', () => {
  /** These columns of a patient's facts, by the id of the result. */
  const factsOf = async (patientId: string, columns: string) =>
    new Map(
      (
        await database.withScope({ kind: 'service', tenantId }, (tx) =>
          tx.rows<{ id: string }>(`select id, ${columns} from result_fact where patient_id = $1`, [
            patientId,
          ]),
        )
      ).map(({ id, ...fact }): [string, unknown] => [id, fact]),
    );

  test('result categories count as the reference data says', () => {
    const positivity = { positive: 'positive', negative: 'negative', other: 'outside', none: 'outside' };
    expect(Object.keys(answerOfCategory).sort()).toEqual(resultCategories.map(({ code }) => code).sort());
    for (const { code, positivity: said, kind } of resultCategories) {
      const answer = answerOfCategory[code as keyof typeof answerOfCategory];
      expect(positivity[answer], code).toBe(said);
      expect(answer === 'none', code).toBe(kind === 'status');
    }
  });

  test('the definition of a test is the same in the facts and in the contract', async () => {
    const patient = await makePatient(database, { tenant_id: tenantId });
    const expected = new Map<string, unknown>();
    for (const { code: result_category } of resultCategories)
      for (const { code: status } of resultStatuses) {
        const { id } = await makeResult(database, {
          tenant_id: tenantId,
          patient_id: patient.id,
          result_category,
          status,
        });
        const performed =
          answerOfCategory[result_category as ResultCategory] !== 'none' &&
          !uncountedStatuses.includes(status);
        expected.set(id, { result_category, status, performed });
      }
    expect(await factsOf(patient.id, 'result_category, status, performed')).toEqual(expected);
  });

  test.each([
    ['narrative', null, false],
    ['narrative', 'malaria', false],
    ['susceptibility', null, false],
    ['resistance', null, false],
    ['resistance', 'cpo-clinical', true],
    ['quantity', null, true],
    ['routine', null, false],
    ['antibody-band', 'hiv', false],
    ['question', null, false],
    ['control', null, false],
    ['culture', 'salmonellosis', true],
    [null, null, true],
  ])(
    'a result by the method %s, for the condition %s, counts as a test: %s',
    async (method, condition_code, counts) => {
      const patient = await makePatient(database, { tenant_id: tenantId });
      const { id } = await makeResult(database, {
        tenant_id: tenantId,
        patient_id: patient.id,
        result_category: 'positive',
        method,
        condition_code,
      });
      const [fact] = await database.withScope({ kind: 'service', tenantId }, (tx) =>
        tx.rows<{ performed: boolean }>('select performed from result_fact where id = $1', [id]),
      );
      expect(fact!.performed).toBe(counts);
    },
  );

  test('the age bands of the facts are those of the reference data', async () => {
    const patient = await makePatient(database, { tenant_id: tenantId });
    const expected = new Map<string, unknown>();
    for (const age_years of [null, -1, ...Array(101).keys()]) {
      const { id } = await makeResult(database, { tenant_id: tenantId, patient_id: patient.id, age_years });
      const band = ageBands.find(
        ({ fromYears, toYears }) =>
          age_years !== null &&
          fromYears !== null &&
          age_years >= fromYears &&
          (toYears === null || age_years < toYears),
      );
      expected.set(id, { age_years, age_band: band?.code ?? null });
    }
    expect(await factsOf(patient.id, 'age_years, age_band')).toEqual(expected);
  });
});
