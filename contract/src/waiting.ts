import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/* What waits for the reader. Every page requests it; the counted lists are in waiting-lists.ts. */

/** Lists, most overdue first. */
export const waitingListKinds = [
  'tasksOverdue',
  'tasksToday',
  'teamTasks',
  'visitsOverdue',
  'visitsToday',
  'contactsDue',
  'caseFollowUpsDue',
  'partnersLate',
  'telemedicineOverdue',
  'telemedicineToday',
  'ownCases',
  'tasks',
  'refusedFiles',
] as const;
export type WaitingListKind = (typeof waitingListKinds)[number];
/** Queues that are not lists of records. */
const waitingQueueKinds = ['codes', 'pairs', 'recoveries', 'accesses'] as const;
export type WaitingQueue = (typeof waitingQueueKinds)[number];
export const waitingKinds = [...waitingListKinds, ...waitingQueueKinds] as const;
export type WaitingKind = (typeof waitingKinds)[number];

/** Sums of other kinds; they have no number in the menu. */
export const waitingSums: readonly WaitingKind[] = ['tasks'];

/** How much of one kind is waiting, and the address to work on it: a list shows exactly the counted rows. */
const waits = z.object({ kind: z.enum(waitingKinds), count: z.int().positive(), to: z.string() });
export type Waits = z.infer<typeof waits>;

export const readWaiting = endpoint({
  method: 'GET',
  path: '/api/web/waiting',
  access: 'general/other',
  deed: 'read',
  summary: 'How much waits for the person who asks, of each kind that they may deal with',
  response: z.object({
    /** The day of the counts. */
    today: z.iso.date(),
    /** In the order of the kinds. No entry for kinds the reader may not work on, or with nothing waiting. */
    waits: z.array(waits),
  }),
});
