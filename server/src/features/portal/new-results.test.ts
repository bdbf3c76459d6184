import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makePatient, makeResult } from '../../../test/factories.ts';
import type { Mailer, Message } from '../../platform/mail/mailer.ts';
import { newResultsWork, tellPatientWork } from './new-results.ts';

const { database, superuserUrl, app } = await testApp();
const { demo, patient: own } = await seedDemoTenants(database);
await makePatient(database, { tenant_id: demo.id, id: own.patientId });
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
const context = { log: app.log, attempt: 1, signal: new AbortController().signal };

/** Looks for news, and runs the jobs that wait; returns the messages. */
async function sent(): Promise<Message[]> {
  const messages: Message[] = [];
  const mailer: Mailer = {
    send: async (message) => void messages.push(message),
    state: () => ({
      ...{ by: 'outbox', sent: 0, failed: 0 },
      ...{ lastSentAt: null, lastFailedAt: null, lastFailure: null },
    }),
    close: () => {},
  };
  await newResultsWork({ database, sensitiveFamilies: ['sti'], now: () => new Date() }).run({}, context);
  const waiting = await sql<{ id: string; payload: object }>(
    `select p.id, p.payload from graphile_worker._private_jobs p
     join graphile_worker.jobs j on j.id = p.id where j.task_identifier = 'portal/tell-patient' order by p.id`,
  );
  await sql('delete from graphile_worker._private_jobs');
  const { run } = tellPatientWork({ database, mailer, publicUrl: 'https://caseway.example.org' });
  for (const { payload } of waiting) await run(payload, context);
  return messages;
}
const agrees = (given: boolean) =>
  sql(
    `insert into patient_consent (tenant_id, id, patient_id, kind, given, wording, language_code, account_id, by_patient)
     select $1, gen_random_uuid(), $2, 'email', $3, 'x', 'en', id, true from account where patient_id = $2`,
    [demo.id, own.patientId, given],
  );
const came = (row: object = {}) =>
  makeResult(database, {
    ...{ tenant_id: demo.id, patient_id: own.patientId },
    ...{ disease_family: 'sti', condition_code: 'syphilis', test_name: 'Treponema pallidum Ab' },
    ...row,
  });

beforeEach(async () => {
  await sql('delete from told_result');
  await sql('delete from held_result_rule');
  await sql('delete from patient_consent');
  await sql('delete from result');
  await sql('delete from graphile_worker._private_jobs');
  await sql(
    `update account set language_code = 'en', disabled_at = null, invited_at = null,
       created_at = now() - interval '1 day' where patient_id = $1`,
    [own.patientId],
  );
  await agrees(true);
});

describe('a patient is told of a new result', () => {
  test('[P16] once, by an email that does not say what is new', async () => {
    await came();
    const messages = await sent();
    expect(messages).toMatchObject([
      { to: own.email, language: 'en', subject: `Something new for you from ${demo.name}` },
    ]);
    expect(messages[0]!.text).toContain('\n\nhttps://caseway.example.org/patient/sign-in\n\n');
    expect(messages[0]!.text).not.toMatch(/result|test|syphilis|treponema|positive/i);
    expect(await sent()).toEqual([]);
  });

  test('with one email for several that came together, and another one for the next', async () => {
    await came();
    await came();
    expect(await sent()).toHaveLength(1);
    await came();
    expect(await sent()).toHaveLength(1);
  });

  test.each([
    ['es', 'Algo nuevo para usted de', 'https://caseway.example.org/es/patient/sign-in'],
    ['ht', 'Yon bagay tou nèf pou ou nan men', 'https://caseway.example.org/ht/patient/sign-in'],
  ])('in their language: %s', async (language, subject, address) => {
    await sql('update account set language_code = $2 where patient_id = $1', [own.patientId, language]);
    await came();
    const [message] = await sent();
    expect(message).toMatchObject({ language, subject: `${subject} ${demo.name}` });
    expect(message!.text).toContain(address);
  });

  test('that came to the record into which theirs was merged', async () => {
    const whole = await makePatient(database, { tenant_id: demo.id });
    await sql('update patient set merged_into = $2 where id = $1', [own.patientId, whole.id]);
    await came({ patient_id: whole.id });
    expect(await sent()).toHaveLength(1);
    await sql('update patient set merged_into = null where id = $1', [own.patientId]);
  });
});

describe('a guardian', () => {
  const born = new Date(Date.now() - 5 * 366 * 86_400_000).toISOString().slice(0, 10);
  const linked = async () => {
    const child = await makePatient(database, { tenant_id: demo.id, birth_date: born });
    await sql(
      `insert into guardian_link (tenant_id, id, child_id, guardian_id, relation, evidence, from_on, made_by)
       values ($1, gen_random_uuid(), $2, $3, 'parent', 'document', '2020-01-01', gen_random_uuid())`,
      [demo.id, child.id, own.patientId],
    );
    return child;
  };

  test('is told of what they may see of a child, and not of a sensitive family', async () => {
    const child = await linked();
    await came({ patient_id: child.id, disease_family: 'sti' });
    expect(await sent()).toEqual([]);
    await came({ patient_id: child.id, disease_family: 'lead', condition_code: null });
    const messages = await sent();
    expect(messages).toMatchObject([{ to: own.email }]);
    expect(messages[0]!.text).not.toMatch(/lead|child/i);
    expect(await sent()).toEqual([]);
  });

  test('is not told once their link has ended', async () => {
    const child = await linked();
    await sql('update guardian_link set ended_at = now() where child_id = $1', [child.id]);
    await came({ patient_id: child.id, disease_family: 'lead', condition_code: null });
    expect(await sent()).toEqual([]);
  });
});

describe('a patient is not told', () => {
  test('of results from before they were invited', async () => {
    await came({ created_at: new Date(Date.now() - 2 * 86_400_000) });
    expect(await sent()).toEqual([]);
  });

  test('of a result that is held back, until it is released', async () => {
    await sql(
      `insert into held_result_rule (tenant_id, disease_family, condition_code, result_category, held)
       values ($1, 'sti', 'syphilis', 'positive', true)`,
      [demo.id],
    );
    const { id } = await came({ result_category: 'positive' });
    expect(await sent()).toEqual([]);
    await sql('update result set released_at = now() where id = $1', [id]);
    expect(await sent()).toHaveLength(1);
  });

  test('without their consent, and not afterwards of what came before it', async () => {
    await agrees(false);
    await came();
    expect(await sent()).toEqual([]);
    await agrees(true);
    expect(await sent()).toEqual([]);
    await came();
    expect(await sent()).toHaveLength(1);
  });

  test('of what was withdrawn or replaced, or once their account has ended', async () => {
    await came({ status: 'withdrawn' });
    const { id } = await came();
    await came({ superseded_by: id });
    expect(await sent()).toHaveLength(1);
    await came();
    await sql('update account set disabled_at = now() where patient_id = $1', [own.patientId]);
    expect(await sent()).toEqual([]);
  });
});
