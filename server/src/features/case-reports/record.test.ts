import { randomUUID } from 'node:crypto';
import type { CaseReport } from '@caseway/contract/case-reports';
import { addDays, todayIn } from '@caseway/contract/date-range';
import { beforeEach, describe, expect, test } from 'vitest';
import { demoAccounts } from '../../../seeds/demo/accounts.ts';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { carryAll } from '../../../test/carried.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient, makeResult } from '../../../test/factories.ts';
import { signInAs } from '../../../test/sign-in.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const tenantId = world.demo.id;
const accountOf = (name: string) =>
  demoAccounts(world).find(({ username }) => username === `${name}@demo.caseway.test`)!;

const epi = await signInAs(testing, 'epi@demo.caseway.test');
const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const investigator = accountOf('investigator');
const today = todayIn('America/New_York');

const call = async (
  method: 'GET' | 'PATCH' | 'POST',
  path: string,
  { body, headers = epi.headers }: { body?: object; headers?: object } = {},
) => {
  const response = await app.fastify.inject({
    method,
    url: `/api/web/case-reports${path}`,
    headers: headers as Record<string, string>,
    ...(body && { payload: body }),
  });
  return { status: response.statusCode, body: response.json() };
};
const read = (id: string, headers: object = epi.headers) => call('GET', `/${id}`, { headers });
const change = (id: string, body: object, version = 1, headers: object = epi.headers) =>
  call('PATCH', `/${id}`, { body: { version, ...body }, headers });
/** Does a transition. */
const move = (
  id: string,
  transition: string,
  { version = 1, headers = epi.headers, ...body }: Record<string, unknown> = {},
) =>
  call('POST', `/${id}/transitions/${transition}`, {
    body: { version, ...body },
    headers: headers as Record<string, string>,
  });
const reason = 'Moved abroad';
const undo = async (id: string, version: number) =>
  (await call('POST', `/${id}/undo`, { body: { version } })).body.record;
const kinds = (report: CaseReport) => report.timeline.map(({ kind }) => kind);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

let patientId: string;
let id: string;
beforeEach(async () => {
  const patient = await makePatient(database, {
    tenant_id: tenantId,
    last_name: 'Canary',
    phones: ['+13055550101'],
    gender_identity: 'female',
  });
  patientId = patient.id;
  const report = await makeCaseReport(database, {
    tenant_id: tenantId,
    patient_id: patient.id,
    condition_code: 'chlamydia',
    disease_family: 'chlamydia',
    classification: 'probable',
    onset_on: '2026-03-01',
    collected_on: '2026-03-02',
    received_on: '2026-03-04',
  });
  id = report.id;
});

describe('one case report', () => {
  test('with its person, its results and those they corrected, and timeline', async () => {
    const service = { kind: 'service', tenantId } as const;
    const specimenId = randomUUID();
    await database.withScope(service, async (tx) => {
      await tx.run(
        `insert into specimen (tenant_id, id, patient_id, accession, type_text, site_text, collected_at)
        values ($1, $2, $3, 'A-77', 'Urine', 'pharyngeal', '2026-03-02T15:00:00Z')`,
        [tenantId, specimenId, patientId],
      );
      await tx.run(
        `insert into patient_identifier (tenant_id, patient_id, kind, assigner, value) values ($1, $2, 'MR', 'CLINIC', '123')`,
        [tenantId, patientId],
      );
    });
    const corrected = await makeResult(database, {
      tenant_id: tenantId,
      patient_id: patientId,
      specimen_id: specimenId,
      result_category: 'positive',
      status: 'corrected',
      reported_at: '2026-03-06T15:00:00Z',
    });
    const first = await makeResult(database, {
      tenant_id: tenantId,
      patient_id: patientId,
      result_category: 'inconclusive',
      superseded_by: corrected.id,
    });
    // A result of the same person that does not belong to this case.
    await makeResult(database, { tenant_id: tenantId, patient_id: patientId });
    await database.withScope(service, (tx) =>
      tx.run('insert into case_result (tenant_id, case_report_id, result_id) values ($1, $2, $3)', [
        tenantId,
        id,
        corrected.id,
      ]),
    );
    await carryAll(superuserUrl);

    const { status, body } = await read(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      lastName: 'Canary',
      version: 1,
      patient: {
        id: patientId,
        gender: 'female',
        phones: ['+13055550101'],
        identifiers: [{ kind: 'MR', assigner: 'CLINIC', value: '123' }],
      },
      results: [
        {
          id: corrected.id,
          resultCategory: 'positive',
          supersededBy: null,
          // The name and the labels of the reviewed lists. [S1.4]
          testName: 'Chlamydia trachomatis DNA',
          testNameI18N: { es: 'ADN de Chlamydia trachomatis', ht: 'ADN Chlamydia trachomatis' },
          specimen: {
            id: specimenId,
            accession: 'A-77',
            type: { label: 'Urine', labelI18N: { es: 'Orina', ht: 'Pipi' } },
            site: { label: 'Throat', labelI18N: { es: 'Faringe', ht: 'Gòj' } },
            collectedAt: '2026-03-02T15:00:00.000Z',
            receivedAt: null,
          },
        },
        { id: first.id, resultCategory: 'inconclusive', supersededBy: corrected.id, specimen: null },
      ],
      timeline: [],
      // CSTE has no other class for chlamydia.
      lawfulClassifications: expect.arrayContaining(['confirmed', 'not_a_case', 'unknown']),
    });
    expect(body.results).toHaveLength(2);
  });

  test.each([
    ['the birthday itself', '1990-03-05', 36],
    ['the day before it', '1990-03-06', 35],
  ])('has the age on the day when the case was created: %s', async (_, birth_date, age) => {
    const { id: patient_id } = await makePatient(database, { tenant_id: tenantId, birth_date });
    const made = await makeCaseReport(database, {
      tenant_id: tenantId,
      patient_id,
      created_on: '2026-03-05',
    });
    expect((await read(made.id)).body).toMatchObject({ birthDate: birth_date, age, createdOn: '2026-03-05' });
  });

  test('leaves out what the tenant does not record', async () => {
    await sql('update tenant set gender_identity_kept = false where id = $1', [tenantId]);
    const { body } = await read(id);
    await sql('update tenant set gender_identity_kept = true where id = $1', [tenantId]);
    expect(body.patient.gender).toBeNull();
  });

  test('is not found by another tenant, and each view is logged [P1, P15]', async () => {
    expect((await read(id, vendor.headers)).status).toBe(404);
    expect((await read(randomUUID())).status).toBe(404);
    expect((await call('GET', '/1')).status).toBe(422);
    expect((await read(id, {})).status).toBe(401);
    await read(id);
    const events = await sql<{ account_id: string }>(
      'select account_id from audit_event where record_ids = array[$1::uuid]',
      [id],
    );
    expect(events).toEqual([{ account_id: epi.init.user.id }]);
  });
});

describe('changing a case', () => {
  test('is answered with the current case, and is in its timeline', async () => {
    const answer = await change(id, { classification: 'confirmed', outcome: 'recovered', onsetOn: null });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      version: 2,
      classification: 'confirmed',
      outcome: 'recovered',
      onsetOn: null,
    });
    expect(answer.body.timeline).toMatchObject([
      {
        kind: 'updated',
        by: { id: epi.init.user.id, name: 'Erin Castellanos' },
        detail: {
          fields: ['onsetOn', 'outcome'],
          changes: { onsetOn: { from: '2026-03-01', to: null }, outcome: { from: null, to: 'recovered' } },
        },
      },
      { kind: 'classification-changed', detail: { from: 'probable', to: 'confirmed' } },
    ]);
    expect((await read(id)).body).toEqual(answer.body);
  });

  test('that changes nothing leaves version and timeline as they are', async () => {
    const { body } = await change(id, { classification: 'probable', outcome: null });
    expect([body.version, body.timeline]).toEqual([1, []]);
  });

  test('is in the grid immediately', async () => {
    await move(id, 'noFollowUp', { reason });
    const answer = await app.fastify.inject({
      method: 'POST',
      url: '/api/web/grid/case-reports/search',
      headers: epi.headers,
      payload: { filterModel: { items: [{ field: 'status', operator: 'is', value: 'no_follow_up' }] } },
    });
    expect(answer.json().rows.map((row: { id: string }) => row.id)).toContain(id);
  });

  test('assigning a new case to someone moves it to assigned; unassigned, it waits again', async () => {
    const given = await move(id, 'assign', { fields: { investigator: investigator.id } });
    expect(given.body).toMatchObject({ status: 'assigned', investigator: investigator.id });
    expect(kinds(given.body).sort()).toEqual(['assigned', 'status-changed', 'task']);
    const taken = await move(id, 'giveBack', { version: 2, reason });
    expect(taken.body).toMatchObject({ status: 'rejected_by_investigator', investigator: null });
  });

  test('stores when a case was closed, and removes that when it is reopened', async () => {
    await sql("update case_report set status = 'approved' where id = $1", [id]);
    const closed = await move(id, 'close');
    expect(closed.body.closedAt).toEqual(expect.any(String));
    expect((await move(id, 'reopen', { version: 2, reason })).body.closedAt).toBeNull();
  });

  test('ends the review once someone has decided', async () => {
    await sql("update case_report set review_reason = 'result-corrected' where id = $1", [id]);
    expect((await read(id)).body.reviewReason).toBe('result-corrected');
    expect((await change(id, { outcome: 'ill' })).body.reviewReason).toBe('result-corrected');
    expect((await change(id, { classification: 'confirmed' }, 2)).body.reviewReason).toBeNull();
  });

  test('when undone, puts it up for review again', async () => {
    const flagged = "update case_report set review_reason = 'result-corrected' where id = $1";
    await sql(flagged, [id]);
    expect((await move(id, 'noFollowUp', { reason })).body.reviewReason).toBe(null);
    expect(await undo(id, 2)).toMatchObject({ status: 'new', reviewReason: 'result-corrected' });
    // Resuming it is a decision.
    await move(id, 'noFollowUp', { version: 3, reason });
    expect((await move(id, 'takeUp', { version: 4, reason })).body.reviewReason).toBe(null);
    // A case that was not up for review is not after it either.
    await move(id, 'noFollowUp', { version: 5, reason });
    expect((await undo(id, 6)).reviewReason).toBe(null);
  });

  test('that someone else has also changed is refused field by field, and nothing is lost', async () => {
    await change(id, { classification: 'confirmed', outcome: 'ill' });
    const late = await change(id, { classification: 'not_a_case', outcome: 'ill', pregnant: 'no' });
    expect([late.status, late.body.code]).toEqual([409, 'conflict']);
    expect(late.body.faults).toEqual([
      expect.objectContaining({ path: 'classification', code: 'changed-since' }),
    ]);
    expect((await read(id)).body).toMatchObject({ version: 2, classification: 'confirmed', status: 'new' });
    // Other fields are merged.
    expect((await change(id, { pregnant: 'no' })).body).toMatchObject({
      version: 3,
      classification: 'confirmed',
      pregnant: 'no',
    });
  });

  test('two at the same moment: one is refused', async () => {
    const both = await Promise.all([
      move(id, 'noFollowUp', { reason }),
      move(id, 'assign', { fields: { investigator: investigator.id } }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await read(id)).body.version).toBe(2);
  });

  test('without the version that it is based on is refused', async () => {
    const { status, body } = await call('PATCH', `/${id}`, { body: { outcome: 'ill' } });
    expect([status, body.faults[0].path]).toEqual([422, 'version']);
  });

  test('with faults is refused with all of them together [S5.1]', async () => {
    const { status, body } = await change(id, {
      classification: 'suspect',
      onsetOn: '2026-03-03',
      collectedOn: null,
      // At midnight the next day has come.
      receivedOn: addDays(today, 2),
      reportedOn: '1899-12-31',
    });
    expect([status, body.code]).toEqual([422, 'validation-failed']);
    expect(
      body.faults.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`).sort(),
    ).toEqual([
      'classification unlawful',
      'onsetOn after-next',
      'receivedOn after-next',
      'receivedOn future',
      'reportedOn before-1900',
    ]);
    expect((await read(id)).body.version).toBe(1);
  });

  test.each([
    ['nobody we know', () => randomUUID()],
    ['somebody without the permission', () => accountOf('analyst').id],
    [
      'somebody of another tenant',
      () => demoAccounts(world).find(({ username }) => username === 'admin@vendor.caseway.test')!.id,
    ],
  ])('that assigns it to %s is refused', async (_, account) => {
    const { status, body } = await move(id, 'assign', { fields: { investigator: account() } });
    expect([status, body.faults[0].path, body.faults[0].code]).toEqual([
      422,
      'investigator',
      'not-an-investigator',
    ]);
  });

  test('needs the permission, and the right tenant', async () => {
    const refused = await change(id, { outcome: 'ill' }, 1, analyst.headers);
    expect([refused.status, refused.body.permission]).toEqual([403, 'case-reports/write']);
    expect((await change(id, { outcome: 'ill' }, 1, vendor.headers)).status).toBe(404);
    expect((await change(id, { outcome: 'ill' }, 1, {})).status).toBe(401);
  });

  test('accepts no field that cannot be changed', async () => {
    for (const body of [
      { createdOn: '2026-01-01' },
      { caseId: 'x' },
      { active: false },
      { status: 'closed' },
    ]) {
      const answer = await change(id, body);
      expect([answer.status, answer.body.code]).toEqual([400, 'unknown-field']);
    }
    expect((await change(id, { outcome: 'lost' })).status).toBe(422);
    expect((await change(id, { onsetOn: '2026-02-30' })).status).toBe(422);
  });
});

describe('a note', () => {
  test('is in the timeline as written', async () => {
    const { status, body } = await call('POST', `/${id}/notes`, {
      body: { text: ' Called; <b>no answer</b>.\nAgain tomorrow. ' },
    });
    expect(status).toBe(200);
    expect(body.timeline).toMatchObject([
      {
        kind: 'note',
        by: { id: epi.init.user.id },
        detail: { text: 'Called; <b>no answer</b>.\nAgain tomorrow.' },
      },
    ]);
    // It changes no field that someone else could be editing.
    expect(body.version).toBe(1);
  });

  test('needs a text, the permission and the right tenant', async () => {
    expect((await call('POST', `/${id}/notes`, { body: { text: '  ' } })).status).toBe(422);
    expect(
      (await call('POST', `/${id}/notes`, { body: { text: 'x' }, headers: analyst.headers })).status,
    ).toBe(403);
    expect(
      (await call('POST', `/${id}/notes`, { body: { text: 'x' }, headers: vendor.headers })).status,
    ).toBe(404);
  });
});
