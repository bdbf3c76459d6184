import { randomUUID } from 'node:crypto';
import { addDays, todayIn } from '@caseway/contract/date-range';
import { type FieldVisit, fieldVisitRecord } from '@caseway/contract/field-visits';
import type { Notification } from '@caseway/contract/inbox';
import { type KeptVisit, mostKept } from '@caseway/contract/kept-visits';
import { anyRecord } from '@caseway/contract/record';
import type { VisitAttempt } from '@caseway/contract/visit-attempts';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers, type Method } from '../../../test/asking.ts';
import { asSuperuser } from '../../../test/database.ts';
import { describeRecord } from '../../../test/describe-record.ts';
import { type At, makeCaseReport, makePersonAt } from '../../../test/factories.ts';
import { hiddenWithPerson } from '../../../test/hidden-person.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import type { Scope } from '../../platform/scope.ts';
import { tellWork } from '../inbox/tell-work.ts';
import { notBackWork } from './not-back.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const specialist = await signInAs(testing, 'dis@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const clinician = await signInAs(testing, 'clinician@demo.caseway.test');
const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const prison = demo.organizations.find(({ name }) => name === 'Palmetto Correctional Services')!.id;
const atCollege = await actFor(testing, epi.tokens, `O:${college}`);

const { ask, ok, faults } = askingAs(testing, epi);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
type Stored = { id: string; version: number; active: boolean } & Record<string, unknown>;

const madePatient = (place?: At, more?: object) => makePersonAt(database, demo.id, place, more);
const madeCase = (patient_id: string, place: At = {}, family = 'syphilis') =>
  makeCaseReport(database, {
    tenant_id: demo.id,
    patient_id,
    condition_code: family,
    disease_family: family,
    county_fips: '13121',
    ...place,
  });

/** Today in the demo tenant. */
const today = todayIn(demo.timeZone);
const ago = (days: number) => addDays(today, -days);

const visiting = (patient: string, more: object = {}) => ({
  ...{ patient, caseRecord: null, visitType: 'interview', plannedFor: today, dueOn: null },
  ...{ address: null, program: null, twoWorkers: false, noLetter: false, note: null },
  ...more,
});
const make = (payload: object, headers?: Headers) => ok<FieldVisit>('POST', 'field-visits', payload, headers);
const made = async (more: object = {}) => make(visiting((await madePatient()).id, more));
const get = ({ id }: { id: string }) => ok<FieldVisit>('GET', `field-visits/${id}`);
async function changedVisit(place: At = {}, headers?: Headers): Promise<Stored> {
  const { id } = await make(visiting((await madePatient(place)).id), headers);
  return ok('PATCH', `field-visits/${id}`, { version: 1, note: 'Ring twice.' }, headers);
}

describeRecord({
  record: anyRecord(fieldVisitRecord),
  ask: (method, path, payload, headers) => ask(method, path, payload, headers),
  sql,
  others: { without: clinician.headers, elsewhere: vendor.headers },
  fresh: async () => visiting((await madePatient()).id),
  changed: async () => ({
    visitType: 'specimen',
    plannedFor: addDays(today, 2),
    dueOn: addDays(today, 5),
    address: '12 Pine St, back door',
    program: (await ok<{ options: { id: string }[] }>('GET', 'list/options/programs')).options[0]!.id,
    twoWorkers: true,
    noLetter: true,
    note: 'Works at night.',
  }),
  deed: { transition: 'cancel', reason: 'Was treated elsewhere.', state: 'cancelled' },
  rivals: ['note', ['One', 'Two', 'Three']],
  sight: {
    ...hiddenWithPerson({
      database,
      sql,
      ok,
      tenantId: demo.id,
      table: 'field_visit',
      blind: epi.headers,
      changed: () => changedVisit(),
    }),
    staysHidden: true,
    places: [
      {
        name: 'an organization',
        headers: atCollege.headers,
        own: () => changedVisit({ organization_id: college }, atCollege.headers),
        // About a person whom the college knows, but planned by the department.
        other: () => changedVisit({ organization_id: college }),
      },
      {
        name: 'a jurisdiction',
        headers: jurisdiction.headers,
        own: () => changedVisit({ county_fips: '12057' }),
        other: () => changedVisit({ county_fips: '13121', organization_id: prison }),
      },
    ],
  },
});

const refused = (payload: object, path = 'field-visits', method: Method = 'POST', headers?: Headers) =>
  faults(method, path, payload, headers);
const someone = specialist.init.user.id;
const doing = ({ id }: { id: string }, transition: string) => `field-visits/${id}/transitions/${transition}`;
/** Does a transition to the current version of a visit. */
async function step(
  one: { id: string },
  transition: string,
  { reason, ...fields }: { reason?: string; [field: string]: string | undefined } = {},
  headers?: Headers,
): Promise<FieldVisit> {
  const { version } = await get(one);
  return ok('POST', doing(one, transition), { version, fields, reason }, headers);
}
const assigned = async (more: object = {}) => step(await made(more), 'assign', { worker: someone });
const attempt = (more: object = {}) => ({
  ...{ id: randomUUID(), day: ago(1), time: '09:30', method: 'visit', outcome: 'nobody' },
  ...{ nextStep: 'other-time', left: 'nothing', note: null },
  ...more,
});
const note = ({ id }: { id: string }, entry: object, headers?: Headers) =>
  ok<{ attempts: VisitAttempt[] }>('POST', `field-visits/${id}/attempts`, entry, headers);
/** The ids of the visits that a view of the list shows, among some. */
async function shown(show: string, among: readonly { id: string }[], headers?: Headers): Promise<string[]> {
  const { rows } = await ok<{ rows: FieldVisit[] }>(
    'POST',
    'grid/field-visits/search',
    { filters: { show: [show] }, paginationModel: { page: 0, pageSize: 100 } },
    headers,
  );
  const asked = among.map(({ id }) => id);
  return rows.flatMap(({ id }) => (asked.includes(id) ? [id] : [])).sort();
}
const idsOf = (...of: readonly { id: string }[]) => of.map(({ id }) => id).sort();

describe('a visit', () => {
  test('goes to the person’s home, unless another place is set', async () => {
    const { id } = await madePatient({}, { street: '8 Oak Ave', city: 'Tampa', postal_code: '33602' });
    const visit = await make(visiting(id));
    expect(visit).toMatchObject({ place: '8 Oak Ave, Tampa 33602', address: null });
    expect(visit.number).toMatch(/^FV-\d\d-[0-9A-Z]{7}$/);
    const moved = await ok('PATCH', `field-visits/${visit.id}`, { version: 1, address: 'At work' });
    expect(moved).toMatchObject({ place: 'At work' });
  });

  test('is about a case of the same person, whose family then decides who sees it', async () => {
    const { id: patient } = await madePatient();
    const report = await madeCase(patient);
    const visit = await make(visiting(patient, { caseRecord: report.id }));
    expect(visit).toMatchObject({ caseId: report.case_id, condition: 'syphilis', diseaseFamily: 'syphilis' });
    const { id: other } = await madePatient();
    expect(await refused(visiting(other, { caseRecord: report.id }))).toEqual(['caseRecord other-person']);
    expect(await refused(visiting(other, { caseRecord: randomUUID() }))).toEqual([
      'caseRecord unknown-choice',
    ]);
    expect((await ask('POST', 'field-visits', visiting(randomUUID()))).statusCode).toBe(404);
    const hiv = await madeCase(patient, {}, 'hiv');
    // An epidemiologist sees no case of HIV. A person who sees it makes the visit, and the others do not see that
    // visit.
    expect(await refused(visiting(patient, { caseRecord: hiv.id }))).toEqual(['caseRecord unknown-choice']);
    const hidden = await make(visiting(patient, { caseRecord: hiv.id }), specialist.headers);
    expect((await ask('GET', `field-visits/${hidden.id}`)).statusCode).toBe(404);
    expect((await ask('GET', `field-visits/${hidden.id}`, undefined, specialist.headers)).statusCode).toBe(
      200,
    );
  });

  test('is assigned by people who plan, taken by the person who goes, and by nobody else', async () => {
    const visit = await made();
    const give = { version: 1, fields: { worker: someone } };
    expect((await ask('POST', doing(visit, 'assign'), give, specialist.headers)).statusCode).toBe(403);
    expect(
      await refused({ version: 1, fields: { worker: clinician.init.user.id } }, doing(visit, 'assign')),
    ).toEqual(['worker unknown-choice']);
    expect(await step(visit, 'assign', { worker: someone, plannedFor: addDays(today, 1) })).toMatchObject({
      status: 'assigned',
      worker: someone,
      plannedFor: addDays(today, 1),
    });
    const open = await made();
    expect(await step(open, 'take', {}, specialist.headers)).toMatchObject({
      status: 'assigned',
      worker: someone,
    });
  });

  test('shows people who are not back in time, until they come back', async () => {
    const visit = await assigned({ twoWorkers: true });
    const out = await step(visit, 'set-out', { minutesOut: '90' }, specialist.headers);
    expect(out).toMatchObject({ status: 'on-the-way', return: 'expected' });
    expect(Date.parse(out.expectedBack!) - Date.parse(out.outSince!)).toBe(90 * 60_000);
    expect(await shown('overdue', [visit])).toEqual([]);
    await sql(`update field_visit set expected_back = now() - interval '1 minute' where id = $1`, [visit.id]);
    expect(await get(visit)).toMatchObject({ return: 'overdue' });
    expect(await shown('overdue', [visit])).toEqual(idsOf(visit));
    const back = await step(visit, 'come-back', {}, specialist.headers);
    expect(back).toMatchObject({ status: 'assigned', return: null, expectedBack: null, minutesOut: null });
    expect(await shown('overdue', [visit])).toEqual([]);
    // A mistaken return is undone: the person is still out, with no more time than before.
    await ok('POST', `field-visits/${visit.id}/undo`, { version: back.version });
    expect(await get(visit)).toMatchObject({ status: 'on-the-way', return: 'overdue' });
  });

  test('notifies those who assign visits, once, that someone is not back in time', async () => {
    const visit = await assigned({ twoWorkers: true });
    const out = await step(visit, 'set-out', { minutesOut: '90' }, specialist.headers);
    const waiting = () =>
      sql<{ runAt: Date; payload: { expectedBack: string } }>(
        `select p.run_at as "runAt", p.payload from graphile_worker._private_jobs p
         join graphile_worker.jobs j on j.id = p.id
         where j.task_identifier = 'field-visits/not-back' and p.payload ->> 'visitId' = $1`,
        [visit.id],
      );
    const [look] = await waiting();
    expect(look!.runAt.toISOString()).toBe(out.expectedBack);
    const run = async ({ payload } = look!) => {
      const given = { log: testing.app.log, attempt: 1, signal: new AbortController().signal };
      await notBackWork(database).run(payload, given);
      const jobs = await sql<{ payload: object }>(
        `select p.payload from graphile_worker._private_jobs p join graphile_worker.jobs j on j.id = p.id
         where j.task_identifier = 'inbox/tell' and p.payload::text like '%visit-overdue%' order by p.id`,
      );
      for (const { payload: telling } of jobs) await tellWork(database).run(telling, given);
    };
    const toldTo = async ({ headers }: { headers: Headers }) => {
      const { notifications } = await ok<{ notifications: Notification[] }>(
        'GET',
        'inbox',
        undefined,
        headers,
      );
      return notifications.filter(({ kind, recordId }) => kind === 'visit-overdue' && recordId === visit.id);
    };
    await run();
    await run();
    expect(await toldTo(epi)).toMatchObject([{ name: out.number, actor: 'Didier Baptiste' }]);
    // Not the person who is out, nor people who cannot assign visits.
    for (const other of [specialist, clinician, vendor]) expect(await toldTo(other)).toEqual([]);

    // A person who is back is not reported, and one who sets out again is expected at another time.
    await step(visit, 'come-back', {}, specialist.headers);
    const again = await step(visit, 'set-out', { minutesOut: '30' }, specialist.headers);
    expect((await waiting()).map(({ payload }) => payload.expectedBack)).toEqual([again.expectedBack]);
    await run();
    expect(await toldTo(epi)).toHaveLength(1);
    await run((await waiting())[0]);
    expect(await toldTo(epi)).toHaveLength(2);
  });

  test('is listed today, among one’s own, among the open ones, and with its case', async () => {
    const { id: patient } = await madePatient();
    const report = await madeCase(patient);
    const now = await step(await make(visiting(patient, { caseRecord: report.id })), 'assign', {
      worker: someone,
    });
    const late = await made({ plannedFor: ago(3) });
    const later = await made({ plannedFor: addDays(today, 2) });
    const over = await step(await made(), 'cancel', { reason: 'Moved away.' });
    const all = [now, late, later, over];
    expect(await shown('today', all)).toEqual(idsOf(now, late));
    expect(await shown('open', all)).toEqual(idsOf(now, late, later));
    expect(await shown('all', all)).toEqual(idsOf(...all));
    expect(await shown('mine', all)).toEqual([]);
    expect(await shown('mine', all, specialist.headers)).toEqual(idsOf(now));
    const of = (headers?: Headers) =>
      ask('GET', `case-reports/${report.id}/field-visits`, undefined, headers);
    expect((await of()).json()).toEqual({ visits: [expect.objectContaining({ id: now.id })] });
    expect((await of(jurisdiction.headers)).statusCode).toBe(404);
    expect((await of(clinician.headers)).statusCode).toBe(403);
    expect((await of(vendor.headers)).statusCode).toBe(404);
  });

  test('is finished with its outcome; as not found only after three days, or by a planner who gives a reason', async () => {
    const visit = await assigned();
    const finish = async (result: string, reason?: string) => ({
      version: (await get(visit)).version,
      fields: { result },
      ...(reason && { reason }),
    });
    await note(visit, attempt({ day: ago(3) }));
    expect(
      await refused(await finish('not-found'), doing(visit, 'finish'), 'POST', specialist.headers),
    ).toEqual(['result too-few-attempts']);
    const early = await finish('not-found', 'They have died.');
    expect((await ask('POST', doing(visit, 'finish-early'), early, specialist.headers)).statusCode).toBe(403);
    await note(visit, attempt({ day: ago(2), time: '14:00' }));
    await note(visit, attempt({ day: ago(1), time: '18:10' }));
    const done = await step(visit, 'finish', { result: 'not-found' }, specialist.headers);
    expect(done).toMatchObject({ status: 'done', doneOn: today, active: false, attemptCount: 3 });
    const again = await step(visit, 'reopen', { reason: 'A new address.' });
    expect(again).toMatchObject({ status: 'attempted', result: null, doneOn: null, active: true });
    expect(
      await step(await assigned(), 'finish-early', { result: 'unavailable', reason: 'In hospital.' }),
    ).toMatchObject({ status: 'done', result: 'unavailable' });
  });
});

describe('a visit about a case that met no one', () => {
  interface Task {
    id: string;
    work: string;
    queue: string;
    state: string;
    transition: string;
    caused_by: string;
  }
  const tasksOf = (caseId: string) =>
    sql<Task>(
      `select id, work, queue, state, transition, caused_by from work_task where record_id = $1 order by made_at, id`,
      [caseId],
    );
  const openOf = (caseId: string) =>
    ok<{ tasks: { id: string; work: string }[] }>('GET', `case-reports/${caseId}/work`).then(({ tasks }) =>
      tasks.map(({ work }) => work),
    );
  const early = { reason: 'Has moved away.', result: 'not-found' };
  async function visitOfCase() {
    const { id: patient } = await madePatient();
    const caseRecord = (await madeCase(patient)).id;
    const visit = await step(await make(visiting(patient, { caseRecord })), 'assign', { worker: someone });
    return { visit, caseRecord };
  }
  const undo = async (one: { id: string }, version: number) =>
    ok<FieldVisit>('POST', `field-visits/${one.id}/undo`, { version });

  test('gives a supervisor one task about the case, which is withdrawn and given again with it', async () => {
    const { visit, caseRecord } = await visitOfCase();
    const { version } = await step(visit, 'finish-early', early);
    const given = {
      ...{ work: 'review', queue: 'supervisor', transition: 'finish-early', caused_by: visit.id },
      id: expect.any(String),
    };
    expect(await tasksOf(caseRecord)).toEqual([{ ...given, state: 'open' }]);
    expect(await openOf(caseRecord)).toEqual(['review']);
    await undo(visit, version);
    expect(await tasksOf(caseRecord)).toEqual([{ ...given, state: 'withdrawn' }]);
    await undo(visit, version + 1);
    expect(await tasksOf(caseRecord)).toEqual([{ ...given, state: 'open' }]);
    // Someone goes there again. Changes of the case itself leave the task alone.
    await step(visit, 'reopen', { reason: 'A neighbor knows where.' });
    expect(await tasksOf(caseRecord)).toEqual([{ ...given, state: 'done' }]);
    await step(visit, 'finish-early', early);
    expect((await tasksOf(caseRecord)).map(({ state }) => state).sort()).toEqual(['done', 'open']);
    const { version: ofCase } = await ok<Stored>('GET', `case-reports/${caseRecord}`);
    await ok('POST', `case-reports/${caseRecord}/transitions/noFollowUp`, {
      version: ofCase,
      reason: 'Treated elsewhere.',
    });
    await ok('POST', `case-reports/${caseRecord}/undo`, { version: ofCase + 1 });
    expect(await openOf(caseRecord)).toEqual(expect.arrayContaining(['review']));
  });

  test('gives none if someone was met, or it is about no case or one that the writer does not see', async () => {
    const { visit, caseRecord } = await visitOfCase();
    await step(visit, 'finish-early', { reason: 'Met at the gate.', result: 'cooperative' });
    expect(await tasksOf(caseRecord)).toEqual([]);
    expect(await step(await assigned(), 'finish-early', early)).toMatchObject({ status: 'done' });
    // Planned by a college, which never knew the case.
    const { id: patient } = await madePatient({ organization_id: college });
    const { id: hidden } = await madeCase(patient, { organization_id: prison });
    const theirs = await make(visiting(patient), atCollege.headers);
    await sql('update field_visit set case_report_id = $2, worker_id = $3, status = $4 where id = $1', [
      ...[theirs.id, hidden, someone, 'assigned'],
    ]);
    await step(theirs, 'finish-early', early, atCollege.headers);
    expect(await tasksOf(hidden)).toEqual([]);
  });

  test('two of them give one task each, and each withdraws its own', async () => {
    const { visit, caseRecord } = await visitOfCase();
    const second = await step(await make(visiting(visit.patient, { caseRecord })), 'assign', {
      worker: someone,
    });
    const one = await step(visit, 'finish-early', early);
    await step(second, 'finish-early', { ...early, result: 'unavailable' });
    await undo(visit, one.version);
    expect((await tasksOf(caseRecord)).map(({ caused_by, state }) => [caused_by, state]).sort()).toEqual(
      [
        [visit.id, 'withdrawn'],
        [second.id, 'open'],
      ].sort(),
    );
  });
});

describe('the attempts of a visit', () => {
  test('set its progress and the time of the next attempt, and the status follows', async () => {
    const visit = await assigned();
    const { attempts } = await note(visit, attempt({ note: 'The dog barked.' }), specialist.headers);
    expect(attempts).toMatchObject([{ time: '09:30', outcome: 'nobody', note: 'The dog barked.' }]);
    expect(attempts[0]!.by).toBe(`${specialist.init.user.firstName} ${specialist.init.user.lastName}`);
    expect(await get(visit)).toMatchObject({
      ...{ status: 'attempted', attemptCount: 1, attemptDays: 1, lastAttemptOn: ago(1) },
      ...{ lastOutcome: 'nobody', tryIn: 'evening' },
    });
    // A letter is recorded, but is not an attempt.
    await note(visit, attempt({ method: 'letter', outcome: 'sent' }));
    expect(await get(visit)).toMatchObject({ attemptCount: 1, attemptDays: 1 });
    // An undo takes it back to before it was assigned: the status follows.
    const out = await step(visit, 'set-out', { minutesOut: '60' });
    await note(visit, attempt({ day: ago(2), outcome: 'done', nextStep: null }));
    const { record } = await ok<{ record: FieldVisit }>('POST', `field-visits/${visit.id}/undo`, {
      version: out.version,
    });
    expect(record).toMatchObject({ status: 'attempted', attemptCount: 2, tryIn: null });
  });

  test('are added once each, and nobody changes one', async () => {
    const visit = await assigned();
    const entry = attempt();
    await note(visit, entry);
    expect((await note(visit, entry)).attempts).toHaveLength(1);
    const at = `field-visits/${visit.id}/attempts`;
    expect((await ask('POST', at, { ...entry, note: 'Other' })).statusCode).toBe(422);
    const whole: Scope = {
      kind: 'org',
      tenantId: demo.id,
      orgType: 'T',
      orgId: demo.id,
      accountId: epi.init.user.id,
      counties: [],
      hiddenFamilies: [],
      genderIdentityShown: false,
    };
    await database.withScope(whole, async (tx) => {
      const params = [demo.id, visit.id];
      const here = 'tenant_id = $1 and record_id = $2';
      expect(await tx.rows(`select from field_visit_attempt where ${here}`, params)).toHaveLength(1);
      expect(await tx.run(`update field_visit_attempt set outcome = 'done' where ${here}`, params)).toBe(0);
      expect(await tx.run(`delete from field_visit_attempt where ${here}`, params)).toBe(0);
    });
    expect(
      await sql(
        `select deed, record_kind from audit_event where action = 'field-visit/tried' and $1 = any (record_ids)`,
        [visit.id],
      ),
    ).toContainEqual({ deed: 'change', record_kind: 'field-visit' });
  });

  test('are refused if no one is to go, in the future, and with a letter if none may be left', async () => {
    const open = await made();
    const at = (one: { id: string }) => `field-visits/${one.id}/attempts`;
    expect(await refused(attempt(), at(open))).toEqual(['day nobody-goes']);
    const visit = await assigned({ noLetter: true });
    expect(await refused(attempt({ day: addDays(today, 1) }), at(visit))).toEqual(['day future']);
    expect(await refused(attempt({ left: 'sealed-letter' }), at(visit))).toEqual(['left no-letter']);
    expect(await refused(attempt({ method: 'phone', outcome: 'unsafe' }), at(visit))).toEqual([
      'outcome not-of-method',
    ]);
    await step(visit, 'cancel', { reason: 'Moved away.' });
    expect(await refused(attempt(), at(visit))).toEqual(['day nobody-goes']);
  });

  test('are read and added to by people with the permission, for visits that they see', async () => {
    const visit = await assigned();
    const at = `field-visits/${visit.id}/attempts`;
    const statuses = async (headers: Headers) => [
      (await ask('GET', at, undefined, headers)).statusCode,
      (await ask('POST', at, attempt(), headers)).statusCode,
    ];
    expect(await statuses(specialist.headers)).toEqual([200, 200]);
    expect(await statuses(clinician.headers)).toEqual([403, 403]);
    expect(await statuses(jurisdiction.headers)).toEqual([404, 403]);
    expect(await statuses(atCollege.headers)).toEqual([404, 404]);
    expect(await statuses(vendor.headers)).toEqual([404, 404]);
    expect(await statuses({})).toEqual([401, 401]);
  });
});

describe('[S1.1] the list shows the visits behind a number of analytics', () => {
  const [from, until] = [ago(300), ago(280)];
  const behind = (number: object) => ({
    filters: { show: ['all'] },
    behind: {
      dashboard: 'field-visits',
      dateRangeValue: { start: from, end: until },
      eventDate: 'planned',
      ...number,
    },
  });
  const found = async (number: object, headers?: Headers) => {
    const { rows } = await ok<{ rows: FieldVisit[] }>(
      'POST',
      'grid/field-visits/search',
      behind(number),
      headers,
    );
    return rows.map(({ id }) => id).sort();
  };

  test('of a measure, and of a mark of attempts, as far as the reader sees them', async () => {
    const own = await make(
      visiting((await madePatient({ organization_id: college })).id, { plannedFor: from }),
      atCollege.headers,
    );
    const other = await make(
      visiting((await madePatient()).id, { plannedFor: from, visitType: 'treatment' }),
    );
    await step(own, 'assign', { worker: someone });
    await ok(
      'POST',
      `field-visits/${own.id}/attempts`,
      attempt({ day: ago(2), time: '18:00', outcome: 'done', nextStep: null }),
    );
    const both = [own.id, other.id].sort();
    expect(await found({ measure: 'visits' })).toEqual(both);
    expect(await found({ measure: 'open' })).toEqual(both);
    expect(await found({ measure: 'unassigned' })).toEqual([other.id]);
    expect(await found({ series: 'taskCategory', key: 'treatment' })).toEqual([other.id]);
    // Attempts are counted on their own day.
    const lately = { dateRangeValue: { start: ago(2), end: ago(2) } };
    expect(await found({ series: 'method', key: 'visit', ...lately })).toContain(own.id);
    expect(await found({ measure: 'reachedShare', ...lately })).toContain(own.id);
    expect(await found({ measure: 'visits' }, atCollege.headers)).toEqual([own.id]);
    expect(await refused(behind({ measure: 'nonsense' }), 'grid/field-visits/search')).toEqual([
      'body.behind.measure unknown-filter',
    ]);
  });

  test('[P18] is not found by data about the person that only restricted reports contain', async () => {
    const told = { first_name: 'A', last_name: 'B', birth_date: '1990-05-06', sex_at_birth: 'M' };
    const { id } = await madePatient(
      {},
      { sex_at_birth: 'F', disease_families: ['hiv', 'chlamydia'], told_openly: JSON.stringify(told) },
    );
    const one = await make(visiting(id, { plannedFor: until }));
    const of = (key2: string) => found({ series: 'ageSex', key: '35-39', key2 });
    expect(await of('F')).not.toContain(one.id);
    expect((await of('M')).length + (await found({ series: 'ageSex', key: '30-34', key2: 'M' })).length).toBe(
      1,
    );
  });
});

describe('the list for offline use', () => {
  const list = async (headers: Headers = specialist.headers) => {
    const answer = await ok<{ visits: KeptVisit[]; more: boolean }>(
      'GET',
      'field-visits/kept',
      undefined,
      headers,
    );
    return { ...answer, ids: answer.visits.map(({ id }) => id) };
  };

  test('has one’s own visits that are due, with what is needed on the way and nothing else', async () => {
    const { id: patient } = await madePatient(
      {},
      { first_name: 'Ada', last_name: 'Okafor', street: '8 Oak Ave', city: 'Tampa', postal_code: '33602' },
    );
    const report = await madeCase(patient);
    const visit = await step(await make(visiting(patient, { caseRecord: report.id })), 'assign', {
      worker: someone,
    });
    await note(visit, attempt({ note: 'The dog barked.' }));
    const later = await assigned({ plannedFor: addDays(today, 1) });
    const over = await step(await assigned(), 'cancel', { reason: 'Moved away.' });
    const nobodys = await made();
    const { visits, ids } = await list();
    for (const { id } of [later, over, nobodys]) expect(ids).not.toContain(id);
    const kept = visits.find(({ id }) => id === visit.id)!;
    expect(kept).toMatchObject({
      ...{ name: 'Okafor, Ada', place: '8 Oak Ave, Tampa 33602', visitType: 'interview', version: 2 },
      attempts: [{ note: 'The dog barked.', outcome: 'nobody' }],
    });
    for (const told of ['condition', 'diseaseFamily', 'caseId', 'patient', 'caseRecord'])
      expect(kept).not.toHaveProperty(told);
    expect((await list(epi.headers)).ids).not.toContain(visit.id);
    const taken = await sql<{ record_kind: string; deed: string }>(
      `select record_kind, deed from audit_event
       where action = 'field-visit/taken-along' and record_ids && $1::uuid[] order by record_kind`,
      [[visit.id, patient]],
    );
    expect(taken).toEqual([
      { record_kind: 'field-visit', deed: 'export' },
      { record_kind: 'patient', deed: 'export' },
    ]);
  });

  test('is only for people who read and record visits, and has no other tenant’s', async () => {
    const status = async (headers: Headers) =>
      (await ask('GET', 'field-visits/kept', undefined, headers)).statusCode;
    expect(await status(clinician.headers)).toBe(403);
    expect(await status(jurisdiction.headers)).toBe(403);
    expect(await status({})).toBe(401);
    // People who act for another place have what that place sees.
    const visit = await assigned();
    expect((await list()).ids).toContain(visit.id);
    expect((await list(vendor.headers)).ids).not.toContain(visit.id);
    expect((await list(atCollege.headers)).ids).toEqual([]);
  });

  test('an attempt of it is added once, and refused by field if others have changed the visit', async () => {
    const visit = await assigned();
    const at = `field-visits/${visit.id}/attempts`;
    const entry = { ...attempt(), version: visit.version };
    await note(visit, entry, specialist.headers);
    expect((await note(visit, entry, specialist.headers)).attempts).toHaveLength(1);
    const colleague = epi.init.user.id;
    const reassigned = await step(visit, 'assign', { worker: colleague, plannedFor: ago(1) });
    // An acknowledged attempt stays, although the visit has changed since.
    expect((await note(visit, entry, specialist.headers)).attempts).toHaveLength(1);
    const second = { ...attempt({ outcome: 'done', nextStep: null }), version: visit.version };
    const refusal = await ask('POST', at, second, specialist.headers);
    expect(refusal.statusCode).toBe(409);
    const changed = refusal.json<{ faults: { path: string; code: string }[] }>().faults;
    expect(changed.map(({ path, code }) => `${path} ${code}`).sort()).toEqual([
      'plannedFor changed-since',
      'worker changed-since',
    ]);
    expect((await list()).ids).not.toContain(visit.id);
    // After seeing the change, the person can add the attempt.
    const { attempts } = await note(visit, { ...second, version: reassigned.version }, specialist.headers);
    expect(attempts).toHaveLength(2);
    const over = await step(visit, 'cancel', { reason: 'Moved away.' });
    const late = await ask('POST', at, { ...attempt(), version: reassigned.version }, specialist.headers);
    expect(late.json()).toMatchObject({ code: 'conflict', faults: expect.arrayContaining([]) });
    expect(await refused({ ...attempt(), version: over.version }, at)).toEqual(['day nobody-goes']);
  });

  test('has at most fifty, the longest due first', async () => {
    const first = await assigned({ plannedFor: ago(360) });
    for (let made = 0; made < mostKept; made += 1) await assigned();
    const { ids, more } = await list();
    expect([ids.length, ids[0], more]).toEqual([mostKept, first.id, true]);
  });
});
