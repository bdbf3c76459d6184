import type { Tx } from './db/database.ts';

/**
 * Notes with persons of which organizations and facilities there are only records of restricted families: with some, after
 * records have come to another person or place, or with all, where other families are restricted. `always`: those that are
 * restricted in every tenant. The importer notes it by itself, record by record. In the scope of the service. [P18]
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
