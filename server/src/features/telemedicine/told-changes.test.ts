import type { TelemedicineVisit } from '@caseway/contract/telemedicine';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import type { Message } from '../../platform/mail/mailer.ts';
import { inHours, visitsOfPatient } from './test-patient.ts';
import { toldChangesWork } from './told-changes.ts';
import { visitTimeIn } from './visit-time-words.ts';

const testing = await testApp();
const { database, superuserUrl, app } = testing;
const seeded = await seedDemoTenants(database);
const { demo, patient: own } = seeded;
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const { ofPatient, ok, time, does, booked, agrees, speaks } = await visitsOfPatient(testing, seeded);
const cancel = (visit: TelemedicineVisit) => does(visit, 'cancel', { cancelledBy: 'clinic' });
const undo = (visit: TelemedicineVisit) =>
  ok<{ record: TelemedicineVisit }>('POST', `telemedicine/${visit.id}/undo`, { version: visit.version });

/** Runs the waiting jobs; returns the messages. */
async function sent(videoUrl?: string): Promise<Message[]> {
  const messages: Message[] = [];
  const { run } = toldChangesWork({
    database,
    mailer: {
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
    },
    publicUrl: 'https://caseway.example.org',
    videoUrl,
  });
  const waiting = await sql<{ payload: unknown }>(
    `select p.payload from graphile_worker._private_jobs p
     join graphile_worker.jobs j on j.id = p.id where j.task_identifier = 'telemedicine/tell-change'`,
  );
  for (const { payload } of waiting)
    await run(payload, { log: app.log, attempt: 1, signal: new AbortController().signal });
  return messages;
}

beforeEach(async () => {
  for (const table of ['provider_time', 'telemedicine_visit_history', 'telemedicine_visit_transition'])
    await sql(`delete from ${table} where tenant_id = $1`, [demo.id]);
  await sql('delete from telemedicine_visit where tenant_id = $1', [demo.id]);
  await sql('delete from patient_consent where tenant_id = $1', [demo.id]);
  await sql('delete from graphile_worker._private_jobs');
  await speaks('en');
  await agrees(true);
});

describe('a patient gets mail at once', () => {
  test.each([
    ['en', 'New time of your visit with', 'is now at this time:', ''],
    ['es', 'Nueva hora de su visita con', 'es ahora a esta hora:', '/es'],
    ['ht', 'Nouvo lè vizit ou ak', 'Kounye a, men lè vizit ou ak', '/ht'],
  ])('about the new time of a visit that staff have moved: %s', async (language, subject, words, path) => {
    await speaks(language);
    const visit = await booked(inHours(3));
    const { startsAt } = await does(visit, 'reschedule', time(inHours(2)));
    const messages = await sent('https://meet.example.test');
    expect(messages).toMatchObject([{ to: own.email, language, subject: `${subject} ${demo.name}` }]);
    const { text } = messages[0]!;
    expect(text).toContain(words);
    expect(text).toContain(visitTimeIn(language, 'America/New_York', startsAt!));
    expect(text).toContain(`\n\nhttps://caseway.example.org${path}/patient/sign-in\n\n`);
    expect(text).not.toMatch(/syphilis|treatment|dose|Marisol/i);
  });

  test.each([
    ['en', `Your visit with ${demo.name} is canceled`, 'at this time will not take place:'],
    ['es', `Su visita con ${demo.name} se canceló`, 'a esta hora no se realizará:'],
    ['ht', `Vizit ou ak ${demo.name} anile`, 'nan lè sa a p ap fèt:'],
  ])('when staff have cancelled it, or it was an error: %s', async (language, subject, words) => {
    await speaks(language);
    const visit = await booked(inHours(3));
    const cancelled = await cancel(visit);
    const messages = await sent();
    expect(messages).toMatchObject([{ to: own.email, language, subject }]);
    expect(messages[0]!.text).toContain(words);
    expect(messages[0]!.text).toContain(visitTimeIn(language, 'America/New_York', visit.startsAt!));
    // The patient already knows.
    await does(cancelled, 'retract', {}, 'Another person.');
    expect((await sent()).map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
    await does(await booked(inHours(5)), 'retract', {}, 'Another person.');
    expect(await sent()).toHaveLength(2);
  });

  test('of several waiting changes, about the last; also if it is undone', async () => {
    const visit = await booked(inHours(3));
    const moved = await does(visit, 'reschedule', time(inHours(2)));
    const cancelled = await cancel(moved);
    expect((await sent()).map(({ subject }) => subject)).toEqual([
      `Your visit with ${demo.name} is canceled`,
    ]);
    await undo(cancelled);
    const messages = await sent();
    expect(messages.map(({ subject }) => subject)).toEqual([`New time of your visit with ${demo.name}`]);
    expect(messages[0]!.text).toContain(visitTimeIn('en', 'America/New_York', moved.startsAt!));
  });

  test('if the old or the new time is within 48 hours', async () => {
    const far = await booked(inHours(72));
    await does(far, 'reschedule', time(inHours(96)));
    expect(await sent()).toEqual([]);
    const nearer = await booked(inHours(80));
    await does(nearer, 'reschedule', time(inHours(30)));
    expect(await sent()).toHaveLength(1);
    const later = await booked(inHours(40));
    await does(later, 'reschedule', time(inHours(100)));
    expect(await sent()).toHaveLength(2);
    await cancel(await booked(inHours(60)));
    expect(await sent()).toHaveLength(2);
  });

  test('only if they agree to emails, and about nothing else that staff do', async () => {
    const visit = await booked(inHours(3));
    const changed = await ok<TelemedicineVisit>('PATCH', `telemedicine/${visit.id}`, {
      version: visit.version,
      note: 'Syphilis, third dose.',
    });
    await does(changed, 'arrive', { consentVersion: 'paper-1' });
    expect(await sent()).toEqual([]);
    await agrees(false);
    await cancel(await booked(inHours(5)));
    expect(await sent()).toEqual([]);
  });

  test('not about what they have done in the portal themselves', async () => {
    const { id, version } = await booked(inHours(3));
    await ofPatient.ok('POST', `visits/${id}/cancel`, { version, why: '' });
    expect((await ok<TelemedicineVisit>('GET', `telemedicine/${id}`)).status).toBe('cancelled');
    expect(await sent()).toEqual([]);
  });
});
