import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makePatient } from '../../../test/factories.ts';
import { startJobs } from '../../platform/jobs/jobs.ts';
import { createLog } from '../../platform/log/log.ts';
import type { Mailer, Message } from '../../platform/mail/mailer.ts';
import { missingRemindersWork, reminderWork } from './reminders.ts';
import { inHours, visitsOfPatient } from './test-patient.ts';

const testing = await testApp();
const { database, superuserUrl, app } = testing;
const seeded = await seedDemoTenants(database);
const { demo, patient: own } = seeded;
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const { time, does, booked, agrees, speaks } = await visitsOfPatient(testing, seeded);

const minute = 60_000;
const hour = 60 * minute;

interface Waiting {
  runAt: Date;
  payload: { visitId: string; startsAt: string; reminder: string };
}
/** The waiting reminders, the first to be sent first. */
const waiting = () =>
  sql<Waiting>(
    `select p.run_at as "runAt", p.payload from graphile_worker._private_jobs p
     join graphile_worker.jobs j on j.id = p.id where j.task_identifier = 'telemedicine/remind' order by p.run_at`,
  );
/** A mailer that collects its messages. */
const mailerTo = (messages: Message[]): Mailer => ({
  send: async (message) => void messages.push(message),
  state: () => ({
    by: 'outbox',
    sent: 0,
    failed: 0,
    lastSentAt: null,
    lastFailedAt: null,
    lastFailure: null,
  }),
  close: () => {},
});
/** Runs the waiting jobs at the moment at which they are due; returns the messages. */
async function sent({
  late = 0,
  of,
  ...server
}: {
  late?: number;
  of?: Waiting[];
  videoUrl?: string | undefined;
} = {}): Promise<Message[]> {
  const messages: Message[] = [];
  const mailer = mailerTo(messages);
  for (const { runAt, payload } of of ?? (await waiting())) {
    const { run } = reminderWork({
      database,
      mailer,
      publicUrl: 'https://caseway.example.org',
      videoUrl: 'https://meet.example.test',
      ...server,
      now: () => runAt.getTime() + late,
    });
    await run(payload, { log: app.log, attempt: 1, signal: new AbortController().signal });
  }
  return messages;
}

beforeEach(async () => {
  for (const table of ['provider_time', 'telemedicine_visit_history', 'telemedicine_visit_transition'])
    await sql(`delete from ${table} where tenant_id = $1`, [demo.id]);
  await sql('delete from telemedicine_visit where tenant_id = $1', [demo.id]);
  await sql('delete from patient_consent where tenant_id = $1', [demo.id]);
  await sql('delete from graphile_worker._private_jobs');
  await speaks('en');
});

describe('a patient is reminded of a visit', () => {
  test('a day and an hour before, by an email that does not say what it is for', async () => {
    const visit = await booked(inHours(48));
    await agrees(true);
    const due = await waiting();
    expect(due.map(({ runAt }) => Date.parse(visit.startsAt!) - runAt.getTime())).toEqual([24 * hour, hour]);
    const messages = await sent();
    expect(messages).toHaveLength(2);
    const [first] = messages;
    expect(first).toMatchObject({ to: own.email, language: 'en', subject: `Your visit with ${demo.name}` });
    expect(first!.text).toContain(`You have a visit with ${demo.name}:\n\n`);
    expect(first!.text).toContain('Eastern Time (New York)');
    expect(first!.text).toContain('\n\nIt is by video. To go to the visit, sign in here.');
    expect(first!.text).toContain('\n\nhttps://caseway.example.org/patient/sign-in\n\n');
    expect(first!.text).not.toMatch(/syphilis|treatment|dose|Marisol/i);
    expect(messages[0]!.id).not.toBe(messages[1]!.id);
  });

  test.each([
    ['es', 'Su visita con', 'https://caseway.example.org/es/patient/sign-in'],
    ['ht', 'Vizit ou ak', 'https://caseway.example.org/ht/patient/sign-in'],
  ])('in their language: %s', async (language, subject, address) => {
    await booked(inHours(48));
    await agrees(true);
    await speaks(language);
    const [first] = await sent();
    expect(first).toMatchObject({ language, subject: `${subject} ${demo.name}` });
    expect(first!.text).toContain(address);
  });

  test.each([
    ['en', 'It is by phone: we call you when it is your turn'],
    ['es', 'Es por teléfono: le llamamos cuando sea su turno'],
    ['ht', 'Vizit la ap fèt nan telefòn: n ap rele ou lè se tou pa ou'],
  ])('by phone if there is no video server: %s', async (language, words) => {
    await booked(inHours(48));
    await agrees(true);
    await speaks(language);
    const [first] = await sent({ videoUrl: undefined });
    expect(first!.text).toContain(words);
    expect(first!.text).not.toMatch(/vid[eè]o/i);
  });

  test('also if the visit was booked before there were reminders, and each once', async () => {
    const visit = await booked(inHours(30));
    const far = await booked(inHours(60));
    await sql('delete from graphile_worker._private_jobs');
    const sweep = () =>
      missingRemindersWork(database).run(
        {},
        { log: app.log, attempt: 1, signal: new AbortController().signal },
      );
    await sweep();
    const left = await waiting();
    expect(left.map(({ payload: { visitId, reminder } }) => [visitId, reminder])).toEqual([
      [visit.id, 'day'],
      [visit.id, 'hour'],
    ]);
    await sweep();
    expect(await waiting()).toEqual(left);
    expect(left.map(({ payload }) => payload.visitId)).not.toContain(far.id);
  });

  test('only if their last answer agrees to emails', async () => {
    await booked(inHours(48));
    expect(await sent()).toEqual([]);
    await agrees(true);
    expect(await sent()).toHaveLength(2);
    await agrees(false);
    expect(await sent()).toEqual([]);
  });

  test('once: a retry has the same message id', async () => {
    await booked(inHours(48));
    await agrees(true);
    const [once, again] = [await sent(), await sent()];
    expect(again.map(({ id }) => id)).toEqual(once.map(({ id }) => id));
  });

  test('once, even if several processes run the jobs', async () => {
    await booked(inHours(48));
    await agrees(true);
    const [day] = await waiting();
    const messages: Message[] = [];
    const works = [
      reminderWork({
        database,
        mailer: mailerTo(messages),
        publicUrl: 'https://caseway.example.org',
        now: () => day!.runAt.getTime(),
      }),
    ];
    await sql(`update graphile_worker._private_jobs set run_at = now()`);
    const processes = await Promise.all(
      [1, 2].map(() => startJobs({ url: testing.appUrl, log: createLog('silent'), works })),
    );
    await expect.poll(async () => (await waiting()).length).toBe(0);
    await Promise.all(processes.map((one) => one.stop()));
    // The day and the hour before.
    expect(new Set(messages.map(({ id }) => id)).size).toBe(2);
    expect(messages).toHaveLength(2);
  });

  test('only at times in the future', async () => {
    await booked(inHours(5));
    expect((await waiting()).map(({ payload }) => payload.reminder)).toEqual(['hour']);
    await booked(inHours(0.5));
    expect(await waiting()).toHaveLength(1);
  });

  test('not of a visit that was cancelled, held or is in error', async () => {
    const visit = await booked(inHours(48));
    await agrees(true);
    const cancelled = await does(visit, 'cancel', { cancelledBy: 'patient' });
    expect(await sent()).toEqual([]);
    await does(cancelled, 'retract', {}, 'Another person.');
    expect(await sent()).toEqual([]);
    const other = await booked(inHours(50));
    await does(other, 'arrive', { consentVersion: 'paper-1' });
    expect(await sent()).toEqual([]);
  });

  test('only of the new time if the visit is moved, even after the old reminder has begun', async () => {
    const visit = await booked(inHours(48));
    await agrees(true);
    const before = await waiting();
    const moved = await does(visit, 'reschedule', time(inHours(72)));
    const due = await waiting();
    expect(due).toHaveLength(2);
    expect(due.map(({ payload }) => payload.startsAt)).toEqual([moved.startsAt, moved.startsAt]);
    expect(await sent({ of: before })).toEqual([]);
    expect(await sent()).toHaveLength(2);
  });

  test('not after the visit, nor twice in an hour, after a long outage', async () => {
    await booked(inHours(48));
    await agrees(true);
    // Each 23 hours late: the day-before reminder would come with the hour-before one, and this one after the visit.
    expect(await sent({ late: 23 * hour })).toEqual([]);
    expect(await sent({ late: 59 * minute })).toHaveLength(2);
  });

  test('whose record has become part of another', async () => {
    const whole = await makePatient(database, { tenant_id: demo.id, first_name: 'Marisol' });
    await agrees(true);
    await sql('update patient set merged_into = $2 where id = $1', [own.patientId, whole.id]);
    await booked(inHours(48), whole.id);
    const messages = await sent();
    await sql('update patient set merged_into = null where id = $1', [own.patientId]);
    expect(messages.map(({ to }) => to)).toEqual([own.email, own.email]);
  });

  test('not if their access has ended, or the tenant has no visits by video', async () => {
    await booked(inHours(48));
    await agrees(true);
    await sql('update account set disabled_at = now() where patient_id = $1', [own.patientId]);
    expect(await sent()).toEqual([]);
    await sql('update account set disabled_at = null where patient_id = $1', [own.patientId]);
    const features = (to: string) =>
      sql(`update tenant set tenant_features = ${to} where id = $1`, [demo.id]);
    await features(`array_remove(tenant_features, 'telemedicine')`);
    expect(await sent()).toEqual([]);
    await features(`tenant_features || '{telemedicine}'`);
    expect(await sent()).toHaveLength(2);
  });
});
