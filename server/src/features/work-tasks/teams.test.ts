import { randomUUID } from 'node:crypto';
import { addDays } from '@caseway/contract/date-range';
import type { Notification } from '@caseway/contract/inbox';
import type { RecordOf } from '@caseway/contract/record';
import type { HistoryEntry } from '@caseway/contract/record-history';
import type { Waits } from '@caseway/contract/waiting';
import type { OpenTask, workTaskRecord } from '@caseway/contract/work-tasks';
import { expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { signInAs } from '../../../test/sign-in.ts';

/* Tasks of teams: who sees them waiting, who takes them and gives them back, and who is told. */

const testing = await testApp({}, { background: true });
const { database } = testing;
const { demo } = await seedDemoTenants(database);
const [admin, ana, didier, erin] = (await Promise.all(
  ['admin', 'investigator', 'dis', 'epi'].map((name) => signInAs(testing, `${name}@demo.caseway.test`)),
)) as [Awaited<ReturnType<typeof signInAs>>, ...Awaited<ReturnType<typeof signInAs>>[]] & { length: 4 };
const idOf = ({ init }: NonNullable<typeof ana>) => init.user.id;
const { ask, ok } = askingAs(testing, erin!);
type Task = RecordOf<typeof workTaskRecord>;

async function newCase(family = 'chlamydia'): Promise<string> {
  const at = { tenant_id: demo.id, county_fips: '12057' };
  const { id: patient_id } = await makePatient(database, { ...at, disease_families: [family] });
  const known = { disease_family: family, condition_code: family };
  return (await makeCaseReport(database, { ...at, patient_id, ...known })).id;
}
const makeTeam = async (...members: string[]) => {
  const name = `Team ${randomUUID()}`;
  return (await ok<{ id: string }>('POST', 'teams', { name, members }, admin.headers)).id;
};
const give = async (recordId: string, more: object = {}) =>
  ok<Task>('POST', 'work-tasks', {
    ...{ recordId, patientId: null, work: 'call', state: 'open', title: null, account: null, team: null },
    ...{ queue: 'assignee', dueOn: null, priority: 'normal', note: null },
    ...{ repeatDays: null, repeatUntil: null, ...more },
  });
const set = (task: { id: string; version: number }, values: object, headers?: Headers) =>
  ask('PATCH', `work-tasks/${task.id}`, { version: task.version, ...values }, headers);
const changed = async (task: { id: string; version: number }, values: object, headers?: Headers) => {
  const answer = await set(task, values, headers);
  expect([answer.statusCode, answer.body]).toEqual([200, expect.anything()]);
  return answer.json<Task>();
};
/** The tasks of a view, of one case. */
const shown = async (whose: string, recordId: string, headers?: Headers) => {
  const { rows } = await ok<{ rows: Task[] }>(
    'POST',
    'grid/work-tasks/search',
    { filters: { whose: [whose] }, paginationModel: { page: 0, pageSize: 200 } },
    headers,
  );
  return rows.filter((row) => row.recordId === recordId).map(({ id }) => id);
};
const waiting = async (headers: Headers) => {
  const { waits } = await ok<{ waits: Waits[] }>('GET', 'waiting', undefined, headers);
  return waits.find(({ kind }) => kind === 'teamTasks');
};
/** The notifications of a person about some tasks, after all waiting jobs have run. */
async function told(headers: Headers, tasks: readonly string[]) {
  await expect
    .poll(() =>
      database.withScope({ kind: 'system' }, (tx) =>
        tx.rows(`select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
          where t.identifier in ('inbox/tell', 'records/bulk')`),
      ),
    )
    .toEqual([]);
  const { notifications } = await ok<{ notifications: Notification[] }>('GET', 'inbox', undefined, headers);
  return notifications.filter(({ recordId }) => tasks.includes(recordId)).map(({ kind }) => kind);
}

test('a task of a team waits for its members, and for nobody else', async () => {
  const about = await newCase();
  const team = await makeTeam(idOf(ana!), idOf(didier!));
  const before = (await waiting(ana!.headers))?.count ?? 0;
  const task = await give(about, { team });
  expect(task).toMatchObject({ team, account: null });
  expect(await shown('my-teams', about, ana!.headers)).toEqual([task.id]);
  expect(await shown('my-teams', about, didier!.headers)).toEqual([task.id]);
  expect(await shown('my-teams', about)).toEqual([]);
  expect(await shown('team', about)).toEqual([]);
  expect(await shown('mine', about, ana!.headers)).toEqual([]);
  expect(await waiting(ana!.headers)).toEqual({
    ...{ kind: 'teamTasks', count: before + 1, to: '/work-tasks?whose=my-teams' },
  });
  const { tasks } = await ok<{ tasks: OpenTask[] }>('GET', `case-reports/${about}/work`);
  expect(tasks).toMatchObject([{ team, teamName: expect.stringMatching(/^Team /), account: null }]);
});

test('a member takes it, and gives it back', async () => {
  const about = await newCase();
  const team = await makeTeam(idOf(ana!), idOf(didier!));
  const task = await give(about, { team });
  const taken = await changed(task, { account: idOf(ana!) }, ana!.headers);
  expect(taken).toMatchObject({ team, account: idOf(ana!) });
  expect(await shown('mine', about, ana!.headers)).toEqual([task.id]);
  expect(await shown('my-teams', about, didier!.headers)).toEqual([]);
  const back = await changed(taken, { account: null }, ana!.headers);
  expect(await shown('mine', about, ana!.headers)).toEqual([]);
  expect(await shown('my-teams', about, didier!.headers)).toEqual([task.id]);
  await ok('POST', `work-tasks/${task.id}/undo`, { version: back.version });
  expect(await shown('mine', about, ana!.headers)).toEqual([task.id]);
});

test('a team that was deactivated keeps its tasks, and gets no new ones', async () => {
  const about = await newCase();
  const team = await makeTeam(idOf(ana!));
  const task = await give(about, { team });
  await ok('PATCH', `teams/${team}`, { version: 1, active: false }, admin.headers);
  const other = await give(about);
  const refused = await set(other, { team });
  expect([refused.statusCode, refused.json().faults]).toMatchObject([
    422,
    [{ path: 'team', code: 'unknown-choice' }],
  ]);
  const taken = await changed(task, { account: idOf(ana!) }, ana!.headers);
  await changed(taken, { account: null }, ana!.headers);
  expect(await shown('my-teams', about, ana!.headers)).toEqual([task.id]);
});

test('of two who take it at once, one has it, and the other learns that it is gone', async () => {
  const task = await give(await newCase(), { team: await makeTeam(idOf(ana!), idOf(didier!)) });
  const answers = await Promise.all(
    [ana!, didier!].map((one) => set(task, { account: idOf(one) }, one.headers)),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  const refused = answers.find(({ statusCode }) => statusCode === 409)!;
  expect(refused.json()).toMatchObject({ code: 'conflict', faults: [{ path: 'account' }] });
  const winner = [ana!, didier!][answers.findIndex(({ statusCode }) => statusCode === 200)]!;
  expect(await ok<Task>('GET', `work-tasks/${task.id}`)).toMatchObject({ account: idOf(winner) });
});

test('a task that goes from a person to a team is free to take, and the history says both', async () => {
  const team = await makeTeam(idOf(didier!));
  const task = await give(await newCase(), { account: idOf(ana!) });
  const passed = await changed(task, { team });
  expect(passed).toMatchObject({ team, account: null });
  const { entries } = await ok<{ entries: HistoryEntry[] }>('GET', `work-tasks/${task.id}/history`);
  expect(entries[0]!.changes).toEqual({
    team: { from: null, to: team },
    account: { from: idOf(ana!), to: null },
  });
  await ok('POST', `work-tasks/${task.id}/undo`, { version: passed.version });
  expect(await ok<Task>('GET', `work-tasks/${task.id}`)).toMatchObject({ team: null, account: idOf(ana!) });
  // A person who is named together with the team has the task.
  const both = await changed({ ...task, version: passed.version + 1 }, { team, account: idOf(didier!) });
  expect(both).toMatchObject({ team, account: idOf(didier!) });
});

test('a repeating task waits for the team again, whoever did the last one', async () => {
  const about = await newCase();
  const team = await makeTeam(idOf(ana!));
  const dueOn = addDays(new Date().toISOString().slice(0, 10), 3);
  const task = await give(about, { team, dueOn, repeatDays: 7 });
  const taken = await changed(task, { account: idOf(ana!) }, ana!.headers);
  await changed(taken, { state: 'done' }, ana!.headers);
  const [next, ...more] = await shown('my-teams', about, ana!.headers);
  expect(more).toEqual([]);
  expect(await ok<Task>('GET', `work-tasks/${next}`)).toMatchObject({ team, account: null });
});

test('there is no such team elsewhere, and only administrators set teams up', async () => {
  const vendor = await signInAs(testing, 'admin@vendor.caseway.test');
  const theirs = await ok<{ id: string }>('POST', 'teams', { name: 'Theirs', members: [] }, vendor.headers);
  const task = await give(await newCase());
  const refused = await set(task, { team: theirs.id });
  expect([refused.statusCode, refused.json()]).toMatchObject([
    422,
    { faults: [{ path: 'team', code: 'unknown-choice' }] },
  ]);
  expect((await ask('POST', 'teams', { name: 'Mine', members: [] })).statusCode).toBe(403);
  // People who can read tasks learn the names of the teams.
  const { options } = await ok<{ options: { id: string }[] }>('GET', 'list/options/teams');
  expect(options.map(({ id }) => id)).not.toContain(theirs.id);
});

test('[P18] a member neither sees nor counts a task about a case that is hidden from them', async () => {
  const team = await makeTeam(idOf(erin!), idOf(admin));
  const about = await newCase('hiv');
  const before = (await waiting(erin!.headers))?.count ?? 0;
  const task = await ok<Task>(
    'POST',
    'work-tasks',
    {
      ...{
        recordId: about,
        patientId: null,
        work: 'call',
        state: 'open',
        title: null,
        account: null,
        team,
        queue: 'assignee',
      },
      ...{ dueOn: null, priority: 'normal', note: null, repeatDays: null, repeatUntil: null },
    },
    ana!.headers,
  );
  expect(await shown('my-teams', about, admin.headers)).toEqual([task.id]);
  expect(await shown('my-teams', about)).toEqual([]);
  expect((await waiting(erin!.headers))?.count ?? 0).toBe(before);
  expect(await told(erin!.headers, [task.id])).toEqual([]);
  expect(await told(admin.headers, [task.id])).toEqual(['team-task']);
});

test('its members are told, but not who gave it; of many at once they are told together', async () => {
  const team = await makeTeam(idOf(ana!), idOf(didier!), idOf(erin!));
  const task = await give(await newCase(), { team });
  for (const member of [ana!, didier!]) expect(await told(member.headers, [task.id])).toEqual(['team-task']);
  expect(await told(erin!.headers, [task.id])).toEqual([]);
  const taken = await changed(task, { account: idOf(ana!) }, ana!.headers);
  expect(await told(ana!.headers, [task.id])).toEqual(['team-task']);
  await changed(taken, { account: null }, ana!.headers);
  expect(await told(didier!.headers, [task.id])).toEqual(['team-task', 'team-task']);

  const many = await Promise.all([1, 2, 3].map(async () => (await give(await newCase())).id));
  const id = randomUUID();
  await ok('POST', 'work-tasks/bulk', {
    ...{ id, selection: { ids: many }, change: { team }, dryRun: false, expected: 3 },
  });
  await expect
    .poll(async () => (await ok<{ state: string }>('GET', `work-tasks/bulk/${id}`)).state)
    .toBe('done');
  expect(await told(didier!.headers, many)).toEqual(['team-task']);
  const { rows } = await ok<{ rows: Task[] }>(
    'POST',
    'grid/work-tasks/search',
    { filters: { whose: ['my-teams'], team: [team] }, paginationModel: { page: 0, pageSize: 50 } },
    didier!.headers,
  );
  expect(rows.map((row) => row.id).sort()).toEqual([task.id, ...many].sort());
});
