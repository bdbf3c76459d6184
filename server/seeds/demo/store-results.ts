import { recordChange } from '../../src/platform/analytics/outbox.ts';
import type { Tx } from '../../src/platform/db/database.ts';

/** Stores results that were not made by the generator; all have the columns of the first. */
export async function storeResults(tx: Tx, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!).join(', ');
  const made = await tx.rows<{ id: string }>(
    `insert into result (tenant_id, id, ${columns}) select $1, gen_random_uuid(), ${columns}
     from jsonb_populate_recordset(null::result, $2) returning id`,
    [tx.tenantId, JSON.stringify(rows)],
  );
  await recordChange(
    tx,
    tx.tenantId,
    'result',
    made.map(({ id }) => id),
  );
}
