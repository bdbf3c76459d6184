import type { Database } from '../../platform/db/database.ts';
import type { Lookups, Reader } from '../../platform/grid/lookups.ts';

/** The people of a tenant who hold visits now, sorted by name. */
export async function presentProviders(
  database: Database,
  lookups: Lookups,
  reader: Reader,
  tenantId: string,
): Promise<ReadonlyMap<string, string>> {
  const named = await lookups.labels('providers', reader);
  const rows = await database.withScope(
    { kind: 'identity' },
    (tx) =>
      tx.rows<{ id: string }>(
        `select distinct m.account_id as id from membership m join account a on a.id = m.account_id
         where m.tenant_id = $1 and m.account_id = any ($2::uuid[]) and m.ended_at is null and a.disabled_at is null`,
        [tenantId, [...named.keys()]],
      ),
    { readOnly: true },
  );
  const present = new Set(rows.map(({ id }) => id));
  return new Map(
    [...named].filter(([id]) => present.has(id)).sort(([, one], [, other]) => one.localeCompare(other)),
  );
}
