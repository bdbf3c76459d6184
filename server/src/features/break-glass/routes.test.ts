import type { AuditEventDetail, AuditRow } from '@caseway/contract/audit';
import type { GlassAccess, WatchedAccess } from '@caseway/contract/break-glass';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient, makeResult } from '../../../test/factories.ts';
import { messagesTo } from '../../../test/outbox.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { verifyChain } from '../../platform/audit/verify.ts';

const testing = await testApp({}, { background: true });
const { app, database, superuserUrl } = testing;
const { demo, vendor } = await seedDemoTenants(database);
const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${demo.id}`);
const clinician = await signInAs(testing, 'clinician@demo.caseway.test');
const officer = await signInAs(testing, 'privacy@demo.caseway.test');
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
const vendorAdmin = await signInAs(testing, 'admin@vendor.caseway.test');
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const atCollege = await actFor(testing, epi.tokens, `O:${college}`);

const { ask, ok } = askingAs(testing, epi);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
const reason = 'The person is in our emergency room.';
const opening = (caseNumber: string) => ({ caseNumber, reasonKind: 'treatment', reason });
type Opened = { caseReportId: string | null; access: GlassAccess | null };
const open = (caseNumber: string, headers?: Headers) =>
  ok<Opened>('POST', 'break-glass', opening(caseNumber), headers);
const read = async (id: string, headers: Headers = epi.headers) =>
  ask('GET', `case-reports/${id}`, undefined, headers);
const watched = async (only: 'all' | 'unreviewed' = 'unreviewed') =>
  (
    await ok<{ accesses: WatchedAccess[] }>(
      'GET',
      `privacy/accesses?only=${only}`,
      undefined,
      officer.headers,
    )
  ).accesses;
const hiv = { condition_code: 'hiv', disease_family: 'hiv', disease_category: 'std' };

/** A case of a restricted family with a result, for a person without other records. */
async function hiddenCase(tenant_id: string, more: object = {}) {
  const patient = await makePatient(database, { tenant_id, last_name: 'Zqxhidden' });
  const result = await makeResult(database, {
    tenant_id,
    patient_id: patient.id,
    ...{ condition_code: 'hiv', disease_family: 'hiv' },
    ...more,
  });
  const report = await makeCaseReport(database, { tenant_id, patient_id: patient.id, ...hiv, ...more });
  await database.withScope({ kind: 'service', tenantId: tenant_id }, (tx) =>
    tx.run('insert into case_result (tenant_id, case_report_id, result_id) values ($1, $2, $3)', [
      tenant_id,
      report.id,
      result.id,
    ]),
  );
  return report as typeof report & { case_id: string; id: string };
}
const restricted = await hiddenCase(demo.id);
const other = await hiddenCase(demo.id);
const elsewhere = await hiddenCase(vendor.id);
// Not restricted, but without an organisation: the college does not see it, the whole tenant does.
const outside = await (async () => {
  const patient = await makePatient(database, { tenant_id: demo.id });
  return makeCaseReport(database, { tenant_id: demo.id, patient_id: patient.id });
})();

/** The numbers of the epidemiologist's lists, search and analytics. */
async function told(): Promise<string[]> {
  const answers = await Promise.all([
    ask('POST', 'grid/case-reports/search', {}),
    ask('POST', 'grid/case-reports/search', { filterModel: { items: [], quickFilterValues: ['zqxhidden'] } }),
    ask('POST', 'grid/case-reports/search', {
      filterModel: { items: [{ field: 'caseId', operator: 'equals', value: restricted.case_id }] },
    }),
    ask('POST', 'analytics/testing', { dateRangeValue: { start: '2026-01-01', end: '2026-12-31' } }),
  ]);
  return answers.map(({ body }) => body.replace(/"asOf":"[^"]*"/g, ''));
}

describe('break the glass [P18]', () => {
  let before: string[] = [];
  beforeAll(async () => {
    before = await told();
  });

  test('a hidden record is opened by its exact number, for a stated reason; lists and numbers do not change', async () => {
    expect((await read(restricted.id)).statusCode).toBe(404);
    const { caseReportId, access } = await open(restricted.case_id);
    expect(caseReportId).toBe(restricted.id);
    expect(access).toMatchObject({ caseNumber: restricted.case_id, reasonKind: 'treatment', reason });
    const minutes = (Date.parse(access!.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(55);
    expect(minutes).toBeLessThanOrEqual(60);

    const record = (await read(restricted.id)).json();
    expect(record).toMatchObject({
      lastName: 'Zqxhidden',
      breakGlass: { id: access!.id, reason, familyLabel: { label: 'HIV' } },
      results: [{ resultCategory: 'negative' }],
    });
    // Only that record, and read-only.
    expect((await read(other.id)).statusCode).toBe(404);
    const change = await app.fastify.inject({
      method: 'PATCH',
      url: `/api/web/case-reports/${restricted.id}`,
      headers: epi.headers,
      payload: { version: 1, outcome: 'ill' },
    });
    expect(change.statusCode).toBe(404);
    expect((await ask('POST', `case-reports/${restricted.id}/notes`, { text: 'x' })).statusCode).toBe(404);
    expect(await told()).toEqual(before);
    expect(await ok('GET', 'break-glass')).toEqual({ accesses: [access] });
    expect((await open(restricted.case_id)).access).toEqual(access);
  });

  test('it lasts for the number of minutes that the tenant has set', async () => {
    const own = await hiddenCase(demo.id);
    await sql('update tenant set break_glass_minutes = 7 where id = $1', [demo.id]);
    const { access } = await open(own.case_id, clinician.headers);
    await sql('update tenant set break_glass_minutes = 60 where id = $1', [demo.id]);
    const minutes = (Date.parse(access!.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(2);
    expect(minutes).toBeLessThanOrEqual(7);
    await ok('POST', `break-glass/${access!.id}/end`, undefined, clinician.headers);
  });

  test('[P15] every read under it names it, and so does its opening', async () => {
    const [access] = (await ok<{ accesses: GlassAccess[] }>('GET', 'break-glass')).accesses;
    const events = await sql<{ action: string; detail: Record<string, unknown> }>(
      `select action, detail from audit_event where record_ids = array[$1::uuid] and detail ? 'breakGlass'
       order by at, id`,
      [restricted.id],
    );
    expect(events).toMatchObject([
      { action: 'break-glass/opened', detail: { breakGlass: access!.id, reason, reasonKind: 'treatment' } },
      { action: 'GET /api/web/case-reports/:id', detail: { breakGlass: access!.id } },
    ]);
  });

  test('the access is for one person only, in the organisation for which they acted', async () => {
    expect((await read(restricted.id, clinician.headers)).statusCode).toBe(404);
    expect((await read(restricted.id, atCollege.headers)).statusCode).toBe(404);
    expect((await read(restricted.id, vendorAdmin.headers)).statusCode).toBe(404);
  });

  test('opens a record of another organisation too; a record that the person can see anyway needs no access', async () => {
    expect((await read(outside.id, atCollege.headers)).statusCode).toBe(404);
    expect((await open(outside.case_id, atCollege.headers)).caseReportId).toBe(outside.id);
    expect((await read(outside.id, atCollege.headers)).json()).toMatchObject({ id: outside.id });
    expect(await open(outside.case_id)).toEqual({ caseReportId: outside.id, access: null });
  });

  test('when given up, it ends immediately', async () => {
    const { access } = await open(other.case_id);
    expect((await read(other.id)).statusCode).toBe(200);
    await ok('POST', `break-glass/${access!.id}/end`);
    expect((await read(other.id)).statusCode).toBe(404);
    expect((await ask('POST', `break-glass/${access!.id}/end`)).statusCode).toBe(404);
  });

  test('the access ends when its time is over, and the database checks that itself', async () => {
    const { access } = await open(other.case_id);
    await sql(`update break_glass set expires_at = now() where id = $1`, [access!.id]);
    expect((await read(other.id)).statusCode).toBe(404);
    // Without an endpoint: a transaction that names an ended access, or another person's, reads nothing.
    const scope = (accountId: string) => ({
      kind: 'org' as const,
      tenantId: demo.id,
      orgType: 'T' as const,
      orgId: demo.id,
      accountId,
      counties: [],
      hiddenFamilies: ['hiv'],
      genderIdentityShown: true,
    });
    const [mine] = (await ok<{ accesses: GlassAccess[] }>('GET', 'break-glass')).accesses;
    const seen = (accountId: string, glass: string) =>
      database.withScope({ ...scope(accountId), glass }, async (tx) => ({
        cases: (await tx.rows('select from case_report where id = any ($1)', [[restricted.id, other.id]]))
          .length,
        people: (await tx.rows(`select from patient where last_name = 'Zqxhidden'`)).length,
        results: (await tx.rows(`select from result where disease_family = 'hiv'`)).length,
        changed: await tx.run('update case_report set version = version where id = $1', [restricted.id]),
      }));
    const nothing = { cases: 0, people: 0, results: 0, changed: 0 };
    expect(await seen(epi.init.user.id, mine!.id)).toEqual({ cases: 1, people: 1, results: 1, changed: 0 });
    expect(await seen(epi.init.user.id, access!.id)).toEqual(nothing);
    expect(await seen(clinician.init.user.id, mine!.id)).toEqual(nothing);
  });

  test('an unknown number and one of another tenant look the same; both are logged, and attempts are limited', async () => {
    const nobodys = await ask('POST', 'break-glass', opening('1999-0000001'), clinician.headers);
    const foreign = await ask('POST', 'break-glass', opening(elsewhere.case_id), clinician.headers);
    // The factory numbers cases across both tenants.
    expect(nobodys.json()).toEqual({ caseReportId: null, access: null });
    expect([foreign.statusCode, foreign.body]).toEqual([nobodys.statusCode, nobodys.body]);
    for (let number = 2; number <= 4; number += 1) await open(`1999-000000${number}`, clinician.headers);
    const refused = await ask('POST', 'break-glass', opening(restricted.case_id), clinician.headers);
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too-many-requests']);
    const tries = (await watched()).filter(({ state }) => state === 'nothing');
    expect(tries.map(({ who }) => who)).toEqual(Array(5).fill('Clara Whitcomb'));
  });

  test('[S5.1] nobody opens anything without the permission, a number and a reason', async () => {
    expect((await ask('POST', 'break-glass', opening(other.case_id), analyst.headers)).statusCode).toBe(403);
    expect((await ask('POST', 'break-glass', opening(other.case_id), {})).statusCode).toBe(401);
    const response = await ask('POST', 'break-glass', {
      caseNumber: 'x',
      reasonKind: 'x',
      reason: ' short ',
    });
    expect(response.statusCode).toBe(422);
    expect(
      response
        .json<{ faults: { path: string }[] }>()
        .faults.map(({ path }) => path)
        .sort(),
    ).toEqual(['caseNumber', 'reason', 'reasonKind']);
  });
});

describe('a privacy officer', () => {
  test('gets an email that it happened, without the person or the reason', async () => {
    let mails: string[] = [];
    await expect
      .poll(
        async () => {
          mails = (await messagesTo(testing, 'privacy@demo.caseway.test')).filter((text) =>
            /hidden/.test(text),
          );
          return mails.length;
        },
        { interval: 100 },
      )
      .toBeGreaterThanOrEqual(4);
    for (const mail of mails) {
      expect(mail).toContain('/admin/privacy');
      expect(mail).not.toMatch(/zqxhidden|emergency room|hiv\b/i);
      expect(mail).not.toContain(restricted.case_id);
    }
  });

  test('sees who, which record, why and how often, and nothing about the patient', async () => {
    const accesses = await watched();
    expect(accesses.find(({ caseNumber }) => caseNumber === restricted.case_id)).toMatchObject({
      who: 'Erin Castellanos',
      email: 'epi@demo.caseway.test',
      organization: demo.name,
      reasonKind: 'treatment',
      reason,
      state: 'open',
      reads: 1,
      review: null,
      own: false,
    });
    expect(accesses.map(({ state }) => state)).toEqual(
      expect.arrayContaining(['open', 'given-up', 'expired', 'nothing']),
    );
    expect(JSON.stringify(accesses)).not.toMatch(/zqxhidden/i);
  });

  test('[P14] revokes an access, which ends immediately', async () => {
    expect((await read(restricted.id)).statusCode).toBe(200);
    const { id } = (await watched()).find(({ caseNumber }) => caseNumber === restricted.case_id)!;
    const revoked = await ok<WatchedAccess>(
      'POST',
      `privacy/accesses/${id}/revoke`,
      undefined,
      officer.headers,
    );
    expect(revoked.state).toBe('revoked');
    expect((await read(restricted.id)).statusCode).toBe(404);
    expect((await ask('POST', `privacy/accesses/${id}/revoke`, undefined, officer.headers)).statusCode).toBe(
      409,
    );
  });

  test('records the outcome; then the access is only in the list of all', async () => {
    const { id } = (await watched()).find(({ caseNumber }) => caseNumber === restricted.case_id)!;
    const path = `privacy/accesses/${id}/review`;
    const reviewed = await ok<WatchedAccess>('POST', path, { note: 'Spoke with her.' }, officer.headers);
    expect(reviewed.review).toMatchObject({ by: 'Priya Holloway', note: 'Spoke with her.' });
    expect((await watched()).some((one) => one.id === id)).toBe(false);
    expect((await watched('all')).some((one) => one.id === id)).toBe(true);
    const [event] = await sql<{ detail: unknown }>(
      `select detail from audit_event where action = 'break-glass/reviewed'`,
    );
    expect(event!.detail).toEqual({
      before: { reviewed: false, note: null },
      after: { reviewed: true, note: 'Spoke with her.' },
    });
  });

  test('when two people review at the same time, the log has what each of them found', async () => {
    const record = await hiddenCase(demo.id, { organization_id: college });
    const { access } = await open(record.case_id);
    const notes = ['One.', 'Two.', 'Three.', 'Four.'];
    await Promise.all(
      notes.map((note) => ok('POST', `privacy/accesses/${access!.id}/review`, { note }, officer.headers)),
    );
    const told = await sql<{ before: string | null; after: string }>(
      `select detail #>> '{before,note}' as before, detail #>> '{after,note}' as after from audit_event
       where action = 'break-glass/reviewed' and $1 = any (record_ids)`,
      [access!.id],
    );
    // Each note except the last was found by the next one.
    const last = (await watched('all')).find(({ id }) => id === access!.id)!.review!.note!;
    expect(told.map(({ before }) => before).sort()).toEqual(
      [...notes.filter((note) => note !== last), null].sort(),
    );
  });

  test('is not the person who opened the record, and is in the same tenant', async () => {
    const own = await hiddenCase(demo.id, { organization_id: college });
    // Nothing is hidden from the administrator, so the access is inserted without the endpoint.
    await sql(
      `insert into break_glass (tenant_id, id, account_id, org_type, org_id, case_number, case_report_id, reason_kind,
         reason, expires_at)
       values ($1, gen_random_uuid(), $2, 'T', $1, $3, $4, 'other', 'x', now() + interval '1 hour')`,
      [demo.id, admin.init.user.id, own.case_id, own.id],
    );
    const { accesses } = await ok<{ accesses: WatchedAccess[] }>(
      'GET',
      'privacy/accesses',
      undefined,
      admin.headers,
    );
    const mine = accesses.find(({ caseNumber }) => caseNumber === own.case_id)!;
    expect(mine.own).toBe(true);
    const refused = await ask('POST', `privacy/accesses/${mine.id}/review`, { note: null }, admin.headers);
    expect([refused.statusCode, refused.json().faults[0].code]).toEqual([422, 'own-access']);
    for (const { headers } of [epi, analyst])
      expect((await ask('GET', 'privacy/accesses', undefined, headers)).statusCode).toBe(403);
    expect(
      (await ok<{ accesses: unknown[] }>('GET', 'privacy/accesses', undefined, vendorAdmin.headers)).accesses,
    ).toEqual([]);
    expect(
      (await ask('POST', `privacy/accesses/${mine.id}/revoke`, undefined, vendorAdmin.headers)).statusCode,
    ).toBe(404);
  });
});

describe('[P18] in the audit log', () => {
  type Event = AuditEventDetail;
  const events = async (headers: Headers, query: object = {}) => {
    const { rows } = await ok<{ rows: AuditRow[] }>(
      'POST',
      'grid/audit/search',
      { paginationModel: { page: 0, pageSize: 200 }, ...query },
      headers,
    );
    return rows;
  };
  const about = { action: 'break-glass/opened', withheld: false, reason, records: 1 };
  const withheld = { action: 'break-glass/opened', withheld: true, reason: null, records: 0 };
  const openings = async (headers: Headers) =>
    (await events(headers)).filter(({ action }) => action === 'break-glass/opened');

  test('officers who cannot see the record see that one was opened, but not which or why', async () => {
    await sql(
      `with made as (insert into membership (tenant_id, id, account_id, org_type, org_id)
         select $1, gen_random_uuid(), id, 'O', $2 from account where username = 'auditor@demo.caseway.test' returning id)
       insert into membership_role (tenant_id, membership_id, role_id)
       select $1, made.id, r.id from made, role r where r.tenant_id = $1 and r.code = 'auditor'`,
      [demo.id, college],
    );
    const auditor = await signInAs(testing, 'auditor@demo.caseway.test', `T:${demo.id}`);
    const ofCollege = (await actFor(testing, auditor.tokens, `O:${college}`)).headers;
    const [atOrg] = await openings(ofCollege);
    expect(await openings(ofCollege)).toMatchObject([withheld]);
    // An auditor of the whole tenant sees that record, and none of a restricted family.
    const whole = await openings(auditor.headers);
    expect(whole.find(({ id }) => id === atOrg!.id)).toMatchObject(about);
    expect(whole.filter(({ id }) => id !== atOrg!.id).length).toBeGreaterThan(1);
    for (const one of whole.filter(({ id }) => id !== atOrg!.id)) expect(one).toMatchObject(withheld);
    for (const headers of [officer.headers, admin.headers])
      for (const one of await openings(headers)) expect(one).toMatchObject(about);

    // Nor in a single event, in the events under the access, with a filter, or in a file.
    const [hidden] = whole.filter(({ id }) => id !== atOrg!.id);
    const event = await ok<Event>('GET', `audit/events/${hidden!.id}`, undefined, auditor.headers);
    expect(event).toMatchObject({ withheld: true, reason: null, detail: {}, recordIds: [] });
    const full = await ok<Event>('GET', `audit/events/${hidden!.id}`, undefined, officer.headers);
    expect(full).toMatchObject({ detail: { reason }, recordIds: [expect.any(String)] });
    const named = { filters: { recordFilter: [full.recordIds[0]!] } };
    expect(await events(auditor.headers, named)).toEqual([]);
    expect((await events(officer.headers, named)).length).toBeGreaterThan(0);
    const said = { filterModel: { items: [{ field: 'reason', operator: 'contains', value: 'emergency' }] } };
    expect((await events(auditor.headers, said)).map(({ id }) => id)).toEqual([atOrg!.id]);
    const file = await ask('POST', 'audit/export', { query: {} }, ofCollege);
    expect(file.statusCode).toBe(200);
    expect(file.body).toContain('break-glass/opened');
    expect(file.body).not.toContain('emergency room');
    expect(file.body).not.toContain(outside.id);
  });

  test('a number that does not exist does not reveal its reason either', async () => {
    const auditor = await signInAs(testing, 'auditor@demo.caseway.test', `T:${demo.id}`);
    const tries = (await events(auditor.headers)).filter(({ action }) => action === 'break-glass/not-found');
    expect(tries.length).toBeGreaterThan(0);
    for (const one of tries) expect(one).toMatchObject({ withheld: true, reason: null });
  });

  test('[P15] the log is still complete', async () => {
    expect((await verifyChain(database, demo.id)).faults).toEqual([]);
  });
});
