import type { Tx } from '../../platform/db/database.ts';
import { lockRecords } from '../../platform/record-lock.ts';

/**
 * Begins a transaction that stores messages. Two for one tenant never run at the same time: each must see the patients
 * and cases that the other makes.
 */
export async function lockTenant(tx: Tx, tenantId: string): Promise<void> {
  // PostgreSQL keeps the plans by which it checks foreign keys for as long as a connection lasts. If they were made
  // while the tables were almost empty, they read the whole tenant for each row: measured, a fifth of the speed.
  await tx.run('discard plans');
  await lockRecords(tx, tenantId);
}
