import { randomUUID } from 'node:crypto';
import type { CaseReportRow } from '@caseway/contract/case-reports';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { actFor, type SignedIn, signInAs } from '../../../test/sign-in.ts';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { keysOfPatient, writeSearchKeys } from '../patients/search-keys.ts';
import { keysOfCase } from './case-keys.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const tenantId = world.demo.id;

const epi = await signInAs(testing, 'epi@demo.caseway.test');
const investigator = await signInAs(testing, 'investigator@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');

type Headers = SignedIn['headers'] | Record<string, string>;
const ask = async (
  path: string,
  payload: unknown,
  headers: Headers = epi.headers,
  method: 'POST' | 'PUT' = 'POST',
) => {
  const response = await app.fastify.inject({ method, url: path, payload: payload as object, headers });
  return { status: response.statusCode, body: response.json() };
};
const get = async (path: string, headers: Headers = epi.headers) => {
  const response = await app.fastify.inject({ url: path, headers });
  return { status: response.statusCode, body: response.json() };
};
const search = (payload: unknown, headers?: Headers) =>
  ask('/api/web/grid/case-reports/search', payload, headers);
const caseIds = ({ body }: { body: { rows: CaseReportRow[] } }) => body.rows.map(({ caseId }) => caseId);

async function make(
  caseId: string,
  tenant_id: string,
  given: { lastName?: string; family?: string; county?: string; organization?: string } = {},
) {
  const patient = await makePatient(database, {
    tenant_id,
    last_name: given.lastName ?? 'Canary',
    birth_date: '1990-06-15',
    organization_ids: given.organization ? [given.organization] : [],
    county_fips: given.county ?? '12086',
  });
  const report = await makeCaseReport(database, {
    tenant_id,
    patient_id: patient.id,
    case_id: caseId,
    county_fips: given.county ?? '12086',
    disease_family: given.family ?? 'chlamydia',
    organization_id: given.organization ?? null,
    updated_at: '2026-03-05T12:00:00Z',
  });
  await database.withScope({ kind: 'service', tenantId: tenant_id }, async (tx) => {
    const keys = keysOfPatient({
      lastName: patient.last_name ?? null,
      firstName: 'Robin',
      birthDate: '1990-06-15',
      phones: [],
      emails: [],
      identifiers: [],
    });
    await writeSearchKeys(tx, tenant_id, 'patient', [{ id: patient.id, keys }]);
    await writeSearchKeys(tx, tenant_id, 'case', [
      { id: report.id, keys: keysOfCase({ caseId, externalId: null }) },
    ]);
    await recordChange(tx, tenant_id, 'case_report', [report.id]);
  });
  return { patient, report };
}

let first: Awaited<ReturnType<typeof make>>;
beforeAll(async () => {
  first = await make('2026-0000001', tenantId, { lastName: 'Müller' });
  await make('2026-0000002', tenantId, { lastName: 'Diaz', county: '12011' });
  await make('2026-0000003', tenantId, { lastName: 'Restricted', family: 'hiv' });
  await make('2026-0000009', world.vendor.id, { lastName: 'Müller' });
});

describe('the case-report grid', () => {
  test('opens on the newest case and counts all that match [S9.3]', async () => {
    const { status, body } = await search({});
    expect(status).toBe(200);
    expect(caseIds({ body })).toEqual(['2026-0000002', '2026-0000001']);
    expect(body.rowCount).toBe(2);
    expect(body.rows[1]).toMatchObject({
      id: first.report.id,
      patientId: first.patient.id,
      lastName: 'Müller',
      birthDate: '1990-06-15',
      // Born 15 June 1990, created 5 March 2026.
      age: 35,
      classification: 'confirmed',
      status: 'new',
      createdOn: '2026-03-05',
      updatedAt: '2026-03-05T12:00:00.000Z',
    });
  });

  test('[P18] counts the rows of each group as its reader may see them, and a file includes closed groups', async () => {
    const grouping = { by: 'diseaseFamily' };
    const { body } = await search({ grouping });
    // They may not know about the case of HIV.
    expect(body.groups).toEqual([{ key: 'chlamydia', count: 2 }]);
    expect(body.groupOf[first.report.id]).toBe('chlamydia');
    const closed = { grouping: { ...grouping, closed: ['chlamydia'] } };
    const none = (await search(closed)).body;
    expect([none.rows, none.rowCount, none.groups]).toEqual([[], 0, body.groups]);
    const counts = await ask('/api/web/grid/case-reports/counts', { query: closed, filter: 'visitType' });
    expect(counts.body.counts).toEqual([{ id: 'missing', count: 2 }]);
    const file = async (chosen: object) => {
      const { body: text } = await app.fastify.inject({
        method: 'POST',
        url: '/api/web/grid/case-reports/export',
        headers: epi.headers,
        payload: { query: closed, columns: ['caseId'], ...chosen },
      });
      return text;
    };
    expect(await file({})).toContain('2026-0000001');
    // Choosing all means the cases that the list shows.
    expect(await file({ chosen: { except: [] } })).not.toContain('2026-');
    expect((await search({})).body.groups).toBeUndefined();
  });

  test('shows what was committed just before', async () => {
    await database.withScope({ kind: 'service', tenantId }, async (tx) => {
      await tx.run('update case_report set status = $1 where id = $2', ['closed', first.report.id]);
      await recordChange(tx, tenantId, 'case_report', [first.report.id]);
    });
    const closed = { filterModel: { items: [{ field: 'status', operator: 'is', value: 'closed' }] } };
    expect(caseIds(await search(closed))).toEqual(['2026-0000001']);
  });

  test('finds by words, and by words and filters together', async () => {
    expect(
      caseIds(await search({ filterModel: { items: [], quickFilterValues: ['mueller', '1990'] } })),
    ).toEqual(['2026-0000001']);
    expect(
      caseIds(await search({ filterModel: { items: [], quickFilterValues: ['2026-0000002'] } })),
    ).toEqual(['2026-0000002']);
  });

  test.each([
    'sex',
    'condition',
    'county',
    'facility',
    'investigator',
    'program',
    'task',
    'jurisdiction',
    'race',
  ])('sorts by the labels of %s', async (field) => {
    const { status, body } = await search({
      sortModel: [
        { field, sort: 'asc' },
        { field: 'caseId', sort: 'asc' },
      ],
    });
    expect(status).toBe(200);
    // Broward sorts before Miami-Dade, and its code is also smaller; everything else is equal or empty.
    expect(caseIds({ body })).toEqual(
      field === 'county' ? ['2026-0000002', '2026-0000001'] : ['2026-0000001', '2026-0000002'],
    );
  });

  test('logs who saw which records [P15]', async () => {
    await asSuperuser('delete from audit_event', [], superuserUrl);
    await search({});
    await search({ filterModel: { items: [{ field: 'caseId', operator: 'equals', value: 'none' }] } });
    const events = await asSuperuser<{ record_ids: string[] }>(
      'select account_id, record_kind, record_ids from audit_event order by id',
      [],
      superuserUrl,
    );
    expect(events).toMatchObject([
      { account_id: epi.init.user.id, record_kind: 'case' },
      { account_id: epi.init.user.id, record_kind: 'case', record_ids: [] },
    ]);
    expect(events[0]!.record_ids).toHaveLength(2);
  });
});

describe('who sees which cases', () => {
  test('no one without signing in, or without the permission', async () => {
    expect((await search({}, {})).status).toBe(401);
    expect((await search({}, { authorization: 'Bearer nonsense' })).status).toBe(401);
    const dataEntry = await signInAs(testing, 'sysadmin@demo.caseway.test');
    const { status, body } = await search({}, dataEntry.headers);
    expect([status, body.code, body.permission]).toEqual([403, 'forbidden', 'case-reports/read']);
  });

  test('a tenant sees only its own cases [P1]', async () => {
    expect(caseIds(await search({}, vendor.headers))).toEqual(['2026-0000009']);
    const named = { filterModel: { items: [], quickFilterValues: ['müller'] } };
    expect(caseIds(await search(named, vendor.headers))).toEqual(['2026-0000009']);
    expect(caseIds(await search(named))).toEqual(['2026-0000001']);
  });

  test('restricted families only with the permission, in rows, counts and search [P18]', async () => {
    expect((await search({}, investigator.headers)).body.rowCount).toBe(3);
    const named = { filterModel: { items: [], quickFilterValues: ['restricted'] } };
    expect(caseIds(await search(named, investigator.headers))).toEqual(['2026-0000003']);
    expect((await search(named)).body).toEqual({ rows: [], rowCount: 0 });
  });

  test('a jurisdiction the residents of its counties in the tenants that report to it [S6.9]', async () => {
    const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
    const { countyFips } = world.jurisdictions.find(({ id }) => id === jurisdiction.init.selectedOrg!.id)!;
    const outside = ['12086', '12011', '12057'].find((fips) => !countyFips.includes(fips))!;
    await make('2026-0000010', tenantId, { lastName: 'Inside', county: countyFips[0] });
    await make('2026-0000011', tenantId, { lastName: 'Outside', county: outside });
    const words = (word: string) => ({ filterModel: { items: [], quickFilterValues: [word] } });
    expect(caseIds(await search(words('inside'), jurisdiction.headers))).toEqual(['2026-0000010']);
    expect((await search(words('outside'), jurisdiction.headers)).body).toEqual({ rows: [], rowCount: 0 });
    expect((await search(words('outside'))).body.rowCount).toBe(1);

    // Each queried tenant has it in its log; the tenant of the records also has the records. [P15]
    const audited = async (query: object) => {
      await asSuperuser('delete from audit_event', [], superuserUrl);
      await search(query, jurisdiction.headers);
      const events = await asSuperuser<{ tenant_id: string; record_ids: string[] }>(
        "select tenant_id, record_ids from audit_event where record_kind = 'case' and account_id = $1",
        [jurisdiction.init.user.id],
        superuserUrl,
      );
      return new Map(events.map(({ tenant_id, record_ids }) => [tenant_id, record_ids.length]));
    };
    const other = world.vendor.id;
    expect(await audited(words('inside'))).toEqual(
      new Map([
        [tenantId, 1],
        [other, 0],
      ]),
    );
    expect(await audited(words('outside'))).toEqual(
      new Map([
        [tenantId, 0],
        [other, 0],
      ]),
    );
  });

  test('an organisation what came through it [S6.9]', async () => {
    const college = world.demo.organizations.find(({ name }) => name === 'Tidewater State College')!;
    await make('2026-0000012', tenantId, { lastName: 'Student', organization: college.id });
    const there = await actFor(testing, epi.tokens, `O:${college.id}`);
    expect((await search({}, there.headers)).body).toMatchObject({
      rows: [{ caseId: '2026-0000012' }],
      rowCount: 1,
    });
  });
});

describe('queries that are refused [P19]', () => {
  test.each([
    [
      'an unknown field',
      { filterModel: { items: [{ field: 'tenant_id', operator: 'equals', value: 'x' }] } },
      400,
      'unknown-field',
      'filterModel.items.0.field',
    ],
    [
      'an unknown operator',
      { filterModel: { items: [{ field: 'caseId', operator: 'like', value: 'x' }] } },
      400,
      'unknown-operator',
      'filterModel.items.0.operator',
    ],
    [
      'an unknown sort field',
      { sortModel: [{ field: 'search_text', sort: 'asc' }] },
      400,
      'unknown-field',
      'sortModel.0.field',
    ],
    ['an unknown filter', { filters: { nobodyFilter: [] } }, 400, 'unknown-filter', 'filters.nobodyFilter'],
    ['an unknown property', { limit: 1 }, 400, 'unknown-field', 'limit'],
    [
      'an inverted range',
      { dateRangeValue: { start: '2026-02-01', end: '2026-01-01' } },
      400,
      'invalid-range',
      'dateRangeValue',
    ],
    [
      'too many rows',
      { paginationModel: { page: 0, pageSize: 201 } },
      422,
      'validation-failed',
      'paginationModel.pageSize',
    ],
  ])('%s, with its place', async (_, payload, status, code, path) => {
    const refused = await search(payload);
    expect([refused.status, refused.body.code, refused.body.faults[0].path]).toEqual([status, code, path]);
  });

  test('no character is a wildcard, and fifty filters and the farthest page are answered', async () => {
    const item = { field: 'lastName', operator: 'contains', value: '%_%_%' };
    expect(
      (await search({ filterModel: { items: Array(50).fill(item), logicOperator: 'or' } })).body,
    ).toEqual({ rows: [], rowCount: 0 });
    expect((await search({ paginationModel: { page: 1_000_000, pageSize: 200 } })).body.rows).toEqual([]);
  });
});

describe('a filter with a name in it [P16]', () => {
  const filterModel = {
    items: [{ field: 'lastName', operator: 'startsWith', value: 'Mül' }],
    logicOperator: 'and',
  };

  test('is stored by the server, and an address names it by its id', async () => {
    const saved = await ask('/api/web/grid/case-reports/filters', { filterModel });
    expect(saved.status).toBe(200);
    const read = await get(`/api/web/grid/case-reports/filters/${saved.body.id}`);
    expect(read.body).toMatchObject({ filterModel, sortModel: [{ field: 'caseId', sort: 'desc' }] });
    // A colleague in the same organisation can follow the link; another tenant cannot.
    expect(
      (await get(`/api/web/grid/case-reports/filters/${saved.body.id}`, investigator.headers)).body,
    ).toMatchObject({ filterModel });
    expect((await get(`/api/web/grid/case-reports/filters/${saved.body.id}`, vendor.headers)).status).toBe(
      404,
    );
  });

  test('an unknown id is not found', async () => {
    expect((await get(`/api/web/grid/case-reports/filters/${randomUUID()}`)).status).toBe(404);
    expect((await get('/api/web/grid/case-reports/filters/1')).status).toBe(404);
    expect((await get(`/api/web/grid/case-reports/filters/${'-'.repeat(36)}`)).status).toBe(404);
  });

  test('only valid filters can be saved', async () => {
    const items = [{ field: 'tenant_id', operator: 'equals', value: 'x' }];
    expect((await ask('/api/web/grid/case-reports/filters', { filterModel: { items } })).status).toBe(400);
  });
});

describe('saved views', () => {
  const path = '/api/web/grid/case-reports/views';
  const opens = '/api/web/grid/case-reports/opens-with';
  const view = {
    filterModel: { items: [{ field: 'status', operator: 'isAnyOf', value: ['new'] }], logicOperator: 'and' },
    sortModel: [{ field: 'createdOn', sort: 'desc' }],
    filters: { visitType: ['STI'] },
    range: { relative: 'last-7-days' },
    rangeField: 'reportedOn',
  };
  const save = (given: object = {}, headers?: Headers) =>
    ask(path, { name: 'New', shared: false, view, ...given }, headers);
  const names = async (headers?: Headers) =>
    (await get(path, headers)).body.presets.map(({ name }: { name: string }) => name);
  const change = (id: string, payload: object, headers: Headers = epi.headers) =>
    app.fastify.inject({ method: 'PATCH', url: `${path}/${id}`, payload, headers });
  const remove = async (id: string, version = 1) => {
    const url = `${path}/${id}?version=${version}`;
    expect((await app.fastify.inject({ method: 'DELETE', url, headers: epi.headers })).statusCode).toBe(200);
  };

  test('are personal or shared in the organization', async () => {
    const { status, body } = await save();
    expect(status).toBe(200);
    const own = { own: true, changeable: true, locked: null };
    expect(body).toEqual({ id: body.id, name: 'New', shared: false, ...own, version: 1, view });
    expect((await get(path)).body.presets).toEqual([body]);
    expect(await names(investigator.headers)).toEqual([]);
    const shared = { ...body, shared: true, version: 2 };
    expect((await change(body.id, { version: 1, shared: true })).json()).toEqual(shared);
    expect((await get(path, investigator.headers)).body.presets).toEqual([
      { ...shared, own: false, changeable: false },
    ]);
    expect(await names(vendor.headers)).toEqual([]);
    expect((await save({ shared: true }, investigator.headers)).body).toMatchObject({
      permission: 'presets/share',
    });
    // Views of another list are not among them.
    expect((await get('/api/web/grid/contacts/views')).body).toEqual({
      presets: [],
      opensWith: null,
      roleOpensWith: null,
    });
    await remove(body.id, 2);
    expect(await names()).toEqual([]);
  });

  test('keep how rows are grouped, but not groups by a name', async () => {
    const grouping = { by: 'createdOn', per: 'week' };
    const { body } = await save({ view: { ...view, grouping } });
    expect((await get(path)).body.presets[0].view).toEqual({ ...view, grouping });
    await remove(body.id);
    expect((await save({ view: { ...view, grouping: { by: 'lastName' } } })).status).toBe(400);
  });

  test('keep their columns, if they have any', async () => {
    const columns = {
      order: ['caseId', 'status'],
      hidden: ['status'],
      pinned: ['caseId'],
      widths: { caseId: 120 },
    };
    const { body } = await save({ view: { ...view, columns } });
    expect((await get(path)).body.presets[0].view).toEqual({ ...view, columns });
    const changed = (await change(body.id, { version: 1, view })).json();
    expect(changed.view).toEqual(view);
    await remove(body.id, 2);
  });

  test('[P16] have only columns of the list', async () => {
    const columns = {
      order: ['caseId', 'Canary'],
      hidden: ['Canary'],
      pinned: ['Canary'],
      widths: { Canary: 100 },
    };
    const { body } = await save({ view: { ...view, columns } });
    expect(body.view.columns).toEqual({ order: ['caseId'], hidden: [], pinned: [], widths: {} });
    await remove(body.id);
  });

  test('[P16, P31] have no names, no words, and nothing that the list does not declare', async () => {
    const refused = async (part: object) => (await save({ view: { ...view, ...part } })).status;
    const items = [{ field: 'lastName', operator: 'equals', value: 'Canary' }];
    expect(await refused({ filterModel: { items, logicOperator: 'and' } })).toBe(422);
    expect(
      await refused({ filterModel: { items: [], logicOperator: 'and', quickFilterValues: ['canary'] } }),
    ).toBe(422);
    expect(await refused({ sortModel: [{ field: 'shoeSize', sort: 'asc' }] })).toBeGreaterThanOrEqual(400);

    expect(await refused({ filters: { shoe: ['9'] } })).toBeGreaterThanOrEqual(400);
    expect(await refused({ range: 'yesterday' })).toBeGreaterThanOrEqual(400);
    expect(await refused({ behind: {} })).toBeGreaterThanOrEqual(400);
    expect(await names()).toEqual([]);
  });

  test('a view with a column that no longer exists is left out', async () => {
    const { body } = await save({ name: 'Old' });
    await asSuperuser(
      "update analytics_preset set filters = jsonb_set(filters, '{sortModel,0,field}', '\"shoeSize\"') where id = $1",
      [body.id],
      superuserUrl,
    );
    expect(await names()).toEqual([]);
    await remove(body.id);
  });

  test('a list opens with each person’s chosen view, whatever their columns', async () => {
    const opensWith = async (headers?: Headers) => (await get(path, headers)).body.opensWith;
    expect(await opensWith()).toBeNull();
    expect((await ask(opens, { opensWith: 'mine' }, epi.headers, 'PUT')).body).toEqual({ opensWith: 'mine' });
    expect(await opensWith()).toBe('mine');
    expect(await opensWith(investigator.headers)).toBeNull();
    expect((await ask(opens, { opensWith: 'no such view!' }, epi.headers, 'PUT')).status).toBe(422);
    const columns = { order: ['caseId'], hidden: [], pinned: [], widths: {} };
    await ask('/api/web/grid/case-reports/columns', { columns }, epi.headers, 'PUT');
    await ask('/api/web/grid/case-reports/columns', { columns: null }, epi.headers, 'PUT');
    expect(await opensWith()).toBe('mine');
    await ask(opens, { opensWith: null }, epi.headers, 'PUT');
    expect(await opensWith()).toBeNull();
  });
});

describe('the arrangement of columns', () => {
  test("is remembered for each person, and reset at the person's request", async () => {
    const path = '/api/web/grid/case-reports/columns';
    const columns = {
      order: ['status', 'caseId'],
      hidden: ['age'],
      pinned: ['caseId'],
      widths: { status: 200 },
    };
    expect((await get(path)).body).toEqual({ columns: null });
    expect((await ask(path, { columns }, epi.headers, 'PUT')).body).toEqual({ columns });
    expect((await get(path)).body).toEqual({ columns });
    expect((await get(path, investigator.headers)).body).toEqual({ columns: null });
    await ask(path, { columns: { ...columns, pinned: [] } }, epi.headers, 'PUT');
    expect((await get(path)).body.columns.pinned).toEqual([]);
    expect((await ask(path, { columns: null }, epi.headers, 'PUT')).body).toEqual({ columns: null });
    expect((await get(path)).body).toEqual({ columns: null });
  });
});
