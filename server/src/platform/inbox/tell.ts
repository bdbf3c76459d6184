import { type NotificationKind, notificationKinds } from '@caseway/contract/inbox';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { Tx } from '../db/database.ts';
import { defineJob, enqueue } from '../jobs/jobs.ts';

/*
 * What has to be told is left with the transaction in which it happens, in one statement. The service finds out whom, and
 * writes it: people cannot write into each other's inbox, and do not see everything by which these are found.
 */

/** An account, or somebody who is found by the history: who set `field` to `value` last, before this version. */
const hearer = z.union([z.uuid(), z.strictObject({ field: z.string(), value: z.string() })]);

const told = z.strictObject({
  /** Of the notification: a job that is tried again tells nothing twice. */
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
    /** Where the history of the records is; null if nobody is found by it. */
    history: z.string().nullable(),
    /** Never told what they do themselves; null: the product itself. */
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
  /** Made from what it tells, where the same could be told twice. */
  id?: string;
}
interface About {
  tenantId: string;
  recordKind: string;
  history?: string;
  actorId: string | null;
}

/** Tells of records of one kind, and withdraws what versions told that were taken back: once the transaction has committed. */
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
    // What takes back comes after what it takes back.
    { queue: `inbox ${tenantId}` },
  );
}
