import type { Tx } from '../../platform/db/database.ts';
import { blockKeys, type Person, type PreparedPerson, prepare } from './matching.ts';

/**
 * Stores, for patients who have none yet, the keys under which they are compared with reports. `tenantId` is that of
 * the transaction's scope.
 */
export async function addComparisonKeys(
  tx: Tx,
  tenantId: string,
  patients: readonly { id: string; person: Person | PreparedPerson }[],
): Promise<void> {
  const ids: string[] = [];
  const keys: string[] = [];
  for (const { id, person } of patients)
    for (const key of blockKeys('birth' in person ? person : prepare(person))) {
      ids.push(id);
      keys.push(key);
    }
  if (ids.length === 0) return;
  await tx.run(
    `insert into patient_block (tenant_id, key, patient_id)
     select $1, given.key, given.id from unnest($2::uuid[], $3::text[]) as given (id, key)
     order by given.key on conflict do nothing`,
    [tenantId, ids, keys],
  );
}
