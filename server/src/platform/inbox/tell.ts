import { type NotificationKind, notificationKinds } from '@caseway/contract/inbox';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { Tx } from '../db/database.ts';
import { defineJob, enqueue } from '../jobs/jobs.ts';

/*
 * Notifications are queued in the transaction of their cause, in one statement. The service finds the recipients and
 * writes to their inboxes: people cannot write into each other's inbox, and do not see all the data that recipients
 * are found by.
 */

/** An account, or the person who last set `field` to `value` before this version, found in the history. */
const hearer = z.union([z.uuid(), z.strictObject({ field: z.string(), value: z.string() })]);

const told = z.strictObject({
  /** The id of the notification, so that a retried job notifies nobody twice. */
  id: z.uuid(),
  kind: z.enum(notificationKinds),
  recordId: z.uuid(),
  to: hearer,
  version: z.int().nullable(),
});
const takenBack = z.strictObject({ recordId: z.uuid(), undone: z.int(), by: z.int() });

export const tellJob = defineJob({
  name: 'inbox/tell',
  payload: z.strictObject({
    tenantId: z.uuid(),
    recordKind: z.string(),
    /** The history table of the records; null if no recipient is found by it. */
    history: z.string().nullable(),
    /** People are not notified of their own actions; null: the product itself. */
    actorId: z.uuid().nullable(),
    at: z.iso.datetime(),
    told: z.array(told),
    takenBack: z.array(takenBack),
  }),
  lane: 'quick',
  attempts: 10,
});
export type Telling = z.infer<typeof tellJob.payload>;

/** A notification for one person; `version`: the version of the record that causes it. */
export interface Told {
  kind: NotificationKind;
  recordId: string;
  to: Telling['told'][number]['to'];
  version?: number;
  /** Derived from the content, if the same notification could occur twice. */
  id?: string;
}
interface About {
  tenantId: string;
  recordKind: string;
  history?: string;
  actorId: string | null;
}

/**
 * Notifies people about records of one kind, and withdraws notifications for undone versions, once the transaction
 * has committed.
 */
export async function tell(
  tx: Tx,
  { tenantId, recordKind, history, actorId }: About,
  given: readonly Told[],
  takenBack: Telling['takenBack'] = [],
): Promise<void> {
  const told = given.filter(({ to }) => to !== actorId);
  if (told.length === 0 && takenBack.length === 0) return;
  await enqueue(
    tx,
    tellJob,
    {
      tenantId,
      recordKind,
      history: history ?? null,
      actorId,
      at: new Date().toISOString(),
      told: told.map(({ version, id, ...one }) => ({ ...one, id: id ?? v7(), version: version ?? null })),
      takenBack: [...takenBack],
    },
    // A withdrawal must come after the notification that it withdraws.
    { queue: `inbox ${tenantId}` },
  );
}
