import { type AuditEventDetail, type AuditRow, recordsNamed } from '@caseway/contract/audit';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { writeEvent } from '../../platform/audit/auditor.ts';
import { defaultRoleId } from '../roles/default-roles.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const auditor = await signInAs(testing, 'auditor@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${demo.id}`);
const vendorAdmin = await signInAs(testing, 'admin@vendor.caseway.test');

const patient = await makePatient(database, { tenant_id: demo.id, last_name: 'Zanzibar' });
const report = await makeCaseReport(database, {
  tenant_id: demo.id,
  patient_id: patient.id,
  case_id: '2026-7000001',
});
const hidden = await makeCaseReport(database, {
  tenant_id: demo.id, patient_id: patient.id, case_id: '2026-7000002', condition_code: 'hiv', disease_family: 'hiv',
}); // biome-ignore format: a record

const { ask, ok } = askingAs(testing, auditor);
const search = (query: object = {}, headers?: Headers) =>
  ok<{ rows: AuditRow[]; rowCount: number }>('POST', 'grid/audit/search', query, headers);
const where = (field: string, operator: string, value: unknown) => ({
  filterModel: { items: [{ field, operator, value }] },
});

await ok('GET', `case-reports/${report.id}`, undefined, epi.headers);
await ok('POST', 'grid/case-reports/search', {}, epi.headers);
const byName = { items: [{ field: 'lastName', operator: 'equals', value: 'Zanzibar' }] };
await ok('POST', 'grid/case-reports/search', { filterModel: byName }, epi.headers);

describe('the audit log', () => {
  test('[S9.3] opens with the newest, and says who did what, when, from where and for whom', async () => {
    const { rows } = await search(where('action', 'is', 'GET /api/web/case-reports/id'));
    expect(rows).toMatchObject([
      {
        who: 'Erin Castellanos',
        account: 'epi@demo.caseway.test',
        accountId: epi.init.user.id,
        deed: 'read',
        recordKind: 'case',
        records: 1,
        orgType: 'T',
        organization: demo.name,
        address: '127.0.0.1',
        reason: null,
        caseNumber: '2026-7000001',
        filteredBy: [],
      },
    ]);
    const times = (await search()).rows.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().reverse());
    expect(times.length).toBeGreaterThan(3);
  });

  test('[P15, P16] names the columns that someone searched by, and nothing that was typed', async () => {
    const { rows } = await search(where('action', 'is', 'POST /api/web/grid/case-reports/search'));
    const narrowed = rows.find(({ filteredBy }) => filteredBy.length > 0)!;
    expect(narrowed.filteredBy).toEqual(['lastName']);
    const event = await ok('GET', `audit/events/${narrowed.id}`);
    expect(JSON.stringify(event)).not.toContain('Zanzibar');
    const response = await ask('POST', 'audit/export', { query: where('deed', 'is', 'search') });
    const said = (parse(response.body, { bom: true, columns: true }) as Record<string, string>[]).map(
      (row) => row['What happened'],
    );
    expect(said).toContainEqual(
      expect.stringMatching(/^Erin Castellanos searched case reports by last name; \d+ shown$/),
    );
    expect(response.body).not.toContain('Zanzibar');
  });

  test('is filtered and sorted by every column', async () => {
    for (const field of [
      'at',
      'who',
      'account',
      'deed',
      'action',
      'recordKind',
      'records',
      'organization',
      'reason',
      'address',
    ])
      await search({ sortModel: [{ field, sort: 'asc' }] });
    expect((await search(where('who', 'contains', 'castell'))).rowCount).toBeGreaterThan(1);
    expect(
      (await search(where('deed', 'is', 'sign-in'))).rows.every(({ action }) =>
        action.startsWith('sign-in/'),
      ),
    ).toBe(true);
    expect((await search(where('deed', 'is', 'search'))).rowCount).toBeGreaterThan(0);
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    expect((await search({ dateRangeValue: { start: day(-9), end: day(-5) } })).rowCount).toBe(0);
    expect((await search({ dateRangeValue: { start: day(-2), end: day(1) } })).rowCount).toBeGreaterThan(3);
  });

  test('[S1.4] is filtered by the words for actions, and sorted by them', async () => {
    const { rows } = await search(
      where('action', 'isAnyOf', ['sign-in/succeeded', 'POST /api/web/audit/records']),
    );
    expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(['sign-in/succeeded']));
    // A correction is one action, whatever its name in the log.
    await database.withScope({ kind: 'service', tenantId: demo.id }, async (tx) => {
      for (const action of ['correct', 'POST /api/web/imports/:id/messages/:messageId/correct'] as const)
        await writeEvent(tx, {
          tenantId: demo.id, accountId: epi.init.user.id, orgType: 'T', orgId: demo.id, action, deed: 'change',
          recordKind: 'import-message', recordIds: [], detail: {},
        }); // biome-ignore format: a record
    });
    expect((await search(where('action', 'is', 'correct'))).rowCount).toBe(2);
    expect((await search(where('recordKind', 'is', 'import-message'))).rowCount).toBe(2);
    const { rows: sorted } = await search({
      sortModel: [{ field: 'action', sort: 'asc' }],
      paginationModel: { page: 0, pageSize: 100 },
    });
    const first = (action: string) => sorted.findIndex((row) => row.action === action);
    // "Corrected", "Opened", "Signed in".
    const order = ['correct', 'GET /api/web/case-reports/:id', 'sign-in/succeeded'].map(first);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order[0]).toBeGreaterThanOrEqual(0);
  });

  test('a reader of numbers saw totals and no record, and a file names its records in other events', () => {
    const event = (deed: AuditRow['deed'], records: number, withheld = false) => ({
      deed,
      records,
      withheld,
    });
    expect(recordsNamed(event('numbers', 0))).toBe('totals');
    expect(recordsNamed(event('export', 0))).toBe('none');
    expect(recordsNamed(event('search', 0))).toBe(0);
    expect(recordsNamed(event('read', 1))).toBe(1);
    expect(recordsNamed(event('read', 0, true))).toBe('withheld');
  });

  test('shows who saw a record, by its case number, in lists and large exports as well', async () => {
    const { records } = await ok<{ records: { id: string; kind: string }[] }>('POST', 'audit/records', {
      text: '2026-7000001',
    });
    // [P18] The auditor may not see the other case of this person.
    expect(records).toEqual([
      { id: report.id, kind: 'case' },
      { id: patient.id, kind: 'patient' },
    ]);
    const about = async (ids: string[]) => (await search({ filters: { recordFilter: ids } })).rows;
    const deeds = async (ids: string[]) =>
      new Set((await about(ids)).map(({ deed, who }) => `${who} ${deed}`));
    expect(await deeds([report.id])).toEqual(
      new Set(['Erin Castellanos read', 'Erin Castellanos search', 'Audra Finch search']),
    );
    expect(await about([crypto.randomUUID()])).toEqual([]);
    await database.withScope(
      { kind: 'service', tenantId: demo.id },
      (tx) =>
      writeEvent(tx, {
        tenantId: demo.id, accountId: epi.init.user.id, orgType: 'T', orgId: demo.id, action: 'export', deed: 'export', recordKind: 'case',
        recordIds: [...Array.from({ length: 500 }, () => crypto.randomUUID()), report.id], detail: {},
      }), // biome-ignore format: a record
    );
    expect(await deeds([report.id])).toContain('Erin Castellanos export');
  });

  test('[P18] a case of a hidden family is not found by its number', async () => {
    expect(await ok('POST', 'audit/records', { text: '2026-7000002' })).toEqual({ records: [] });
    expect(hidden.case_id).toBe('2026-7000002');
  });

  test('finds users by their address, and everything someone did', async () => {
    const { records } = await ok<{ records: { id: string }[] }>('POST', 'audit/records', {
      text: 'EPI@demo.caseway.test',
    });
    expect(records).toEqual([{ id: epi.init.user.id, kind: 'user' }]);
    const { rows } = await search({ filters: { accountFilter: [epi.init.user.id] } });
    expect(new Set(rows.map(({ who }) => who))).toEqual(new Set(['Erin Castellanos']));
  });

  test('an event has its details and its place in the chain', async () => {
    const { rows } = await search(where('action', 'is', 'GET /api/web/case-reports/id'));
    const event = await ok<AuditEventDetail>('GET', `audit/events/${rows[0]!.id}`);
    expect(event).toMatchObject({
      recordIds: [report.id],
      detail: {},
      place: {
        lane: expect.any(Number),
        number: expect.any(Number),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect((await ask('GET', `audit/events/${crypto.randomUUID()}`)).statusCode).toBe(404);
    expect((await ask('GET', `audit/events/${rows[0]!.id}`, undefined, vendorAdmin.headers)).statusCode).toBe(
      404,
    );
  });

  test('[P24] an organization’s auditor reads its own events, and no position that would count those of others', async () => {
    const network = demo.organizations.find(({ name }) => name === 'Mangrove Community Health Network')!;
    await asSuperuser(
      `insert into membership_role (tenant_id, membership_id, role_id)
       select m.tenant_id, m.id, $2 from membership m join account a on a.id = m.account_id
       where a.username = 'orgadmin@demo.caseway.test' and m.org_id = $1`,
      [network.id, defaultRoleId(demo.id, 'auditor')],
      superuserUrl,
    );
    const { headers } = await signInAs(testing, 'orgadmin@demo.caseway.test');
    await ok('POST', 'grid/case-reports/search', {}, headers);
    const { rows } = await search({}, headers);
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ organization }) => organization))).toEqual(new Set([network.name]));
    const [{ id }] = rows as [AuditRow];
    expect((await ok<AuditEventDetail>('GET', `audit/events/${id}`, undefined, headers)).place).toBeNull();
    expect((await ok<AuditEventDetail>('GET', `audit/events/${id}`)).place).not.toBeNull();
  });

  test('is exported as CSV with its records, and the export is logged', async () => {
    const response = await ask('POST', 'audit/export', { query: where('deed', 'is', 'read') });
    const records = parse(response.body, { bom: true, columns: true }) as Record<string, string>[];
    expect(records[0]).toMatchObject({
      'What happened': 'Erin Castellanos opened a case report',
      'Case number': '2026-7000001',
      Who: 'Erin Castellanos',
      Account: 'epi@demo.caseway.test',
      What: 'Looked at',
      Action: 'Opened a case report',
      'Kind of record': 'Case report',
      Records: '1',
      'Recorded as': 'GET /api/web/case-reports/:id',
      'Record IDs': report.id,
    });
    expect((await search(where('action', 'is', 'export'))).rows[0]).toMatchObject({
      who: 'Audra Finch',
      recordKind: 'audit-event',
    });
  });

  test('[P15] distinguishes two people of the same name by their accounts, and keeps their former names', async () => {
    const { authorization } = epi.headers;
    const rename = async (firstName: string, lastName: string) => {
      const response = await testing.app.fastify.inject({
        method: 'PATCH',
        url: '/api/profile',
        headers: { authorization },
        payload: { firstName, lastName, languageCode: 'en' },
      });
      expect(response.statusCode).toBe(200);
    };
    await rename('Audra', 'Finch');
    const { rows } = await search(where('who', 'equals', 'Audra Finch'));
    expect(new Set(rows.map(({ account }) => account))).toEqual(
      new Set(['auditor@demo.caseway.test', 'epi@demo.caseway.test']),
    );
    expect((await search(where('account', 'startsWith', 'EPI@demo'))).rowCount).toBeGreaterThan(1);
    const renamed = async () => (await search(where('action', 'is', 'account/changed'))).rows;
    const [event] = await renamed();
    expect((await ok<AuditEventDetail>('GET', `audit/events/${event!.id}`)).detail).toMatchObject({
      before: { firstName: 'Erin', lastName: 'Castellanos' },
      after: { firstName: 'Audra', lastName: 'Finch' },
    });
    // A request that changes nothing is not an event.
    await rename('Audra', 'Finch');
    expect(await renamed()).toHaveLength(1);
    await rename('Erin', 'Castellanos');
  });

  test('[P16] does not say what a patient signs in with', async () => {
    const [account] = await asSuperuser<{ id: string }>(
      `insert into account (id, username, email, first_name, last_name, patient_id, patient_tenant_id)
       values (gen_random_uuid(), 'zan@patient.test', 'zan@patient.test', 'Zan', 'Zanzibar', $1, $2) returning id`,
      [patient.id, demo.id],
      superuserUrl,
    );
    await database.withScope(
      { kind: 'service', tenantId: demo.id },
      (tx) =>
      writeEvent(tx, {
        tenantId: demo.id, accountId: account!.id, orgType: null, orgId: null, action: 'account/email-changed', deed: 'change',
        recordKind: 'account', recordIds: [account!.id], detail: {},
      }), // biome-ignore format: a record
    );
    const { rows } = await search({ filters: { accountFilter: [account!.id] } });
    expect(rows.map(({ account }) => account)).toEqual([null]);
  });

  test('[P15] lists the months that are in archive files, to people who read the log', async () => {
    await asSuperuser(
      `insert into audit_archive (tenant_id, month, lane, first, last, hash_before, hash, file, digest, archived_at)
       values ($1, '2019-12-01', 77, 1, 4, '', 'x', 'audit-2019-12.caseway', sha256('x'), '2026-01-02T03:04:05Z'),
         ($1, '2019-12-01', 78, 1, 1, '', 'x', 'audit-2019-12.caseway', sha256('x'), '2026-01-02T03:04:05Z')`,
      [demo.id],
      superuserUrl,
    );
    const { months } = await ok<{ months: object[] }>('GET', 'audit/archives');
    expect(months).toEqual([
      {
        month: '2019-12',
        events: 5,
        file: 'audit-2019-12.caseway',
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        archivedAt: '2026-01-02T03:04:05.000Z',
      },
    ]);
    expect(await ok('GET', 'audit/archives', undefined, vendorAdmin.headers)).toEqual({ months: [] });
    await asSuperuser('delete from audit_archive', [], superuserUrl);
  });

  test('[P15] is verified on the screen: intact, and after someone edited it', async () => {
    const sound = await ok<{ events: number; digest: string; faults: unknown[] }>('POST', 'audit/verify');
    expect(sound).toMatchObject({ faults: [], digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(sound.events).toBeGreaterThan(5);
    const [row] = await asSuperuser<{ id: string }>(
      `update audit_event set account_id = null where id = (select id from audit_event where tenant_id = $1 and action like 'GET %' limit 1) returning id`,
      [demo.id],
      superuserUrl,
    );
    const { faults } = await ok<{ faults: object[] }>('POST', 'audit/verify');
    expect(faults).toMatchObject([{ kind: 'edited', eventId: row!.id }]);
  });

  test('[P1] is separate for each tenant, and needs the permission', async () => {
    const { rows } = await search({}, vendorAdmin.headers);
    expect(rows.every(({ who }) => who === 'Vera Nakamura')).toBe(true);
    for (const [method, path, body] of [
      ['POST', 'grid/audit/search', {}],
      ['POST', 'audit/records', { text: 'x' }],
      ['POST', 'audit/verify', undefined],
      ['POST', 'audit/export', { query: {} }],
    ] as const) {
      expect((await ask(method, path, body, {})).statusCode).toBe(401);
      expect((await ask(method, path, body, epi.headers)).statusCode).toBe(403);
    }
  });
});
