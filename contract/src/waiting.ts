import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/* What waits for the reader. Every page asks for it; the lists that are counted are in waiting-lists.ts. */

/** Lists, what is latest first. */
export const waitingListKinds = [
  'tasksOverdue',
  'tasksToday',
  'visitsOverdue',
  'visitsToday',
  'contactsDue',
  'caseFollowUpsDue',
  'partnersLate',
  'telemedicineOverdue',
  'telemedicineToday',
  'ownCases',
  'tasks',
] as const;
export type WaitingListKind = (typeof waitingListKinds)[number];
/** Queues that are no lists of records. */
const waitingQueueKinds = ['codes', 'pairs', 'recoveries', 'accesses'] as const;
export type WaitingQueue = (typeof waitingQueueKinds)[number];
export const waitingKinds = [...waitingListKinds, ...waitingQueueKinds] as const;
export type WaitingKind = (typeof waitingKinds)[number];

/** What is a sum of others, and no number beside an entry of the menu. */
export const waitingSums: readonly WaitingKind[] = ['tasks'];

/** How much waits of one kind, and the address where it is dealt with: a list shows exactly the rows that were counted. */
const waits = z.object({ kind: z.enum(waitingKinds), count: z.int().positive(), to: z.string() });
export type Waits = z.infer<typeof waits>;

export const readWaiting = endpoint({
  method: 'GET',
  path: '/api/web/waiting',
  access: 'general/other',
  deed: 'read',
  summary: 'How much waits for the person who asks, of each kind that they may deal with',
  response: z.object({
    /** The day that the counts are of. */
    today: z.iso.date(),
    /** In the order of the kinds. Of kinds that the reader may not deal with, and where nothing waits: no entry. */
    waits: z.array(waits),
  }),
});
