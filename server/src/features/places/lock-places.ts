import type { Tx } from '../../platform/db/database.ts';

/** Changes to a tenant's setup run one at a time, so that a check still holds when the change is written. */
export const lockPlaces = (tx: Tx, tenantId: string) =>
  tx.rows(`select pg_advisory_xact_lock(hashtextextended('places ' || $1, 0))`, [tenantId]);
