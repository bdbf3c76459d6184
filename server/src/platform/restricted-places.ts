import type { Tx } from './db/database.ts';

/**
 * Stores with persons the organizations and facilities that have only records of restricted families about them: for
 * some persons, after records moved to another person or place, or for all, if other families become restricted.
 * `always`: the families that are restricted in every tenant. The importer does this itself, record by record. In the
 * scope of the service. [P18]
 */
export const noteRestrictedPlaces = (
  tx: Tx,
  tenantId: string,
  always: readonly string[],
  patientIds: readonly string[] | 'all',
): Promise<number> =>
  tx.run(
    `update patient p set restricted_at = n.places
     from tenant t join patient k on k.tenant_id = t.id
       cross join lateral app_restricted_at(k, t.restricted_families || $2::text[]) as n (places)
     where t.id = $1 and ($3::uuid[] is null or k.id = any ($3))
       and (k.disease_families && (t.restricted_families || $2::text[]) or k.restricted_at <> '{}')
       and p.tenant_id = $1 and p.id = k.id and p.restricted_at <> n.places`,
    [tenantId, always, patientIds === 'all' ? null : patientIds],
  );
