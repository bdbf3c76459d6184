import { type OwnWaiting, videoConsent } from '@caseway/contract/own-waiting';
import { type TelemedicineVisit, telemedicineRecord } from '@caseway/contract/telemedicine';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { blankOf } from '../../../test/blank.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makePersonAt } from '../../../test/factories.ts';
import { afterNextStep, visitsOfPatient } from './test-patient.ts';

const testing = await testApp({ VIDEO_URL: 'https://meet.example.test/' });
const { database, superuserUrl } = testing;
const seeded = await seedDemoTenants(database);
const { demo, patient: own } = seeded;
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const { patient, ofPatient, ok, ask, does, provider: ana } = await visitsOfPatient(testing, seeded);

const step = 5 * 60_000;
/** This many minutes after the next five-minute step, which is at most five minutes away. */
const inMinutes = (minutes: number) => afterNextStep(minutes * 60_000);
const booked = async (startsAt: string, minutes: number, patientId?: string) => {
  const wish = await ok<TelemedicineVisit>('POST', 'telemedicine', {
    ...blankOf(telemedicineRecord),
    patient: patientId ?? (await makePersonAt(database, demo.id)).id,
    visitType: 'treatment',
    taskCategory: 'telemedicine',
  });
  return does(wish, 'book', { provider: ana.id, startsAt, minutes });
};
const waiting = ({ id }: { id: string }) => ofPatient.ok<OwnWaiting>('GET', `visits/${id}/waiting`);
const consent = { consent: videoConsent };
const arrive = ({ id }: { id: string }) => ofPatient.ok('POST', `visits/${id}/arrive`, consent);
const read = ({ id }: { id: string }) => ok<TelemedicineVisit>('GET', `telemedicine/${id}`);

beforeEach(async () => {
  for (const table of ['provider_time', 'telemedicine_visit_history', 'telemedicine_visit_transition'])
    await sql(`delete from ${table} where tenant_id = $1`, [demo.id]);
  await sql('delete from telemedicine_visit where tenant_id = $1', [demo.id]);
});

describe('how a patient joins a visit', () => {
  test('leads through the waiting room to the address once they are let in', async () => {
    const visit = await booked(inMinutes(0), 20, own.patientId);
    expect(await waiting(visit)).toEqual({
      status: 'booked',
      startsAt: visit.startsAt,
      minutes: 20,
      provider: ana.label,
      arrivedAt: null,
      place: null,
      expectedMinutes: null,
      url: null,
      byVideo: true,
    });
    await arrive(visit);
    // Sent again because the answer was lost: nothing changes.
    await arrive(visit);
    const arrived = await read(visit);
    expect(arrived).toMatchObject({
      status: 'arrived',
      version: visit.version + 1,
      consentVersion: videoConsent,
    });
    expect(arrived.consentAt).toBe(arrived.arrivedAt);
    expect(await waiting(visit)).toMatchObject({
      status: 'arrived',
      arrivedAt: arrived.arrivedAt,
      place: 1,
      url: null,
    });
    const admitted = await does(arrived, 'admit');
    const [stored] = await sql<{ room: string }>('select room from telemedicine_visit where id = $1', [
      visit.id,
    ]);
    expect(await waiting(visit)).toMatchObject({
      status: 'in-progress',
      place: null,
      url: `https://meet.example.test/${stored!.room}`,
    });
    const back = await does(admitted, 'step-back');
    expect(await waiting(visit)).toMatchObject({ status: 'arrived', place: 1, url: null });
    await does(await does(back, 'admit'), 'finish', { connection: 'good' });
    expect(await waiting(visit)).toMatchObject({ status: 'fulfilled', url: null });
    const logged = await sql<{ deed: string; action: string; transition: string | null; person: boolean }>(
      `select distinct deed, action, detail ->> 'transition' as transition, $3 = any (record_ids) as person
       from audit_event where tenant_id = $1 and $2 = any (record_ids)
         and account_id in (select id from account where patient_id is not null) order by deed`,
      [demo.id, visit.id, own.patientId],
    );
    expect(logged).toEqual([
      { deed: 'change', action: 'change', transition: 'arrive', person: true },
      { deed: 'read', action: 'GET /api/patient/visits/:id/waiting', transition: null, person: false },
    ]);
    // The page's many requests must not hide what others have viewed.
    const { entries } = await ofPatient.ok<{ entries: { by: string; deed: string }[] }>('GET', 'access-log');
    expect(entries.filter(({ by, deed }) => by === 'you' && deed === 'change')).toHaveLength(1);
    expect(entries.filter(({ by, deed }) => by === 'you' && deed === 'read')).toEqual([]);
  });

  test('opens 15 minutes before the start, and closes with the end', async () => {
    const visit = await booked(inMinutes(60), 20, own.patientId);
    /** The start of the visit, in minutes from the last five-minute step. */
    const starts = (minutes: number) =>
      sql('update telemedicine_visit set starts_at = $2 where id = $1', [
        visit.id,
        new Date(Math.floor(Date.now() / step) * step + minutes * 60_000),
      ]);
    const refused = () => ofPatient.faults('POST', `visits/${visit.id}/arrive`, consent);
    expect(await refused()).toEqual(['status too-early']);
    await starts(25);
    expect(await refused()).toEqual(['status too-early']);
    await starts(-20);
    expect(await refused()).toEqual(['status not-open']);
    await starts(-10);
    await arrive(visit);
    expect((await read(visit)).status).toBe('arrived');
  });

  test('is closed for a visit that was cancelled', async () => {
    const visit = await booked(inMinutes(0), 20, own.patientId);
    await does(visit, 'cancel', { cancelledBy: 'clinic' });
    expect(await ofPatient.faults('POST', `visits/${visit.id}/arrive`, consent)).toEqual(['status not-open']);
    expect(await waiting(visit)).toMatchObject({ status: 'cancelled', url: null });
  });

  test('is only for the patient of the visit, and with their consent', async () => {
    const foreign = await booked(inMinutes(0), 20);
    const visit = await booked(inMinutes(20), 20, own.patientId);
    for (const [method, path, body] of [
      ['GET', `visits/${foreign.id}/waiting`, undefined],
      ['GET', `visits/${foreign.id}/queue`, undefined],
      ['POST', `visits/${foreign.id}/arrive`, consent],
    ] as const) {
      expect((await ofPatient.ask(method, path, body)).statusCode).toBe(404);
      expect((await ask(method, `../patient/${path}`, body)).statusCode).not.toBe(200);
    }
    expect((await read(foreign)).status).toBe('booked');
    expect(await ofPatient.faults('POST', `visits/${visit.id}/arrive`, { consent: 'another-1' })).toEqual([
      'consent invalid_value',
    ]);
  });

  test('is closed if the tenant has no visits by video', async () => {
    const visit = await booked(inMinutes(0), 20, own.patientId);
    await sql(
      `update tenant set tenant_features = array_remove(tenant_features, 'telemedicine') where id = $1`,
      [demo.id],
    );
    const answers = [
      await ofPatient.ask('GET', `visits/${visit.id}/waiting`),
      await ofPatient.ask('GET', `visits/${visit.id}/queue`),
      await ofPatient.ask('POST', `visits/${visit.id}/arrive`, consent),
    ];
    await sql(`update tenant set tenant_features = tenant_features || '{telemedicine}' where id = $1`, [
      demo.id,
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403]);
  });
});

test('a stay in the waiting room leaves one row in the log, however often the page asks', async () => {
  const visit = await booked(inMinutes(0), 20, own.patientId);
  await arrive(visit);
  const rows = () =>
    sql<{ action: string }>(
      `select action from audit_event where tenant_id = $1 and $2 = any (record_ids) and deed = 'read'`,
      [demo.id, visit.id],
    );
  await waiting(visit);
  for (let times = 0; times < 3; times++)
    expect(await ofPatient.ok('GET', `visits/${visit.id}/queue`)).toEqual({
      status: 'arrived',
      place: 1,
      expectedMinutes: expect.any(Number),
    });
  expect(await rows()).toEqual([{ action: 'GET /api/patient/visits/:id/waiting' }]);
  // Staff poll only the version, which shows when there is something to read.
  const before = await ok<{ version: number }>('GET', `telemedicine/${visit.id}/version`);
  expect(before).toEqual({ version: visit.version + 1 });
  expect(await rows()).toHaveLength(1);
  await does(await read(visit), 'admit');
  expect(await ok('GET', `telemedicine/${visit.id}/version`)).toEqual({ version: visit.version + 2 });
  expect(await ofPatient.ok('GET', `visits/${visit.id}/queue`)).toEqual({
    status: 'in-progress',
    place: null,
    expectedMinutes: null,
  });
});

test('the place in the queue and the wait come from the visits of the same provider', async () => {
  // Five minutes later it is at most ten minutes away, so the waiting room is open.
  const before = await booked(inMinutes(0), 5);
  const visit = await booked(new Date(Date.parse(before.startsAt!) + step).toISOString(), 20, own.patientId);
  await does(before, 'arrive', { consentVersion: 'paper-1' });
  await arrive(visit);
  // Both wait: the first takes five minutes from its start, so the own visit begins when it is booked for, or later.
  const second = await waiting(visit);
  expect(second).toMatchObject({ place: 2 });
  const ahead = Date.parse(visit.startsAt!) - Date.now();
  expect(second.expectedMinutes).toBeGreaterThan(0);
  expect(second.expectedMinutes).toBeGreaterThanOrEqual(Math.ceil(ahead / 60_000));
  await does(await read(before), 'admit');
  expect(await waiting(visit)).toMatchObject({ place: 1 });
  // The previous visit takes longer than booked: nobody knows how long.
  await sql(`update telemedicine_visit set joined_at = now() - interval '11 minutes' where id = $1`, [
    before.id,
  ]);
  expect(await waiting(visit)).toMatchObject({ place: 1, expectedMinutes: null });
});

test('without a video server, the page says that the clinic phones', async () => {
  const withoutServer = await testApp({}, { on: testing });
  const visit = await booked(inMinutes(0), 20, own.patientId);
  await arrive(visit);
  await does(await read(visit), 'admit');
  const answer = await withoutServer.app.fastify.inject({
    url: `/api/patient/visits/${visit.id}/waiting`,
    headers: patient.headers,
  });
  expect(answer.json()).toMatchObject({ status: 'in-progress', url: null, byVideo: false });
});
