import type { Fault } from '@caseway/contract/error';
import type { Tx } from '../../platform/db/database.ts';

/**
 * Locks tenant names, so that nobody else names a tenant until the transaction has ended. Call it before the
 * transaction locks anything else.
 */
export const lockTenantNames = (tx: Tx) =>
  tx.rows(`select pg_advisory_xact_lock(hashtextextended('names of tenants', 0))`, []);

/**
 * The faults of a tenant's name: another tenant has it, apart from case, accents and spaces, and people who choose
 * where to work could not tell the two apart. In the scope `identity`; a transaction that writes the name has called
 * `lockTenantNames`. `tenantId` is null for a new tenant.
 */
export async function faultsOfTenantName(
  tx: Tx,
  path: string,
  name: string,
  tenantId: string | null,
): Promise<Fault[]> {
  const [other] = await tx.rows(
    `select from tenant where app_fold(regexp_replace(name, '\\s+', ' ', 'g')) = app_fold(regexp_replace($1, '\\s+', ' ', 'g'))
       and id is distinct from $2 limit 1`,
    [name, tenantId],
  );
  return other ? [{ path, code: 'name-taken', message: 'another tenant has this name' }] : [];
}
