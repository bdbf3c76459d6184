import type { PortalState } from '@caseway/contract/portal';
import { v7 } from 'uuid';
import type { Database, Tx } from '../../platform/db/database.ts';
import { testNameI18N } from '../reference/names-of-tests.ts';
import { broughtInBy, confirmedPlaces, waitingFor } from './invitation-requests.ts';
import { patientNumberText } from './own-record.ts';
import { categoryLabel, familyLabel } from './own-results.ts';

/** The parts of a record about the portal that staff see. */
export interface ReachablePatient {
  firstName: string | null;
  lastName: string | null;
  languageCode: string | null;
  emails: string[];
  phones: string[];
}

/** A patient that the scope of the transaction sees and that was not merged into another; undefined otherwise. */
export async function reachablePatient(tx: Tx, patientId: string): Promise<ReachablePatient | undefined> {
  const [patient] = await tx.rows<ReachablePatient>(
    `select p.first_name as "firstName", p.last_name as "lastName", case when told then p.language_code end as "languageCode",
       case when told then p.emails else '{}' end as emails, case when told then p.phones else '{}' end as phones
     from patient stored cross join lateral app_shown(stored) p
     cross join lateral (select app_told(p.told_by) as told) told
     where stored.tenant_id = (select app_tenant()) and stored.id = $1 and stored.merged_into is null`,
    [patientId],
  );
  return patient;
}

export type Seen = Pick<PortalState, 'consents' | 'held' | 'emails' | 'phones'> & {
  languageCode: string | null;
};

/** The reader's view: contacts, and the results that are or were withheld. */
export async function seenByStaff(
  tx: Tx,
  patientId: string,
  patient: ReachablePatient,
): Promise<Omit<Seen, 'consents'>> {
  const held = await tx.rows<{
    id: string;
    testName: string;
    testLoinc: string | null;
    family: string | null;
    category: string;
    resultedOn: string | null;
    releasedAt: Date | null;
    releasedBy: string | null;
  }>(
    `select r.id, r.test_name as "testName", r.test_loinc as "testLoinc", r.disease_family as family, r.result_category as category,
       r.resulted_on as "resultedOn", r.released_at as "releasedAt",
       nullif(concat_ws(' ', a.first_name, a.last_name), '') as "releasedBy"
     from result r left join account a on a.id = r.released_by
     where r.tenant_id = (select app_tenant()) and r.patient_id = $1 and r.superseded_by is null
       and r.status <> 'withdrawn' and r.result_category not in ('pending', 'not-done')
       and (r.released_at is not null or app_held(r.disease_family, r.condition_code, r.result_category))
     order by r.resulted_on desc nulls last, r.id`,
    [patientId],
  );
  const { emails, phones, languageCode } = patient;
  return {
    emails,
    phones,
    languageCode,
    held: held.map(({ family, category, releasedAt, testLoinc, ...result }) => ({
      ...result,
      testNameI18N: testNameI18N(testLoinc),
      about: familyLabel(family),
      answer: categoryLabel(category),
      releasedAt: releasedAt?.toISOString() ?? null,
    })),
  };
}

/** With the account that the patient has and the invitation that waits, as `reader` sees them. */
export async function withAccount(
  database: Database,
  { tenantId, patientId, reader }: Record<'tenantId' | 'patientId' | 'reader', string>,
  seen: Seen,
): Promise<PortalState> {
  const broughtIn = await broughtInBy(database, tenantId, patientId);
  const { account, confirmed, waiting } = await database.withScope({ kind: 'identity' }, async (tx) => {
    const [account] = await tx.rows<{
      username: string;
      language: string;
      invitedAt: Date | null;
      lastSignInAt: Date | null;
      disabled: boolean;
    }>(
      `select username, language_code as language, invited_at as "invitedAt", last_sign_in_at as "lastSignInAt",
         disabled_at is not null as disabled
       from account where patient_tenant_id = $1 and patient_id = $2`,
      [tenantId, patientId],
    );
    return {
      account,
      confirmed: (await confirmedPlaces(tx, tenantId, patientId)).places,
      waiting: await waitingFor(tx, tenantId, patientId, { accountId: reader, broughtIn }),
    };
  });
  const status = !account
    ? 'none'
    : account.disabled
      ? 'disabled'
      : account.lastSignInAt === null
        ? 'invited'
        : 'active';
  // Addresses and numbers that the reader's scope does not show are not shown anywhere else either. [P18, P23]
  const isShown = (to: string) =>
    [...seen.emails, ...seen.phones].some((place) => place.toLowerCase() === to.toLowerCase());
  return {
    ...seen,
    confirmed: confirmed.filter(isShown),
    waiting: waiting && (waiting.own || isShown(waiting.to)) ? waiting : null,
    status,
    invitedAt: account?.invitedAt?.toISOString() ?? null,
    lastSignInAt: account?.lastSignInAt?.toISOString() ?? null,
    patientNumber: account ? patientNumberText(account.username) : null,
    languageCode: account?.language ?? seen.languageCode ?? 'en',
  };
}

/** Releases a withheld result; false if the reader sees no such result. The timelines of its cases record it. */
export async function release(
  tx: Tx,
  {
    tenantId,
    patientId,
    resultId,
    accountId,
  }: Record<'tenantId' | 'patientId' | 'resultId' | 'accountId', string>,
): Promise<boolean> {
  const released = await tx.run(
    `update result set released_at = now(), released_by = $4
     where tenant_id = $1 and id = $2 and patient_id = $3 and released_at is null and superseded_by is null
       and status <> 'withdrawn' and result_category not in ('pending', 'not-done')
       and app_held(disease_family, condition_code, result_category)`,
    [tenantId, resultId, patientId, accountId],
  );
  if (released === 0) return false;
  const cases = await tx.rows<{ id: string }>(
    'select case_report_id as id from case_result where tenant_id = $1 and result_id = $2',
    [tenantId, resultId],
  );
  for (const { id } of cases)
    await tx.run(
      `insert into case_event (tenant_id, id, case_report_id, account_id, kind, detail) values ($1, $2, $3, $4, $5, $6)`,
      [tenantId, v7(), id, accountId, 'result-released', JSON.stringify({ resultId })],
    );
  return true;
}
