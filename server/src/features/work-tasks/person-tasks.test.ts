import type { CaseReport } from '@caseway/contract/case-reports';
import type { Notification } from '@caseway/contract/inbox';
import type { RecordOf } from '@caseway/contract/record';
import type { TimelineEntry } from '@caseway/contract/timeline';
import type { OpenTask, workTaskRecord } from '@caseway/contract/work-tasks';
import { expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { signInAs } from '../../../test/sign-in.ts';

/* Tasks about a person without a case, and tasks on the timelines of their person and their case. */

const testing = await testApp({}, { background: true });
const { database } = testing;
const { demo } = await seedDemoTenants(database);
const [ana, erin] = [
  await signInAs(testing, 'investigator@demo.caseway.test'),
  await signInAs(testing, 'epi@demo.caseway.test'),
];
const anaId = ana.init.user.id;
const { ask, ok } = askingAs(testing, erin);
type Task = RecordOf<typeof workTaskRecord>;

const newPerson = async (families: string[] = []) =>
  (await makePatient(database, { tenant_id: demo.id, county_fips: '12057', disease_families: families })).id;
const newCase = async (patient_id: string, family = 'chlamydia') => {
  const known = { disease_family: family, condition_code: family };
  return (await makeCaseReport(database, { tenant_id: demo.id, patient_id, county_fips: '12057', ...known }))
    .id;
};
const given = (about: object, more: object = {}) => ({
  ...{ recordId: null, patientId: null, work: 'call', title: null, note: null, state: 'open', account: null },
  ...{ team: null, queue: 'assignee', dueOn: null, priority: 'normal', repeatDays: null, repeatUntil: null },
  ...about,
  ...more,
});
const give = (about: object, more: object = {}, headers?: Headers) =>
  ok<Task>('POST', 'work-tasks', given(about, more), headers);
const change = async ({ id, version }: Task, values: object, headers?: Headers) =>
  (await ask('PATCH', `work-tasks/${id}`, { version, ...values }, headers)).json<Task>();
const listed = async (headers?: Headers) => {
  const { rows } = await ok<{ rows: Task[] }>(
    'POST',
    'grid/work-tasks/search',
    { filters: { whose: ['all'] }, paginationModel: { page: 0, pageSize: 200 } },
    headers,
  );
  return rows;
};
const openOf = async (path: string, headers?: Headers) =>
  (await ok<{ tasks: OpenTask[] }>('GET', `${path}/work`, undefined, headers)).tasks;
const timelineOf = async (patientId: string, headers?: Headers) =>
  (
    await ok<{ entries: TimelineEntry[] }>('GET', `patients/${patientId}/timeline`, undefined, headers)
  ).entries.filter(({ record }) => record === 'work-tasks');

test('a task about a person is on their record and in the list, and tells who gets it', async () => {
  const person = await newPerson();
  const task = await give({ patientId: person }, { account: anaId, title: 'Ask for the new address' });
  expect(task).toMatchObject({ recordId: null, patientId: person, record: null, condition: null });
  expect(await openOf(`patients/${person}`, ana.headers)).toMatchObject([
    { id: task.id, recordId: null, record: null, title: 'Ask for the new address', account: anaId },
  ]);
  expect((await listed(ana.headers)).find(({ id }) => id === task.id)).toMatchObject({
    patientId: person,
    recordId: null,
    patient: task.patient,
  });
  await expect
    .poll(async () => {
      const inbox = await ok<{ notifications: Notification[] }>('GET', 'inbox', undefined, ana.headers);
      return inbox.notifications.filter(({ recordId }) => recordId === task.id);
    })
    .toMatchObject([{ kind: 'task-given', work: 'call', about: null, name: null }]);
});

test('the record of a person also has the open tasks of their cases, with the case of each', async () => {
  const person = await newPerson(['chlamydia']);
  const about = await newCase(person);
  const ofCase = await give({ recordId: about }, { dueOn: '2099-01-02' });
  const alone = await give({ patientId: person }, { dueOn: '2099-01-03' });
  expect(ofCase).toMatchObject({ recordId: about, patientId: person });
  expect(await openOf(`patients/${person}`)).toMatchObject([
    { id: ofCase.id, recordId: about, record: ofCase.record },
    { id: alone.id, recordId: null, record: null },
  ]);
  expect((await openOf(`case-reports/${about}`)).map(({ id }) => id)).toEqual([ofCase.id]);
  expect((await timelineOf(person)).map(({ id }) => id).sort()).toEqual([ofCase.id, alone.id].sort());
});

test('a task needs a case or a person, and the case of that person', async () => {
  const [person, other] = [await newPerson(['chlamydia']), await newPerson()];
  const about = await newCase(person);
  const faults = async (of: object) => {
    const answer = await ask('POST', 'work-tasks', given(of));
    return [
      answer.statusCode,
      ...(answer.json<{ faults?: { path: string; code: string }[] }>().faults ?? []).map(
        ({ path, code }) => `${path} ${code}`,
      ),
    ];
  };
  expect(await faults({})).toEqual([422, 'recordId required']);
  expect(await faults({ recordId: about, patientId: other })).toEqual([422, 'patientId other-person']);
  expect(await faults({ recordId: about, patientId: person })).toEqual([200]);
});

test('[P18] a task about a person who is hidden is neither seen, nor told of, nor made', async () => {
  const person = await newPerson(['hiv']);
  const admin = await signInAs(testing, 'admin@demo.caseway.test');
  const { id } = await give({ patientId: person }, { account: erin.init.user.id }, admin.headers);
  expect((await ask('POST', 'work-tasks', given({ patientId: person }))).statusCode).toBe(404);
  expect((await listed(admin.headers)).some((row) => row.id === id)).toBe(true);
  expect((await listed()).some((row) => row.id === id)).toBe(false);
  for (const path of [`patients/${person}/work`, `work-tasks/${id}`, `work-tasks/${id}/history`])
    expect([path, (await ask('GET', path)).statusCode]).toEqual([path, 404]);
  const inbox = await ok<{ notifications: Notification[] }>('GET', 'inbox');
  expect(inbox.notifications.filter(({ recordId }) => recordId === id)).toEqual([]);
});

test('a repeating task about a person gives the next one about the same person', async () => {
  const person = await newPerson();
  const task = await give({ patientId: person }, { dueOn: '2099-01-02', repeatDays: 7 });
  await change(task, { state: 'done' });
  expect(await openOf(`patients/${person}`)).toMatchObject([{ dueOn: '2099-01-09', recordId: null }]);
});

test('the timeline of a case says what happened to its tasks, and by whom', async () => {
  const about = await newCase(await newPerson(['chlamydia']));
  let task = await give({ recordId: about });
  task = await change(task, { account: anaId }, ana.headers);
  task = await change(task, { account: erin.init.user.id }, ana.headers);
  task = await change(task, { state: 'done' });
  await change(task, { state: 'open' });
  const { timeline } = await ok<CaseReport>('GET', `case-reports/${about}`);
  const shown = timeline.filter(({ kind }) => kind === 'task');
  const [admin, investigator] = [erin.init.user.id, anaId];
  expect(shown.map(({ by, detail }) => [detail.what, by?.id])).toEqual([
    ['open', admin],
    ['done', admin],
    ['given', investigator],
    ['taken', investigator],
    ['made', admin],
  ]);
  expect(shown[2]!.detail).toEqual({
    ...{ taskId: task.id, work: 'call', title: null, what: 'given', account: admin },
  });
  expect(shown[4]!.detail).toMatchObject({ account: null, team: null });
});

test('the timeline of a person has each of their tasks once, with its state', async () => {
  const person = await newPerson();
  const task = await give({ patientId: person }, { title: 'Ask again', dueOn: '2099-01-02' });
  await change(task, { state: 'not-needed' });
  expect(await timelineOf(person)).toMatchObject([
    {
      id: task.id,
      name: { label: 'call' },
      shows: { title: 'Ask again', state: 'not-needed', dueOn: '2099-01-02' },
    },
  ]);
});
