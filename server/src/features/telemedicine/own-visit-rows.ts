import type { OwnVisit } from '@caseway/contract/own-visits';
import type { telemedicineVisitTypes } from '@caseway/contract/telemedicine-flow';
import type { Tx } from '../../platform/db/database.ts';
import type { OwnRecord } from '../../platform/http/access.ts';
import { AppError } from '../../platform/http/app-error.ts';
import type { Call } from '../../platform/http/serve.ts';

/** A patient's visit as the service reads it, only for that patient. */
export interface OwnRow extends Omit<OwnVisit, 'startsAt' | 'mayChange' | 'visitType'> {
  startsAt: Date | null;
  visitType: (typeof telemedicineVisitTypes)[number];
  bookedBy: string | null;
}
const columns = `id, version, status, starts_at as "startsAt", minutes, provider_id as provider,
  visit_type as "visitType", booked_by as "bookedBy"`;

/**
 * The visits of a patient: future visits with the next one first, then the others with the latest first. A
 * guardian sees those that staff made for a child, and none about a disease family that is hidden from guardians.
 */
export const ownRows = (tx: Tx, { tenantId, patientId, guardian }: OwnRecord): Promise<OwnRow[]> =>
  tx.rows<OwnRow>(
    `select ${columns} from telemedicine_visit
     where tenant_id = $1 and patient_id = $2 and status <> 'entered-in-error'
       and ($3::text[] is null or coalesce(disease_family <> all ($3), true)
         and booked_by is distinct from 'patient')
     order by closed_at is not null, case when closed_at is null then starts_at end, starts_at desc, id limit 50`,
    [tenantId, patientId, guardian?.hiddenFamilies ?? null],
  );

/** One of the patient's own visits; `not-found` for any other. */
export async function ownVisit(
  tx: Tx,
  { patient: { tenantId, patientId } }: Call,
  id: string,
): Promise<OwnRow> {
  const [row] = await tx.rows<OwnRow>(
    `select ${columns} from telemedicine_visit
     where tenant_id = $1 and id = $2 and patient_id = $3 and status <> 'entered-in-error'`,
    [tenantId, id, patientId],
  );
  if (!row) throw new AppError('not-found');
  return row;
}
