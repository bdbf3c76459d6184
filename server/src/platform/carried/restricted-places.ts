import { recordChange } from '../analytics/outbox.ts';
import type { Tx } from '../db/database.ts';
import { passOn } from './carried.ts';

/**
 * Stores with persons the organizations and facilities that have only records of restricted families about them. For
 * some persons, after records moved to another person or place; or for all, if other families become restricted.
 * `always`: the families that are restricted in every tenant. The importer does this itself, record by record. In
 * the scope of the service. [P18]
 */
export async function noteRestrictedPlaces(
  tx: Tx,
  tenantId: string,
  always: readonly string[],
  patientIds: readonly string[] | 'all',
): Promise<void> {
  const [tenant] = await tx.rows<{ families: string[] }>(
    'select restricted_families as families from tenant where id = $1',
    [tenantId],
  );
  const restricted = [...(tenant?.families ?? []), ...always];
  // Persons without a record of another family or of an unknown family.
  const changed = await tx.rows<{ id: string }>(
    `update patient p set restricted_at = n.places
     from (select k.id, case when k.disease_families && $2::text[] then array(
         select place from unnest(k.organization_ids || k.facility_ids) as place
         where not exists (select from result r where r.tenant_id = $1 and r.patient_id = k.id
             and place in (r.organization_id, r.facility_id) and coalesce(r.disease_family <> all ($2), true))
           and not exists (select from case_report c where c.tenant_id = $1 and c.patient_id = k.id
             and place in (c.organization_id, c.facility_id) and c.disease_family <> all ($2)))
         else '{}' end as places
       from patient k where k.tenant_id = $1 and ($3::uuid[] is null or k.id = any ($3))
         and (k.disease_families && $2::text[] or k.restricted_at <> '{}')) n
     where p.tenant_id = $1 and p.id = n.id and p.restricted_at <> n.places returning p.id`,
    [tenantId, restricted, patientIds === 'all' ? null : patientIds],
  );
  const ids = changed.map(({ id }) => id);
  await passOn(tx, tenantId, 'patient', ids);
  await recordChange(tx, tenantId, 'patient', ids);
}
