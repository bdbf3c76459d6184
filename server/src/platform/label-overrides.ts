import type { Tx } from './db/database.ts';

/** What a tenant says in place of the product's own words: by language, then by `namespace:path`. */
export async function labelOverridesOf(
  tx: Tx,
  tenantId: string,
): Promise<Record<string, Record<string, string>>> {
  const rows = await tx.prepared<{ language: string; words: Record<string, string> }>(
    'label overrides',
    `select language, jsonb_object_agg(key, words) as words from label_override
     where tenant_id = $1 group by language`,
    [tenantId],
  );
  return Object.fromEntries(rows.map(({ language, words }) => [language, words]));
}
