import type { Database } from '../db/database.ts';
import type { OwnRecord } from '../http/access.ts';

/** An account that signs in as a patient, and the record it names. */
export interface PatientAccount extends OwnRecord {
  accountId: string;
}

/** The current record of an account. */
export interface PatientRecord extends PatientAccount {
  /** `YYYY-MM-DD`; null if the day is unknown. */
  birthDate: string | null;
}

/** The accounts that can sign in as a patient of a tenant that is not suspended. */
export const patientAccounts = (
  database: Database,
  accountIds: readonly string[],
): Promise<PatientAccount[]> =>
  database.withScope({ kind: 'identity' }, (tx) =>
    tx.rows<PatientAccount>(
      `select a.id as "accountId", a.patient_tenant_id as "tenantId", a.patient_id as "patientId"
       from account a join tenant t on t.id = a.patient_tenant_id and t.suspended_at is null
       where a.id = any ($1::uuid[]) and a.patient_id is not null and a.disabled_at is null order by a.id`,
      [accountIds],
    ),
  );

/**
 * The records of accounts, in the order of the accounts. A merged record is replaced by the one it was merged into;
 * an account whose record is gone is left out. Sign-in sees no record, so each tenant's records are read as its
 * service.
 */
export async function recordsOf<Account extends PatientAccount>(
  database: Database,
  accounts: readonly Account[],
): Promise<(Account & PatientRecord)[]> {
  const found = new Map<string, { patientId: string; birthDate: string | null }>();
  for (const [tenantId, own] of Map.groupBy(accounts, (account) => account.tenantId)) {
    const rows = await database.withScope({ kind: 'service', tenantId }, (tx) =>
      tx.rows<{ named: string; patientId: string; birthDate: string | null }>(
        `with recursive way as (
           select p.id as named, p.id, p.merged_into, 0 as steps from patient p
             where p.tenant_id = $1 and p.id = any ($2::uuid[])
           union all select w.named, p.id, p.merged_into, w.steps + 1 from way w
             join patient p on p.tenant_id = $1 and p.id = w.merged_into where w.steps < 20)
         select w.named, p.id as "patientId",
           case when coalesce(p.birth_date_precision, 'day') = 'day' then p.birth_date end as "birthDate"
         from way w join patient p on p.tenant_id = $1 and p.id = w.id where w.merged_into is null`,
        [tenantId, own.map(({ patientId }) => patientId)],
      ),
    );
    for (const { named, ...record } of rows) found.set(`${tenantId} ${named}`, record);
  }
  return accounts.flatMap((account) => {
    const record = found.get(`${account.tenantId} ${account.patientId}`);
    return record ? [{ ...account, ...record }] : [];
  });
}

/**
 * The account of the only person among them who was born on a day; undefined if there is none, or several, such as
 * twins. Two accounts whose records were merged are one person.
 */
export function bornOn(records: readonly PatientRecord[], day: string): PatientRecord | undefined {
  const [first, ...others] = records.filter(({ birthDate }) => birthDate !== null && birthDate === day);
  const isSame = (other: PatientRecord) =>
    other.tenantId === first!.tenantId && other.patientId === first!.patientId;
  return others.every(isSame) ? first : undefined;
}

/** A patient number in its stored form: lower-case letters and digits, without spaces and dashes. */
export const patientNumberKey = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toLowerCase();
