import { randomUUID } from 'node:crypto';
import { addDays, todayIn } from '@caseway/contract/date-range';
import { anyRecord } from '@caseway/contract/record';
import {
  isCancelledLate,
  minutesLasted,
  minutesWaited,
  type TelemedicineVisit,
  telemedicineRecord,
} from '@caseway/contract/telemedicine';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { blankOf } from '../../../test/blank.ts';
import { asSuperuser } from '../../../test/database.ts';
import { describeRecord } from '../../../test/describe-record.ts';
import { type At, makeCaseReport, makePersonAt } from '../../../test/factories.ts';
import { hiddenWithPerson } from '../../../test/hidden-person.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const { demo } = await seedDemoTenants(database);
const clinician = await signInAs(testing, 'clinician@demo.caseway.test');
const entry = await signInAs(testing, 'entry@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const lab = await signInAs(testing, 'lab@demo.caseway.test');
const jurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const prison = demo.organizations.find(({ name }) => name === 'Palmetto Correctional Services')!.id;

const { ask, ok, faults } = askingAs(testing, clinician);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
type Stored = { id: string; version: number; active: boolean } & Record<string, unknown>;

const madePatient = (place?: At) => makePersonAt(database, demo.id, place);

/** Today in the demo tenant. */
const today = todayIn(demo.timeZone);

const wished = (patient: string, more: object = {}) => ({
  ...blankOf(telemedicineRecord),
  patient,
  visitType: 'follow-up',
  taskCategory: 'telemedicine',
  ...more,
});
const make = (payload: object, headers?: Headers) =>
  ok<TelemedicineVisit>('POST', 'telemedicine', payload, headers);
const wish = async (more: object = {}) => make(wished((await madePatient()).id, more));
async function changedVisit(place: At = {}, headers?: Headers): Promise<Stored> {
  const { id } = await make(wished((await madePatient(place)).id), headers);
  return ok('PATCH', `telemedicine/${id}`, { version: 1, interpreter: 'yes' }, headers);
}
const { options } = await ok<{ options: { id: string; label: string }[] }>('GET', 'list/options/providers');
const { options: programs } = await ok<{ options: { id: string }[] }>('GET', 'list/options/programs');
const [ana, ben] = options.map(({ id }) => id) as [string, string];

const step = 5 * 60_000;
/** The next five-minute step of the clock that is at least a minute away. */
const nextStep = () => Math.ceil((Date.now() + 60_000) / step) * step;
const atOnce = () => new Date(nextStep()).toISOString();
const begun = nextStep();
/** This many minutes after the tests began, always the same instant. */
const soon = (minutes: number) => new Date(begun + minutes * 60_000).toISOString();
const doing = ({ id }: { id: string }, transition: string) => `telemedicine/${id}/transitions/${transition}`;
const deed = (one: TelemedicineVisit, { reason, ...fields }: Record<string, unknown> = {}) => ({
  version: one.version,
  fields,
  reason,
});
const does = (one: TelemedicineVisit, transition: string, fields: object = {}) =>
  ok<TelemedicineVisit>('POST', doing(one, transition), deed(one, fields as Record<string, unknown>));
const booked = async (startsAt: string, { provider = ana, minutes = 30 } = {}) =>
  does(await wish(), 'book', { provider, startsAt, minutes });
const refused = (one: TelemedicineVisit, transition: string, fields: object = {}) =>
  faults('POST', doing(one, transition), deed(one, fields as Record<string, unknown>));
const times = ({ id }: { id: string }) =>
  sql<{ step: number }>('select step from provider_time where visit_id = $1 order by step', [id]);

const atCollege = await actFor(testing, epi.tokens, `O:${college}`);
// The demo has nobody who books visits for an organization, and nobody from whom a family is hidden.
await sql(
  `insert into role_grant (tenant_id, role_id, obj, act, eft)
   select tenant_id, id, obj, 'telemedicine/write', 'allow' from role cross join unnest(array['O', 'T']) as obj
   where tenant_id = $1 and code = 'epidemiologist'`,
  [demo.id],
);
await sql('update policy_version set version = version + 1 where tenant_id = $1', [demo.id]);

describeRecord({
  record: anyRecord(telemedicineRecord),
  ask: (method, path, payload, headers) => ask(method, path, payload, headers),
  sql,
  others: { without: lab.headers, elsewhere: vendor.headers },
  fresh: async () => wished((await madePatient()).id),
  changed: async () => ({
    visitType: 'results',
    taskCategory: 'testing',
    program: programs[0]!.id,
    wantedBy: addDays(today, 3),
    language: 'es',
    interpreter: 'yes',
    note: 'In the afternoon.',
  }),
  deed: { transition: 'retract', reason: 'Another person.', state: 'entered-in-error' },
  rivals: ['note', ['One', 'Two', 'Three']],
  sight: {
    ...hiddenWithPerson({
      database,
      sql,
      ok,
      tenantId: demo.id,
      table: 'telemedicine_visit',
      blind: epi.headers,
      changed: () => changedVisit(),
    }),
    staysHidden: true,
    places: [
      {
        name: 'an organization',
        headers: atCollege.headers,
        own: () => changedVisit({ organization_id: college }, atCollege.headers),
        other: () => changedVisit({ organization_id: prison }),
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

describe('a visit', () => {
  test('goes from a wish to its end, with its waiting time and duration', async () => {
    const wanted = await wish({ wantedBy: addDays(today, 2) });
    expect(wanted).toMatchObject({ status: 'proposed', plannedOn: addDays(today, 2), overdue: 'no' });
    const waiting = await does(wanted, 'waitlist');
    const time = { provider: ana, startsAt: atOnce(), minutes: 30 };
    const made = await does(waiting, 'book', time);
    expect(made).toMatchObject({
      ...time,
      status: 'booked',
      plannedOn: todayIn('America/New_York', new Date(time.startsAt)),
    });
    expect(Date.parse(made.endsAt!) - Date.parse(made.startsAt!)).toBe(30 * 60_000);
    const arrived = await does(made, 'arrive', { consentVersion: '2026-01' });
    expect(arrived).toMatchObject({ status: 'arrived', consentVersion: '2026-01', waited: null });
    expect(arrived.consentAt).toBe(arrived.arrivedAt);
    const going = await does(arrived, 'admit');
    expect(going).toMatchObject({ status: 'in-progress', waited: 0 });
    const over = await does(going, 'finish', { connection: 'good' });
    expect(over).toMatchObject({ status: 'fulfilled', measured: 'by-hand', lasted: 0, active: false });
    expect(await refused(over, 'cancel', { cancelledBy: 'patient' })).toEqual(['status not-in-this-state']);
  });

  test('has the same values from the server and from the contract, computed from its times', async () => {
    const made = await booked(soon(600));
    await sql(
      `update telemedicine_visit set status = 'fulfilled', starts_at = '2026-03-10T14:00:00Z',
         arrived_at = '2026-03-10T14:03:20Z', joined_at = '2026-03-10T14:11:19Z', ended_at = '2026-03-10T14:40:00Z',
         cancelled_at = '2026-03-09T14:00:01Z'
       where id = $1`,
      [made.id],
    );
    const visit = await ok<TelemedicineVisit>('GET', `telemedicine/${made.id}`);
    // By hand: from 14:03:20 to 14:11:19 are 7 minutes and 59 seconds, from then to 14:40 28 minutes and 41 seconds.
    expect([visit.waited, visit.lasted, visit.cancelledLate]).toEqual([7, 28, 'yes']);
    expect([minutesWaited(visit), minutesLasted(visit), isCancelledLate(visit)]).toEqual([7, 28, true]);
  });

  test('is corrected afterwards, with a reason and in the order of its times', async () => {
    const going = await does(
      await does(await booked(atOnce(), { provider: ben }), 'arrive', { consentVersion: '2026-01' }),
      'admit',
    );
    const over = await does(going, 'finish', { connection: 'poor' });
    const { arrivedAt, joinedAt, endedAt, connection } = over;
    const held = { arrivedAt, joinedAt, endedAt, connection };
    const early = { ...held, joinedAt: '2026-01-01T00:00:00.000Z' };
    expect(await refused(over, 'correct', held)).toEqual(['reason reason-needed']);
    expect(await refused(over, 'correct', { ...early, reason: 'x' })).toEqual(['joinedAt before-arrived']);
    const fixed = { ...held, connection: 'phone-instead', reason: 'Went on by phone.' };
    expect(await does(over, 'correct', fixed)).toMatchObject({ connection: 'phone-instead' });
  });

  test('is missed only 15 minutes after its start, and by a person', async () => {
    const made = await booked(soon(90), { provider: ben, minutes: 5 });
    expect(await refused(made, 'miss')).toEqual(['startsAt too-early']);
    await sql(`update telemedicine_visit set starts_at = now() - interval '15 minutes' where id = $1`, [
      made.id,
    ]);
    const late = await ok<TelemedicineVisit>('GET', `telemedicine/${made.id}`);
    expect(late).toMatchObject({ status: 'booked', overdue: 'yes' });
    const gone = await does(late, 'miss');
    expect(gone).toMatchObject({ status: 'no-show', overdue: 'no' });
    expect(await times(gone)).toEqual([]);
  });

  test('[S5.1] is refused with each of its faults', async () => {
    const patient = await madePatient();
    const other = await makeCaseReport(database, {
      tenant_id: demo.id,
      patient_id: (await madePatient()).id,
      condition_code: 'measles',
      disease_family: 'measles',
    });
    const fault = (more: object) => faults('POST', 'telemedicine', wished(patient.id, more));
    expect(await fault({ caseRecord: other.id, language: 'xx' })).toEqual([
      'caseRecord other-person',
      'language unknown-choice',
    ]);
    expect(await fault({ caseRecord: randomUUID() })).toEqual(['caseRecord unknown-choice']);
    expect((await ask('POST', 'telemedicine', wished(randomUUID()))).statusCode).toBe(404);
    const made = await wish();
    expect(
      await refused(made, 'book', {
        provider: randomUUID(),
        startsAt: '2026-01-01T10:02:00.000Z',
        minutes: 7,
      }),
    ).toEqual(['startsAt not-five', 'startsAt past', 'minutes not-five', 'provider unknown-choice']);
  });

  test('of a case carries its family: people who may not see the family do not see the visit [P18]', async () => {
    const patient = await madePatient();
    const report = await makeCaseReport(database, {
      tenant_id: demo.id,
      patient_id: patient.id,
      condition_code: 'measles',
      disease_family: 'measles',
      county_fips: '13121',
    });
    const { id, caseId } = await make(wished(patient.id, { caseRecord: report.id }));
    expect(caseId).toBe(report.case_id);
    expect((await ask('GET', `telemedicine/${id}`, undefined, epi.headers)).statusCode).toBe(200);
    for (const table of ['telemedicine_visit', 'telemedicine_visit_history'])
      expect(await sql(`select disease_family from ${table} where case_report_id = $1`, [report.id])).toEqual(
        [{ disease_family: 'measles' }],
      );
  });

  test('is held only by people who hold visits; others book them', async () => {
    const made = await ok<TelemedicineVisit>(
      'POST',
      'telemedicine',
      wished((await madePatient()).id),
      entry.headers,
    );
    const time = { provider: ana, startsAt: soon(300), minutes: 10 };
    const done = (of: TelemedicineVisit, transition: string, fields: Record<string, unknown>, who: Headers) =>
      ask('POST', doing(of, transition), deed(of, fields), who);
    const bookedVisit = await done(made, 'book', time, entry.headers);
    expect(bookedVisit.statusCode).toBe(200);
    const arrived = await done(bookedVisit.json(), 'arrive', { consentVersion: '2026-01' }, entry.headers);
    expect((await done(arrived.json(), 'admit', {}, entry.headers)).statusCode).toBe(403);
    expect((await done(made, 'book', time, lab.headers)).statusCode).toBe(403);
  });
});

describe('a provider', () => {
  test('is not booked twice: not for the same time, nor for one that overlaps', async () => {
    const at = 24 * 60;
    const first = await booked(soon(at));
    const second = await wish();
    const other = (minutes: number, length = 30, provider = ana) => ({
      provider,
      startsAt: soon(at + minutes),
      minutes: length,
    });
    expect(await refused(second, 'book', other(0))).toEqual(['startsAt taken']);
    expect(await refused(second, 'book', other(25))).toEqual(['startsAt taken']);
    expect(await refused(second, 'book', other(-60, 65))).toEqual(['startsAt taken']);
    expect(await refused(second, 'book', other(-60, 240))).toEqual(['startsAt taken']);
    // Another provider has time, and so has this one right before and after.
    const beside = await does(second, 'book', other(0, 30, ben));
    const before = await does(beside, 'reschedule', other(-30));
    await does(before, 'reschedule', other(30));
    expect(await times(first)).toHaveLength(6);
  });

  test('has the time again once a visit is cancelled or moved, and not by an undo that comes too late', async () => {
    const at = 48 * 60;
    const first = await booked(soon(at));
    const cancelled = await does(first, 'cancel', { cancelledBy: 'patient', cancelledWhy: 'Is ill.' });
    expect(cancelled).toMatchObject({ status: 'cancelled', cancelledLate: 'no', cancelledWhy: 'Is ill.' });
    const second = await booked(soon(at));
    const undo = () => ask('POST', `telemedicine/${first.id}/undo`, { version: cancelled.version });
    expect((await undo()).json()).toMatchObject({ faults: [{ path: 'startsAt', code: 'taken' }] });
    await does(second, 'reschedule', { provider: ana, startsAt: soon(at + 60), minutes: 30 });
    expect((await undo()).statusCode).toBe(200);
    expect(await times(first)).toHaveLength(6);
    const again = await does(await ok<TelemedicineVisit>('GET', `telemedicine/${first.id}`), 'cancel', {
      cancelledBy: 'clinic',
    });
    const reopened = await does(again, 'reopen', { reason: 'Calls again.' });
    expect(reopened).toMatchObject({
      status: 'proposed',
      startsAt: null,
      cancelledBy: null,
      plannedOn: today,
    });
  });

  test('if 40 people book 8 times at once, 8 succeed, and the others get an error', async () => {
    const visits = await Promise.all(Array.from({ length: 40 }, () => wish()));
    const results = await Promise.all(
      visits.map((visit, place) =>
        ask(
          'POST',
          doing(visit, 'book'),
          // Five for each of eight times; the five overlap each other, and no others.
          deed(visit, {
            provider: ana,
            startsAt: soon(72 * 60 + (place % 8) * 60 + Math.floor(place / 8) * 5),
            minutes: 30,
          }),
        ),
      ),
    );
    const told = results.map((one) =>
      one.statusCode === 200
        ? 'booked'
        : one
            .json<{ faults: { path: string; code: string }[] }>()
            .faults.map(({ path, code }) => `${path} ${code}`)
            .join(),
    );
    expect(told.filter((one) => one === 'booked')).toHaveLength(8);
    expect(told.filter((one) => one === 'startsAt taken')).toHaveLength(32);
    const winners = visits.filter((_, place) => told[place] === 'booked').map(({ id }) => id);
    const rows = await sql<{ n: number }>(
      'select count(*)::int as n from provider_time where visit_id = any ($1)',
      [winners],
    );
    expect(rows).toEqual([{ n: 48 }]);
    expect(
      await sql(
        `select from telemedicine_visit a join telemedicine_visit b on b.tenant_id = a.tenant_id
           and b.provider_id = a.provider_id and b.id > a.id
           and tstzrange(a.starts_at, a.starts_at + a.minutes * interval '1 minute')
             && tstzrange(b.starts_at, b.starts_at + b.minutes * interval '1 minute')
         where a.id = any ($1) and b.id = any ($1)`,
        [winners],
      ),
    ).toEqual([]);
  });

  test('whose visits exchange their times does not deadlock', async () => {
    const at = 96 * 60;
    for (let round = 0; round < 4; round += 1) {
      const [one, two] = await Promise.all([
        booked(soon(at + round * 120)),
        booked(soon(at + round * 120 + 60), { provider: ben }),
      ]);
      const moved = await Promise.all([
        ask(
          'POST',
          doing(one, 'reschedule'),
          deed(one, { provider: ben, startsAt: two.startsAt, minutes: 30 }),
        ),
        ask(
          'POST',
          doing(two, 'reschedule'),
          deed(two, { provider: ana, startsAt: one.startsAt, minutes: 30 }),
        ),
      ]);
      // Each visit wants the other's time: neither gets it, and both get an error.
      expect(moved.map(({ statusCode }) => statusCode)).toEqual([422, 422]);
    }
  });
});

describe('the list', () => {
  const shown = async (show: string, among: readonly { id: string }[]) => {
    const { rows } = await ok<{ rows: TelemedicineVisit[] }>('POST', 'grid/telemedicine/search', {
      filters: { show: [show] },
      paginationModel: { page: 0, pageSize: 200 },
    });
    const asked = among.map(({ id }) => id);
    return rows.flatMap(({ id }) => (asked.includes(id) ? [id] : []));
  };

  test('has views of today, of people who wait, of people who have not come, and of visits without a time', async () => {
    const unbooked = await wish();
    const later = await booked(soon(7 * 24 * 60), { minutes: 5 });
    const late = await booked(soon(100), { minutes: 5, provider: ana });
    await sql(`update telemedicine_visit set starts_at = now() - interval '16 minutes' where id = $1`, [
      late.id,
    ]);
    const waiting = await does(await booked(soon(105), { minutes: 5, provider: ben }), 'arrive', {
      consentVersion: '2026-01',
    });
    // Just before midnight it would be tomorrow.
    await sql('update telemedicine_visit set planned_on = $2 where id = any ($1)', [
      [late.id, waiting.id],
      today,
    ]);
    const all = [unbooked, later, late, waiting];
    expect(await shown('unbooked', all)).toEqual([unbooked.id]);
    expect(await shown('waiting', all)).toEqual([waiting.id]);
    expect(await shown('overdue', all)).toEqual([late.id]);
    expect((await shown('today', all)).sort()).toEqual([late.id, waiting.id].sort());
    expect(await shown('all', all)).toHaveLength(4);
  });
});

describe('the room', () => {
  const roomOf = ({ id }: { id: string }, headers?: Headers) =>
    ask('GET', `telemedicine/${id}/room`, undefined, headers);

  test('has another name each time a visit is booked, which no answer reveals', async () => {
    const made = await booked(soon(120 * 60));
    const room = async () =>
      (await sql<{ room: string }>('select room from telemedicine_visit where id = $1', [made.id]))[0]!.room;
    const first = await room();
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.stringify(await ok('GET', `telemedicine/${made.id}/history`))).not.toContain(first);
    const moved = await does(made, 'reschedule', { provider: ana, startsAt: soon(121 * 60), minutes: 30 });
    expect(await room()).not.toBe(first);
    expect(JSON.stringify(moved)).not.toContain(await room());
  });

  test('is shown only to people who hold visits, and explains if there is none', async () => {
    const made = await booked(soon(130 * 60));
    expect((await roomOf(made)).json()).toEqual({ url: null, closed: 'no-server', opensAt: null });
    expect((await roomOf(made, entry.headers)).statusCode).toBe(403);
    expect((await roomOf(made, vendor.headers)).statusCode).toBe(404);
  });
});

test('[S1.1] the list shows the visits behind a number of analytics', async () => {
  const one = await wish({ language: 'es', wantedBy: addDays(today, 200) });
  const found = async (number: object) => {
    const dateRangeValue = { start: addDays(today, 200), end: addDays(today, 200) };
    const { rows } = await ok<{ rows: TelemedicineVisit[] }>('POST', 'grid/telemedicine/search', {
      filters: { show: ['all'] },
      behind: { dashboard: 'telemedicine', dateRangeValue, eventDate: 'planned', ...number },
    });
    return rows.map(({ id }) => id);
  };
  expect(await found({ measure: 'unbooked' })).toEqual([one.id]);
  expect(await found({ series: 'language', key: 'es' })).toEqual([one.id]);
  expect(await found({ measure: 'noShowShare' })).toEqual([]);
});
