import { randomUUID } from 'node:crypto';
import { childHeader } from '@caseway/contract/guardian-rules';
import type { GuardiansAnswer, OwnChild } from '@caseway/contract/guardians';
import type { OwnReports } from '@caseway/contract/own-reactions';
import type { OwnResult, RecordAccess } from '@caseway/contract/portal';
import type { SettingsAnswer } from '@caseway/contract/settings';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makePatient, makeResult, makeTelemedicineVisit, makeVaccination } from '../../../test/factories.ts';
import { signInAs, signInAsPatient } from '../../../test/sign-in.ts';
import type { Scope } from '../../platform/scope.ts';

const newYear = '2026-06-01T12:00:00Z';
let now = new Date(newYear);
const testing = await testApp({}, { now: () => now });
const { app, database, superuserUrl } = testing;
const { demo, vendor, patient: own } = await seedDemoTenants(database);
const tenant_id = demo.id;
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

/** On June 1, 2026 eleven years old; thirteen on September 9, 2027. */
const bornOn = '2014-09-09';
await makePatient(database, {
  tenant_id,
  id: own.patientId,
  first_name: 'Marisol',
  birth_date: own.birthDate,
  emails: [own.email],
});
const person = (first_name: string, birth_date: string | null, more: object = {}) =>
  makePatient(database, { tenant_id, first_name, last_name: 'Rivera', birth_date, ...more });
const ana = await person('Ana', bornOn, { emails: ['ana@example.test'] });
const leo = await person('Leo', '2016-01-01');
const cousin = await person('Luz', '1990-01-01');
const grown = await person('Eva', '2013-06-01');
const undated = await person('Sol', null);
const elsewhere = await makePatient(database, { tenant_id: vendor.id, birth_date: bornOn });

const of = { tenant_id, patient_id: ana.id };
const lead = await makeResult(database, { ...of, disease_family: 'lead', condition_code: null });
const hiv = await makeResult(database, { ...of, disease_family: 'hiv', condition_code: 'hiv' });
const chlamydia = await makeResult(database, { ...of, disease_family: 'chlamydia' });
const unknown = await makeResult(database, { ...of, disease_family: null, condition_code: null });
await sql('update result set released_at = now() where id = $1', [unknown.id]);
const leos = await makeResult(database, { tenant_id, patient_id: leo.id, disease_family: 'lead' });
const mine = await makeResult(database, { tenant_id, patient_id: own.patientId, disease_family: 'lead' });
const anasVaccination = await makeVaccination(database, of);
const visit = await makeTelemedicineVisit(database, of);
await makeTelemedicineVisit(database, { ...of, disease_family: 'hiv' });
await makeTelemedicineVisit(database, { ...of, booked_by: 'patient' });

const admin = await signInAs(testing, 'admin@demo.caseway.test');
const staff = askingAs(testing, admin);
const facility = askingAs(testing, await signInAs(testing, 'facility@demo.caseway.test'));
const stranger = askingAs(testing, await signInAs(testing, 'admin@vendor.caseway.test'));
const guardian = await signInAsPatient(testing, { email: own.email }, own.birthDate);
const me = askingAs(testing, guardian, '/api/patient/');
const forChild = (id: string) => ({ ...guardian.headers, [childHeader]: id });

const link = {
  person: own.patientId,
  relation: 'parent',
  evidence: 'document',
  from: '2026-06-01',
  until: null,
};
const makeLink = (more: object = {}, child = ana.id) =>
  staff.ok<GuardiansAnswer>('POST', `patients/${child}/guardians`, { ...link, ...more });
const end = async () => {
  const { guardians } = await staff.ok<GuardiansAnswer>('GET', `patients/${ana.id}/guardians`);
  return staff.ok<GuardiansAnswer>('POST', `patients/${ana.id}/guardians/${guardians[0]!.id}/end`, {
    reason: 'The court decided otherwise.',
  });
};
const children = async () => (await me.ok<{ children: OwnChild[] }>('GET', 'children')).children;
const resultsOf = async (headers: object) =>
  (await me.ok<{ results: OwnResult[] }>('GET', 'results', undefined, headers)).results.map(({ id }) => id);
const status = async (path: string, child: string) =>
  (await me.ask('GET', path, undefined, forChild(child))).statusCode;
const setRules = async (changes: object) => {
  const { version } = await staff.ok<SettingsAnswer>('GET', 'settings');
  return staff.ok<SettingsAnswer>('PATCH', 'settings', { version, changes, switches: [] });
};
const usual = {
  ownAccountAge: 13,
  guardianUntilAge: 13,
  guardianFamilies: [],
  guardianFamiliesUntilAge: 12,
  guardianRights: ['results', 'vaccinations', 'visits', 'reactions'],
};

beforeEach(async () => {
  now = new Date(newYear);
  await sql('delete from guardian_link');
});

describe('staff link a guardian with a child', () => {
  test('who it is, on what evidence, from when to when; and end it at any time with a reason', async () => {
    const { guardians, ...known } = await makeLink({ until: '2027-01-31' });
    expect(known).toEqual({ bar: null, closesOn: '2027-09-09', today: '2026-06-01' });
    expect(guardians).toMatchObject([
      {
        personId: own.patientId,
        firstName: 'Marisol',
        relation: 'parent',
        evidence: 'document',
        from: '2026-06-01',
        until: '2027-01-31',
        state: 'active',
        endedAt: null,
      },
    ]);
    const ended = await end();
    expect(ended.guardians).toMatchObject([{ state: 'ended', endReason: 'The court decided otherwise.' }]);
    // Somebody else has ended it.
    const again = await staff.ask('POST', `patients/${ana.id}/guardians/${guardians[0]!.id}/end`, {
      reason: 'x',
    });
    expect(again.statusCode).toBe(409);
    // It stays in the history when they are linked again.
    expect((await makeLink()).guardians.map(({ state }) => state)).toEqual(['active', 'ended']);
    const log = await sql(
      `select action, record_ids from audit_event where action like 'patient/guardian%' order by at, id`,
    );
    expect(log.at(0)).toEqual({ action: 'patient/guardian-linked', record_ids: [ana.id, own.patientId] });
    expect(log.at(1)).toEqual({ action: 'patient/guardian-ended', record_ids: [ana.id, own.patientId] });
  });

  test('not one of a person who is old enough or without a birth date, nor themselves, nor somebody unseen', async () => {
    const faults = (child: string, more: object = {}) =>
      staff.faults('POST', `patients/${child}/guardians`, { ...link, ...more });
    expect(await faults(grown.id)).toEqual(['person too-old']);
    expect(await faults(undated.id)).toEqual(['person no-birth-date']);
    expect(await faults(ana.id, { person: ana.id })).toEqual(['person same-person']);
    expect(await faults(ana.id, { person: elsewhere.id })).toEqual(['person unknown-choice']);
    expect(await faults(ana.id, { until: '2026-05-31' })).toEqual(['until before-from']);
    expect(await faults(ana.id, { until: '2027-09-10' })).toEqual(['until after-birthday']);
    await makeLink({ until: '2027-09-09' });
    expect(await faults(ana.id)).toEqual(['person already-linked']);
  });

  test('nobody links or reads across tenants, and a place deals with what it has linked itself [P1, P23]', async () => {
    await makeLink();
    for (const [method, path] of [
      ['GET', 'guardians'],
      ['POST', 'guardians'],
    ] as const)
      expect(
        (await stranger.ask(method, `patients/${ana.id}/${path}`, method === 'POST' ? link : undefined))
          .statusCode,
      ).toBe(404);
    // The facility knows both people; it is shown the links that it made, not the tenant's.
    const [place] = await sql<{ id: string }>(
      `select m.org_id as id from membership m join account a on a.id = m.account_id
       where a.username = 'facility@demo.caseway.test' and m.org_type = 'F'`,
    );
    await sql(`update patient set facility_ids = array[$2::uuid] where id = any ($1)`, [
      [ana.id, own.patientId],
      place!.id,
    ]);
    const path = `patients/${ana.id}/guardians`;
    expect((await facility.ok<GuardiansAnswer>('GET', path)).guardians).toEqual([]);
    await sql('update guardian_link set org_id = $1', [place!.id]);
    await makeLink({ person: cousin.id });
    const people = (answer: GuardiansAnswer) => answer.guardians.map(({ personId }) => personId);
    expect(people(await facility.ok('GET', path))).toEqual([own.patientId]);
    expect(people(await staff.ok('GET', path)).toSorted()).toEqual([own.patientId, cousin.id].toSorted());
  });

  test('a child is not invited to an account of their own; from the age on they are', async () => {
    const invite = (child: string, to: string) =>
      staff.ask('POST', `patients/${child}/portal/invite`, { by: 'EMAIL', to, languageCode: 'en' });
    const refused = await invite(ana.id, 'ana@example.test');
    expect(refused.json()).toMatchObject({ faults: [{ path: 'to', code: 'too-young' }] });
    now = new Date('2027-09-09T16:00:00Z');
    expect((await invite(ana.id, 'ana@example.test')).statusCode).toBe(200);
    await sql('delete from portal_invitation');
  });
});

describe('a guardian sees the record of the child [S4.4, P1, P18]', () => {
  test('the results without sensitive families and unknown ones, as PDF too; and none of another child', async () => {
    await makeLink();
    expect(await children()).toEqual([
      { id: ana.id, firstName: 'Ana', lastName: 'Rivera', birthDate: bornOn, may: usual.guardianRights },
    ]);
    expect(await resultsOf(forChild(ana.id))).toEqual([lead.id]);
    expect(await status(`results/${lead.id}/file`, ana.id)).toBe(200);
    for (const { id } of [hiv, chlamydia, unknown, leos, mine])
      expect([id, await status(`results/${id}/file`, ana.id)]).toEqual([id, 404]);
    // Their own are as before, and the child's do not appear among them.
    expect(await resultsOf(guardian.headers)).toEqual([mine.id]);
    for (const id of [leo.id, cousin.id, elsewhere.id, own.patientId, randomUUID(), 'x'])
      expect([id, await status('results', id)]).toEqual([id, 404]);
  });

  test('families that the rules list, until an age', async () => {
    await makeLink();
    await setRules({ guardianFamilies: ['chlamydia'] });
    expect((await resultsOf(forChild(ana.id))).toSorted()).toEqual([lead.id, chlamydia.id].toSorted());
    // Twelve years old.
    now = new Date('2026-09-09T16:00:00Z');
    expect(await resultsOf(forChild(ana.id))).toEqual([lead.id]);
    await setRules(usual);
  });

  test('vaccinations, and the visits that staff made, to read', async () => {
    await makeLink();
    const { vaccinations } = await me.ok<{ vaccinations: { id: string }[] }>(
      'GET',
      'vaccinations',
      undefined,
      forChild(ana.id),
    );
    expect(vaccinations.map(({ id }) => id)).toEqual([anasVaccination.id]);
    const visits = await me.ok<{
      visits: { id: string; mayChange: boolean }[];
      booking: boolean;
      left: number;
    }>('GET', 'visits', undefined, forChild(ana.id));
    expect(visits).toMatchObject({ visits: [{ id: visit.id, mayChange: false }], booking: false, left: 0 });
    expect(visits.visits).toHaveLength(1);
  });

  test('a reaction that they report is about the child', async () => {
    await makeLink();
    const id = randomUUID();
    const report = {
      id,
      vaccination: anasVaccination.id,
      otherVaccine: null,
      givenOn: null,
      reactions: ['fever'],
      since: '2026-03-07',
      outcome: 'recovered',
      care: 'none',
      note: null,
    };
    await me.ok('POST', 'reactions', report, forChild(ana.id));
    const [incident] = await sql('select patient_id, reporter_role from incident where id = $1', [id]);
    expect(incident).toEqual({ patient_id: ana.id, reporter_role: 'caregiver' });
    const sent = async (headers: object) =>
      (await me.ok<OwnReports>('GET', 'reactions', undefined, headers)).reports.map((one) => one.id);
    expect(await sent(forChild(ana.id))).toEqual([id]);
    expect(await sent(guardian.headers)).toEqual([]);
    // Not about a vaccination of somebody else.
    expect(await me.faults('POST', 'reactions', { ...report, id: randomUUID() })).toEqual([
      'vaccination unknown-choice',
    ]);
  });

  test('only what the rules allow', async () => {
    await makeLink();
    await setRules({ guardianRights: ['vaccinations'] });
    expect((await children())[0]!.may).toEqual(['vaccinations']);
    expect(await status('vaccinations', ana.id)).toBe(200);
    for (const path of ['results', `results/${lead.id}/file`, 'visits', 'reactions'])
      expect([path, await status(path, ana.id)]).toEqual([path, 403]);
    await setRules(usual);
  });

  test('a merged record is followed', async () => {
    const twice = await person('Ana', bornOn);
    await makeLink({}, twice.id);
    await sql('update patient set merged_into = $2 where id = $1', [twice.id, ana.id]);
    expect((await children()).map(({ id }) => id)).toEqual([ana.id]);
    expect(await resultsOf(forChild(ana.id))).toEqual([lead.id]);
    expect(await status('results', twice.id)).toBe(404);
  });
});

describe('it ends with the next request', () => {
  const closed = async () => {
    expect(await children()).toEqual([]);
    expect(await status('results', ana.id)).toBe(404);
  };
  const open = async () => expect(await status('results', ana.id)).toBe(200);

  test('when staff end it', async () => {
    await makeLink();
    await open();
    await end();
    await closed();
  });

  test('before its first day, and after its last', async () => {
    await makeLink({ from: '2026-06-02', until: '2026-06-10' });
    await closed();
    // The day of the tenant, where it is still June 10.
    now = new Date('2026-06-11T03:30:00Z');
    await open();
    now = new Date('2026-06-11T04:30:00Z');
    await closed();
  });

  test('on the birthday, and when the rules name an earlier one', async () => {
    await makeLink();
    now = new Date('2027-09-08T16:00:00Z');
    await open();
    now = new Date('2027-09-09T16:00:00Z');
    await closed();
    now = new Date(newYear);
    await open();
    await setRules({ guardianUntilAge: 11 });
    await closed();
    await setRules(usual);
  });

  test('when the birth date of the child is corrected, or not known any more', async () => {
    await makeLink();
    for (const birthDate of ['2010-09-09', null]) {
      await sql('update patient set birth_date = $2 where id = $1', [ana.id, birthDate]);
      await closed();
    }
    await sql('update patient set birth_date = $2 where id = $1', [ana.id, bornOn]);
    await open();
  });
});

describe('every route of patients, asked about a child', () => {
  const routes = app.endpoints.filter(({ access }) => access === 'patient');
  const asked = async (child: string) => {
    const answers: [string, number][] = [];
    for (const { method, path } of routes) {
      const url = path
        .replace('/api/patient/', '')
        .replaceAll(/:\w+/g, path.includes('results') ? lead.id : randomUUID());
      const answer = await me.ask(method, url, method === 'GET' ? undefined : {}, forChild(child));
      answers.push([`${method} ${path}`, answer.statusCode]);
    }
    return answers;
  };
  const about = (answer: number) =>
    routes.map(({ method, path, child }) => [`${method} ${path}`, child ? answer : 403]);

  test('those that are never about a child refuse it, and the others answer for the guardian alone', async () => {
    await makeLink();
    const answers = await asked(ana.id);
    for (const [index, { child }] of routes.entries())
      expect(answers[index]).toEqual([answers[index]![0], child ? expect.toSatisfy(isAnswered) : 403]);
    for (const other of [leo.id, elsewhere.id, own.patientId]) expect(await asked(other)).toEqual(about(404));
  });

  test('after the end and after the birthday nothing is answered', async () => {
    await makeLink();
    now = new Date('2027-09-09T16:00:00Z');
    expect(await asked(ana.id)).toEqual(about(404));
    now = new Date(newYear);
    await end();
    expect(await asked(ana.id)).toEqual(about(404));
  });
});

/** Let in; 422 is about the empty body. */
const isAnswered = (status: number) => status === 200 || status === 422;

test('the child reads that a guardian looked, and the log names the guardian', async () => {
  await makeLink();
  const before = await sql<{ id: string }>('select id from audit_event order by at desc, id desc limit 1');
  await resultsOf(forChild(ana.id));
  const [event] = await sql(
    `select account_id, record_ids from audit_event where action = 'GET /api/patient/results' order by at desc, id desc`,
  );
  expect(before).toHaveLength(1);
  const [account] = await sql<{ id: string }>('select id from account where patient_id = $1', [
    own.patientId,
  ]);
  expect(event).toEqual({ account_id: account!.id, record_ids: [ana.id, lead.id] });
  // Ana has an account since before the rules were set.
  await sql(
    `insert into account (id, username, first_name, last_name, email, language_code, patient_tenant_id, patient_id)
     values ($1, 'anaanaan', 'Ana', 'Rivera', 'ana@example.test', 'en', $2, $3)`,
    [randomUUID(), tenant_id, ana.id],
  );
  const ownWay = await signInAsPatient(testing, { email: 'ana@example.test' }, bornOn);
  const { entries } = await askingAs(testing, ownWay, '/api/patient/').ok<{ entries: RecordAccess[] }>(
    'GET',
    'access-log',
  );
  expect(entries.some(({ by, deed }) => by === 'guardian' && deed === 'read')).toBe(true);
  expect(
    entries.filter(({ by }) => by === 'guardian').every(({ organization }) => organization === null),
  ).toBe(true);
});

describe('the database itself [P1]', () => {
  const as = (hiddenFamilies?: string[]): Scope => ({
    kind: 'patient',
    tenantId: tenant_id,
    patientId: ana.id,
    accountId: randomUUID(),
    ...(hiddenFamilies && { guardian: { hiddenFamilies } }),
  });
  const ids = (scope: Scope) =>
    database.withScope(scope, async (tx) =>
      (await tx.rows<{ id: string }>('select id from result where tenant_id = $1', [tenant_id])).map(
        ({ id }) => id,
      ),
    );

  test('hides the families from the scope of a guardian, and unknown ones always', async () => {
    expect(await ids(as(['hiv', 'chlamydia']))).toEqual([lead.id]);
    expect((await ids(as([]))).toSorted()).toEqual([lead.id, hiv.id, chlamydia.id].toSorted());
    expect((await ids(as())).toSorted()).toEqual([lead.id, hiv.id, chlamydia.id, unknown.id].toSorted());
  });

  test('lets a guardian add no consent of the child, and shows patients no links', async () => {
    await makeLink();
    const links = (scope: Scope) =>
      database.withScope(scope, (tx) =>
        tx.rows('select id from guardian_link where tenant_id = $1', [tenant_id]),
      );
    expect(await links(as())).toEqual([]);
    expect(await links(as([]))).toEqual([]);
    await expect(
      database.withScope(as([]), (tx) =>
        tx.run(
          `insert into patient_consent (tenant_id, id, patient_id, kind, given, wording, language_code, by_patient)
           values ($1, $2, $3, 'email', true, '2026-11', 'en', true)`,
          [tenant_id, randomUUID(), ana.id],
        ),
      ),
    ).rejects.toThrow(/row-level security/);
  });
});
