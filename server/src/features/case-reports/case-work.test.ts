import { randomUUID } from 'node:crypto';
import { caseFlow } from '@caseway/contract/case-flow';
import { addDays } from '@caseway/contract/date-range';
import type { HistoryEntry } from '@caseway/contract/record-history';
import type { OpenTask, RunningClock } from '@caseway/contract/work-tasks';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { bulkJobIn } from '../../../test/bulk.ts';
import { makeCaseReport, makePatient } from '../../../test/factories.ts';
import { actFor, signInAs } from '../../../test/sign-in.ts';
import { passOn } from '../../platform/carried/carried.ts';
import { importText } from '../imports/test-messages.ts';

/* The effects of a case's transitions: tasks and clocks, who sees and changes them, and what remains after an undo. */

const testing = await testApp();
const { database } = testing;
const { demo } = await seedDemoTenants(database);
const service = <Row extends object>(text: string, params: unknown[] = []) =>
  database.withScope({ kind: 'service', tenantId: demo.id }, (tx) => tx.rows<Row>(text, params));
const epi = await signInAs(testing, 'epi@demo.caseway.test');
const { ask, ok } = askingAs(testing, epi);
const college = demo.organizations.find(({ name }) => name === 'Tidewater State College')!.id;
const { headers: atCollege } = await actFor(testing, epi.tokens, `O:${college}`);
const { options } = await ok<{ options: { id: string }[] }>('GET', 'list/options/investigators');
const [ana, ben] = options.map(({ id }) => id) as [string, string];

interface Work {
  tasks: OpenTask[];
  clocks: RunningClock[];
}
const workOf = (id: string, headers?: Headers) =>
  ok<Work>('GET', `case-reports/${id}/work`, undefined, headers);
const names = async (id: string) => {
  const { tasks, clocks } = await workOf(id);
  return { tasks: tasks.map(({ work }) => work), clocks: clocks.map(({ clock }) => clock).sort() };
};
const versionOf = async (id: string, headers?: Headers) =>
  (await ok<{ version: number }>('GET', `case-reports/${id}`, undefined, headers)).version;
const change = async (id: string, values: object, headers?: Headers) =>
  ok<{ version: number }>(
    'PATCH',
    `case-reports/${id}`,
    { version: await versionOf(id, headers), ...values },
    headers,
  );
/** People do not approve their own work. */
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const move = async (id: string, transition: string, more: object = {}) =>
  ok<{ version: number }>(
    'POST',
    `case-reports/${id}/transitions/${transition}`,
    { version: await versionOf(id), ...more },
    transition === 'approve' ? admin.headers : undefined,
  );
const undo = (id: string, version: number) => ok('POST', `case-reports/${id}/undo`, { version });
async function newCase({
  organization_id = college,
  disease_family = 'chlamydia',
  condition_code = 'chlamydia',
}: {
  organization_id?: string | null;
  disease_family?: string;
  condition_code?: string;
} = {}): Promise<string> {
  const { id: patient_id } = await makePatient(database, {
    tenant_id: demo.id,
    county_fips: '12057',
    organization_ids: organization_id === null ? [] : [organization_id],
    disease_families: [disease_family],
  });
  const row = { tenant_id: demo.id, patient_id, county_fips: '12057', organization_id, disease_family };
  return (await makeCaseReport(database, { ...row, condition_code })).id;
}
const none = { tasks: [], clocks: [] };

describe('a case that is assigned', () => {
  test('gives its investigator a task, and has three days to be begun and fourteen to be completed', async () => {
    const id = await newCase();
    await move(id, 'assign', { fields: { investigator: ana } });
    const { tasks, clocks } = await workOf(id);
    const [{ today }] = (await service<{ today: string }>(
      `select cast(now() at time zone time_zone as date) as today from tenant where id = $1`,
      [demo.id],
    )) as [{ today: string }];
    const day = (days: number) =>
      new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
    expect(tasks).toMatchObject([
      {
        work: 'investigate',
        queue: 'assignee',
        account: ana,
        priority: 'normal',
        dueOn: day(3),
        overdue: false,
      },
    ]);
    expect(clocks).toMatchObject([
      { clock: 'start', startedOn: today, dueOn: day(3), overdue: false },
      { clock: 'complete', startedOn: today, dueOn: day(14), overdue: false },
    ]);
    // It expires at the end of that day in the tenant's time zone.
    const [due] = await service<{ day: string }>(
      `select cast(($2::timestamptz - interval '1 second') at time zone time_zone as date) as day from tenant where id = $1`,
      [demo.id, clocks[0]!.dueAt],
    );
    expect(due!.day).toBe(day(3));
  });

  test('passes its task on with the case', async () => {
    const id = await newCase();
    await move(id, 'assign', { fields: { investigator: ana } });
    await move(id, 'assign', { fields: { investigator: ben } });
    expect((await workOf(id)).tasks).toMatchObject([{ account: ben }]);
  });

  test('that is unassigned again must be assigned within one working day', async () => {
    const id = await newCase();
    await move(id, 'assign', { fields: { investigator: ana } });
    await move(id, 'giveBack', { reason: 'On leave' });
    expect(await names(id)).toEqual({ tasks: [], clocks: ['assign'] });
  });

  test('that is complete waits for a supervisor; a closed one for nobody', async () => {
    const id = await newCase();
    await move(id, 'take');
    await move(id, 'complete');
    expect((await workOf(id)).tasks).toMatchObject([{ work: 'approve', queue: 'supervisor', account: null }]);
    await move(id, 'approve');
    await move(id, 'close');
    expect(await names(id)).toEqual(none);
  });
});

test('a case keeps the version of the flow that led to its status, and its history has each one', async () => {
  const id = await newCase();
  const flowOf = async () =>
    (
      await service<{ flow: number | null }>('select flow_version as flow from case_report where id = $1', [
        id,
      ])
    )[0]!.flow;
  await change(id, { outcome: 'recovered' });
  expect(await flowOf()).toBeNull();
  await move(id, 'assign', { fields: { investigator: ana } });
  expect(await flowOf()).toBe(caseFlow.version);
  // Simulates another published version of the flow.
  await service('update case_report set flow_version = 1 where id = $1', [id]);
  await change(id, { outcome: 'ill' });
  expect(await flowOf()).toBe(1);
  await move(id, 'start');
  expect(await flowOf()).toBe(caseFlow.version);
  expect(
    await service(
      'select version, flow_version as flow from case_report_history where record_id = $1 order by 1',
      [id],
    ),
  ).toEqual([2, 3, 4, 5].map((version) => ({ version, flow: caseFlow.version })));
});

describe('undoing a transition', () => {
  test('restores tasks and clocks with the same days as before; undoing the undo removes them again', async () => {
    const id = await newCase();
    const { version: assigned } = await move(id, 'assign', { fields: { investigator: ana } });
    const before = await workOf(id);
    const { version: given } = await move(id, 'giveBack', { reason: 'On leave' });
    await undo(id, given);
    const after = await workOf(id);
    expect(after.clocks).toEqual(before.clocks);
    expect(after.tasks.map(({ id, dueOn }) => [id, dueOn])).toEqual(
      before.tasks.map(({ id, dueOn }) => [id, dueOn]),
    );
    await undo(id, await versionOf(id));
    expect(await names(id)).toEqual({ tasks: [], clocks: ['assign'] });
    await undo(id, await versionOf(id));
    expect(await names(id)).toEqual({ tasks: ['investigate'], clocks: ['complete', 'start'] });
    // The first move is no longer the last: going back is a move of its own.
    await undo(id, assigned);
    expect(await names(id)).toEqual({ tasks: [], clocks: ['assign'] });
  });

  test('withdraws tasks that nobody has done, and keeps completed ones', async () => {
    const id = await newCase();
    const { version } = await move(id, 'assign', { fields: { investigator: ana } });
    const [task] = (await workOf(id)).tasks;
    await ok('PATCH', `work-tasks/${task!.id}`, { version: task!.version, state: 'done' });
    await undo(id, version);
    expect(await names(id)).toEqual(none);
    expect(await service('select state from work_task where id = $1', [task!.id])).toEqual([
      { state: 'done' },
    ]);

    const other = await newCase();
    const { version: moved } = await move(other, 'assign', { fields: { investigator: ana } });
    await undo(other, moved);
    expect(await service('select state from work_task where record_id = $1', [other])).toEqual([
      { state: 'withdrawn' },
    ]);
  });

  test('for many cases at once removes the tasks of each', async () => {
    const ids = [await newCase(), await newCase()];
    const [action, undoing] = [randomUUID(), randomUUID()];
    const work = bulkJobIn(database);
    await ok('POST', 'case-reports/bulk', {
      id: action,
      selection: { ids },
      transition: { id: 'assign', fields: { investigator: ana } },
    });
    await work(demo.id, action);
    for (const id of ids)
      expect(await names(id)).toEqual({ tasks: ['investigate'], clocks: ['complete', 'start'] });
    await ok('POST', `case-reports/bulk/${action}/undo`, { id: undoing });
    await work(demo.id, undoing);
    for (const id of ids) expect(await names(id)).toEqual(none);
  });
});

describe('a task', () => {
  test('is listed with its case, changed with its history, and undone', async () => {
    const id = await newCase();
    await move(id, 'assign', { fields: { investigator: ana } });
    const { caseId } = await ok<{ caseId: string }>('GET', `case-reports/${id}`);
    const { rows } = await ok<{ rows: { id: string; recordId: string; record: string; version: number }[] }>(
      'POST',
      'grid/work-tasks/search',
      { filterModel: { items: [{ field: 'record', operator: 'equals', value: caseId }] } },
    );
    expect(rows).toMatchObject([
      { recordId: id, record: caseId, work: 'investigate', state: 'open', account: ana },
    ]);
    const task = rows[0]!;
    await ok('PATCH', `work-tasks/${task.id}`, {
      version: task.version,
      state: 'not-needed',
      priority: 'high',
    });
    expect(await names(id)).toEqual({ tasks: [], clocks: ['complete', 'start'] });
    const { entries } = await ok<{ entries: HistoryEntry[] }>('GET', `work-tasks/${task.id}/history`);
    expect(entries.map(({ changes }) => changes)).toEqual([
      { state: { from: 'open', to: 'not-needed' }, priority: { from: 'normal', to: 'high' } },
    ]);
    await ok('POST', `work-tasks/${task.id}/undo`, { version: 2 });
    expect((await workOf(id)).tasks).toMatchObject([{ id: task.id, priority: 'normal' }]);
  });

  test('is among those of its assignee, or waits for anyone, as long as it is open', async () => {
    const id = await newCase();
    const me = epi.init.user.id;
    const other = [ana, ben].find((one) => one !== me)!;
    await move(id, 'assign', { fields: { investigator: me } });
    const shown = async (whose: string, filters: object = {}) => {
      const { rows } = await ok<{ rows: { recordId: string }[] }>('POST', 'grid/work-tasks/search', {
        filters: { whose: [whose], ...filters },
        paginationModel: { page: 0, pageSize: 200 },
      });
      return rows.filter(({ recordId }) => recordId === id).length;
    };
    const views = async () => [await shown('mine'), await shown('team'), await shown('all')];
    expect(await views()).toEqual([1, 0, 1]);
    expect(await shown('all', { account: [other] })).toBe(0);
    const [task] = (await workOf(id)).tasks;
    await ok('PATCH', `work-tasks/${task!.id}`, { version: task!.version, account: null });
    expect(await views()).toEqual([0, 1, 1]);
    await ok('PATCH', `work-tasks/${task!.id}`, { version: task!.version + 1, account: me, state: 'done' });
    expect(await views()).toEqual([0, 0, 1]);
    expect(await shown('all', { state: ['open'] })).toBe(0);
  });

  test('can be reopened while another one of its kind is open', async () => {
    const id = await newCase();
    await move(id, 'assign', { fields: { investigator: ana } });
    const [first] = (await workOf(id)).tasks;
    await ok('PATCH', `work-tasks/${first!.id}`, { version: first!.version, state: 'done' });
    await move(id, 'giveBack', { reason: 'On leave' });
    await move(id, 'assign', { fields: { investigator: ana } });
    await ok('PATCH', `work-tasks/${first!.id}`, { version: first!.version + 1, state: 'open' });
    expect((await names(id)).tasks).toEqual(['investigate', 'investigate']);
    await move(id, 'noFollowUp', { reason: 'Moved abroad' });
    expect(await names(id)).toEqual(none);
  });

  test('[P15] is exported by people who may export cases, with words, and each task is logged', async () => {
    const id = await newCase();
    await move(id, 'assign', { fields: { investigator: ana } });
    const { caseId } = await ok<{ caseId: string }>('GET', `case-reports/${id}`);
    const query = { filterModel: { items: [{ field: 'record', operator: 'equals', value: caseId }] } };
    const columns = ['record', 'work', 'state', 'queue', 'priority'];
    const file = await ask('POST', 'grid/work-tasks/export', { query, columns });
    expect(file.body.replace('\uFEFF', '').split('\r\n').slice(0, 2)).toEqual([
      'Case number,Task,Status,Group,Priority',
      `${caseId},Investigate the case,Open,Investigator,Normal`,
    ]);
    const given = await service<{ id: string }>('select id from work_task where record_id = $1', [id]);
    const named = await service<{ ids: string[] }>(
      `select record_ids as ids from audit_event
       where action = 'export' and record_kind = 'work-task' and cardinality(record_ids) > 0`,
    );
    expect(named).toEqual([{ ids: given.map((task) => task.id) }]);
    const analyst = await signInAs(testing, 'analyst@demo.caseway.test');
    const refused = await ask('POST', 'grid/work-tasks/export', { query, columns }, analyst.headers);
    expect(refused.statusCode).toBe(403);
  });

  test('can only be assigned to people who can be assigned cases, and nobody can withdraw it', async () => {
    const id = await newCase();
    await move(id, 'assign', { fields: { investigator: ana } });
    const [task] = (await workOf(id)).tasks;
    const refused = await ask('PATCH', `work-tasks/${task!.id}`, {
      version: task!.version,
      account: '0199aaaa-0000-7000-8000-000000000081',
      state: 'withdrawn',
    });
    expect(refused.statusCode).toBe(422);
    expect(refused.json<{ faults: { path: string; code: string }[] }>().faults).toMatchObject([
      { path: 'account', code: 'not-an-investigator' },
      { path: 'state', code: 'not-by-hand' },
    ]);
  });

  test('[P18] is hidden with its case: from other places, and from people who may not see the family', async () => {
    const seen = await newCase();
    const elsewhere = await newCase({ organization_id: null });
    const restricted = await newCase({ disease_family: 'hiv' });
    for (const id of [seen, elsewhere, restricted])
      await service(
        `insert into work_task (tenant_id, id, record_id, work, queue, transition, flow_version, made_version,
           made_on, patient_id, disease_family, organization_id)
         select tenant_id, gen_random_uuid(), id, 'interview', 'assignee', 'assigned', 2, 2, created_on, patient_id, disease_family, organization_id
         from case_report where id = $1`,
        [id],
      );
    const found = async (headers?: Headers) => {
      const { rows } = await ok<{ rows: { recordId: string }[] }>(
        'POST',
        'grid/work-tasks/search',
        { filterModel: { items: [{ field: 'work', operator: 'is', value: 'interview' }] } },
        headers,
      );
      return rows.map(({ recordId }) => recordId).sort();
    };
    expect(await found(atCollege)).toEqual([seen]);
    expect((await ask('GET', `case-reports/${elsewhere}/work`, undefined, atCollege)).statusCode).toBe(404);
    expect(await found()).toEqual([seen, elsewhere].sort());
    expect((await ask('GET', `case-reports/${restricted}/work`)).statusCode).toBe(404);
  });

  test('and its history and clocks stay visible with the case wherever it goes', async () => {
    const id = await newCase();
    await move(id, 'assign', { fields: { investigator: ana } });
    await move(id, 'assign', { fields: { investigator: ben } });
    await database.withScope({ kind: 'service', tenantId: demo.id }, async (tx) => {
      await tx.run(
        `update case_report set county_fips = '12103', disease_family = 'gonorrhea' where tenant_id = $1 and id = $2`,
        [demo.id, id],
      );
      await passOn(tx, demo.id, 'case_report', [id]);
    });
    const carried = await service(
      `select county_fips, disease_family from work_task where record_id = $1
       union all select county_fips, disease_family from work_task_history where subject_id = $1
       union all select county_fips, disease_family from record_clock where record_id = $1 and clock = 'start'`,
      [id],
    );
    expect(carried).toEqual(Array(3).fill({ county_fips: '12103', disease_family: 'gonorrhea' }));
  });
});

test('the home screen counts the reader’s open tasks, those due today and those that are late', async () => {
  const own = async () => {
    const { waits } = await ok<{ waits: { kind: string; count: number }[] }>('GET', 'waiting');
    return ['tasks', 'tasksToday', 'tasksOverdue'].map(
      (kind) => waits.find((one) => one.kind === kind)?.count ?? 0,
    );
  };
  const [open, today, overdue] = await own();
  const me = epi.init.user.id;
  for (const due of [-1, 0, 5]) {
    const id = await newCase();
    await move(id, 'assign', { fields: { investigator: me } });
    await service(
      `update work_task k set due_on = cast(now() at time zone t.time_zone as date) + $2::integer from tenant t
       where t.id = k.tenant_id and k.record_id = $1`,
      [id, due],
    );
  }
  await move(await newCase(), 'assign', { fields: { investigator: [ana, ben].find((one) => one !== me)! } });
  expect(await own()).toEqual([open! + 3, today! + 1, overdue! + 1]);
});

describe('syphilis in pregnancy', () => {
  const tasksOf = (condition: string) =>
    service<{ work: string; priority: string; today: boolean; state: string; account: string | null }>(
      `select k.work, k.priority, k.state, k.account_id as account,
         k.due_on = cast(now() at time zone t.time_zone as date) as today
       from work_task k join tenant t on t.id = k.tenant_id join case_report c on c.tenant_id = k.tenant_id and c.id = k.record_id
       where c.tenant_id = $1 and (c.condition_code = $2 or c.id::text = $2) and k.rule = 'pregnant-syphilis'`,
      [demo.id, condition],
    );
  const urgent = { work: 'pregnant-syphilis', priority: 'high', state: 'open', today: true };
  const list = `case_id,last_name,first_name,date_of_birth,sex,report_date,pregnant
PS-1,Ruiz,Elena,2002-05-01,F,2026-03-01,yes
PS-2,Ruiz,Marta,2001-05-01,F,2026-03-01,no
`;
  const importing = (condition: string, text = list) =>
    importText(database, demo.id, text, { createdBy: epi.init.user.id, condition });

  test('gets a follow-up task for the same day, for any later assignee, as soon as a list reports it; once', async () => {
    await importing('syphilis-primary');
    expect(await tasksOf('syphilis-primary')).toEqual([{ ...urgent, account: null }]);
    await importing('syphilis-primary', `${list}PS-3,Ober,Cy,1990-07-07,M,2026-03-02,no\n`);
    expect(await tasksOf('syphilis-primary')).toHaveLength(1);
    await importing('gonorrhea');
    expect(await tasksOf('gonorrhea')).toEqual([]);
  });

  test('gets a follow-up task for its investigator as soon as someone enters it; once, even if entered again', async () => {
    const id = await newCase({ disease_family: 'syphilis', condition_code: 'syphilis-primary' });
    await move(id, 'assign', { fields: { investigator: ana } });
    expect(await tasksOf(id)).toEqual([]);
    await change(id, { pregnant: 'yes' });
    expect(await tasksOf(id)).toEqual([{ ...urgent, account: ana }]);
    const [task] = (await workOf(id)).tasks.filter(({ work }) => work === 'pregnant-syphilis');
    await ok('PATCH', `work-tasks/${task!.id}`, { version: task!.version, state: 'done' });
    await change(id, { pregnant: 'no' });
    await change(id, { pregnant: 'yes' });
    expect(await tasksOf(id)).toMatchObject([{ state: 'done' }]);
    const other = await newCase();
    await change(other, { pregnant: 'yes' });
    expect(await tasksOf(other)).toEqual([]);
  });
});

describe('a task that a person assigns', () => {
  const today = new Date().toISOString().slice(0, 10);
  const byHand = {
    ...{
      work: 'call',
      title: null,
      note: 'Ask about travel',
      state: 'open',
      dueOn: null,
      priority: 'normal',
    },
    ...{ queue: 'assignee', account: null, team: null, repeatDays: null, repeatUntil: null },
  };
  type Task = { id: string; version: number };
  const make = (recordId: string, given: object = {}, headers?: Headers) =>
    ask('POST', 'work-tasks', { ...byHand, recordId, patientId: null, ...given }, headers);
  const made = async (recordId: string, given: object = {}) => (await make(recordId, given)).json<Task>();
  const after = (days: number) => addDays(today, days);

  test('is among those of the case with its note, and its history names its author and the changes', async () => {
    const id = await newCase();
    const task = await made(id, { account: ben, dueOn: after(7), priority: 'high' });
    expect((await workOf(id)).tasks).toMatchObject([
      {
        id: task.id,
        work: 'call',
        note: 'Ask about travel',
        account: ben,
        dueOn: after(7),
        priority: 'high',
      },
    ]);
    await ok('PATCH', `work-tasks/${task.id}`, { version: 1, note: 'Left a message' });
    const { entries } = await ok<{ entries: HistoryEntry[] }>('GET', `work-tasks/${task.id}/history`);
    expect(entries.map(({ version, by }) => [version, by?.id])).toEqual([
      [2, epi.init.user.id],
      [1, epi.init.user.id],
    ]);
    expect(entries[0]!.changes).toEqual({ note: { from: 'Ask about travel', to: 'Left a message' } });
    await ok('POST', `work-tasks/${task.id}/undo`, { version: 2 });
    expect((await workOf(id)).tasks).toMatchObject([{ note: 'Ask about travel' }]);
  });

  test('stays with its assignee when the case is reassigned, and open when the case is closed', async () => {
    const id = await newCase();
    await move(id, 'assign', { fields: { investigator: ana } });
    await made(id, { account: ana });
    await move(id, 'assign', { fields: { investigator: ben } });
    await move(id, 'start');
    await move(id, 'complete');
    await move(id, 'approve');
    await move(id, 'close');
    expect((await workOf(id)).tasks).toMatchObject([{ work: 'call', account: ana }]);
  });

  test('is made once by a repeated request, and not about a hidden case', async () => {
    const id = await newCase();
    const sent = { id: randomUUID() };
    expect([(await make(id, sent)).statusCode, (await make(id, sent)).statusCode]).toEqual([200, 200]);
    expect((await workOf(id)).tasks).toHaveLength(1);
    expect((await make(id, { ...sent, work: 'letter' })).statusCode).toBe(422);
    const hidden = await newCase({ disease_family: 'hiv' });
    expect((await make(hidden)).statusCode).toBe(404);
    const elsewhere = await newCase({ organization_id: null });
    expect((await make(elsewhere, {}, atCollege)).statusCode).toBe(404);
  });

  test('is refused with all of its faults', async () => {
    const id = await newCase();
    const faults = async (given: object) =>
      (await make(id, given))
        .json<{ faults: { path: string; code: string }[] }>()
        .faults.map(({ path, code }) => `${path} ${code}`)
        .sort();
    expect(await faults({ work: 'approve', state: 'done', dueOn: after(-2) })).toEqual([
      'dueOn past',
      'state not-by-hand',
      'work not-by-hand',
    ]);
    expect(await faults({ work: 'other', repeatUntil: after(1) })).toEqual([
      'repeatUntil repeats-not',
      'title title-needed',
    ]);
  });

  test('that repeats gives its next one when it is done, once, and withdraws it when it is reopened', async () => {
    const id = await newCase();
    const task = await made(id, { dueOn: after(1), repeatDays: 7, repeatUntil: after(10) });
    const due = async () => (await workOf(id)).tasks.map(({ dueOn }) => dueOn);
    await ok('PATCH', `work-tasks/${task.id}`, { version: 1, state: 'done' });
    expect(await due()).toEqual([after(8)]);
    await ok('POST', `work-tasks/${task.id}/undo`, { version: 2 });
    expect(await due()).toEqual([after(1)]);
    await ok('PATCH', `work-tasks/${task.id}`, { version: 3, state: 'done' });
    expect(await due()).toEqual([after(8)]);
    // The next one would be after the last day.
    const [next] = (await workOf(id)).tasks;
    await ok('PATCH', `work-tasks/${next!.id}`, { version: next!.version, state: 'done' });
    expect(await due()).toEqual([]);
  });
});

test('an expired clock and a task whose day is over are overdue', async () => {
  const id = await newCase();
  await move(id, 'assign', { fields: { investigator: ana } });
  await service(
    `update record_clock set due_at = now() - interval '1 minute' where record_id = $1 and clock = 'start'`,
    [id],
  );
  await service(`update work_task set due_on = '2026-01-05' where record_id = $1`, [id]);
  const { tasks, clocks } = await workOf(id);
  expect(clocks.map(({ clock, overdue }) => [clock, overdue])).toEqual([
    ['start', true],
    ['complete', false],
  ]);
  expect(tasks).toMatchObject([{ dueOn: '2026-01-05', overdue: true }]);
});

test('the calendar of the tenant decides when working days have passed', async () => {
  const id = await newCase();
  // From now on no day is a working day, except the one a week from today.
  const [{ weekday, due }] = (await service<{ weekday: number; due: string }>(
    `select cast(extract(dow from now() at time zone time_zone) as integer) as weekday,
       cast(now() at time zone time_zone as date) + 7 as due from tenant where id = $1`,
    [demo.id],
  )) as [{ weekday: number; due: string }];
  await service(
    `update tenant set workdays = array[$2]::smallint[], federal_holidays = false where id = $1`,
    [demo.id, weekday],
  );
  await move(id, 'assign', { fields: { investigator: ana } });
  await move(id, 'giveBack', { reason: 'On leave' });
  expect((await workOf(id)).clocks).toMatchObject([{ clock: 'assign', dueOn: due }]);
  await service(`update tenant set days_off = array[$2]::date[] where id = $1`, [demo.id, due]);
  await move(id, 'assign', { fields: { investigator: ana } });
  await move(id, 'giveBack', { reason: 'On leave' });
  const [later] = (await service<{ later: string }>('select cast($1::date + 7 as date) as later', [due])) as [
    { later: string },
  ];
  expect((await workOf(id)).clocks).toMatchObject([{ clock: 'assign', dueOn: later.later }]);
  await service(
    `update tenant set workdays = default, federal_holidays = default, days_off = default where id = $1`,
    [demo.id],
  );
});
