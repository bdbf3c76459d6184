import { z } from 'zod';
import { addDays, day as daySchema, daysBetween } from './date-range.ts';
import { endpoint, type Permission } from './endpoint.ts';
import { patientRecordWithMaking } from './patient-record.ts';
import {
  byServer,
  choice,
  coded,
  computed,
  count,
  day,
  entry,
  inColumn,
  instant,
  known,
  listOf,
  needed,
  onCreation,
  reference,
  text,
} from './record.ts';

/*
 * Tasks about a record with a due day, and its running clocks. Both follow from the transitions of its
 * workflow. (A `task` is what a program does for people who are tested.)
 */

/**
 * Tasks that transitions and rules create, and that people give each other; each has a label, and `other` has
 * its title.
 */
export const workByHand = ['call', 'letter', 'home-visit', 'records-request', 'review', 'other'] as const;
export const workKinds = [
  'investigate',
  'interview',
  'find',
  'approve',
  'pregnant-syphilis',
  ...workByHand,
] as const;
/** Who does it: the record's assignee, or a supervisor. */
export const workQueues = ['assignee', 'supervisor'] as const;
/** `withdrawn`: the transition that created it was undone. */
export const workStates = ['open', 'done', 'not-needed', 'withdrawn'] as const;
export const workPriorities = ['normal', 'high'] as const;
/**
 * Which tasks the list shows: the reader's own; those their teams have and no one has taken; those without
 * a person or team; or all, including ended ones.
 */
export const workViews = ['mine', 'my-teams', 'team', 'all'] as const;

const fields = {
  work: onCreation(needed(choice(workKinds))),
  title: text(200),
  note: text(2000),
  state: needed(choice(workStates)),
  dueOn: day(),
  priority: needed(choice(workPriorities)),
  queue: onCreation(needed(choice(workQueues))),
  /** The account of a tenant member; empty for anyone in the team or queue. */
  account: reference('investigators'),
  /** Its members can take the task; it stays the team's task when someone has it. */
  team: reference('teams'),
  /** The case that it is about; empty if it is about a person alone. */
  recordId: inColumn('record_id', onCreation(reference())),
  /** The person, also of the case. */
  patientId: inColumn('patient_id', onCreation(reference())),
  /** When it is done, the next one is due this many days later, until a day. */
  repeatDays: count({ least: 1, most: 366 }),
  repeatUntil: day(),
  /** The number of the case. */
  record: known(coded(z.string())),
  patient: computed(text(200)),
  condition: known(entry('conditions')),
  madeAt: byServer(needed(instant())),
  /** The day in the tenant. */
  madeOn: byServer(needed(day())),
};

const access = { read: 'case-reports/read', write: 'case-reports/write' } as const;
const grid = listOf(fields, {
  id: 'work-tasks',
  permission: access.read,
  exportable: 'case-reports/export',
  columns: {
    record: { whole: true, width: 136 },
    work: { width: 220 },
    title: { sensitive: true, width: 190, hidden: true },
    dueOn: { width: 150 },
    state: { width: 220 },
    patient: { sensitive: true, width: 170 },
    account: { width: 170 },
    team: { width: 160, hidden: true },
    condition: { width: 180 },
    priority: { width: 110 },
    queue: { width: 150, hidden: true },
    note: { sensitive: true, width: 220, hidden: true },
    madeAt: { width: 160, hidden: true },
  },
  // Open tasks before ended ones.
  sortedBy: ['state', 'dueOn'],
  filters: ['whose', 'work', 'state', 'priority', 'account', 'team'],
  card: { title: ['work'], lines: ['state', 'record', 'patient', 'dueOn', 'account', 'priority'] },
  views: { of: 'whose', codes: workViews },
  counted: true,
});

/** A task about a case or a person, created by a transition of a workflow or by a user. */
export const workTaskRecord = patientRecordWithMaking({
  id: 'work-tasks',
  kind: 'work-task',
  noun: 'follow-up task',
  table: 'work_task',
  access,
  about: { field: 'recordId', kind: 'case', or: { field: 'patientId', kind: 'patient' } },
  alone: true,
  name: 'record',
  fields,
  grid,
  answer: grid.row,
  form: [
    'work',
    'title',
    'account',
    'team',
    'queue',
    'dueOn',
    'priority',
    'note',
    'repeatDays',
    'repeatUntil',
  ],
  begins: { state: 'open', priority: 'normal', queue: 'assignee' },
  bulk: ['state', 'account', 'team'],
  timeline: { at: ['madeOn'], shows: ['title', 'state', 'dueOn'] },
});

// — Tasks and clocks of one record —

const openTask = z.object({
  id: z.uuid(),
  /** The case that it is about, with its number; null if it is about a person alone. */
  recordId: z.uuid().nullable(),
  record: z.string().nullable(),
  version: z.number().int(),
  work: z.string(),
  title: z.string().nullable(),
  note: z.string().nullable(),
  repeatDays: z.number().int().nullable(),
  repeatUntil: daySchema.nullable(),
  queue: z.string(),
  account: z.uuid().nullable(),
  /** Also for accounts no look-up has any more. */
  name: z.string().nullable(),
  team: z.uuid().nullable(),
  teamName: z.string().nullable(),
  priority: z.enum(workPriorities),
  dueOn: daySchema.nullable(),
  overdue: z.boolean(),
});
const runningClock = z.object({
  clock: z.string(),
  startedOn: daySchema,
  dueOn: daySchema,
  /** The end of the due day, in the tenant's time zone. */
  dueAt: z.iso.datetime(),
  overdue: z.boolean(),
});
export type OpenTask = z.infer<typeof openTask>;
export type RunningClock = z.infer<typeof runningClock>;

/** A record's open tasks and running clocks, in order of due date. */
export const workOf = ({
  id,
  noun,
  access: { read },
}: {
  id: string;
  noun: string;
  access: { readonly read: Permission };
}) =>
  endpoint({
    method: 'GET',
    path: `/api/web/${id}/:id/work`,
    access: read,
    deed: 'read',
    summary: `The open tasks and running clocks of a ${noun}`,
    patientData: true,
    params: z.strictObject({ id: z.uuid() }),
    response: z.object({ tasks: z.array(openTask), clocks: z.array(runningClock) }),
  });
export type WorkEndpoint = ReturnType<typeof workOf>;

/** What has to be done about a person, also about their cases that the reader sees. */
export const patientWork = workOf({ id: 'patients', noun: 'person', access });

/** Fault codes of a task, worded under `work-tasks:fault.<code>`. `changed`: check only these fields. */
export function workTaskFaults(
  {
    work,
    title,
    dueOn,
    repeatDays,
    repeatUntil,
  }: {
    work?: unknown;
    title?: unknown;
    dueOn?: string | null;
    repeatDays?: number | null;
    repeatUntil?: string | null;
  },
  { today, changed }: { today: string; changed: (...names: string[]) => boolean },
): { field: 'title' | 'dueOn' | 'repeatUntil'; code: string }[] {
  return [
    ...(work === 'other' && !title && changed('work', 'title')
      ? [{ field: 'title' as const, code: 'title-needed' }]
      : []),
    ...(dueOn && dueOn < today && changed('dueOn') ? [{ field: 'dueOn' as const, code: 'past' }] : []),
    ...(repeatDays && !dueOn && changed('repeatDays', 'dueOn')
      ? [{ field: 'dueOn' as const, code: 'due-needed' }]
      : []),
    ...(repeatUntil && changed('repeatUntil', 'repeatDays') && (!repeatDays || (dueOn && repeatUntil < dueOn))
      ? [{ field: 'repeatUntil' as const, code: repeatDays ? 'before-due' : 'repeats-not' }]
      : []),
  ];
}

/** The next task's day, in the rhythm of the finished one; null if it ends before. */
export function nextDue(
  {
    dueOn,
    repeatDays,
    repeatUntil,
  }: { dueOn: string | null; repeatDays: number | null; repeatUntil: string | null },
  today: string,
): string | null {
  if (repeatDays === null || dueOn === null) return null;
  const late = Math.max(0, daysBetween(dueOn, today));
  const next = addDays(dueOn, repeatDays * (Math.floor(late / repeatDays) + 1));
  return repeatUntil !== null && next > repeatUntil ? null : next;
}
