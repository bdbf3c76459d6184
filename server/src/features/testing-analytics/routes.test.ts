import { randomUUID } from 'node:crypto';
import type { AnalyticsAnswer, AnalyticsQuery } from '@caseway/contract/analytics';
import { testing as testingAnalytics } from '@caseway/contract/dashboards/testing';
import type { Column } from '@caseway/contract/grid';
import { initialFilters } from '@caseway/contract/search-params';
import {
  answerOfCategory,
  type ResultCategory,
  type TestingRecord,
  testingRecords,
  uncountedStatuses,
} from '@caseway/contract/testing-analytics';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makePatient, makeResult } from '../../../test/factories.ts';
import { load } from '../../../test/load.ts';
import { actFor, type SignedIn, signInAs } from '../../../test/sign-in.ts';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { ageBands, resultCategories, resultStatuses } from '../reference/catalog.ts';
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

  test('[P15] are logged in every queried tenant, with the names of the filters and not their values', async () => {
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

  test('[S7.10] an undeclared filter, event date or property, and an inverted range, are refused by name', async () => {
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

  test('include a committed result within a second', async () => {
    const before = (await numbers(admin.headers)).measures.tests!.value!;
    const patient = await makePatient(database, { tenant_id: tenantId });
    const result = await makeResult(database, { tenant_id: tenantId, patient_id: patient.id });
    const scope = { kind: 'service', tenantId } as const;
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

  test('are not found for an unknown number, nor by a list of something else', async () => {
    const behind = { dashboard: 'testing', dateRangeValue: query.dateRangeValue, measure: 'positive' };
    const refused = async (given: object, grid = 'testing-records') =>
      (await call('POST', `/api/web/grid/${grid}/search`, admin.headers, { behind: { ...behind, ...given } }))
        .status;
    expect(await refused({})).toBe(200);
    expect(await refused({ dashboard: 'unheard-of' })).toBe(422);
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
    const theirs = await call('PATCH', `${path}/presets/${body.id}`, admin.headers, {
      version: 1,
      name: 'Theirs',
    });
    expect(theirs.status).toBe(404);
    expect((await call('DELETE', `${path}/presets/${body.id}?version=1`, admin.headers)).status).toBe(404);
    const change = (given: object) =>
      call('PATCH', `${path}/presets/${body.id}`, epi.headers, given).then((answer) => answer.body);
    // Parts that a change does not name stay.
    expect(await change({ version: 1, name: 'Renamed' })).toEqual({ ...body, version: 2, name: 'Renamed' });
    const other = { ...view, eventDate: 'collected', filters: {} };
    expect(await change({ version: 2, view: other })).toEqual({
      ...body,
      version: 3,
      name: 'Renamed',
      view: { ...body.view, eventDate: 'collected', filters: initialFilters(testingAnalytics) },
    });
    expect(await presets(epi.headers)).toMatchObject([{ name: 'Renamed', view: { eventDate: 'collected' } }]);
    expect((await call('DELETE', `${path}/presets/${body.id}?version=3`, epi.headers)).status).toBe(200);
    expect(await presets(epi.headers)).toEqual([]);
  });

  test('a shared one is seen only in its organisation, and by its owner everywhere', async () => {
    const { body } = await save(epi.headers, { name: 'Ours', shared: true });
    expect(await presets(admin.headers)).toEqual([{ ...body, own: false }]);
    const college = epi.init.availableOrgs.find(({ orgType }) => orgType === 'O')!;
    const inCollege = await actFor(testing, epi.tokens, `O:${college.id}`);
    expect(await presets(inCollege.headers)).toHaveLength(1);
    expect(await presets(vendor.headers)).toEqual([]);
    const change = (headers: Headers, given: object) =>
      call('PATCH', `${path}/presets/${body.id}`, headers, given);
    // If its owner renames it while acting for another organization, it stays shared where it was.
    expect((await change(inCollege.headers, { version: 1, name: 'Ours, in fall' })).status).toBe(200);
    expect(await presets(admin.headers)).toMatchObject([{ name: 'Ours, in fall' }]);
    await change(epi.headers, { version: 2, shared: false });
    expect(await presets(admin.headers)).toEqual([]);
    await change(epi.headers, { version: 3, shared: true });
    expect(await presets(admin.headers)).toHaveLength(1);
    expect((await call('DELETE', `${path}/presets/${body.id}?version=4`, epi.headers)).status).toBe(200);
  });

  test('sharing needs its permission', async () => {
    expect(await save(analyst.headers, { shared: true })).toMatchObject({
      status: 403,
      body: { permission: 'presets/share' },
    });
    const { status, body } = await save(analyst.headers);
    expect(status).toBe(200);
    const share = { version: 1, name: 'Everyone’s', shared: true };
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
    expect((await call('DELETE', `${path}/presets/${randomUUID()}?version=1`, epi.headers)).status).toBe(404);
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
