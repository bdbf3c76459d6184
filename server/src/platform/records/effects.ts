import { type Calendar, daysAfter } from '@caseway/contract/calendar';
import type { Facts } from '@caseway/contract/expression';
import type { AnyRecord } from '@caseway/contract/record';
import { workKinds, workTaskRecord } from '@caseway/contract/work-tasks';
import { dueOn, type Effect, effectsBetween, type Workflow } from '@caseway/contract/workflow';
import { v7 } from 'uuid';
import type { Deciding } from '../carried/carried.ts';
import type { Tx } from '../db/database.ts';
import { insertRows } from '../db/rows.ts';
import { startOfDay } from '../grid/day-bounds.ts';
import { type Changes, same } from './record-history.ts';
import type { AnyRow } from './record-server.ts';
import { keepingVersions } from './record-versions.ts';

/*
 * What transitions cause outside of their record, in the transaction that writes it: tasks are given and closed, clocks
 * started and stopped. Each row knows the versions of the record that made and ended it, so that taking back a transition
 * takes back exactly that.
 */

const isCarriedOut = (effect: Effect): boolean =>
  'task' in effect
    ? typeof effect.to === 'string' && (workKinds as readonly string[]).includes(effect.task)
    : 'closeTasks' in effect || 'startClock' in effect || 'stopClock' in effect;

/** Throws for a workflow with effects that nobody would carry out. */
export function assertCarriedOut({ id, transitions }: Workflow): void {
  const unknown = transitions.flatMap(({ effects = [] }) => effects.filter((one) => !isCarriedOut(one)));
  if (unknown.length > 0) throw new Error(`${id}: nothing carries out ${JSON.stringify(unknown)}`);
}

/** A task or clock as a version of its record finds it. */
interface Kept {
  id: string;
  /** The task or clock by the name that the workflow has for it. */
  name: string;
  isOpen: boolean;
  made: number;
  ended: number | null;
  resumed: number | null;
  /** Of a task: what it was before it was given back. */
  resumedFrom?: string | null;
}

/** What taking back a version does to what it has made and ended. */
export function takenBack<One extends Kept>(
  kept: readonly One[],
  version: number,
): { resume: One[]; end: One[] } {
  const end = kept.filter(({ isOpen, made, resumed }) => isOpen && (resumed ?? made) === version);
  const stays = new Set(kept.filter((one) => one.isOpen && !end.includes(one)).map(({ name }) => name));
  return {
    end,
    resume: kept.filter(({ isOpen, ended, name }) => !isOpen && ended === version && !stays.has(name)),
  };
}

interface Planned {
  give: Extract<Effect, { task: string }>[];
  close: Kept[];
  start: string[];
  stop: Kept[];
}

/** What effects come to, given what is open and runs: a task is not given twice, a clock that runs goes on. */
export function planned(
  effects: readonly Effect[],
  tasks: readonly Kept[],
  clocks: readonly Kept[],
): Planned {
  const plan: Planned = { give: [], close: [], start: [], stop: [] };
  const open = (kept: readonly Kept[], name: string, ended: readonly Kept[]) =>
    kept.filter((one) => one.isOpen && one.name === name && !ended.includes(one));
  for (const effect of effects) {
    if ('closeTasks' in effect) plan.close.push(...open(tasks, effect.closeTasks, plan.close));
    if ('stopClock' in effect) plan.stop.push(...open(clocks, effect.stopClock, plan.stop));
    if ('task' in effect && open(tasks, effect.task, plan.close).length === 0) plan.give.push(effect);
    if ('startClock' in effect && open(clocks, effect.startClock, plan.stop).length === 0)
      plan.start.push(effect.startClock);
  }
  return plan;
}

/** A record that has been written, and by whom. */
interface Written {
  record: Pick<AnyRecord, 'kind' | 'table' | 'workflow'>;
  stored: AnyRow;
  changes: Changes;
  tenantId: string;
  accountId: string;
  /** The version that the change takes back. */
  undoes?: number | undefined;
}

interface Now extends Calendar {
  today: string;
  zone: string;
  version: number;
  /** The version that moved the record to the state that it had before; null where no history says. */
  movedBy: number | null;
}

/** The version of the record now, and the calendar of its tenant. */
async function nowOf(tx: Tx, { record, stored, tenantId }: Written): Promise<Now> {
  const [now] = await tx.rows<Now>(
    `select t.workdays, t.federal_holidays as "federalHolidays", t.days_off as "daysOff", t.time_zone as zone,
       cast(now() at time zone t.time_zone as date) as today
     from tenant t where t.id = $1`,
    [tenantId],
  );
  const [row] = await tx.rows<{ version: number; movedBy: number | null }>(
    `select r.version, (select max(h.version) from ${record.table}_history h
       where h.tenant_id = $1 and h.record_id = $2 and h.changes -> $3::text is not null) as "movedBy"
     from ${record.table} r where r.tenant_id = $1 and r.id = $2`,
    [tenantId, stored.id, record.workflow!.of],
  );
  return { ...now!, ...row! };
}

/** The tasks or clocks of a record that are open, or were ended by a version. */
const keptOf = (
  tx: Tx,
  { table, name, isOpen, more }: { table: string; name: string; isOpen: string; more: string },
  { tenantId, stored, undoes }: Written,
): Promise<Kept[]> =>
  tx.rows<Kept>(
    `select id, ${name} as name, ${isOpen} as "isOpen", made_version as made, ended_version as ended,
       resumed_version as resumed ${more}
     from ${table} where tenant_id = $1 and record_id = $2 and (${isOpen} or ended_version = $3) order by id`,
    [tenantId, stored.id, undoes ?? null],
  );
const tasksIn = {
  table: 'work_task',
  name: 'work',
  isOpen: `state = 'open'`,
  more: ', resumed_from as "resumedFrom"',
};
const clocksIn = { table: 'record_clock', name: 'clock', isOpen: 'stopped_at is null', more: '' };

/**
 * Carries out what a change of a record causes, after the record was written and before its version is kept. One that takes
 * back the last move to another state takes back what that move caused; another one that moves it is a move of its own.
 */
export async function carryOut(tx: Tx, written: Written): Promise<void> {
  const { workflow } = written.record;
  if (!workflow) return;
  const { flow, of } = workflow;
  const { stored, changes } = written;
  const values = {
    ...stored,
    ...Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to])),
  } as Facts['values'];
  const moved = changes[of];
  if (moved) {
    const now = await nowOf(tx, written);
    const isTakenBack = written.undoes !== undefined && written.undoes === now.movedBy;
    const from = { ...written, undoes: isTakenBack ? written.undoes : undefined };
    const tasks = await keptOf(tx, tasksIn, from);
    const clocks = await keptOf(tx, clocksIn, from);
    if (isTakenBack) await takeBack(tx, written, now, tasks, clocks);
    else {
      const effects = effectsBetween(flow, moved.from as string, { state: moved.to as string, values });
      await move(tx, written, now, values, planned(effects, tasks, clocks));
    }
  }
  const { assignee } = flow;
  if (assignee !== undefined && changes[assignee])
    await passToAssignee(tx, written, (values[assignee] ?? null) as string | null);
}

async function takeBack(
  tx: Tx,
  written: Written,
  { version }: Now,
  tasks: readonly Kept[],
  clocks: readonly Kept[],
): Promise<void> {
  const undone = written.undoes!;
  const { end, resume } = takenBack(tasks, undone);
  for (const { id, made, resumedFrom } of end)
    await endTasks(tx, written, version, [id], made === undone ? 'withdrawn' : (resumedFrom ?? 'withdrawn'));
  await changeTasks(
    tx,
    written,
    resume,
    `resumed_from = state, state = 'open', ended_at = null, ended_by = null, ended_version = null, resumed_version = $3`,
    [version],
  );
  const of = takenBack(clocks, undone);
  await stopClocks(tx, written, version, of.end);
  await changeClocks(
    tx,
    written,
    of.resume,
    'stopped_at = null, ended_version = null, resumed_version = $3',
    [version],
  );
}

async function move(
  tx: Tx,
  written: Written,
  now: Now,
  values: Facts['values'],
  { give, close, start, stop }: Planned,
): Promise<void> {
  const { record, stored, tenantId, accountId, changes } = written;
  const { flow, of } = record.workflow!;
  const { today, version, zone } = now;
  await endTasks(
    tx,
    written,
    version,
    close.map(({ id }) => id),
    'done',
  );
  await stopClocks(tx, written, version, stop);
  const about = {
    record_kind: record.kind,
    record_id: stored.id,
    flow_version: flow.version,
    made_version: version,
  };
  await insertRows(
    tx,
    tenantId,
    'work_task',
    {
      id: 'uuid', record_kind: 'text', record_id: 'uuid', work: 'text', queue: 'text', account_id: 'uuid', due_on: 'date',
      priority: 'text', made_by: 'uuid', transition: 'text', flow_version: 'integer', made_version: 'integer',
    }, // biome-ignore format: a table
    give.map(({ task, to, dueDays, working = false, priority = 'normal' }) => ({
      ...about,
      id: v7(),
      work: task,
      queue: to,
      account_id: to === 'assignee' ? values[flow.assignee!] : null,
      due_on: dueDays === undefined ? null : daysAfter(today, dueDays, working, now),
      priority,
      made_by: accountId,
      transition: changes[of]!.to,
    })),
    { carriedOf: record.table as Deciding },
  );
  await insertRows(
    tx,
    tenantId,
    'record_clock',
    {
      id: 'uuid', record_kind: 'text', record_id: 'uuid', clock: 'text', started_on: 'date', due_on: 'date',
      due_at: 'timestamptz', flow_version: 'integer', made_version: 'integer',
    }, // biome-ignore format: a table
    start.map((clock) => {
      const due = dueOn(flow.clocks!.find(({ id }) => id === clock)!, today, now);
      return { ...about, id: v7(), clock, started_on: today, due_on: due, due_at: startOfDay(due, zone, 1) };
    }),
    { carriedOf: record.table as Deciding },
  );
}

const maker = ({ accountId }: Written) => ({ accountId });

/** Changes tasks, each with its version; `sets` from the third parameter on. */
async function changeTasks(
  tx: Tx,
  written: Written,
  tasks: readonly { id: string }[],
  sets: string,
  params: readonly unknown[],
): Promise<void> {
  if (tasks.length === 0) return;
  const { tenantId } = written;
  const ids = tasks.map(({ id }) => id);
  await keepingVersions(tx, workTaskRecord, tenantId, ids, maker(written), () =>
    tx.run(
      `update work_task set version = version + 1, ${sets} where tenant_id = $1 and id = any ($2::uuid[])`,
      [tenantId, ids, ...params],
    ),
  );
}

const endTasks = (tx: Tx, written: Written, version: number, ids: readonly string[], state: string) =>
  changeTasks(
    tx,
    written,
    ids.map((id) => ({ id })),
    'state = $3, ended_at = now(), ended_by = $4, ended_version = $5',
    [state, written.accountId, version],
  );

async function changeClocks(
  tx: Tx,
  { tenantId }: Written,
  clocks: readonly { id: string }[],
  sets: string,
  params: readonly unknown[],
): Promise<void> {
  if (clocks.length === 0) return;
  await tx.run(`update record_clock set ${sets} where tenant_id = $1 and id = any ($2::uuid[])`, [
    tenantId,
    clocks.map(({ id }) => id),
    ...params,
  ]);
}
const stopClocks = (tx: Tx, written: Written, version: number, clocks: readonly Kept[]) =>
  changeClocks(tx, written, clocks, 'stopped_at = now(), ended_version = $3', [version]);

/** Open tasks of whoever has the record go to whoever has it now. */
async function passToAssignee(tx: Tx, written: Written, account: string | null): Promise<void> {
  const { tenantId, stored } = written;
  const open = await tx.rows<{ id: string; account: string | null }>(
    `select id, account_id as account from work_task
     where tenant_id = $1 and record_id = $2 and state = 'open' and queue = 'assignee' order by id`,
    [tenantId, stored.id],
  );
  const others = open.filter((one) => !same(one.account, account));
  await changeTasks(tx, written, others, 'account_id = $3', [account]);
}
