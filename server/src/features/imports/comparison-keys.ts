import type { Tx } from '../../platform/db/database.ts';
import { few } from '../../platform/db/few.ts';
import { type KeyedRecord, keyChanges } from '../../platform/search-keys.ts';

/**
 * Stores the keys under which patients are compared with reports (`blockKeys`), in place of those they had. `tenantId`
 * is that of the transaction's scope.
 */
export async function writeComparisonKeys(
  tx: Tx,
  tenantId: string,
  patients: readonly KeyedRecord[],
): Promise<void> {
  const { unknown, gone, first, fresh } = keyChanges(patients);
  if (unknown.length > 0)
    await tx.send(
      `delete from patient_block where tenant_id = $1 and patient_id = any ($2)
         and (patient_id, key) not in (select * from unnest($3::uuid[], $4::text[]))`,
      [tenantId, unknown, fresh.ids, fresh.keys],
    );
  if (gone.ids.length > 0)
    await tx.send(
      `delete from patient_block b using ${few('unnest($2::uuid[], $3::text[]) as given (id, key)')} as gone
         where b.tenant_id = $1 and b.key = gone.key and b.patient_id = gone.id`,
      [tenantId, gone.ids, gone.keys],
    );
  for (const [name, { ids, keys }, conflict] of [
    ['comparison keys of new patients', first, ''],
    ['comparison keys', fresh, 'on conflict do nothing'],
  ] as const)
    if (ids.length > 0)
      await tx.send(
        `insert into patient_block (tenant_id, key, patient_id)
         select $1, given.key, given.id from unnest($2::uuid[], $3::text[]) as given (id, key)
         order by given.key ${conflict}`,
        [tenantId, ids, keys],
        name,
      );
}
