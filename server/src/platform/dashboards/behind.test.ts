import type { AnalyticsAnswer } from '@caseway/contract/analytics';
import type { Preset } from '@caseway/contract/analytics-presets';
import { cases } from '@caseway/contract/case-reports';
import { dashboard } from '@caseway/contract/dashboard';
import { addDays } from '@caseway/contract/date-range';
import { gridOver } from '@caseway/contract/fact-grid';
import { over } from '@caseway/contract/measure';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { facts } from '../../facts.ts';
import { caseFact } from '../../features/case-reports/case-fact.ts';
import { startAnalytics } from '../analytics/engine.ts';
import { pageColumns, sourceOver } from '../grid/fact-source.ts';
import { serveGrid } from '../grid/serve-grid.ts';
import { createLog } from '../log/log.ts';
import { recordsBehind } from './behind.ts';
import { serveDashboard } from './serve-dashboard.ts';

/* A dashboard of cases, and the list of cases that its numbers open. */

const shape = { ...cases, counting: { ...cases.counting, records: 'made-up-cases' } } as const;
const stored = { ...caseFact, shape };
const event = over(shape);
const open = { status: ['new', 'assigned'] } as const;
const madeUp = dashboard(
  'made-up',
  {
    permission: 'case-reports/read',
    facts: { cases: shape },
    main: 'cases',
    filters: { sexFilter: 'sex' },
    textFilters: { statusFilter: 'status' },
    eventDates: { created: 'createdOn', onset: 'onsetOn' },
    defaultRange: (today) => ({ start: addDays(today, -30), end: today }),
    measures: {
      cases: event.count(),
      open: event.count(open),
      people: event.persons(),
      hiv: event.count({ diseaseFamily: 'hiv' }, { tells: ['hiv'] }),
    },
    leading: ['cases', 'open', 'people', 'hiv'],
    sections: { all: [] },
    series: { sex: { form: 'bars', by: 'sex', section: 'all' } },
  },
  ['outcomeFilter', 'born'],
);
const grid = gridOver(shape, {
  id: 'made-up-cases',
  permission: 'line-lists/read',
  feature: 'case-reports',
  columns: { createdOn: {} },
  defaultSort: [{ field: 'createdOn', sort: 'desc' }],
  filters: {},
  row: z.object({ id: z.string(), createdOn: z.string() }),
});

const on = await createTestDatabase();
const analytics = await startAnalytics({
  database: on.database,
  facts,
  log: createLog('fatal'),
  folder: '',
  engine: 'postgres',
});
afterAll(() => analytics.close());
const testing = await testApp(
  {},
  {
    on,
    extend: (app) => {
      serveDashboard(app, analytics, { dashboard: madeUp, facts: [stored] });
      serveGrid(app, analytics, {
        source: sourceOver(grid, stored, { behind: recordsBehind([madeUp], stored) }),
        recordKind: 'case',
        orders: async () => ({}),
        read: (tx, ids) =>
          tx.rows<{ id: string }>(
            `select c.id, ${pageColumns(grid, stored)} from case_report c
              where c.tenant_id = $1 and c.id = any($2::uuid[])`,
            [tx.tenantId, ids],
          ),
      });
    },
  },
);
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const { ask, ok } = askingAs(testing, admin);
const query = { dateRangeValue: { start: '2026-03-01', end: '2026-03-31' } };
const behind = (given: object) => ({ behind: { dashboard: 'made-up', ...query, ...given } });
const list = 'grid/made-up-cases/search';

beforeAll(async () => {
  const patients = [
    await makePatient(database, { tenant_id: demo.id, sex_at_birth: 'F' }),
    await makePatient(database, { tenant_id: demo.id, sex_at_birth: 'M' }),
  ];
  const given = [
    { patient: 0, created_on: '2026-03-02', status: 'new' },
    { patient: 0, created_on: '2026-03-09', status: 'closed' },
    { patient: 1, created_on: '2026-03-31', status: 'assigned' },
    { patient: 1, created_on: '2026-03-05', status: 'new', condition_code: 'hiv', disease_family: 'hiv' },
    { patient: 1, created_on: '2026-04-01', status: 'new' },
  ];
  for (const { patient, ...more } of given)
    await makeCaseReport(database, { tenant_id: demo.id, patient_id: patients[patient]!.id, ...more });
});

test('the list of any fact finds the records behind the numbers of a dashboard over it', async () => {
  const { measures, series } = await ok<AnalyticsAnswer>('POST', 'analytics/made-up', query);
  expect(Object.fromEntries(Object.entries(measures).map(([name, { value }]) => [name, value]))).toEqual({
    cases: 4,
    open: 3,
    people: 2,
    hiv: 1,
  });
  const found = async (given: object) =>
    (await ok<{ rowCount: number }>('POST', list, behind(given))).rowCount;
  expect(await found({ measure: 'cases' })).toBe(4);
  expect(await found({ measure: 'open' })).toBe(3);
  // The records of two people.
  expect(await found({ measure: 'people' })).toBe(4);
  for (const { key, values } of series.sex!)
    expect(await found({ series: 'sex', key }), key).toBe(values.cases!.value);
  expect(await found({ measure: 'cases', filters: { statusFilter: 'new', sexFilter: ['M'] } })).toBe(1);
});

test('[P18] values that reveal a hidden family give neither numbers nor records, alone or as a file', async () => {
  const { measures } = await ok<AnalyticsAnswer>('POST', 'analytics/made-up', query, epi.headers);
  expect(Object.keys(measures)).toEqual(['cases', 'open', 'people']);
  const found = (await ok<{ rowCount: number }>('POST', list, behind({ measure: 'hiv' }))).rowCount;
  expect(found).toBe(1);
  const refused = await ask('POST', list, behind({ measure: 'hiv' }), epi.headers);
  expect(refused.statusCode).toBe(422);
  expect(refused.json()).toMatchObject({ faults: [{ path: 'body.behind', code: 'unknown-filter' }] });
  // The answer is the same as for a name that never existed.
  const unknown = await ask('POST', list, behind({ measure: 'flu' }), epi.headers);
  expect(unknown.statusCode).toBe(422);
});

test('every list of a fact accepts a number, and refuses one about other rows', async () => {
  for (const { shape } of facts) {
    // Years of care have numbers but no list.
    if (!shape.counting || shape.counting.records === 'care-years') continue;
    const path = `grid/${shape.counting.records}/search`;
    const mark = { dashboard: 'testing', ...query, measure: 'tests' };
    const answer = await ask('POST', path, { behind: mark });
    expect(answer.statusCode, path).toBe(shape.name === 'result' ? 200 : 422);
  }
});

test('a list that does not say how it finds them does not start', () => {
  expect(() => sourceOver(grid, stored, {})).toThrow('nothing finds those behind a number');
});

test('[S4.10] a saved view with names that no longer exist is shown without them, and lists them', async () => {
  const save = (name: string, view: object) =>
    asSuperuser(
      `insert into analytics_preset (tenant_id, id, account_id, screen, name, shared_with_org, filters)
       values ($1, gen_random_uuid(), $2, 'made-up', $3, null, $4)`,
      [demo.id, admin.init.user.id, name, JSON.stringify(view)],
      superuserUrl,
    );
  const range = { relative: 'last-7-days' };
  await save('Old', { filters: { outcomeFilter: ['died'], sexFilter: ['F'] }, range, eventDate: 'born' });
  await save('Strange', { filters: { heightFilter: ['tall'] }, range, eventDate: null });
  const { presets } = await ok<{ presets: Preset[] }>('GET', 'analytics/made-up/presets');
  expect(presets.map(({ name, view, retired }) => ({ name, view, retired }))).toEqual([
    {
      name: 'Old',
      view: { filters: { sexFilter: ['F'], statusFilter: '' }, range, eventDate: null, granularity: null },
      retired: ['outcomeFilter', 'born'],
    },
  ]);
  // These names can be neither saved again nor requested.
  const view = { filters: { outcomeFilter: ['died'] }, range, eventDate: null };
  const again = await ask('POST', 'analytics/made-up/presets', { name: 'Again', shared: false, view });
  expect(again.statusCode).toBe(400);
  expect((await ask('POST', 'analytics/made-up', { ...query, filters: view.filters })).statusCode).toBe(400);
});
