import { randomUUID } from 'node:crypto';
import { type CaseFollowUp, caseFollowUpRecord } from '@caseway/contract/case-follow-ups';
import { type Contact, contactRecord } from '@caseway/contract/contacts';
import { addDays, todayIn } from '@caseway/contract/date-range';
import type { FollowUpEntry } from '@caseway/contract/follow-up';
import type { Notification } from '@caseway/contract/inbox';
import type { OwnFollowUp } from '@caseway/contract/own-follow-up';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { blankOf } from '../../../test/blank.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { signInAs, signInAsPatient } from '../../../test/sign-in.ts';
import type { Scope } from '../../platform/scope.ts';
import { tellWork } from '../inbox/tell-work.ts';

const testing = await testApp();
const { database, superuserUrl } = testing;
const seeded = await seedDemoTenants(database);
const { demo, patient: own } = seeded;
await makePatient(database, {
  tenant_id: demo.id,
  id: own.patientId,
  birth_date: own.birthDate,
  emails: [own.email],
});
const investigator = await signInAs(testing, 'investigator@demo.caseway.test');
const patient = await signInAsPatient(testing, { email: own.email }, own.birthDate);
const { ask, ok } = askingAs(testing, investigator);
const ofPatient = askingAs(testing, patient, '/api/patient/');
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const today = todayIn(demo.timeZone);
const ago = (days: number) => addDays(today, -days);

/** A contact of a case of measles who was exposed four days ago, under follow-up since yesterday. */
async function followed(person: string = own.patientId, more: object = {}): Promise<Contact> {
  const report = await makeCaseReport(database, {
    tenant_id: demo.id,
    patient_id: (await makePatient(database, { tenant_id: demo.id })).id,
    condition_code: 'measles',
    disease_family: 'measles',
  });
  const made = await ok<Contact>('POST', 'contacts', {
    ...blankOf(contactRecord),
    caseRecord: report.id,
    patient: person,
    description: null,
    exposure: 'same-room',
    lastExposedOn: ago(4),
    ...more,
  });
  await ok('POST', `contacts/${made.id}/transitions/start`, {
    version: 1,
    fields: { investigator: investigator.init.user.id },
  });
  await sql('update contact set started_on = $2 where id = $1', [made.id, ago(1)]);
  return made;
}
const end = async ({ id }: Contact) => {
  const { version } = await ok<Contact>('GET', `contacts/${id}`);
  await ok('POST', `contacts/${id}/transitions/lose`, { version, fields: {}, reason: 'Moved away.' });
};
const answer = (more: object = {}) => ({
  id: randomUUID(),
  symptoms: [],
  temperature: null,
  temperatureUnit: null,
  note: null,
  ...more,
});
const gives = (given: object) => ofPatient.ok<OwnFollowUp>('POST', 'follow-up', given);
const reads = () => ofPatient.ok<OwnFollowUp>('GET', 'follow-up');
const isShown = async () => (await ofPatient.ok<{ followUp: boolean }>('GET', 'me')).followUp;
const entriesOf = async ({ id }: Contact) =>
  (await ok<{ entries: FollowUpEntry[] }>('GET', `contacts/${id}/follow-up`)).entries;
const isDue = async ({ id }: Contact) => {
  const { rows } = await ok<{ rows: Contact[] }>('POST', 'grid/contacts/search', {
    filters: { show: ['due'] },
    paginationModel: { page: 0, pageSize: 100 },
  });
  return rows.some((row) => row.id === id);
};
/** Sends the queued notifications about a contact. */
async function tellOf(contact: Contact): Promise<void> {
  const left = await sql<{ payload: object }>(
    `select p.payload from graphile_worker._private_jobs p join graphile_worker.jobs j on j.id = p.id
     where j.task_identifier = 'inbox/tell' and p.payload::text like '%symptoms-noted%' || $1 || '%' order by p.id`,
    [contact.id],
  );
  const { run } = tellWork(database);
  for (const { payload } of left)
    await run(payload, { log: testing.app.log, attempt: 1, signal: new AbortController().signal });
}

// Each test begins without anyone under follow-up.
beforeEach(() => sql(`update contact set status = 'lost' where status = 'under-follow-up'`));

describe('the daily question in the portal', () => {
  test('is asked of a contact under follow-up, and of no one before and after that', async () => {
    expect(await isShown()).toBe(false);
    expect(await reads()).toEqual({ from: null, until: null, today, due: false, answers: [] });
    expect((await ofPatient.ask('POST', 'follow-up', answer())).statusCode).toBe(409);
    const contact = await followed();
    expect(await isShown()).toBe(true);
    // 21 days after the last exposure, which was four days ago.
    expect(await reads()).toEqual({ from: ago(1), until: addDays(today, 17), today, due: true, answers: [] });
    await end(contact);
    expect(await isShown()).toBe(false);
    expect(await reads()).toEqual({ from: null, until: null, today, due: false, answers: [] });
  });

  test('is not asked before the first day, nor after the last day', async () => {
    const fresh = await followed(own.patientId, { lastExposedOn: today });
    await sql('update contact set started_on = $2 where id = $1', [fresh.id, today]);
    expect(await reads()).toMatchObject({ from: addDays(today, 1), until: addDays(today, 21) });
    expect((await ofPatient.ask('POST', 'follow-up', answer())).statusCode).toBe(409);
    await end(fresh);
    const over = await followed(own.patientId, { lastExposedOn: ago(9), otherUntil: ago(1) });
    await sql('update contact set started_on = $2 where id = $1', [over.id, ago(5)]);
    expect(await reads()).toMatchObject({ from: null, until: null });
    expect((await ofPatient.ask('POST', 'follow-up', answer())).statusCode).toBe(409);
  });

  test('takes the day off the due list, and staff see who answered, and when', async () => {
    const contact = await followed();
    expect(await isDue(contact)).toBe(true);
    const given = answer({ temperature: 98.6, temperatureUnit: '[degF]', note: 'Slept well.' });
    const { answers } = await gives(given);
    expect(answers).toEqual([{ ...given, day: today, addedAt: expect.any(String) }]);
    expect(await isDue(contact)).toBe(false);
    expect(await ok('GET', `contacts/${contact.id}`)).toMatchObject({ today: 'answered', lastSeenOn: today });
    expect(await entriesOf(contact)).toEqual([
      { ...given, day: today, outcome: 'answered', by: null, former: false, addedAt: answers[0]!.addedAt },
    ]);
    expect(
      await sql(
        `select account_id as who, deed, record_kind as kind, record_ids @> $2 as names from audit_event
         where action = 'follow-up/answered' and $1 = any (record_ids)`,
        [contact.id, [own.patientId]],
      ),
    ).toEqual([{ who: expect.any(String), deed: 'change', kind: 'contact', names: true }]);
  });

  test('is stored only with its row in the audit log [P15]', async () => {
    const contact = await followed();
    await sql('alter table audit_event rename to audit_event_gone');
    const { statusCode } = await ofPatient.ask('POST', 'follow-up', answer());
    await sql('alter table audit_event_gone rename to audit_event');
    expect(statusCode).toBe(500);
    expect(await entriesOf(contact)).toEqual([]);
    expect(await isDue(contact)).toBe(true);
  });

  test('can be added to, and earlier answers stay', async () => {
    await followed();
    const first = answer({ symptoms: ['fever'] });
    await gives(first);
    // The response was lost, so the answer is sent again.
    expect((await gives(first)).answers).toHaveLength(1);
    expect((await ofPatient.ask('POST', 'follow-up', { ...first, symptoms: [] })).statusCode).toBe(422);
    const { answers } = await gives(answer({ symptoms: ['rash'] }));
    expect(answers.map(({ symptoms }) => symptoms)).toEqual([['rash'], ['fever']]);
  });

  test('notifies the investigator of symptoms, like an entry of staff', async () => {
    const contact = await followed();
    await gives(answer());
    await gives(answer({ symptoms: ['fever'] }));
    const epi = await signInAs(testing, 'epi@demo.caseway.test');
    await ok(
      'POST',
      `contacts/${contact.id}/follow-up`,
      { ...answer({ symptoms: ['rash'] }), day: today, outcome: 'seen' },
      epi.headers,
    );
    // Investigators are not notified of their own entries.
    await ok('POST', `contacts/${contact.id}/follow-up`, {
      ...answer({ symptoms: ['cough'] }),
      day: today,
      outcome: 'seen',
    });
    await tellOf(contact);
    const { notifications } = await ok<{ notifications: Notification[] }>('GET', 'inbox');
    expect(notifications.filter(({ kind }) => kind === 'symptoms-noted')).toMatchObject([
      { recordKind: 'contact', recordId: contact.id, name: contact.number, actor: 'Erin Castellanos' },
      { recordKind: 'contact', recordId: contact.id, name: contact.number, actor: null },
    ]);
  });

  test('notifies of a fever by the thermometer, and once a day of the same symptoms', async () => {
    const contact = await followed();
    const staff = () => ok<Contact>('GET', `contacts/${contact.id}`);
    const told = async () => {
      await tellOf(contact);
      const { notifications } = await ok<{ notifications: Notification[] }>('GET', 'inbox');
      return notifications.filter((one) => one.kind === 'symptoms-noted' && one.recordId === contact.id)
        .length;
    };
    // 38 °C is a fever; 100.3 °F is not.
    await gives(answer({ temperature: 100.3, temperatureUnit: '[degF]' }));
    expect([await told(), (await staff()).today]).toEqual([0, 'answered']);
    await gives(answer({ temperature: 38, temperatureUnit: 'Cel' }));
    expect([await told(), (await staff()).today]).toEqual([1, 'answered']);
    for (const symptoms of [
      ['fever', 'rash'],
      ['rash', 'fever', 'rash'],
      ['rash', 'fever'],
    ])
      await gives(answer({ symptoms }));
    expect(await told()).toBe(2);
  });

  test('stays answered if staff do not reach the person afterwards', async () => {
    const contact = await followed();
    await gives(answer({ symptoms: ['fever'] }));
    await ok('POST', `contacts/${contact.id}/follow-up`, { ...answer(), day: today, outcome: 'not-seen' });
    expect(await ok('GET', `contacts/${contact.id}`)).toMatchObject({ today: 'answered', lastSeenOn: today });
  });

  test('[S5.1] refuses an answer with the id of a staff entry', async () => {
    const contact = await followed();
    const noted = answer({ note: 'Opened the door a gap.' });
    await ok('POST', `contacts/${contact.id}/follow-up`, { ...noted, day: today, outcome: 'seen' });
    expect(await ofPatient.faults('POST', 'follow-up', { ...answer(), id: noted.id })).toEqual([
      'id key-used',
    ]);
    expect((await reads()).answers).toEqual([]);
  });

  test('stores no symptom twice, and no unit without a temperature', async () => {
    await followed();
    const given = answer({ symptoms: ['rash', 'rash'], temperatureUnit: 'Cel' });
    expect((await gives(given)).answers).toMatchObject([{ symptoms: ['rash'], temperatureUnit: null }]);
    expect((await gives(given)).answers).toHaveLength(1);
  });

  test('is one question for all cases that a person is a contact of', async () => {
    const both = [await followed(), await followed(own.patientId, { otherUntil: addDays(today, 30) })];
    expect((await reads()).until).toBe(addDays(today, 30));
    const { answers } = await gives(answer({ symptoms: ['cough'] }));
    expect(answers).toHaveLength(1);
    for (const one of both) {
      expect((await entriesOf(one)).map(({ symptoms }) => symptoms)).toEqual([['cough']]);
      expect(await isDue(one)).toBe(false);
    }
  });

  test('is the same question for a case of their own, and one answer for both', async () => {
    const contact = await followed();
    const report = await makeCaseReport(database, {
      ...{ tenant_id: demo.id, patient_id: own.patientId },
      ...{ condition_code: 'mumps', disease_family: 'mumps' },
      investigator_id: investigator.init.user.id,
    });
    const isolated = await ok<CaseFollowUp>('POST', 'case-follow-ups', {
      ...{ ...blankOf(caseFollowUpRecord), caseRecord: report.id, purpose: 'isolation' },
      ...{ firstOn: today, lastOn: addDays(today, 40) },
    });
    expect(await reads()).toMatchObject({ from: ago(1), until: addDays(today, 40), due: true });
    expect(await gives(answer({ symptoms: ['fever'] }))).toMatchObject({ due: false, answers: [{}] });
    expect((await entriesOf(contact)).map(({ symptoms }) => symptoms)).toEqual([['fever']]);
    const { entries } = await ok<{ entries: FollowUpEntry[] }>(
      'GET',
      `case-follow-ups/${isolated.id}/follow-up`,
    );
    expect(entries.map(({ outcome, symptoms }) => [outcome, symptoms])).toEqual([['answered', ['fever']]]);
    expect(await ok('GET', `case-follow-ups/${isolated.id}`)).toMatchObject({
      ...{ today: 'answered', lastSeenOn: today, unseenDays: 0 },
    });
    await end(contact);
    expect(await reads()).toMatchObject({ from: today, until: addDays(today, 40) });
    await ok('POST', `case-follow-ups/${isolated.id}/transitions/stop`, {
      ...{ version: 1, fields: {}, reason: 'The test was negative.' },
    });
    expect(await reads()).toEqual({ from: null, until: null, today, due: false, answers: [] });
  });

  test('is asked again if another follow-up begins after the day’s answer', async () => {
    const first = await followed();
    expect((await gives(answer())).due).toBe(false);
    const second = await followed();
    expect(await isDue(second)).toBe(true);
    expect(await reads()).toMatchObject({ due: true, answers: [{ day: today }] });
    expect((await gives(answer({ symptoms: ['cough'] }))).due).toBe(false);
    expect(await isDue(second)).toBe(false);
    expect((await entriesOf(first)).map(({ symptoms }) => symptoms)).toEqual([['cough'], []]);
  });

  test('does not count for another person who is entered into the record afterwards', async () => {
    const contact = await followed();
    await gives(answer({ symptoms: ['rash'] }));
    expect(await isDue(contact)).toBe(false);
    const { version } = await ok<Contact>('GET', `contacts/${contact.id}`);
    const other = (await makePatient(database, { tenant_id: demo.id })).id;
    await ok('PATCH', `contacts/${contact.id}`, { version, patient: other });
    expect(await isDue(contact)).toBe(true);
    expect(await ok('GET', `contacts/${contact.id}`)).toMatchObject({ today: 'due', lastSeenOn: null });
    expect((await entriesOf(contact)).map(({ former }) => former)).toEqual([true]);
    // A later staff entry does not bring it back.
    const noted = { ...answer(), day: ago(1), outcome: 'not-seen' };
    await ok('POST', `contacts/${contact.id}/follow-up`, noted);
    expect(await isDue(contact)).toBe(true);
    await ok('POST', `contacts/${contact.id}/undo`, { version: version + 1 });
    expect(await isDue(contact)).toBe(false);
    expect((await entriesOf(contact)).map(({ former }) => former)).toEqual([false, false]);
  });

  test('[S5.1] refuses an impossible temperature, and too many answers', async () => {
    await followed();
    expect(
      await ofPatient.faults('POST', 'follow-up', {
        ...answer({ temperature: 38.5, temperatureUnit: '[degF]', symptoms: ['hunger'] }),
      }),
    ).toEqual(['symptoms.0 invalid_value', 'temperature temperature-range']);
    for (let number = 0; number < 20; number++) await gives(answer());
    expect(await ofPatient.faults('POST', 'follow-up', answer())).toEqual(['id too-many']);
  });

  test('is not asked if a tenant has no contacts', async () => {
    await followed();
    await sql(`update tenant set tenant_features = array_remove(tenant_features, 'contacts') where id = $1`, [
      demo.id,
    ]);
    expect(await reads()).toMatchObject({ from: null, until: null, answers: [] });
    expect(await isShown()).toBe(false);
    await sql(`update tenant set tenant_features = tenant_features || '{contacts}' where id = $1`, [demo.id]);
  });
});

describe('another person’s follow-up [P1]', () => {
  test('cannot be seen, answered or written, whatever a statement asks for', async () => {
    const other = (await makePatient(database, { tenant_id: demo.id })).id;
    const theirs = await followed(other);
    const mine = await followed();
    await ok('POST', `contacts/${mine.id}/follow-up`, {
      ...answer({ note: 'Opened the door a gap.' }),
      day: today,
      outcome: 'seen',
    });
    expect((await gives(answer())).answers).toHaveLength(1);
    expect(await entriesOf(theirs)).toEqual([]);
    const [account] = await sql<{ id: string }>('select id from account where patient_id = $1', [
      own.patientId,
    ]);
    const scope: Scope = {
      kind: 'patient',
      tenantId: demo.id,
      patientId: own.patientId,
      accountId: account!.id,
    };
    await database.withScope(scope, async (tx) => {
      expect(await tx.rows('select id from contact')).toEqual([{ id: mine.id }]);
      // Nor staff entries.
      expect(await tx.rows('select distinct outcome, patient_id as person from follow_up_entry')).toEqual([
        { outcome: 'answered', person: own.patientId },
      ]);
      expect(await tx.run(`update contact set last_outcome = 'seen'`)).toBe(0);
      expect(await tx.run(`update follow_up_entry set note = 'x'`)).toBe(0);
      expect(await tx.run('delete from follow_up_entry')).toBe(0);
      expect(await tx.run('delete from contact')).toBe(0);
      expect(await tx.rows('select from contact_history')).toEqual([]);
    });
    /** An entry as a faulty statement would add it. */
    const adds = (more: object) =>
      database.withScope(scope, (tx) => {
        const row = {
          tenant_id: demo.id,
          record_kind: 'contact',
          record_id: mine.id,
          id: randomUUID(),
          day: today,
          outcome: 'answered',
          account_id: account!.id,
          case_report_id: mine.caseRecord,
          patient_id: own.patientId,
          disease_family: 'measles',
          ...more,
        };
        const names = Object.keys(row);
        return tx.run(
          `insert into follow_up_entry (${names.join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
          Object.values(row),
        );
      });
    const denied = { code: '42501' };
    await expect(adds({})).rejects.toMatchObject(denied);
    await expect(adds({ record_id: theirs.id })).rejects.toMatchObject(denied);
    await expect(adds({ patient_id: other, record_id: theirs.id })).rejects.toMatchObject(denied);
    await expect(adds({ outcome: 'seen' })).rejects.toMatchObject(denied);
    await expect(adds({ account_id: investigator.init.user.id })).rejects.toMatchObject(denied);
  });

  test('is only for patients, and staff do not answer for them', async () => {
    const contact = await followed();
    for (const headers of [investigator.headers, {}])
      expect((await ofPatient.ask('GET', 'follow-up', undefined, headers)).statusCode).toBe(
        'authorization' in headers ? 403 : 401,
      );
    expect(
      (
        await ask('POST', `contacts/${contact.id}/follow-up`, {
          ...answer(),
          day: today,
          outcome: 'answered',
        })
      ).statusCode,
    ).toBe(422);
  });
});
