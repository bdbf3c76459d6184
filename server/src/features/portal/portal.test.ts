import { randomUUID } from 'node:crypto';
import type { OwnRecordAnswer, OwnResult, PortalState, RecordAccess } from '@caseway/contract/portal';
import { consentWording } from '@caseway/contract/portal';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makeFacility, makePatient, makeResult } from '../../../test/factories.ts';
import { messagesIn } from '../../../test/outbox.ts';
import { signInAs, signInAsPatient } from '../../../test/sign-in.ts';
import { writeEvent } from '../../platform/audit/auditor.ts';
import { verifyChain } from '../../platform/audit/verify.ts';
import { Signing } from '../../platform/auth/signing.ts';

const testing = await testApp({}, { background: true });
const { app, config, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const tenant_id = world.demo.id;
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const { patientId, email, birthDate } = world.patient;
const facility_id = world.demo.facilities[0]!.id;
await makePatient(database, {
  tenant_id,
  id: patientId,
  first_name: 'Marisol',
  birth_date: birthDate,
  emails: [email, 'other@example.test'],
  phones: ['+18135550142'],
});
const other = await makePatient(database, { tenant_id, emails: ['sam@example.test'], phones: [] });
const of = { tenant_id, patient_id: patientId, facility_id };
const laboratory = await makeFacility(database, {
  tenant_id,
  name: 'Gulf Reference Laboratory',
  facility_type: 'laboratory',
  street: '100 Harbor Road',
  city: 'Tampa',
  state_fips: '12',
  postal_code: '33602',
  clia: '10D0123456',
});
await sql('update facility set phone = $2 where id = $1', [facility_id, '+18135550110 x4']);
const negative = await makeResult(database, {
  ...of,
  disease_family: 'chlamydia',
  test_loinc: '21190-4',
  performing_facility_id: laboratory.id,
  accession: '26-0012345',
});
const hiv = { condition_code: 'hiv', disease_family: 'hiv', test_name: 'HIV 1+2 Ab' };
const held = await makeResult(database, { ...of, ...hiv, result_category: 'positive' });
const hivNegative = await makeResult(database, {
  ...of,
  ...hiv,
  test_loinc: '25836-8',
  resulted_on: '2025-03-04',
});
await makeResult(database, { ...of, ...hiv, result_category: 'pending', resulted_on: null });
await makeResult(database, { ...of, disease_family: null, condition_code: null });
await makeResult(database, { ...of, disease_family: 'chlamydia', superseded_by: negative.id });
await makeResult(database, { ...of, disease_family: 'chlamydia', status: 'withdrawn' });
const syphilis = await makeResult(database, {
  ...of,
  disease_family: 'syphilis',
  condition_code: 'syphilis-primary',
  result_category: 'positive',
  resulted_on: '2026-02-01',
});
const others = await makeResult(database, { tenant_id, patient_id: other.id, disease_family: 'chlamydia' });
const report = await makeCaseReport(database, { ...of, condition_code: 'hiv', disease_family: 'hiv' });
await sql('insert into case_result (tenant_id, case_report_id, result_id) values ($1, $2, $3)', [
  tenant_id,
  report.id,
  held.id,
]);

const patient = await signInAsPatient(testing, { email }, birthDate);
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const investigator = await signInAs(testing, 'investigator@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');

type Headers = Record<string, string>;
const ask = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  headers: Headers,
  payload?: object,
) => app.fastify.inject({ method, url, headers, ...(payload && { payload }) });
const results = async () =>
  (await ask('GET', '/api/patient/results', patient.headers)).json<{ results: OwnResult[] }>().results;
const shownIds = async () => (await results()).map(({ id }) => id);
const portal = `/api/web/patients/${patientId}/portal`;

describe('what patients see of themselves [S4.4, P1]', () => {
  test('their results, the latest first, with their explanations, and nothing that is withheld', async () => {
    expect(await shownIds()).toEqual([negative.id, syphilis.id, hivNegative.id]);
    const [first] = await results();
    expect(first).toMatchObject({
      testName: 'Chlamydia trachomatis DNA',
      testNameI18N: { es: 'ADN de Chlamydia trachomatis', ht: 'ADN Chlamydia trachomatis' },
      // What tells repetitions of one test.
      loinc: '21190-4',
      about: { label: 'Chlamydia', labelI18N: { es: 'Clamidia', ht: 'Klamidya' } },
      explanation: 'chlamydia.negative',
      mark: 'not-found',
      answer: { labelI18N: { es: 'Negativo' } },
      collectedOn: '2026-03-02',
      facility: world.demo.facilities[0]!.name,
      // The number to call.
      facilityPhone: '+18135550110 x4',
      // What a report must name, as far as it is known.
      laboratory: 'Gulf Reference Laboratory, 100 Harbor Road, Tampa, FL 33602 · CLIA 10D0123456',
      specimenNumber: '26-0012345',
      value: null,
      position: null,
    });
    // A viral load is never shown as `HIV, negative`.
    expect((await results()).at(-1)).toMatchObject({
      explanation: 'hiv.viral-load.negative',
      answer: { label: 'Virus not found in this sample' },
    });
    // Nothing about withheld results, nor about anyone else.
    const text = JSON.stringify(await results());
    for (const { id } of [held, others]) expect(text).not.toContain(id);
  });

  test.each(['en', 'es', 'ht'])('a result as PDF in %s, with its fonts in it', async (language) => {
    const url = `/api/patient/results/${negative.id}/file`;
    const response = await ask('GET', url, { ...patient.headers, 'accept-language': language });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/pdf');
    // The name of a file does not say what was tested. [P16]
    expect(response.headers['content-disposition']).toBe('attachment; filename="result-2026-03-04.pdf"');
    const file = response.rawPayload.toString('latin1');
    expect(file.startsWith('%PDF-')).toBe(true);
    expect(file).toContain(`/Lang (${language})`);
    expect(file).toMatch(/\/FontFile[23]/);
    // One page, with headings for screen readers.
    expect(file.match(/\/Type \/Page\b/g)).toHaveLength(1);
    for (const heading of ['H1', 'H2']) expect(file).toContain(`/S /${heading}`);
  });

  test('returns no file for a withheld result, another person’s or an unknown one: each is not found', async () => {
    for (const id of [held.id, others.id, other.id]) {
      const response = await ask('GET', `/api/patient/results/${id}/file`, patient.headers);
      expect([response.statusCode, response.json().code]).toEqual([404, 'not-found']);
    }
  });

  test('staff tokens open nothing of the portal, and patient tokens nothing of staff', async () => {
    for (const url of ['/api/patient/me', '/api/patient/results', '/api/patient/access-log'])
      expect((await ask('GET', url, admin.headers)).statusCode).toBe(403);
    expect((await ask('GET', '/api/patient/me', {})).statusCode).toBe(401);
    expect((await ask('GET', portal, patient.headers)).statusCode).toBe(403);
  });

  test('[P15] every view is logged, with the records that were shown', async () => {
    await results();
    const [event] = await sql<{ record_ids: string[]; account_id: string }>(
      `select record_ids, account_id from audit_event where action = 'GET /api/patient/results' order by at desc limit 1`,
    );
    expect(event!.record_ids).toEqual([patientId, negative.id, syphilis.id, hivNegative.id]);
    await sql('alter table audit_event rename to audit_event_gone');
    const refused = await ask('GET', '/api/patient/results', patient.headers);
    await sql('alter table audit_event_gone rename to audit_event');
    expect(refused.statusCode).toBe(500);
    expect(refused.body).not.toContain('chlamydia');
  });
});

describe('results that need a conversation first', () => {
  test('are listed for staff who may see them, and released with the permission to write', async () => {
    const seen = (await ask('GET', portal, investigator.headers)).json<PortalState>();
    expect(seen.held.map(({ id }) => id)).toEqual(expect.arrayContaining([held.id]));
    // An epidemiologist may read patients, but not restricted families. [P18]
    const hidden = (await ask('GET', portal, epi.headers)).json<PortalState>();
    expect(hidden.held.map(({ id }) => id)).not.toContain(held.id);
    const body = { resultId: held.id };
    expect((await ask('POST', `${portal}/release`, epi.headers, body)).statusCode).toBe(403);
    expect((await ask('POST', `${portal}/release`, vendor.headers, body)).statusCode).toBe(404);
    // A result that is not withheld cannot be released, nor can another person's.
    for (const resultId of [negative.id, others.id])
      expect((await ask('POST', `${portal}/release`, investigator.headers, { resultId })).statusCode).toBe(
        404,
      );

    expect(await shownIds()).not.toContain(held.id);
    const released = await ask('POST', `${portal}/release`, investigator.headers, body);
    expect(released.statusCode).toBe(200);
    expect(released.json<PortalState>().held.find(({ id }) => id === held.id)).toMatchObject({
      releasedAt: expect.any(String),
      releasedBy: 'Ines Valdez',
    });
    expect(await shownIds()).toContain(held.id);
    expect((await ask('POST', `${portal}/release`, investigator.headers, body)).statusCode).toBe(404);

    const [audited] = await sql<{ record_ids: string[] }>(
      `select record_ids from audit_event where action = 'result/released'`,
    );
    expect(audited!.record_ids).toEqual([held.id, patientId]);
    expect(await sql(`select kind from case_event where case_report_id = $1`, [report.id])).toEqual([
      { kind: 'result-released' },
    ]);
  });

  test('a correction of a released one is withheld again', async () => {
    const corrected = await makeResult(database, {
      ...of,
      ...hiv,
      result_category: 'indeterminate',
      status: 'corrected',
    });
    await sql('update result set superseded_by = $2 where id = $1', [held.id, corrected.id]);
    expect(await shownIds()).not.toContain(held.id);
    expect(await shownIds()).not.toContain(corrected.id);
  });

  test('by rules of the tenant, for a family or one of its conditions', async () => {
    const url = '/api/web/settings/held-results';
    const rule = { diseaseFamily: 'syphilis', condition: null, resultCategory: 'positive', held: true };
    expect((await ask('PUT', url, investigator.headers, { rules: [rule] })).statusCode).toBe(403);
    const set = await ask('PUT', url, admin.headers, { rules: [rule] });
    expect(set.json()).toEqual({ rules: [rule] });
    expect(await shownIds()).not.toContain(syphilis.id);
    // The rule for one condition comes before that of its family.
    const exception = { ...rule, condition: 'syphilis-primary', held: false };
    await ask('PUT', url, admin.headers, { rules: [rule, exception] });
    expect(await shownIds()).toContain(syphilis.id);
    // Other tenants have their own.
    expect((await ask('GET', url, vendor.headers)).json()).toEqual({ rules: [] });
    const [event] = await sql<{ detail: object }>(
      `select detail from audit_event where action = 'setting/held-results-changed' order by at desc limit 1`,
    );
    expect(event!.detail).toEqual({ before: [rule], after: [rule, exception] });
  });

  test('[P18] a rule on a restricted family is set only by staff who may see that family', async () => {
    const url = '/api/web/settings/held-results';
    // An epidemiologist of the tenant, who sees no restricted family, can also set rules.
    const grant = async (deed: string) => {
      await sql(deed, [tenant_id]);
      await sql('update policy_version set version = version + 1 where tenant_id = $1', [tenant_id]);
    };
    await grant(
      `insert into role_grant (tenant_id, role_id, obj, act, eft)
       select tenant_id, id, 'T', 'settings/write', 'allow' from role where tenant_id = $1 and code = 'epidemiologist'`,
    );
    const setter = epi;
    await expect.poll(async () => (await ask('GET', url, setter.headers)).statusCode).toBe(200);
    const set = (headers: Headers, rules: object[]) => ask('PUT', url, headers, { rules });
    const shows = { diseaseFamily: 'hiv', condition: null, resultCategory: 'positive', held: false };
    const other = { diseaseFamily: 'syphilis', condition: null, resultCategory: 'positive', held: true };

    const refused = await set(setter.headers, [shows]);
    expect([refused.statusCode, refused.json().code, refused.json().permission]).toEqual([
      403,
      'forbidden',
      'restricted-families/read',
    ]);
    expect(await shownIds()).not.toContain(held.id);
    expect((await set(setter.headers, [other])).statusCode).toBe(200);
    // After a reader who may see the family has decided, others can neither remove nor reverse the decision.
    const holds = { ...shows, resultCategory: 'negative', held: true };
    expect((await set(admin.headers, [other, holds])).statusCode).toBe(200);
    expect((await set(setter.headers, [other])).statusCode).toBe(403);
    expect((await set(setter.headers, [other, { ...holds, held: false }])).statusCode).toBe(403);
    // An unchanged value is not a change.
    expect((await set(setter.headers, [holds])).statusCode).toBe(200);
    // A family that the tenant itself restricts is one of them.
    await sql(`update tenant set restricted_families = '{syphilis}' where id = $1`, [tenant_id]);
    let turned = false;
    const turnRound = () => {
      turned = !turned;
      return set(setter.headers, [holds, { ...other, held: turned }]);
    };
    await expect.poll(async () => (await turnRound()).statusCode).toBe(403);
    await sql(`update tenant set restricted_families = '{}' where id = $1`, [tenant_id]);
    await ask('PUT', url, admin.headers, { rules: [] });
    await grant(`delete from role_grant where tenant_id = $1 and act = 'settings/write' and role_id in
      (select id from role where tenant_id = $1 and code = 'epidemiologist')`);
    await expect.poll(async () => (await ask('GET', url, setter.headers)).statusCode).toBe(403);
  });

  test('rules that are set at the same time come one after the other', async () => {
    const sets = ['negative', 'positive', 'indeterminate'].map((resultCategory) =>
      ['syphilis', 'gonorrhea', 'chlamydia'].map((diseaseFamily) => ({
        diseaseFamily,
        condition: null,
        resultCategory: diseaseFamily === 'syphilis' ? 'invalid' : resultCategory,
        held: true,
      })),
    );
    const url = '/api/web/settings/held-results';
    const answers = await Promise.all(
      [...sets, ...sets].map((rules) => ask('PUT', url, admin.headers, { rules })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
    const { rules } = (await ask('GET', url, admin.headers)).json<{ rules: unknown[] }>();
    expect(rules).toHaveLength(3);
    await ask('PUT', url, admin.headers, { rules: [] });
  });

  test('rules with unknown names are refused with their place', async () => {
    const rule = { diseaseFamily: 'no-such', condition: 'chlamydia', resultCategory: 'maybe', held: true };
    const response = await ask('PUT', '/api/web/settings/held-results', admin.headers, { rules: [rule] });
    expect(response.statusCode).toBe(422);
    expect(response.json().faults.map(({ path }: { path: string }) => path)).toEqual([
      'rules.0.diseaseFamily',
      'rules.0.condition',
      'rules.0.resultCategory',
    ]);
  });
});

describe('patients read the words of their tenant', () => {
  const word = (key: string, text: string | null, before: string | null) =>
    ask('PUT', '/api/web/settings/labels', admin.headers, { language: 'en', key, text, before });
  const init = async (headers: Headers) =>
    (await ask('GET', '/api/patient/auth/initUser', headers)).json<{ labelOverrides: object }>();

  test('on their screens and in the file of a result, and none of its words for staff', async () => {
    expect((await init(patient.headers)).labelOverrides).toEqual({});
    const title = 'Your lab report';
    expect((await word('portal:file.title', title, null)).statusCode).toBe(200);
    expect((await word('case-reports:list.title', 'Our secret list', null)).statusCode).toBe(200);
    expect((await init(patient.headers)).labelOverrides).toEqual({ en: { 'portal:file.title': title } });
    const file = await ask('GET', `/api/patient/results/${negative.id}/file`, patient.headers);
    expect(file.rawPayload.toString('latin1')).toContain(`(${title})`);
    await word('portal:file.title', null, title);
    await word('case-reports:list.title', null, 'Our secret list');
    const again = await ask('GET', `/api/patient/results/${negative.id}/file`, patient.headers);
    expect(again.rawPayload.toString('latin1')).not.toContain(title);
  });
});

describe('contact, language and consent', () => {
  const me = async () => (await ask('GET', '/api/patient/me', patient.headers)).json();

  test('consents are added, and earlier ones stay with their time', async () => {
    const give = (kind: string, given: boolean) =>
      ask('POST', '/api/patient/consents', patient.headers, { kind, given, wording: consentWording });
    expect((await give('sharing', true)).statusCode).toBe(200);
    await give('sharing', false);
    expect((await me()).consents).toMatchObject([
      { kind: 'sharing', given: false, wording: consentWording, byPatient: true },
      { kind: 'sharing', given: true },
    ]);
    // Nobody changes or removes an answer.
    await expect(
      database.withScope({ kind: 'service', tenantId: tenant_id }, (tx) =>
        tx.run('update patient_consent set given = true'),
      ),
    ).rejects.toMatchObject({ code: '42501' });
  });

  test('the language of messages', async () => {
    await ask('PATCH', '/api/patient/me', patient.headers, { languageCode: 'ht' });
    expect((await me()).languageCode).toBe('ht');
  });

  test('a new number once both addresses have answered; the record then has it first', async () => {
    const begun = await ask('POST', '/api/patient/contact', patient.headers, {
      kind: 'PHONE',
      value: '+18135550177',
      presentBy: 'EMAIL',
    });
    const { details, present } = begun.json();
    expect(present).toEqual({ by: 'EMAIL', destination: email });
    const signing = new Signing(config.tokenSecret!);
    const [change] = await sql<{ id: string }>(
      'select id from contact_change order by created_at desc limit 1',
    );
    const code = (place: 'new' | 'present') => signing.contactCode(change!.id, place);
    const confirm = (presentCode: string) =>
      ask('POST', '/api/patient/contact/confirm', patient.headers, {
        details,
        newCode: code('new'),
        presentCode,
      });
    expect((await confirm('000')).statusCode).toBe(422);
    expect((await me()).phone).toBeNull();
    expect((await confirm(code('present'))).json().phone).toBe('+18135550177');
    const [row] = await sql<{ phones: string[] }>('select phones from patient where id = $1', [patientId]);
    expect(row!.phones).toEqual(['+18135550177', '+18135550142']);
    // [P16] The log says that it was changed, without the number.
    const [event] = await sql<{ detail: string }>(
      `select detail::text as detail from audit_event where action = 'account/phone-changed' order by at desc limit 1`,
    );
    expect(event!.detail).not.toContain('555');
  });

  test('sessions are listed and ended', async () => {
    const second = await signInAsPatient(testing, { patientId }, birthDate);
    const { sessions } = (await ask('GET', '/api/patient/sessions', patient.headers)).json();
    expect(sessions.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true]);
    const foreign = sessions.find(({ current }: { current: boolean }) => !current);
    expect((await ask('DELETE', `/api/patient/sessions/${foreign.id}`, patient.headers)).statusCode).toBe(
      204,
    );
    expect((await ask('GET', '/api/patient/me', second.headers)).statusCode).toBe(401);
  });
});

test('access history: when, which organisation, in which role, what; never the person', async () => {
  await ask('GET', portal, investigator.headers);
  const { entries } = (await ask('GET', '/api/patient/access-log', patient.headers)).json<{
    entries: RecordAccess[];
  }>();
  const staff = entries.find(({ by, deed }) => by === 'staff' && deed === 'read')!;
  expect(staff).toMatchObject({ organization: world.demo.name, roles: [{ label: 'Case investigator' }] });
  expect(entries.some(({ by }) => by === 'you')).toBe(true);
  const text = JSON.stringify(entries);
  for (const told of ['Ines', 'Valdez', held.id, others.id]) expect(text).not.toContain(told);
  // The next page continues where this one ends.
  const last = entries.at(-1)!;
  const next = (await ask('GET', `/api/patient/access-log?before=${last.id}`, patient.headers)).json();
  expect(next.entries.every(({ at }: RecordAccess) => at <= last.at)).toBe(true);
});

test('access to a withheld result is listed once it is released, and not before', async () => {
  const secret = await makeResult(database, { ...of, ...hiv, result_category: 'positive' });
  const its = await makeCaseReport(database, { ...of, condition_code: 'hiv', disease_family: 'hiv' });
  const empty = await makeCaseReport(database, { ...of, condition_code: 'hiv', disease_family: 'hiv' });
  const open = await makeCaseReport(database, {
    ...of,
    condition_code: 'chlamydia',
    disease_family: 'chlamydia',
  });
  await sql(
    'insert into case_result (tenant_id, case_report_id, result_id) values ($1, $2, $3), ($1, $4, $5)',
    [tenant_id, its.id, secret.id, open.id, negative.id],
  );
  const events = {
    result: [secret.id],
    case: [its.id],
    emptyCase: [empty.id],
    both: [patientId, secret.id],
    // Too many records to find it by each of them.
    list: [secret.id, negative.id, ...Array.from({ length: 200 }, () => randomUUID())],
    openCase: [open.id],
    shown: [negative.id],
    person: [patientId],
  };
  const ids: Record<string, string> = {};
  await database.withScope({ kind: 'service', tenantId: tenant_id }, async (tx) => {
    for (const [name, recordIds] of Object.entries(events)) {
      const written = { accountId: admin.init.user.id, orgType: 'T', orgId: tenant_id, detail: {} };
      const event = {
        ...written,
        tenantId: tenant_id,
        action: `GET /test/${name}` as const,
        deed: 'read' as const,
        recordKind: 'case' as const,
        recordIds,
      };
      await writeEvent(tx, event);
      const [row] = await tx.rows<{ id: string }>('select id from audit_event where action = $1', [
        event.action,
      ]);
      ids[name] = row!.id;
    }
  });
  const told = async () => {
    const { entries } = (await ask('GET', '/api/patient/access-log', patient.headers)).json<{
      entries: RecordAccess[];
    }>();
    return Object.keys(ids).filter((name) => entries.some(({ id }) => id === ids[name]));
  };
  expect(await told()).toEqual(['openCase', 'shown', 'person']);
  const released = await ask('POST', `${portal}/release`, investigator.headers, { resultId: secret.id });
  expect(released.statusCode).toBe(200);
  expect(await told()).toEqual(['result', 'case', 'both', 'list', 'openCase', 'shown', 'person']);
});

describe('an invitation', () => {
  const invitation = { by: 'EMAIL', to: 'sam@example.test', languageCode: 'es' };
  const invite = (headers: Headers, body: object = invitation) =>
    ask('POST', `/api/web/patients/${other.id}/portal/invite`, headers, body);
  const decide = (headers: Headers, invitationId: string, deed: 'confirm' | 'refuse', patientId = other.id) =>
    ask(
      'POST',
      `/api/web/patients/${patientId}/portal/invitations/${invitationId}/${deed}`,
      headers,
      deed === 'confirm' ? { checked: 'in-person' } : {},
    );
  const messages = () => messagesIn(testing);

  test('with the permission to write, to an address of the record, in the patient’s language; then the patient signs in', async () => {
    expect((await invite(epi.headers)).statusCode).toBe(403);
    expect((await invite(vendor.headers)).statusCode).toBe(404);
    const elsewhere = await invite(admin.headers, { ...invitation, to: 'stranger@example.test' });
    expect(elsewhere.json().faults).toMatchObject([{ path: 'to', code: 'not-in-record' }]);

    // In the words of the tenant, like its other messages.
    const words = { subject: '{{tenant}} le escribe', body: 'Abra {{address}}: {{number}}' };
    const worded = { kind: 'patient-invitation', language: 'es', text: words, before: null };
    expect((await ask('PUT', '/api/web/settings/messages', admin.headers, worded)).statusCode).toBe(200);

    const asked = (await invite(admin.headers)).json<PortalState>();
    expect(asked).toMatchObject({
      status: 'none',
      confirmed: [],
      waiting: { by: 'EMAIL', to: 'sam@example.test', languageCode: 'es', own: true, barred: 'asked-for-it' },
    });
    const sent = await decide(investigator.headers, asked.waiting!.id, 'confirm');
    expect(sent.statusCode).toBe(200);
    const state = sent.json<PortalState>();
    expect(state).toMatchObject({
      status: 'invited',
      languageCode: 'es',
      waiting: null,
      confirmed: ['sam@example.test'],
    });
    expect(state.patientNumber).toMatch(/^[A-Z][A-Z2-9]{3}-[A-Z2-9]{4}$/);
    await expect
      .poll(async () => (await messages()).filter((one) => one.includes('To: sam@example.test')).length)
      .toBe(1);
    const message = (await messages()).find((one) => one.includes('To: sam@example.test'))!;
    expect(message).toContain('Content-Language: es');
    expect(message).toContain(`Subject: ${world.demo.name} le escribe`);
    expect(message).toContain(`: ${state.patientNumber}`);
    expect(message).toContain(`${testing.config.publicUrl}/es/patient/sign-in`);
    expect(message).not.toMatch(/chlamydia|clamidia|hiv/i);

    const { headers } = await signInAsPatient(testing, { patientId: state.patientNumber! }, '1980-05-17');
    const seen = (await ask('GET', '/api/patient/results', headers)).json<{ results: OwnResult[] }>();
    expect(seen.results.map(({ id }) => id)).toEqual([others.id]);
    const again = (
      await ask('GET', `/api/web/patients/${other.id}/portal`, admin.headers)
    ).json<PortalState>();
    expect(again.status).toBe('active');
    expect(await sql(`select detail from audit_event where action = 'patient/invited'`)).toEqual([
      { detail: { by: 'EMAIL', checked: 'in-person', askedBy: admin.init.user.id } },
    ]);
  });

  test('not for a patient who has declined', async () => {
    const { headers } = await signInAsPatient(testing, { email: 'sam@example.test' }, '1980-05-17');
    await ask('POST', '/api/patient/consents', headers, {
      kind: 'email',
      given: false,
      wording: consentWording,
    });
    const refused = await invite(admin.headers);
    expect(refused.json().faults).toMatchObject([{ path: 'to', code: 'no-consent' }]);

    // Nor after the record has become part of another one.
    const whole = await makePatient(database, { tenant_id, emails: ['sam@example.test'] });
    await sql('update patient set merged_into = $2 where id = $1', [other.id, whole.id]);
    const afterwards = await ask(
      'POST',
      `/api/web/patients/${whole.id}/portal/invite`,
      admin.headers,
      invitation,
    );
    expect(afterwards.json().faults).toMatchObject([{ path: 'to', code: 'no-consent' }]);
    // Also for readers who see the surviving record and not the one merged into it, like the patient.
    const own = await sql<{ id: string }>(
      `insert into account (id, username, last_name, first_name, email, patient_tenant_id, patient_id)
       values (gen_random_uuid(), 'wholekey', '', '', 'whole@example.test', $1, $2) returning id`,
      [tenant_id, whole.id],
    );
    expect(own).toHaveLength(1);
    await sql(`update patient set birth_date = '1980-05-17', emails = '{whole@example.test}' where id = $1`, [
      whole.id,
    ]);
    const merged = await signInAsPatient(testing, { email: 'whole@example.test' }, '1980-05-17');
    const me = (await ask('GET', '/api/patient/me', merged.headers)).json<OwnRecordAnswer>();
    expect(me.consents).toMatchObject([{ kind: 'email', given: false }]);
    const clinician = await signInAs(testing, 'clinician@demo.caseway.test');
    await sql('update patient set facility_ids = array[$2::uuid] where id = $1', [
      whole.id,
      clinician.init.selectedOrg!.id,
    ]);
    const seen = await ask('GET', `/api/web/patients/${whole.id}/portal`, clinician.headers);
    expect(seen.json<PortalState>().consents).toMatchObject([{ kind: 'email', given: false }]);
    await sql('update patient set merged_into = null where id = $1', [other.id]);
  });
});

test('[P15] the log is intact after all of it', async () => {
  expect((await verifyChain(database, tenant_id)).faults).toEqual([]);
});
