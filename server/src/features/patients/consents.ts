import type { Consent } from '@caseway/contract/portal';
import type { Database, Tx } from '../../platform/db/database.ts';
import { few } from '../../platform/db/few.ts';

type StoredConsent = Omit<Consent, 'at'> & { at: Date };

/** The record `$2` of the tenant `$1` and the records merged into it, as `own (id)`. */
const withParts = `with recursive own as (
  select $2::uuid as id
  union select p.id from ${few('own')} o join patient p on p.tenant_id = $1 and p.merged_into = o.id)`;

/** The record of a patient and the records merged into it. */
export const partsOf = async (tx: Tx, tenantId: string, patientId: string): Promise<string[]> =>
  (await tx.rows<{ id: string }>(`${withParts} select id from own`, [tenantId, patientId])).map(
    ({ id }) => id,
  );

/**
 * All answers of a patient, the latest first, including those of merged records: a refusal stays valid whatever
 * happens to the record, and for every reader. So it is read as the service of the tenant; the caller has checked that
 * the reader sees the patient.
 */
export async function consentsOf(
  database: Database,
  tenantId: string,
  patientId: string,
): Promise<Consent[]> {
  const rows = await database.withScope(
    { kind: 'service', tenantId },
    (tx) =>
      tx.rows<StoredConsent>(
        `${withParts}
         select kind, given, at, wording, by_patient as "byPatient" from patient_consent
         where tenant_id = $1 and patient_id in (select id from own) order by at desc, id desc`,
        [tenantId, patientId],
      ),
    { readOnly: true },
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
