import type { Tx } from './db/database.ts';

/**
 * Waits until nobody else writes records of a tenant in bulk (imports, merges), and blocks others until the transaction
 * has ended.
 */
export const lockRecords = (tx: Tx, tenantId: string) =>
  tx.rows(`select pg_advisory_xact_lock(hashtextextended('import ' || $1, 0))`, [tenantId]);
