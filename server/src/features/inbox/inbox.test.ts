import { randomUUID } from 'node:crypto';
import { addDays, todayIn } from '@caseway/contract/date-range';
import type { Notification } from '@caseway/contract/inbox';
import { instantsAt } from '@caseway/contract/zoned-time';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { messageTo } from '../../../test/outbox.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { createLog } from '../../platform/log/log.ts';
import { dailyWork } from './daily.ts';

/* Notifications: their causes, who may see them, undo, notifications from the product, and mail. */

const testing = await testApp({}, { background: true });
const { database } = testing;
const { demo } = await seedDemoTenants(database);
const service = <Row extends object>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId: demo.id }, (tx) => tx.rows<Row>(text, params));
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const ana = await signInAs(testing, 'investigator@demo.caseway.test');
const ofJurisdiction = await signInAs(testing, 'jurisdiction@demo.caseway.test');
const { ask, ok } = askingAs(testing, epi);
const anaId = ana.init.user.id;

async function newCase(more: object = {}): Promise<string> {
  const { id: patient_id } = await makePatient(database, { tenant_id: demo.id, county_fips: '12057' });
  const row = { tenant_id: demo.id, patient_id, disease_family: 'chlamydia', condition_code: 'chlamydia' };
  return (
    await makeCaseReport(database, { ...row, county_fips: '12057', classification: 'probable', ...more })
  ).id;
}
const move = async (id: string, transition: string, more: object = {}, headers?: Headers) => {
  const { version } = await ok<{ version: number }>('GET', `case-reports/${id}`, undefined, headers);
  return ok<{ version: number }>(
    'POST',
    `case-reports/${id}/transitions/${transition}`,
    { version, ...more },
    headers,
  );
};
const toAna = { fields: { investigator: anaId } };
const inbox = async (headers: Headers, only?: 'unread') =>
  (
    await ok<{ notifications: Notification[] }>(
      'GET',
      `inbox${only ? `?only=${only}` : ''}`,
      undefined,
      headers,
    )
  ).notifications;
/** The notifications about a record, after all waiting jobs have run. */
async function toldOf(headers: Headers, recordId: string): Promise<Notification[]> {
  await atRest();
  return (await inbox(headers)).filter((one) => one.recordId === recordId || one.about === recordId);
}
const kinds = async (headers: Headers, recordId: string) =>
  (await toldOf(headers, recordId)).map(({ kind }) => kind);
const atRest = () =>
  expect
    .poll(async () => {
      const rows = await database.withScope({ kind: 'system' }, (tx) =>
        tx.rows(`select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
          where t.identifier = 'inbox/tell'`),
      );
      return rows.length;
    })
    .toBe(0);
const mark = async (body: object, headers: Headers = ana.headers) =>
  expect((await ask('POST', 'inbox/read', body, headers)).statusCode).toBe(204);
const unread = async (headers: Headers) =>
  (await ok<{ unread: number }>('GET', 'inbox/unread', undefined, headers)).unread;

describe('a case', () => {
  test('notifies its new assignee, and is named only to people who see it', async () => {
    const id = await newCase();
    await move(id, 'assign', toAna);
    const [told, ...more] = await toldOf(ana.headers, id);
    // But not of the task that comes with it.
    expect(more).toEqual([]);
    const { caseId } = await ok<{ caseId: string }>('GET', `case-reports/${id}`);
    expect(told).toMatchObject({ kind: 'assigned', recordKind: 'case', name: caseId, readAt: null });
    expect(told!.actor).toContain(epi.init.user.lastName);
    expect(await kinds(epi.headers, id)).toEqual([]);
  });

  test('that has become hidden is neither shown nor counted', async () => {
    const id = await newCase();
    await move(id, 'assign', toAna);
    await move(id, 'giveBack', { reason: 'on leave' }, ana.headers);
    expect(await kinds(epi.headers, id)).toEqual(['given-back']);
    const before = await unread(epi.headers);
    // The epidemiologist may not see HIV.
    await service(`update case_report set disease_family = 'hiv', condition_code = 'hiv' where id = $1`, [
      id,
    ]);
    expect(await kinds(epi.headers, id)).toEqual([]);
    expect(await unread(epi.headers)).toBe(before - 1);
  });

  test('notifies no one of their own actions', async () => {
    const id = await newCase();
    await move(id, 'take', {}, ana.headers);
    expect(await kinds(ana.headers, id)).toEqual([]);
  });

  test('that is given back notifies the person who assigned it, and a reopened one its assignee', async () => {
    const id = await newCase();
    await move(id, 'assign', toAna);
    await move(id, 'giveBack', { reason: 'on leave' }, ana.headers);
    expect(await kinds(epi.headers, id)).toEqual(['given-back']);
    await move(id, 'assign', toAna);
    await move(id, 'start', {}, ana.headers);
    await move(id, 'complete', {}, ana.headers);
    await move(id, 'reopen', { reason: 'a new result' });
    expect(await kinds(ana.headers, id)).toEqual(['reopened', 'assigned', 'assigned']);
  });

  test('that a jurisdiction rejects notifies its sender', async () => {
    const id = await newCase();
    await move(id, 'route', { fields: { jurisdiction: ofJurisdiction.init.selectedOrg!.id } });
    await move(id, 'reject', { reason: 'lives elsewhere' }, ofJurisdiction.headers);
    expect(await kinds(epi.headers, id)).toEqual(['rejected']);
  });

  test('that is undone withdraws unread notifications, and sends them again if the undo is undone', async () => {
    const id = await newCase();
    const { version } = await move(id, 'assign', toAna);
    expect(await kinds(ana.headers, id)).toEqual(['assigned']);
    await ok('POST', `case-reports/${id}/undo`, { version });
    expect(await kinds(ana.headers, id)).toEqual([]);
    await ok('POST', `case-reports/${id}/undo`, { version: version + 1 });
    expect(await kinds(ana.headers, id)).toEqual(['assigned']);
    // A notification that was read stays.
    const [{ id: read }] = (await toldOf(ana.headers, id)) as [Notification];
    await mark({ ids: [read], read: true });
    await ok('POST', `case-reports/${id}/undo`, { version: version + 2 });
    expect(await kinds(ana.headers, id)).toEqual(['assigned']);
  });
});

describe('a follow-up task', () => {
  const give = (recordId: string, account: string | null, more: object = {}) =>
    ok<{ id: string; version: number }>('POST', 'work-tasks', {
      id: randomUUID(),
      recordId,
      patientId: null,
      work: 'call',
      state: 'open',
      title: null,
      account,
      team: null,
      queue: 'assignee',
      dueOn: null,
      priority: 'normal',
      note: null,
      repeatDays: null,
      repeatUntil: null,
      ...more,
    });

  test('notifies its assignee, and the person it is passed to', async () => {
    const about = await newCase();
    const { id } = await give(about, anaId);
    expect(await toldOf(ana.headers, id)).toMatchObject([{ kind: 'task-given', work: 'call', about }]);
    const other = await give(about, null);
    const { version } = await ok<{ version: number }>('GET', `work-tasks/${other.id}`);
    const passed = await ok<{ version: number }>('PATCH', `work-tasks/${other.id}`, {
      version,
      account: anaId,
    });
    expect(await kinds(ana.headers, other.id)).toEqual(['task-given']);
    await ok('POST', `work-tasks/${other.id}/undo`, { version: passed.version });
    expect(await kinds(ana.headers, other.id)).toEqual([]);
  });

  const today = todayIn('America/New_York');
  /** The job of this hour of a day, from today. */
  const at = (hour: number, days = 0) =>
    dailyWork(
      database,
      () => new Date(instantsAt('America/New_York', addDays(today, days), `0${hour}:02`)[0]!),
    ).run({}, { log: createLog('silent'), attempt: 1, signal: new AbortController().signal });

  test('that is due reminds once, in the daily message, which names no one', async () => {
    const about = await newCase();
    const { id } = await give(about, anaId);
    // It was postponed, and nobody has done it.
    await service('update work_task set due_on = $2 where id = $1', [id, addDays(today, -3)]);
    await at(6);
    expect(await kinds(ana.headers, id)).toEqual(['task-given']);
    await at(7);
    await at(7);
    await at(7, 1);
    expect((await kinds(ana.headers, id)).sort()).toEqual(['task-due', 'task-given']);
    const mail = await messageTo(
      testing,
      'investigator@demo.caseway.test',
      '1 of your follow-up tasks is due',
    );
    expect(mail).toContain('/inbox');
    // Neither the person it is about nor its assignee.
    const [{ caseId, patientId }] = (await service<{ caseId: string; patientId: string }>(
      'select case_id as "caseId", patient_id as "patientId" from case_report where id = $1',
      [about],
    )) as [{ caseId: string; patientId: string }];
    for (const named of [caseId, patientId, about, id]) expect(mail).not.toContain(named);
  });

  test('of a team that is due reminds its members, and only the one who has taken it', async () => {
    const { headers } = await signInAs(testing, 'admin@demo.caseway.test');
    const members = [anaId, epi.init.user.id];
    const { id: team } = await ok<{ id: string }>('POST', 'teams', { name: 'Phone', members }, headers);
    const waiting = await give(await newCase(), null, { team, dueOn: today });
    const taken = await give(await newCase(), anaId, { team, dueOn: today });
    await at(7);
    expect((await kinds(ana.headers, waiting.id)).sort()).toEqual(['task-due', 'team-task']);
    expect(await kinds(epi.headers, waiting.id)).toEqual(['task-due']);
    expect((await kinds(ana.headers, taken.id)).sort()).toEqual(['task-due', 'task-given']);
    expect(await kinds(epi.headers, taken.id)).toEqual([]);
    await at(7);
    expect(await kinds(epi.headers, waiting.id)).toEqual(['task-due']);
  });
});

describe('reading', () => {
  test('marks as read and unread, all at once as well, and is counted the same on every screen', async () => {
    const ids = [await newCase(), await newCase()];
    for (const id of ids) await move(id, 'assign', toAna);
    await atRest();
    const before = await unread(ana.headers);
    const told = (await inbox(ana.headers)).slice(0, 2);
    await mark({ ids: [told[0]!.id], read: true });
    expect(await unread(ana.headers)).toBe(before - 1);
    expect((await inbox(ana.headers, 'unread')).map(({ id }) => id)).not.toContain(told[0]!.id);
    const { ids: marked } = await ok<{ ids: string[] }>('POST', 'inbox/read-all', {}, ana.headers);
    expect(marked).toHaveLength(before - 1);
    expect(await unread(ana.headers)).toBe(0);
    await mark({ ids: marked, read: false });
    expect(await unread(ana.headers)).toBe(before - 1);
    // Nobody can mark another person's notifications.
    await mark({ ids: marked, read: true }, epi.headers);
    expect(await unread(ana.headers)).toBe(before - 1);
  });

  test('can be switched off for each kind', async () => {
    const { ways } = await ok<{ ways: Record<string, string> }>('GET', 'inbox/ways', undefined, ana.headers);
    expect(ways).toMatchObject({ assigned: 'product', 'task-due': 'digest' });
    await ok('PUT', 'inbox/ways', { kind: 'assigned', way: 'off' }, ana.headers);
    const id = await newCase();
    await move(id, 'assign', toAna);
    expect(await kinds(ana.headers, id)).toEqual([]);
    expect((await ask('PUT', 'inbox/ways', { kind: 'glass-opened', way: 'off' })).statusCode).toBe(422);
    await ok('PUT', 'inbox/ways', { kind: 'assigned', way: 'product' }, ana.headers);
  });
});
