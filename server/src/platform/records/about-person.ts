import type { Fault } from '@caseway/contract/error';
import type { Tx } from '../db/database.ts';
import { AppError, faultAt } from '../http/app-error.ts';

/* Records that staff write about a person whom they see, and optionally about one of the person's cases. */

/** Throws `not-found` if the writer does not see the person, so that a hidden person is not revealed. */
export async function seePerson(tx: Tx, patient: unknown): Promise<void> {
  const found = await tx.rows(
    'select from patient where tenant_id = $1 and id = $2 and merged_into is null',
    [tx.tenantId, patient],
  );
  if (found.length === 0) throw new AppError('not-found');
}

/** Checks that the writer sees the case, and that it belongs to this person. */
export async function faultsOfCase(
  tx: Tx,
  { caseRecord, patient }: { caseRecord?: string | null; patient?: string },
): Promise<Fault[]> {
  if (!caseRecord) return [];
  const found = await caseSeen(tx, caseRecord);
  if (!found) return [faultAt('caseRecord', 'unknown-choice', 'no case that the writer sees')];
  return found.patient === patient
    ? []
    : [faultAt('caseRecord', 'other-person', 'this case is of another person')];
}

/**
 * What the checks of a record need to know about its person, as the writer sees them; nothing if the writer does not
 * see the person.
 */
export async function personShown(
  tx: Tx,
  patient: unknown,
): Promise<{ birthDate: string | null } | undefined> {
  const [person] = await tx.rows<{ birthDate: string | null }>(
    `select p.birth_date as "birthDate" from patient stored
       cross join lateral app_shown(stored, stored.told_openly) p
     where stored.tenant_id = $1 and stored.id = $2 and stored.merged_into is null`,
    [tx.tenantId, patient],
  );
  return person;
}

interface CaseSeen {
  condition: string;
  classification: string;
  status: string;
  patient: string;
}

/** A case of the tenant that the writer sees. */
export async function caseSeen(tx: Tx, id: unknown): Promise<CaseSeen | undefined> {
  const [found] = await tx.rows<CaseSeen>(
    `select condition_code as condition, classification, status, patient_id as patient
     from case_report where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
  );
  return found;
}

/** Checks the person's own case that someone named in a case has become. */
export async function faultsOfOwnCase(
  tx: Tx,
  field: string,
  { own, of, patient }: { own: unknown; of: unknown; patient: unknown },
): Promise<Fault[]> {
  if (!own) return [];
  const found = await caseSeen(tx, own);
  if (!found) return [faultAt(field, 'unknown-choice', 'no case that the writer sees')];
  if (own === of) return [faultAt(field, 'own-case', 'this is the case to which they were exposed')];
  return patient && found.patient !== patient
    ? [faultAt(field, 'other-person', 'this case is of another person')]
    : [];
}
