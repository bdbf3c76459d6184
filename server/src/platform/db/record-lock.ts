import type { Tx } from './database.ts';

/**
 * Waits until nobody else writes records of a tenant in bulk (imports, merges), and blocks others until the
 * transaction has ended. Throws if the transaction has already locked or written a row: two that lock in different
 * orders would deadlock.
 */
export const lockRecords = (tx: Tx, tenantId: string) => lockFirst(tx, tenantId, 'pg_advisory_xact_lock');

/**
 * Waits for bulk writes of a tenant's records to end, and blocks new ones until this transaction ends. For writing
 * rows that belong to a record and carry who may see it. Throws like `lockRecords`.
 */
export const shareRecords = (tx: Tx, tenantId: string) =>
  lockFirst(tx, tenantId, 'pg_advisory_xact_lock_shared');

async function lockFirst(tx: Tx, tenantId: string, lock: string): Promise<void> {
  // PostgreSQL numbers a transaction when it locks or writes its first row, not when it reads.
  const [row] = await tx.rows<{ late: boolean }>(
    `select pg_current_xact_id_if_assigned() is not null as late, ${lock}(hashtextextended('import ' || $1, 0))`,
    [tenantId],
  );
  if (row!.late) throw new Error('the records of a tenant are locked before any row');
}

/**
 * Begins a transaction that stores messages. Two for one tenant never run at the same time: each must see the
 * patients and cases that the other creates.
 */
export async function lockTenant(tx: Tx, tenantId: string): Promise<void> {
  // PostgreSQL keeps its plans for foreign-key checks as long as a connection lasts. Plans that were made while the
  // tables were almost empty read the whole tenant for each row, which measured a fifth of the speed.
  await tx.run('discard plans');
  await lockRecords(tx, tenantId);
}
