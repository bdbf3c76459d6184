import { randomUUID } from 'node:crypto';
import type { PortalState, WaitingInvitation } from '@caseway/contract/portal';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { actFor, codeFor, signInAs, signInAsPatient } from '../../../test/sign-in.ts';
import { writeEvent } from '../../platform/audit/auditor.ts';
import { defaultRoleId } from '../roles/default-roles.ts';

const testing = await testApp();
const { app, config, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const tenant_id = world.demo.id;
const facility_id = world.demo.facilities[0]!.id;
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const other = await makePatient(database, { tenant_id, emails: ['sam@example.test'], phones: [] });
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const investigator = await signInAs(testing, 'investigator@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const { headers: dis, tokens: ofDis } = await signInAs(testing, 'dis@demo.caseway.test');

type Headers = Record<string, string>;
const ask = (method: 'GET' | 'POST', url: string, headers: Headers, payload?: object) =>
  app.fastify.inject({ method, url, headers, ...(payload && { payload }) });

describe('one person alone cannot give access to an unconfirmed address', () => {
  const mine = 'staff-own@example.test';
  /** A person whose record came with a file that the administrator uploaded and the investigator corrected. */
  async function imported(emails = [mine], phones = ['+18135550160']) {
    const person = await makePatient(database, { tenant_id, emails, phones, birth_date: '1970-01-02' });
    const [importId, messageId, corrected] = [randomUUID(), randomUUID(), randomUUID()];
    await sql(
      `insert into import (tenant_id, id, file_name, state, created_by) values ($1, $2, 'people.csv', 'done', $3)`,
      [tenant_id, importId, admin.init.user.id],
    );
    for (const [id, revision] of [
      [messageId, 0],
      [corrected, 1],
    ] as const)
      await sql(
        `insert into import_message (tenant_id, id, import_id, index, revision, line, content_hash, state, patient_id)
         values ($1, $2, $3, 0, $4, 1, '', $5, $6)`,
        [tenant_id, id, importId, revision, revision ? 'taken' : 'refused', revision ? person.id : null],
      );
    return { ...person, messageId };
  }
  const portalOf = (id: string) => `/api/web/patients/${id}/portal`;
  const invite = async (headers: Headers, id: string, to = mine, by = 'EMAIL') =>
    ask('POST', `${portalOf(id)}/invite`, headers, { by, to, languageCode: 'en' });
  const waitingOf = async (headers: Headers, id: string) =>
    (await ask('GET', portalOf(id), headers)).json<PortalState>().waiting;
  const decide = (headers: Headers, id: string, invitationId: string, deed = 'confirm', checked = 'phone') =>
    ask(
      'POST',
      `${portalOf(id)}/invitations/${invitationId}/${deed}`,
      headers,
      deed === 'confirm' ? { checked } : {},
    );
  const accounts = (id: string) =>
    sql<{ email: string | null; phone: string | null }>(
      'select email, phone from account where patient_id = $1',
      [id],
    );
  const faultOf = (response: { json(): { faults?: { path: string; code: string }[] } }) =>
    response.json().faults?.map(({ path, code }) => [path, code]);

  test('no one lets themselves in: neither the requester nor the person who entered the address can confirm it', async () => {
    const person = await imported();
    const { waiting } = (await invite(admin.headers, person.id)).json<PortalState>();
    expect(await accounts(person.id)).toEqual([]);
    expect(faultOf(await decide(admin.headers, person.id, waiting!.id))).toEqual([
      ['invitationId', 'asked-for-it'],
    ]);

    // An unsuspecting person requests it, and the uploader of the file tries to confirm: refused as well.
    const { waiting: second } = (await invite(investigator.headers, person.id)).json<PortalState>();
    expect((await decide(dis, person.id, waiting!.id)).statusCode).toBe(409);
    expect((await waitingOf(admin.headers, person.id))!.barred).toBe('brought-it-in');
    expect(faultOf(await decide(admin.headers, person.id, second!.id))).toEqual([
      ['invitationId', 'brought-it-in'],
    ]);
    expect(await accounts(person.id)).toEqual([]);
    const begun = await ask(
      'POST',
      '/auth/patient/sign-in',
      {},
      {
        origin: 'localhost',
        email: mine,
        challengeMethod: 'EMAIL',
      },
    );
    const code = await codeFor(config.tokenSecret!, begun.json().details, 'patient');
    const refused = await ask(
      'POST',
      '/auth/patient/challenge',
      {},
      { details: begun.json().details, secret: code },
    );
    expect(refused.statusCode).toBe(401);

    // A third person, who has asked the patient.
    expect((await waitingOf(dis, person.id))!.barred).toBeNull();
    const sent = await decide(dis, person.id, second!.id);
    expect(sent.json<PortalState>()).toMatchObject({ status: 'invited', waiting: null, confirmed: [mine] });
    expect(await accounts(person.id)).toEqual([{ email: mine, phone: null }]);
  });

  test('nor the person who corrected a message of the file or uploaded a record that became part of it', async () => {
    const person = await imported();
    await database.withScope({ kind: 'service', tenantId: tenant_id }, (tx) =>
      writeEvent(tx, {
        tenantId: tenant_id,
        accountId: investigator.init.user.id,
        orgType: 'T',
        orgId: tenant_id,
        action: 'correct',
        deed: 'change',
        recordKind: 'import-message',
        recordIds: [person.messageId],
        detail: {},
      }),
    );
    const whole = await makePatient(database, { tenant_id, emails: [mine], phones: [] });
    await sql('update patient set merged_into = $2 where id = $1', [person.id, whole.id]);
    const { waiting } = (await invite(dis, whole.id)).json<PortalState>();
    for (const headers of [admin.headers, investigator.headers])
      expect(faultOf(await decide(headers, whole.id, waiting!.id))).toEqual([
        ['invitationId', 'brought-it-in'],
      ]);
    expect(await accounts(whole.id)).toEqual([]);
  });

  test('nor the person who uploaded a record that was part of it for a while: its address may have stayed', async () => {
    const [part, whole] = [await imported(), await makePatient(database, { tenant_id, emails: [mine] })];
    const apart = await makePatient(database, { tenant_id, emails: [mine], phones: [] });
    const decided = (recordId: string, decision: 'same' | 'different') =>
      database.withScope({ kind: 'service', tenantId: tenant_id }, (tx) =>
        writeEvent(tx, {
          tenantId: tenant_id,
          accountId: epi.init.user.id,
          orgType: 'T',
          orgId: tenant_id,
          action: 'decide match',
          deed: 'change',
          recordKind: 'patient',
          recordIds: [part.id, recordId],
          detail: { decision },
        }),
      );
    await decided(whole.id, 'same');
    // They are separate again: only the log still leads to the other record.
    const { waiting } = (await invite(dis, whole.id)).json<PortalState>();
    expect(faultOf(await decide(admin.headers, whole.id, waiting!.id))).toEqual([
      ['invitationId', 'brought-it-in'],
    ]);
    // Two people who never were one record.
    await decided(apart.id, 'different');
    const { waiting: second } = (await invite(dis, apart.id)).json<PortalState>();
    expect((await decide(admin.headers, apart.id, second!.id)).statusCode).toBe(200);
  });

  test('another address before the first sign-in waits again; the confirmed one is sent again immediately', async () => {
    const person = await imported([mine, 'theirs@example.test']);
    const first = (await invite(investigator.headers, person.id, 'theirs@example.test')).json<PortalState>();
    await decide(dis, person.id, first.waiting!.id);
    expect((await invite(investigator.headers, person.id, 'theirs@example.test')).json()).toMatchObject({
      waiting: null,
      status: 'invited',
    });
    expect((await invite(investigator.headers, person.id)).json<PortalState>().waiting).toMatchObject({
      to: mine,
    });
    expect(await accounts(person.id)).toEqual([{ email: 'theirs@example.test', phone: null }]);
    // Sent again to the confirmed address: the other no longer waits.
    const again = await invite(investigator.headers, person.id, 'theirs@example.test');
    expect(again.json<PortalState>().waiting).toBeNull();
    // Once they have signed in, staff cannot change it.
    await signInAsPatient(testing, { email: 'theirs@example.test' }, '1970-01-02');
    expect(faultOf(await invite(investigator.headers, person.id))).toEqual([['to', 'signs-in-elsewhere']]);
  });

  test('waits for two weeks, can be withdrawn or refused, and is listed for people who may confirm', async () => {
    const person = await imported([mine], ['+18135550161']);
    const report = await makeCaseReport(database, { tenant_id, patient_id: person.id, facility_id });
    const asked = (await invite(investigator.headers, person.id, '+18135550161', 'SMS')).json<PortalState>();
    const days = (Date.parse(asked.waiting!.expiresAt) - Date.parse(asked.waiting!.askedAt)) / 86_400_000;
    expect(days).toBeCloseTo(14, 0);
    const listed = async (headers: Headers) =>
      (await ask('GET', '/api/web/patients/invitations', headers)).json<{
        invitations: WaitingInvitation[];
      }>().invitations;
    expect((await listed(dis)).find(({ id }) => id === asked.waiting!.id)).toMatchObject({
      patientId: person.id,
      caseReportId: report.id,
      askedBy: 'Ines Valdez',
      own: false,
    });
    expect(await listed(vendor.headers)).toEqual([]);
    expect((await ask('GET', '/api/web/patients/invitations', epi.headers)).statusCode).toBe(403);
    expect((await decide(epi.headers, person.id, asked.waiting!.id)).statusCode).toBe(403);
    expect((await decide(vendor.headers, person.id, asked.waiting!.id)).statusCode).toBe(404);
    expect((await decide(dis, other.id, asked.waiting!.id)).statusCode).toBe(409);
    expect((await decide(dis, person.id, asked.waiting!.id, 'confirm', 'guessed')).statusCode).toBe(422);

    expect(
      (await decide(dis, person.id, asked.waiting!.id, 'refuse')).json<PortalState>().waiting,
    ).toBeNull();
    expect((await decide(dis, person.id, asked.waiting!.id)).statusCode).toBe(409);
    const next = (await invite(investigator.headers, person.id)).json<PortalState>();
    await decide(investigator.headers, person.id, next.waiting!.id, 'refuse');
    const decisions = await sql<{ decision: string }>(
      'select decision from portal_invitation where patient_id = $1 order by asked_at',
      [person.id],
    );
    expect(decisions.map(({ decision }) => decision)).toEqual(['refused', 'withdrawn']);
    const late = (await invite(investigator.headers, person.id)).json<PortalState>();
    await sql(`update portal_invitation set expires_at = now() where id = $1`, [late.waiting!.id]);
    expect(await waitingOf(dis, person.id)).toBeNull();
    expect((await decide(dis, person.id, late.waiting!.id)).statusCode).toBe(409);
  });

  test('is checked again when it is confirmed: address, consent and record', async () => {
    const person = await imported();
    const { waiting } = (await invite(investigator.headers, person.id)).json<PortalState>();
    await sql(`update patient set emails = '{}' where id = $1`, [person.id]);
    expect(faultOf(await decide(dis, person.id, waiting!.id))).toEqual([['to', 'not-in-record']]);
    await sql('update patient set emails = $2 where id = $1', [person.id, [mine]]);
    await sql(
      `insert into patient_consent (tenant_id, id, patient_id, kind, given, wording, language_code, account_id, by_patient)
       values ($1, gen_random_uuid(), $2, 'email', false, '2026-11', 'en', $3, false)`,
      [tenant_id, person.id, admin.init.user.id],
    );
    expect(faultOf(await decide(dis, person.id, waiting!.id))).toEqual([['to', 'no-consent']]);
    expect(await accounts(person.id)).toEqual([]);
  });

  test('is requested and confirmed once, even with many simultaneous requests; the database ensures two people', async () => {
    const person = await imported();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => invite(investigator.headers, person.id)),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    const waiting = await sql<{ id: string }>(
      'select id from portal_invitation where patient_id = $1 and decision is null',
      [person.id],
    );
    expect(waiting).toHaveLength(1);
    const confirmed = await Promise.all(
      Array.from({ length: 4 }, () => decide(dis, person.id, waiting[0]!.id)),
    );
    expect(confirmed.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409]);
    await expect(
      database.withScope({ kind: 'identity' }, (tx) =>
        tx.run('update portal_invitation set decided_by = asked_by where id = $1', [waiting[0]!.id]),
      ),
    ).rejects.toThrow('portal_invitation_by_two');
  });

  test('[P14] the access of a person who was invited by mistake is ended, and the patient invited again', async () => {
    const [wrong, right] = ['not-the-patient@example.test', 'the-patient@example.test'] as const;
    const person = await imported([wrong, right], []);
    const letIn = async (to: string) => {
      const { waiting } = (await invite(investigator.headers, person.id, to)).json<PortalState>();
      expect((await decide(dis, person.id, waiting!.id)).statusCode).toBe(200);
      return (await ask('GET', portalOf(person.id), dis)).json<PortalState>();
    };
    const seen = (headers: { authorization: string }) =>
      ask('GET', '/api/patient/results', headers as unknown as Headers).then(({ statusCode }) => statusCode);
    const end = () => ask('POST', `${portalOf(person.id)}/end`, investigator.headers, {});

    expect((await end()).statusCode).toBe(409);
    const first = await letIn(wrong);
    const stranger = await signInAsPatient(testing, { email: wrong }, '1970-01-02');
    expect(await seen(stranger.headers)).toBe(200);
    const ended = await end();
    expect(ended.json()).toMatchObject({ status: 'disabled', confirmed: [], waiting: null });
    await expect.poll(() => seen(stranger.headers)).toBe(401);
    expect((await end()).statusCode).toBe(409);
    for (const who of [{ email: wrong }, { patientId: first.patientNumber! }])
      await expect(signInAsPatient(testing, who, '1970-01-02')).rejects.toThrow('401');

    const anew = await letIn(right);
    expect(anew).toMatchObject({ status: 'invited', lastSignInAt: null, confirmed: [right] });
    expect(anew.patientNumber).not.toBe(first.patientNumber);
    const patient = await signInAsPatient(testing, { email: right }, '1970-01-02');
    expect(await seen(patient.headers)).toBe(200);
    expect(await seen(stranger.headers)).toBe(401);
    // Permanently: none of the stranger's tokens work with the new access.
    const renewed = await ask('POST', '/auth/patient/refresh-token', {} as Headers, {
      refreshToken: stranger.tokens.refreshToken,
    });
    expect(renewed.statusCode).toBe(401);
    expect(
      await sql(
        `select s.id from session s join account a on a.id = s.account_id where a.patient_id = $1 and s.revoked_at is null`,
        [person.id],
      ),
    ).toHaveLength(1);
    expect(
      await sql(
        'select e.action from audit_event e join audit_record r on r.tenant_id = e.tenant_id and r.event_id = e.id where r.record_id = $1 and e.action = $2',
        [person.id, 'patient/access-ended'],
      ),
    ).toHaveLength(1);
  });
});

describe('[P18, P23] an access to which the department has invited the patient', () => {
  const clinic = world.demo.facilities.find(({ name }) => name === 'Mangrove Community Clinic Ybor City')!;
  const portalOf = (id: string) => `/api/web/patients/${id}/portal`;
  const state = async (headers: Headers, id: string) =>
    (await ask('GET', portalOf(id), headers)).json<PortalState>();

  /** Two people who may write patients of the clinic. */
  async function staffOfClinic(): Promise<[Headers, Headers]> {
    const place = `F:${clinic.id}`;
    const membership = randomUUID();
    await sql(
      `with made as (insert into membership (tenant_id, id, account_id, org_type, org_id)
         select $1, $2, id, 'F', $3 from account where username = 'dis@demo.caseway.test')
       insert into membership_role (tenant_id, membership_id, role_id) values ($1, $2, $4)`,
      [tenant_id, membership, clinic.id, defaultRoleId(tenant_id, 'data-entry')],
    );
    const { headers: one } = await signInAs(testing, 'clinician@demo.caseway.test', place);
    const { headers: two } = await actFor(testing, ofDis, place);
    return [one, two];
  }

  /** A person whom the clinic reaches at one address; the department once had another one. */
  async function patientOfClinic(last_name: string) {
    const [ours, theirs] = [`clinic-${last_name}@example.test`, `department-${last_name}@example.test`];
    const { id } = await makePatient(database, {
      tenant_id,
      last_name,
      emails: [ours, theirs],
      phones: [],
      facility_ids: [clinic.id],
      organization_ids: [clinic.organizationId!],
    });
    return { id, ours, theirs };
  }

  test('is not shown to a facility that does not know of it, and cannot be found out by inviting the patient', async () => {
    const [one, two] = await staffOfClinic();
    const [known, unknown] = [await patientOfClinic('Known'), await patientOfClinic('Unknown')];
    const decide = (headers: Headers, id: string, invitationId: string) =>
      ask('POST', `${portalOf(id)}/invitations/${invitationId}/confirm`, headers, { checked: 'phone' });
    const invite = (headers: Headers, id: string, to: string) =>
      ask('POST', `${portalOf(id)}/invite`, headers, { by: 'EMAIL', to, languageCode: 'en' });
    const asked = (await invite(investigator.headers, known.id, known.theirs)).json<PortalState>();
    expect((await decide(dis, known.id, asked.waiting!.id)).statusCode).toBe(200);
    await signInAsPatient(testing, { email: known.theirs }, '1980-05-17');
    for (const { id, ours } of [known, unknown])
      await sql('update patient set emails = $2 where id = $1', [id, [ours]]);

    /** Without differences that any two people have. */
    const alike = (answer: { statusCode: number; body: string }) => [
      answer.statusCode,
      answer.body
        .replaceAll(/clinic-\w+@/g, 'ADDRESS@')
        .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
        .replaceAll(/"\d{4}-\d\d-\d\dT[^"]+Z"/g, '"TIME"')
        .replaceAll(/"patientNumber":"[^"]+"/g, '"patientNumber":"NUMBER"'),
    ];
    const both = async (deed: (person: typeof known) => ReturnType<typeof ask>) => {
      const [a, b] = [await deed(known), await deed(unknown)];
      expect(alike(a)).toEqual(alike(b));
      return a;
    };

    const before = await both(({ id }) => ask('GET', portalOf(id), one));
    expect(before.json()).toMatchObject({ status: 'none', patientNumber: null, confirmed: [] });
    expect((await both(({ id }) => ask('POST', `${portalOf(id)}/end`, one, {}))).statusCode).toBe(409);
    expect((await both(({ id, ours }) => invite(one, id, ours))).json().waiting).toMatchObject({ own: true });
    const invitations = new Map<string, string>();
    for (const { id } of [known, unknown]) invitations.set(id, (await state(two, id)).waiting!.id);
    const confirmed = await both(({ id }) => decide(two, id, invitations.get(id)!));
    expect(confirmed.json()).toMatchObject({
      status: 'invited',
      lastSignInAt: null,
      confirmed: [known.ours],
    });
    expect((await both(({ id, ours }) => invite(one, id, ours))).json()).toMatchObject({
      status: 'invited',
      waiting: null,
    });

    // The patient still signs in as before, and messages go there.
    expect(await sql('select email from account where patient_id = $1', [known.id])).toEqual([
      { email: known.theirs },
    ]);
    expect(await state(investigator.headers, known.id)).toMatchObject({ status: 'active', confirmed: [] });
    // The clinic knows what happened since its own invitation.
    await signInAsPatient(testing, { email: known.theirs }, '1980-05-17');
    expect(await state(one, known.id)).toMatchObject({ status: 'active' });
  });

  test('is known to a facility whose record has the address that the patient signs in with', async () => {
    const { headers: one } = await signInAs(testing, 'clinician@demo.caseway.test', `F:${clinic.id}`);
    const shared = await patientOfClinic('Shared');
    const asked = (
      await ask('POST', `${portalOf(shared.id)}/invite`, investigator.headers, {
        by: 'EMAIL',
        to: shared.ours,
        languageCode: 'en',
      })
    ).json<PortalState>();
    await ask('POST', `${portalOf(shared.id)}/invitations/${asked.waiting!.id}/confirm`, dis, {
      checked: 'phone',
    });
    await signInAsPatient(testing, { email: shared.ours }, '1980-05-17');
    expect(await state(one, shared.id)).toMatchObject({ status: 'active', confirmed: [shared.ours] });
  });
});
