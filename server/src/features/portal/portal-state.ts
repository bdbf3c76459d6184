import type { PortalState } from '@caseway/contract/portal';
import { v7 } from 'uuid';
import { insertCarried } from '../../platform/carried/carried.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { shareRecords } from '../../platform/db/record-lock.ts';
import { testNameI18N } from '../reference/names-of-tests.ts';
import { heldRules } from './held-results.ts';
import { broughtInBy, confirmedPlaces, waitingFor } from './invitation-requests.ts';
import { patientNumberText } from './own-record.ts';
import { categoryLabel, familyLabel } from './own-results.ts';

/** The parts of a record about the portal that staff see. */
export interface ReachablePatient {
  firstName: string | null;
  lastName: string | null;
  languageCode: string | null;
  /** `YYYY-MM-DD`; null if the day is not known. */
  birthDate: string | null;
  emails: string[];
  phones: string[];
}

/** A patient whom the transaction's scope sees and who was not merged into another; otherwise undefined. */
export async function reachablePatient(tx: Tx, patientId: string): Promise<ReachablePatient | undefined> {
  const [patient] = await tx.rows<ReachablePatient>(
    `select p.first_name as "firstName", p.last_name as "lastName", case when told then p.language_code end as "languageCode",
       case when coalesce(p.birth_date_precision, 'day') = 'day' then p.birth_date end as "birthDate",
       case when told then p.emails else '{}' end as emails, case when told then p.phones else '{}' end as phones
     from patient stored cross join lateral app_shown(stored, stored.told_openly) p
     cross join lateral (select app_told(p.told_by) as told) told
     where stored.tenant_id = $1 and stored.id = $2 and stored.merged_into is null`,
    [tx.tenantId, patientId],
  );
  return patient;
}

export type Seen = Pick<PortalState, 'consents' | 'held' | 'emails' | 'phones'> & {
  languageCode: string | null;
  /** The reader belongs to an organization or facility, which sees only what others share with it. */
  isPlace: boolean;
};

/** The reader's view: contacts, and the results that are or were withheld. */
export async function seenByStaff(
  tx: Tx,
  patientId: string,
  patient: ReachablePatient,
): Promise<Omit<Seen, 'consents' | 'isPlace'>> {
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
     where r.tenant_id = $1 and r.patient_id = $2 and r.superseded_by is null
       and r.status <> 'withdrawn' and r.result_category not in ('pending', 'not-done')
       and (r.released_at is not null or app_held($3, r.disease_family, r.condition_code, r.result_category))
     order by r.resulted_on desc nulls last, r.id`,
    [tx.tenantId, patientId, await heldRules(tx, tx.tenantId)],
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

/** A patient's access, as far as a reader may know about it. */
interface KnownAccess extends Pick<PortalState, 'status' | 'invitedAt' | 'lastSignInAt' | 'patientNumber'> {
  language: string | null;
  /** Addresses of the record that need no second person. */
  confirmed: string[];
}

const noAccess = { status: 'none', invitedAt: null, lastSignInAt: null, patientNumber: null } as const;

/**
 * The part of a patient's access that a reader may know. A place knows the patients that it invited. So an
 * organization or facility sees an access that uses an address of the record as it sees it, and otherwise what
 * happened since two people confirmed such an address. It does not see any other access, and cannot find it out by
 * inviting the patient. In the scope `identity`. [P18, P23]
 */
export async function knownAccess(
  tx: Tx,
  { tenantId, patientId }: Record<'tenantId' | 'patientId', string>,
  { emails, phones, isPlace }: Pick<Seen, 'emails' | 'phones' | 'isPlace'>,
): Promise<KnownAccess> {
  const { places, signedIn } = await confirmedPlaces(tx, tenantId, patientId);
  const shown = [...emails, ...phones].map((place) => place.toLowerCase());
  const isShown = (to: string) => shown.includes(to.toLowerCase());
  const [account] = await tx.rows<{
    username: string;
    language: string;
    invitedAt: Date | null;
    lastSignInAt: Date | null;
    disabled: boolean;
    own: boolean;
  }>(
    `select username, language_code as language, invited_at as "invitedAt",
       (select s.last_sign_in_at from account_state s where s.account_id = account.id) as "lastSignInAt",
       disabled_at is not null as disabled, coalesce(lower(email) = any ($3) or phone = any ($3), false) as own
     from account where patient_tenant_id = $1 and patient_id = $2`,
    [tenantId, patientId, shown],
  );
  if (!account) return { ...noAccess, language: null, confirmed: [] };
  const [{ invited, since }] = (await tx.rows(
    `select coalesce(array_agg(value), '{}') as invited, min(decided_at) as since from portal_invitation
     where tenant_id = $1 and patient_id = $2 and decision = 'confirmed' and lower(value) = any ($3)`,
    [tenantId, patientId, shown],
  )) as [{ invited: string[]; since: Date | null }];
  const { own, invitedAt, lastSignInAt: at } = account;
  const isOpen = !isPlace || own;
  if (!isOpen && since === null) return { ...noAccess, language: null, confirmed: [] };
  const lastSignInAt = at && (isOpen || at >= since!) ? at.toISOString() : null;
  return {
    status: account.disabled ? 'disabled' : lastSignInAt === null ? 'invited' : 'active',
    invitedAt: invitedAt?.toISOString() ?? null,
    lastSignInAt,
    patientNumber: patientNumberText(account.username),
    language: account.language,
    // An address that two people confirmed here gets another message immediately, where the patient signs in.
    confirmed: signedIn && lastSignInAt === null ? invited : places.filter(isShown),
  };
}

/** Adds the patient's access and the waiting invitation, as far as `reader` may know about them. */
export async function withAccount(
  database: Database,
  { tenantId, patientId, reader }: Record<'tenantId' | 'patientId' | 'reader', string>,
  { isPlace, ...seen }: Seen,
): Promise<PortalState> {
  const broughtIn = await broughtInBy(database, tenantId, patientId);
  const { access, waiting } = await database.withScope({ kind: 'identity' }, async (tx) => ({
    access: await knownAccess(tx, { tenantId, patientId }, { ...seen, isPlace }),
    waiting: await waitingFor(tx, tenantId, patientId, { accountId: reader, broughtIn }),
  }));
  // Addresses and numbers that the reader's scope does not show are not shown anywhere else either. [P18, P23]
  const isShown = (to: string) =>
    [...seen.emails, ...seen.phones].some((place) => place.toLowerCase() === to.toLowerCase());
  const { language, ...known } = access;
  return {
    ...seen,
    ...known,
    waiting: waiting && (waiting.own || isShown(waiting.to)) ? waiting : null,
    languageCode: language ?? seen.languageCode ?? 'en',
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
  await shareRecords(tx, tenantId);
  const released = await tx.run(
    `update result set released_at = now(), released_by = $4
     where tenant_id = $1 and id = $2 and patient_id = $3 and released_at is null and superseded_by is null
       and status <> 'withdrawn' and result_category not in ('pending', 'not-done')
       and app_held($5, disease_family, condition_code, result_category)`,
    [tenantId, resultId, patientId, accountId, await heldRules(tx, tenantId)],
  );
  if (released === 0) return false;
  await tx.run(
    `update specimen set told = array(select distinct one collate "C" from unnest(told || $3::text) as one order by 1)
     where tenant_id = $1 and id = (select specimen_id from result where tenant_id = $1 and id = $2)`,
    [tenantId, resultId, patientId],
  );
  const cases = await tx.rows<{ id: string }>(
    'select case_report_id as id from case_result where tenant_id = $1 and result_id = $2',
    [tenantId, resultId],
  );
  for (const { id } of cases)
    await insertCarried(tx, 'case_event', 'case_report', tenantId, id, {
      id: v7(),
      account_id: accountId,
      kind: 'result-released',
      detail: JSON.stringify({ resultId }),
    });
  return true;
}
