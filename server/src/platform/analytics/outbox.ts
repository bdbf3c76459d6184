import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/database.ts';

/** The channel on which a commit that changed facts is announced; its payload is the tenant's id. */
export const outboxChannel = 'outbox';

/**
 * What changed: results, case reports, or persons. A changed person's facts are all read again, so a change of
 * demographics, or a merge (then both persons), needs no list of results.
 */
export type ChangeKind = 'result' | 'case' | 'patient';

const idsPerRow = 5000;

/**
 * Says, in the transaction that makes the change, which records the analytics replicas have to read again: new,
 * changed and deleted ones alike, and with a correction also the result that it supersedes. Once the transaction has
 * committed, the replicas follow at once; if it is rolled back, nothing has happened.
 */
export async function recordChange(
  tx: Tx,
  tenantId: string,
  kind: ChangeKind,
  ids: readonly string[],
): Promise<void> {
  for (let start = 0; start < ids.length; start += idsPerRow)
    await tx.send('insert into outbox (tenant_id, id, kind, record_ids) values ($1, $2, $3, $4)', [
      tenantId,
      randomUUID(),
      kind,
      ids.slice(start, start + idsPerRow),
    ]);
  // PostgreSQL delivers it after the commit, and only once however often a transaction says it.
  if (ids.length > 0) await tx.send('select pg_notify($1, $2)', [outboxChannel, tenantId]);
}
