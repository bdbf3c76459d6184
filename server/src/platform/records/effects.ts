import { type Calendar, daysAfter } from '@caseway/contract/calendar';
import type { Facts } from '@caseway/contract/expression';
import { type FlowNotice, flowNotices } from '@caseway/contract/inbox';
import { type AnyRecord, columnFor } from '@caseway/contract/record';
import { workKinds, workTaskRecord } from '@caseway/contract/work-tasks';
import { dueOn, type Effect, effectsBetween, type Workflow } from '@caseway/contract/workflow';
import { v7 } from 'uuid';
import { recordChange } from '../analytics/outbox.ts';
import type { Deciding } from '../carried/carried.ts';
import type { Tx } from '../db/database.ts';
import { few } from '../db/few.ts';
import { insertRows } from '../db/rows.ts';
import { startOfDay } from '../grid/day-bounds.ts';
import { type Told, tell } from '../inbox/tell.ts';
import type { Changes } from './record-history.ts';
import type { AnyRow } from './record-server.ts';
import { keepingVersions } from './record-versions.ts';
import { keepTransitions } from './transitions-kept.ts';
import { insertTasks, type NewTask } from './work-rows.ts';

/*
 * Carries out what transitions cause outside their record, in the transaction that writes it: tasks are given and
 * closed, clocks started and stopped. Each row stores the record versions that made and ended it, so that undoing a
 * transition undoes exactly that.
 */

type WorkedOn = Pick<AnyRecord, 'kind' | 'fields' | 'workflow'>;

/** The subject of every task, which can be another record than the one that gives it. */
const subject = { kind: 'case', table: 'case_report', column: 'case_report_id' } as const;
const isSubject = ({ kind }: Pick<AnyRecord, 'kind'>) => kind === subject.kind;

const isCarriedOut = (record: WorkedOn, effect: Effect): boolean =>
  'notify' in effect
    ? isFlowNotice(effect.text)
    : 'task' in effect
      ? (typeof effect.to === 'string' || record.fields[effect.to.field]?.options === 'investigators') &&
        (workKinds as readonly string[]).includes(effect.task) &&
        isAboutCase(record, effect.about)
      : 'closeTasks' in effect || 'startClock' in effect || 'stopClock' in effect;

const isAboutCase = (record: WorkedOn, about: string | undefined): boolean =>
  about === undefined
    ? isSubject(record)
    : about in record.fields && columnFor(about, record.fields[about]!) === subject.column;

const isFlowNotice = (text: string): text is FlowNotice => (flowNotices as readonly string[]).includes(text);

/** Throws for a workflow with effects that nobody would carry out. */
export function assertCarriedOut(record: WorkedOn): void {
  const { id, transitions } = record.workflow!.flow;
  const unknown = transitions.flatMap(({ effects = [] }) =>
    effects.filter((one) => !isCarriedOut(record, one)),
  );
  if (unknown.length > 0) throw new Error(`${id}: nothing carries out ${JSON.stringify(unknown)}`);
}

/** A task or clock, as seen by a version of its record. */
interface Kept {
  id: string;
  recordId?: string;
  /** The name that the workflow has for the task or clock. */
  name: string;
  isOpen: boolean;
  made: number;
  ended: number | null;
  resumed: number | null;
  /** For a task: what it was before it was given back. */
  resumedFrom?: string | null;
}

/** What undoing a version does to the tasks and clocks that it made and ended. */
export function takenBack<One extends Kept>(
  kept: readonly One[],
  version: number,
): { resume: One[]; end: One[] } {
  const end = kept.filter(({ isOpen, made, resumed }) => isOpen && (made === version || resumed === version));
  const stays = new Set(kept.filter((one) => one.isOpen && !end.includes(one)).map(({ name }) => name));
  return {
    end,
    resume: kept.filter(({ isOpen, ended, name }) => !isOpen && ended === version && !stays.has(name)),
  };
}

interface Planned {
  give: Extract<Effect, { task: string }>[];
  close: Kept[];
  /** Closed without being done. */
  drop: Kept[];
  start: string[];
  stop: Kept[];
}

/**
 * The effects that remain, given the open tasks and running clocks: a task is not given twice, and a running clock
 * continues.
 */
export function planned(
  effects: readonly Effect[],
  tasks: readonly Kept[],
  clocks: readonly Kept[],
): Planned {
  const plan: Planned = { give: [], close: [], drop: [], start: [], stop: [] };
  const open = (kept: readonly Kept[], name: string, ended: readonly Kept[]) =>
    kept.filter((one) => one.isOpen && one.name === name && !ended.includes(one));
  for (const effect of effects) {
    const ended = [...plan.close, ...plan.drop];
    if ('closeTasks' in effect)
      (effect.as ? plan.drop : plan.close).push(...open(tasks, effect.closeTasks, ended));
    if ('stopClock' in effect) plan.stop.push(...open(clocks, effect.stopClock, plan.stop));
    if ('task' in effect && open(tasks, effect.task, ended).length === 0) plan.give.push(effect);
    if ('startClock' in effect && open(clocks, effect.startClock, plan.stop).length === 0)
      plan.start.push(effect.startClock);
  }
  return plan;
}

/** Written records of a kind, and who wrote them. */
interface Writing {
  record: Pick<AnyRecord, 'kind' | 'table' | 'workflow'>;
  tenantId: string;
  /** Null if an import makes the records. */
  accountId: string | null;
}
/** One record with its changes. `undoes`: the version that they undo; `done`: the transition that a person did. */
interface Written {
  stored: AnyRow;
  changes: Changes;
  undoes?: number | undefined;
  done?: string | undefined;
}
/** A record whose change has effects, with the version that causes them. */
interface Moved extends Written {
  version: number;
  /** It undoes the last move to another state. */
  isTakenBack: boolean;
  /** It undoes the effects of a version. */
  givesBack: boolean;
}

/** Whether a change can have effects: a move can; if states are derived, a transition that does not move can too. */
const causes = ({ of, flow }: NonNullable<AnyRecord['workflow']>, { changes, done, undoes }: Written) =>
  changes[of] !== undefined || (flow.derive !== undefined && (done ?? undoes) !== undefined);
const hasMoved = ({ of }: NonNullable<AnyRecord['workflow']>, { changes }: Written) =>
  changes[of] !== undefined;

const valuesOf = ({ stored, changes }: Written) =>
  ({
    ...stored,
    ...Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to])),
  }) as Facts['values'];

/**
 * Carries out the effects of changed records, after the records were written and before their versions are stored.
 * Undoing the last move to another state undoes its effects; any other move has its own effects. If states are
 * derived, a step need not move: each transition has effects, and each version can be undone. The number of
 * statements does not grow with the records.
 */
export async function carryOut(tx: Tx, writing: Writing, written: readonly Written[]): Promise<void> {
  const { workflow } = writing.record;
  if (!workflow) return;
  const acted = await movedAmong(
    tx,
    writing,
    written.filter((one) => causes(workflow, one)),
  );
  const moved = acted.filter((one) => hasMoved(workflow, one));
  const given = acted.length > 0 ? await move(tx, writing, acted) : [];
  const { assignee } = workflow.flow;
  const passed =
    assignee === undefined ? [] : written.filter(({ changes }) => changes[assignee] !== undefined);
  if (passed.length > 0) await passToAssignee(tx, writing, passed, assignee!);
  await tellOf(tx, writing, { written, moved, given });
}

/** Who is notified of a change. Undo sends no notification, and withdraws those of the change that it undoes. */
async function tellOf(
  tx: Tx,
  { record, tenantId, accountId }: Writing,
  {
    written,
    moved,
    given,
  }: { written: readonly Written[]; moved: readonly Moved[]; given: readonly NewTask[] },
): Promise<void> {
  const { flow, of } = record.workflow!;
  const { assignee } = flow;
  const fresh = written.filter(({ undoes }) => undoes === undefined);
  const newTo = new Map(
    fresh.flatMap(({ stored, changes }) => {
      const to = assignee === undefined ? null : changes[assignee]?.to;
      return typeof to === 'string' ? [[stored.id, to]] : [];
    }),
  );
  const about = { tenantId, actorId: accountId };
  await tell(
    tx,
    { ...about, recordKind: record.kind, history: `${record.table}_history` },
    [
      ...fresh.flatMap(({ stored, version = stored.version + 1 }: Written & { version?: number }): Told[] => {
        const to = newTo.get(stored.id);
        return to === undefined ? [] : [{ kind: 'assigned', recordId: stored.id, to, version }];
      }),
      ...moved.flatMap((one): Told[] => {
        const { stored, changes, version, undoes, done } = one;
        if (undoes !== undefined) return [];
        const from = changes[of]!.from as string;
        const values = valuesOf(one);
        const { effects } = effectsBetween(flow, from, { state: changes[of]!.to as string, values }, done);
        return effects.flatMap((effect): Told[] => {
          if (!('notify' in effect) || !isFlowNotice(effect.text)) return [];
          const had = stored[assignee!] as string | null;
          const to =
            effect.notify === 'sender'
              ? { field: of, value: from }
              : effect.notify === 'assignee'
                ? (values[assignee!] as string | null)
                : had && { field: assignee!, value: had };
          return to ? [{ kind: effect.text, recordId: stored.id, to, version }] : [];
        });
      }),
    ],
    written.flatMap(({ stored, undoes }) =>
      undoes === undefined ? [] : [{ recordId: stored.id, undone: undoes, by: stored.version + 1 }],
    ),
  );
  // A new assignee gets one notification for the record, not one for each task that comes with it.
  await tell(
    tx,
    { ...about, recordKind: workTaskRecord.kind },
    given.flatMap(({ id, record_id, caused_by = record_id, account_id }): Told[] =>
      account_id === null || (caused_by && newTo.get(caused_by) === account_id)
        ? []
        : [{ kind: 'task-given', recordId: id, to: account_id }],
    ),
  );
}

/** The current versions of records, and whether they undo the version that moved them last. */
async function movedAmong(
  tx: Tx,
  { record, tenantId }: Writing,
  written: readonly Written[],
): Promise<Moved[]> {
  if (written.length === 0) return [];
  const workflow = record.workflow!;
  const rows = await tx.rows<{ id: string; version: number; movedBy: number | null }>(
    `select r.id, r.version, (select max(h.version) from ${record.table}_history h
       where h.tenant_id = $1 and h.record_id = r.id and h.changes -> $3::text is not null) as "movedBy"
     from ${record.table} r where r.tenant_id = $1 and r.id = any ($2::uuid[])`,
    [tenantId, written.map(({ stored }) => stored.id), workflow.of],
  );
  const now = new Map(rows.map((row) => [row.id, row]));
  return written.map((one) => {
    const { version, movedBy } = now.get(one.stored.id)!;
    const isTakenBack = hasMoved(workflow, one) && one.undoes !== undefined && one.undoes === movedBy;
    const givesBack = workflow.flow.derive ? one.undoes !== undefined : isTakenBack;
    return { ...one, version, isTakenBack, givesBack };
  });
}

/** The column of a task that holds the record which gave it. */
const giverOf = (record: Pick<AnyRecord, 'kind'>) => (isSubject(record) ? 'record_id' : 'caused_by');
/** SQL for whether one of these records gave a task, or the task is about one of them and a person gave it. */
const isGivenBy = (record: Pick<AnyRecord, 'kind'>, ids: string) =>
  isSubject(record) ? `record_id = any (${ids}) and caused_by is null` : `caused_by = any (${ids})`;

const tasksIn = (record: Pick<AnyRecord, 'kind'>) => ({
  table: 'work_task',
  by: giverOf(record),
  of: isGivenBy(record, '$2::uuid[]'),
  name: 'work',
  isOpen: `state = 'open'`,
  more: ', resumed_from as "resumedFrom"',
});
const clocksIn = {
  table: 'record_clock',
  by: 'record_id',
  of: 'record_id = any ($2::uuid[])',
  name: 'clock',
  isOpen: 'stopped_at is null',
  more: '',
};

/** The tasks or clocks of records that are open, or were ended by a version that is being undone; by record. */
async function keptOf(
  tx: Tx,
  { table, by, of, name, isOpen, more }: typeof clocksIn,
  { tenantId }: Writing,
  moved: readonly Moved[],
): Promise<(one: Moved) => Kept[]> {
  const undone = moved.flatMap(({ givesBack, undoes }) => (givesBack ? [undoes!] : []));
  const rows = await tx.rows<Kept>(
    `select id, ${by} as "recordId", ${name} as name, ${isOpen} as "isOpen", made_version as made,
       ended_version as ended, resumed_version as resumed ${more}
     from ${table}
     where tenant_id = $1 and ${of} and (${isOpen} or ended_version = any ($3::integer[]))
     order by id`,
    [tenantId, moved.map(({ stored }) => stored.id), undone],
  );
  const byRecord = Map.groupBy(rows, ({ recordId }) => recordId);
  return ({ stored }) => byRecord.get(stored.id) ?? [];
}

/** Returns the tasks that it gave. */
async function move(tx: Tx, writing: Writing, moved: readonly Moved[]): Promise<readonly NewTask[]> {
  const { record, tenantId, accountId } = writing;
  const { flow, of } = record.workflow!;
  const tasksOf = await keptOf(tx, tasksIn(record), writing, moved);
  const clocksOf = await keptOf(tx, clocksIn, writing, moved);
  const days = await calendarOf(tx, tenantId);
  const { calendar, today } = days;
  const tasks = { ended: [] as (Kept & { state: string })[], resumed: [] as Kept[], given: [] as NewTask[] };
  const clocks = { stopped: [] as Kept[], resumed: [] as Kept[], started: [] as object[] };
  for (const one of moved) {
    const { stored, changes, version, givesBack, undoes } = one;
    if (givesBack) {
      const back = takenBack(tasksOf(one), undoes!);
      tasks.resumed.push(...back.resume);
      tasks.ended.push(
        ...back.end.map((task) => ({
          ...task,
          state: task.made === undoes ? 'withdrawn' : (task.resumedFrom ?? 'withdrawn'),
        })),
      );
      const running = takenBack(clocksOf(one), undoes!);
      clocks.resumed.push(...running.resume);
      clocks.stopped.push(...running.end);
      continue;
    }
    const values = valuesOf(one);
    const from = (changes[of]?.from ?? stored[of]) as string;
    const to = (changes[of]?.to ?? from) as string;
    const { transition, effects } = effectsBetween(flow, from, { state: to, values }, one.done);
    const plan = planned(effects, tasksOf(one), clocksOf(one));
    const made = { flow_version: flow.version, made_version: version };
    const about = { ...made, record_id: stored.id };
    tasks.ended.push(
      ...plan.close.map((task) => ({ ...task, state: 'done' })),
      ...plan.drop.map((task) => ({ ...task, state: 'not-needed' })),
    );
    tasks.given.push(
      ...plan.give.map(({ task, to, dueDays, from, working = false, priority = 'normal', about: of }) => ({
        ...(of === undefined
          ? about
          : {
              ...made,
              record_id: values[of] as string,
              caused_by: stored.id,
            }),
        id: v7(),
        work: task,
        queue: to === 'supervisor' ? to : 'assignee',
        account_id: (to === 'supervisor'
          ? null
          : (values[to === 'assignee' ? flow.assignee! : to.field] ?? null)) as string | null,
        due_on:
          dueDays === undefined
            ? null
            : daysAfter(((from && values[from]) || today) as string, dueDays, working, calendar),
        priority,
        made_on: today,
        made_by: accountId,
        transition,
      })),
    );
    clocks.stopped.push(...plan.stop);
    clocks.started.push(
      ...plan.start.map((clock) => ({
        ...about,
        record_kind: record.kind,
        ...clockFrom(flow, clock, today, days),
      })),
    );
  }
  const versions = new Map(moved.map(({ stored, version }) => [stored.id, version]));
  const by = (kept: readonly Kept[]) =>
    kept.map(({ id, recordId }) => ({ id, version: versions.get(recordId!)! }));
  await changeTasks(tx, writing, [
    ...[...Map.groupBy(tasks.ended, ({ state }) => state)].map(([state, of]) => ({
      of: by(of),
      sets: 'state = $4, ended_at = now(), ended_by = $5, ended_version = v.version',
      params: [state, accountId],
    })),
    {
      of: by(tasks.resumed),
      sets: `resumed_from = k.state, state = 'open', ended_at = null, ended_by = null, ended_version = null,
        resumed_version = v.version`,
      params: [],
    },
  ]);
  await changeKept(tx, tenantId, 'record_clock', {
    of: by(clocks.stopped),
    sets: 'stopped_at = now(), ended_version = v.version',
  });
  await changeKept(tx, tenantId, 'record_clock', {
    of: by(clocks.resumed),
    sets: 'stopped_at = null, ended_version = null, resumed_version = v.version',
  });
  const given = await withoutUnseen(tx, record, tenantId, tasks.given);
  await insertTasks(tx, tenantId, subject.table, given);
  await startClocks(tx, writing, clocks.started);
  await keepTransitions(
    tx,
    writing,
    moved
      .filter((one) => hasMoved(record.workflow!, one))
      .map(({ stored, changes, version, isTakenBack, undoes }) => ({
        id: stored.id,
        version,
        from: changes[of]!.from as string,
        to: changes[of]!.to as string,
        undoes: isTakenBack ? undoes : undefined,
      })),
    days,
  );
  return given;
}

/** The same tasks, except those about a case that is missing or that the writer does not see. */
async function withoutUnseen(
  tx: Tx,
  record: Pick<AnyRecord, 'kind'>,
  tenantId: string,
  tasks: readonly NewTask[],
): Promise<readonly NewTask[]> {
  if (isSubject(record) || tasks.length === 0) return tasks;
  const rows = await tx.rows<{ id: string }>(
    `select id from ${subject.table} where tenant_id = $1 and id = any ($2::uuid[])`,
    [tenantId, tasks.flatMap(({ record_id }) => record_id ?? [])],
  );
  const seen = new Set(rows.map(({ id }) => id));
  return tasks.filter(({ record_id }) => record_id !== null && seen.has(record_id));
}

/** Starts the clocks of new records, each on its day, and notifies the people they were given to. */
export async function carryOutNew(
  tx: Tx,
  writing: Writing,
  made: readonly { id: string; on: string; assignee?: string | null }[],
): Promise<void> {
  const { kind, workflow } = writing.record;
  await tell(
    tx,
    { tenantId: writing.tenantId, recordKind: kind, actorId: writing.accountId },
    made.flatMap(({ id, assignee }): Told[] =>
      assignee ? [{ kind: 'assigned', recordId: id, to: assignee, version: 1 }] : [],
    ),
  );
  if (!workflow?.flow.begun || made.length === 0) return;
  const { flow } = workflow;
  const days = await calendarOf(tx, writing.tenantId);
  const clocks = flow.begun!.map(({ startClock }) => startClock);
  await startClocks(
    tx,
    writing,
    made.flatMap(({ id, on }) =>
      clocks.map((clock) => ({
        record_kind: kind,
        record_id: id,
        flow_version: flow.version,
        made_version: 1,
        ...clockFrom(flow, clock, on, days),
      })),
    ),
  );
}

/** A clock that starts on a day. */
function clockFrom({ clocks = [] }: Workflow, clock: string, on: string, { calendar, zone }: Days) {
  const due = dueOn(clocks.find(({ id }) => id === clock)!, on, calendar);
  return { id: v7(), clock, started_on: on, due_on: due, due_at: startOfDay(due, zone, 1) };
}

const startClocks = (tx: Tx, { record, tenantId }: Writing, clocks: readonly object[]) =>
  insertRows(
    tx,
    tenantId,
    'record_clock',
    {
      id: 'uuid', record_kind: 'text', record_id: 'uuid', clock: 'text', started_on: 'date', due_on: 'date',
      due_at: 'timestamptz', flow_version: 'integer', made_version: 'integer',
    }, // biome-ignore format: a table
    clocks,
    { carriedOf: record.table as Deciding },
  );

/** A tenant's working days, and its current day. */
interface Days {
  calendar: Calendar;
  today: string;
  zone: string;
}

export async function calendarOf(tx: Tx, tenantId: string): Promise<Days> {
  const [row] = await tx.rows<Calendar & { today: string; zone: string }>(
    `select t.workdays, t.federal_holidays as "federalHolidays", t.days_off as "daysOff", t.time_zone as zone,
       cast(now() at time zone t.time_zone as date) as today
     from tenant t where t.id = $1`,
    [tenantId],
  );
  const { today, zone, ...calendar } = row!;
  return { calendar, today, zone };
}

/**
 * Tasks or clocks `k` to change, each with the version `v` of its record; the parameters of `sets` begin with the
 * fourth.
 */
interface KeptChange {
  of: readonly { id: string; version: number }[];
  sets: string;
  params?: readonly unknown[];
}

/** Found by their keys alone. In a join with their records, PostgreSQL without statistics reads many more rows. */
async function changeKept(
  tx: Tx,
  tenantId: string,
  table: string,
  { of, sets, params = [] }: KeptChange,
): Promise<void> {
  if (of.length === 0) return;
  await tx.run(
    `update ${table} k set ${sets} from ${few('unnest($2::uuid[], $3::integer[]) as given (id, version)')} as v
     where k.tenant_id = $1 and k.id = v.id`,
    [tenantId, of.map(({ id }) => id), of.map(({ version }) => version), ...params],
  );
}

async function changeTasks(
  tx: Tx,
  { tenantId, accountId }: Writing,
  changes: readonly KeptChange[],
): Promise<void> {
  const all = changes.flatMap(({ of }) => of.map(({ id }) => id));
  await keepingVersions(tx, workTaskRecord, tenantId, all, { accountId }, async () => {
    for (const { sets, ...change } of changes)
      await changeKept(tx, tenantId, 'work_task', { ...change, sets: `version = k.version + 1, ${sets}` });
  });
  await recordChange(tx, tenantId, 'work_task', all);
}

/** Open tasks that the workflow gave to the former assignee move to the new one. Tasks that a person assigned stay. */
async function passToAssignee(
  tx: Tx,
  writing: Writing,
  passed: readonly Written[],
  assignee: string,
): Promise<void> {
  const accounts = new Map(
    passed.map((one) => [one.stored.id, (valuesOf(one)[assignee] ?? null) as string | null]),
  );
  const versions = new Map(passed.map(({ stored }) => [stored.id, stored.version + 1]));
  const theirs = writing.record.workflow!.flow.transitions.flatMap(({ effects = [] }) =>
    effects.flatMap((effect) => ('task' in effect && effect.to === 'assignee' ? effect.task : [])),
  );
  const open = await tx.rows<{ id: string; recordId: string; account: string | null }>(
    `select id, ${giverOf(writing.record)} as "recordId", account_id as account from work_task
     where tenant_id = $1 and ${isGivenBy(writing.record, '$2::uuid[]')} and state = 'open' and queue = 'assignee'
       and transition is not null and work = any ($3) order by id`,
    [writing.tenantId, [...accounts.keys()], theirs],
  );
  const others = open.filter(({ recordId, account }) => account !== accounts.get(recordId));
  await changeTasks(
    tx,
    writing,
    [...Map.groupBy(others, ({ recordId }) => accounts.get(recordId)!)].map(([account, of]) => ({
      of: of.map(({ id, recordId }) => ({ id, version: versions.get(recordId)! })),
      sets: 'account_id = $4',
      params: [account],
    })),
  );
}
