import { z } from 'zod';
import { day as daySchema } from './date-range.ts';
import { endpoint, type Permission } from './endpoint.ts';
import {
  byServer,
  choice,
  coded,
  computed,
  day,
  entry,
  inColumn,
  instant,
  listOf,
  needed,
  patientRecord,
  reference,
  text,
} from './record.ts';

/*
 * What somebody has to do about a record until some day, and the clocks that run for it: both follow from the transitions
 * of its workflow. (A `task` is what a program does for people who are tested.)
 */

/** What transitions give people to do; each has words. */
export const workKinds = ['investigate', 'interview', 'approve'] as const;
/** Who does it: the assignee of the record, or a supervisor. */
export const workQueues = ['assignee', 'supervisor'] as const;
/** `withdrawn`: the transition that gave it was taken back. */
export const workStates = ['open', 'done', 'not-needed', 'withdrawn'] as const;
export const workPriorities = ['normal', 'high'] as const;
/** Whose tasks the list shows: the reader's own, those that nobody has taken yet, and all, also those that have ended. */
export const workViews = ['mine', 'team', 'all'] as const;

const fields = {
  work: byServer(needed(choice(workKinds))),
  state: needed(choice(workStates)),
  dueOn: day(),
  priority: needed(choice(workPriorities)),
  queue: byServer(needed(choice(workQueues))),
  /** Account of a member of the tenant; none: anyone of the queue. */
  account: reference('investigators'),
  recordKind: byServer(needed(coded(z.string()))),
  recordId: inColumn('record_id', byServer(needed(reference()))),
  /** The number of the record, and the person whom it is about. */
  record: computed(coded(z.string())),
  patientId: computed(reference()),
  patient: computed(text(200)),
  condition: computed(entry('conditions')),
  madeAt: byServer(needed(instant())),
};

const access = { read: 'case-reports/read', write: 'case-reports/write' } as const;
const grid = listOf(fields, {
  id: 'work-tasks',
  permission: access.read,
  exportable: 'case-reports/export',
  columns: {
    record: { whole: true, width: 136 },
    work: { width: 220 },
    dueOn: { width: 150 },
    state: { width: 190 },
    patient: { sensitive: true, width: 170 },
    condition: { width: 180 },
    priority: { width: 110 },
    account: { width: 150 },
    queue: { width: 150, hidden: true },
    madeAt: { width: 160, hidden: true },
  },
  sortedBy: 'dueOn',
  filters: ['whose', 'work', 'state', 'priority', 'account'],
  views: { of: 'whose', codes: workViews },
});

/** A task about a record, given by a transition of its workflow. */
export const workTaskRecord = patientRecord({
  id: 'work-tasks',
  kind: 'work-task',
  noun: 'follow-up task',
  table: 'work_task',
  access,
  alone: true,
  name: 'record',
  fields,
  grid,
  answer: grid.row,
  form: ['state', 'account', 'dueOn', 'priority'],
  bulk: ['state', 'account'],
});

// — What runs about one record —

const openTask = z.object({
  id: z.uuid(),
  version: z.number().int(),
  work: z.string(),
  queue: z.string(),
  account: z.uuid().nullable(),
  /** Also of somebody who is in no look-up any more. */
  name: z.string().nullable(),
  priority: z.enum(workPriorities),
  dueOn: daySchema.nullable(),
  overdue: z.boolean(),
});
const runningClock = z.object({
  clock: z.string(),
  startedOn: daySchema,
  dueOn: daySchema,
  /** The end of the due day, where the tenant is. */
  dueAt: z.iso.datetime(),
  overdue: z.boolean(),
});
export type OpenTask = z.infer<typeof openTask>;
export type RunningClock = z.infer<typeof runningClock>;

/** The open tasks and running clocks of one record, what is due first before the others. */
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
