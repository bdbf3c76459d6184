import type { Fault } from '@caseway/contract/error';
import type { Tx } from '../db/database.ts';
import { AppError, faultAt } from '../http/app-error.ts';

/* What people write down about a person whom they see, and perhaps about one of the cases of that person. */

/** Throws `not-found` where the writer sees no such person, so a hidden person is not revealed. */
export async function seePerson(tx: Tx, patient: unknown): Promise<void> {
  const found = await tx.rows(
    'select from patient where tenant_id = $1 and id = $2 and merged_into is null',
    [tx.tenantId, patient],
  );
  if (found.length === 0) throw new AppError('not-found');
}

/** The case is one that the writer sees, and of this person. */
export async function faultsOfCase(
  tx: Tx,
  { caseRecord, patient }: { caseRecord?: string | null; patient?: string },
): Promise<Fault[]> {
  if (!caseRecord) return [];
  const [found] = await tx.rows<{ patient: string }>(
    'select patient_id as patient from case_report where tenant_id = $1 and id = $2',
    [tx.tenantId, caseRecord],
  );
  if (!found) return [faultAt('caseRecord', 'unknown-choice', 'no case that the writer sees')];
  return found.patient === patient
    ? []
    : [faultAt('caseRecord', 'other-person', 'this case is of another person')];
}
