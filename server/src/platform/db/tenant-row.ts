import type { Tx } from './database.ts';

/*
 * Citus sends `insert … select` to the tenant's server as one statement only if the tenant comes from a row of a
 * table there. With the tenant as a parameter, the rows are made elsewhere and brought to it. Each tenant has one
 * row in `change_counter`.
 */

/** For `insert … select` with the tenant as `$1`: its column, its table, and the condition. */
export const fromTenantRow = {
  id: 't.tenant_id',
  table: 'change_counter t',
  is: 't.tenant_id = $1',
} as const;

/** The transactions that have checked for the row. */
const there = new WeakMap<Tx, string>();

/** Makes sure that the tenant has its row before rows are inserted from it. Without it, none would be inserted. */
export async function haveTenantRow(tx: Tx, tenantId: string): Promise<void> {
  if (there.get(tx) === tenantId) return;
  await tx.send(
    'insert into change_counter (tenant_id, last_number) values ($1, 0) on conflict do nothing',
    [tenantId],
    'have tenant row',
  );
  there.set(tx, tenantId);
}
