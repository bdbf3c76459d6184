import { addDays } from '@caseway/contract/date-range';
import { sensitiveForGuardians } from '../../src/features/reference/catalog.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { demoId } from './tenant-parts.ts';

/**
 * Makes the demo's patient a parent of one of its children, between four and ten years old, who has a result that a
 * guardian sees. The child's id; undefined if there is no such child.
 */
export async function seedGuardian(
  tx: Tx,
  today: string,
  { patientId, by }: { patientId: string; by: string },
): Promise<string | undefined> {
  const [child] = await tx.rows<{ id: string }>(
    `select p.id from patient p
     where p.tenant_id = $1 and p.merged_into is null and p.birth_date between $2 and $3
       and exists (select from result r where r.tenant_id = $1 and r.patient_id = p.id and r.superseded_by is null
         and r.status = 'final' and r.disease_family <> all ($4))
     order by md5(cast(p.id as text)) limit 1`,
    [tx.tenantId, addDays(today, -10 * 365), addDays(today, -4 * 365), sensitiveForGuardians],
  );
  if (!child) return undefined;
  await tx.run(
    `insert into guardian_link (tenant_id, id, child_id, guardian_id, relation, evidence, from_on, made_by)
     values ($1, $2, $3, $4, 'parent', 'document', $5, $6)`,
    [tx.tenantId, demoId('guardian/portal'), child.id, patientId, addDays(today, -30), by],
  );
  return child.id;
}
