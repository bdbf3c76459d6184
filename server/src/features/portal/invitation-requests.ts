import {
  type CheckOfAddress,
  type InvitationBar,
  invitationDays,
  type PortalState,
  type WaitingInvitation,
} from '@caseway/contract/portal';
import { v7 } from 'uuid';
import { hasSignedIn } from '../../platform/auth/account-state.ts';
import type { Carried } from '../../platform/carried/carried.ts';
import type { Database, Tx } from '../../platform/db/database.ts';

/*
 * Invitations that wait for a second person; see docs/decisions/0029. They are requested and decided in the scope
 * `identity`, together with their account, so every statement names the tenant.
 */

export interface InvitationRequest {
  tenantId: string;
  patientId: string;
  by: 'EMAIL' | 'SMS';
  to: string;
  languageCode: string;
}

/** Requests for one patient run one at a time, so that at most one waits. */
const takeTurn = (tx: Tx, patientId: string) =>
  tx.rows(`select pg_advisory_xact_lock(hashtextextended('portal invitation ' || $1, 0))`, [patientId]);

/**
 * Replaces a waiting request with a new one. `carried`: the columns carried from the patient, whom this scope does
 * not see.
 */
export async function askForInvitation(
  tx: Tx,
  request: InvitationRequest,
  accountId: string,
  carried: Carried,
): Promise<void> {
  const { tenantId, patientId, by, to, languageCode } = request;
  await takeTurn(tx, patientId);
  await endWaiting(tx, request, accountId);
  await tx.run(
    `insert into portal_invitation (tenant_id, id, patient_id, by, value, language_code, asked_by, expires_at,
       ${Object.keys(carried).join(', ')})
     values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(days => $8),
       ${Object.keys(carried)
         .map((_, place) => `$${place + 9}`)
         .join(', ')})`,
    [tenantId, v7(), patientId, by, to, languageCode, accountId, invitationDays, ...Object.values(carried)],
  );
}

/** Ends a patient's waiting request, because something else was requested. */
export const endWaiting = (
  tx: Tx,
  { tenantId, patientId }: Pick<InvitationRequest, 'tenantId' | 'patientId'>,
  accountId: string,
) =>
  tx.run(
    `update portal_invitation set decision = 'replaced', decided_by = $3, decided_at = now()
     where tenant_id = $1 and patient_id = $2 and decision is null`,
    [tenantId, patientId, accountId],
  );

interface Waiting extends InvitationRequest {
  id: string;
  askedBy: string;
}

/** A waiting request, locked for the person who decides it; undefined if it no longer waits. */
export async function waitingRequest(
  tx: Tx,
  { tenantId, patientId, id }: Record<'tenantId' | 'patientId' | 'id', string>,
): Promise<Waiting | undefined> {
  const [row] = await tx.rows<Waiting>(
    `select id, tenant_id as "tenantId", patient_id as "patientId", by, value as "to", language_code as "languageCode",
       asked_by as "askedBy"
     from portal_invitation
     where tenant_id = $1 and patient_id = $2 and id = $3 and decision is null and expires_at > now() for update`,
    [tenantId, patientId, id],
  );
  return row;
}

export const decide = (
  tx: Tx,
  { tenantId, id }: Pick<Waiting, 'tenantId' | 'id'>,
  decision: 'confirmed' | 'refused' | 'withdrawn',
  accountId: string,
  checked: CheckOfAddress | null = null,
) =>
  tx.run(
    `update portal_invitation set decision = $3, decided_by = $4, decided_at = now(), checked = $5
     where tenant_id = $1 and id = $2`,
    [tenantId, id, decision, accountId, checked],
  );

/**
 * The addresses and numbers of a patient's account that someone other than the requester has confirmed; all of them
 * if the patient has signed in.
 */
export async function confirmedPlaces(
  tx: Tx,
  tenantId: string,
  patientId: string,
): Promise<{ places: string[]; signedIn: boolean }> {
  const [row] = await tx.rows<{ places: string[]; came: boolean; signedIn: boolean }>(
    `select ${hasSignedIn} as came, ${hasSignedIn} and a.disabled_at is null as "signedIn",
       array_remove(array[a.email, a.phone], null) as places
     from account a where a.patient_tenant_id = $1 and a.patient_id = $2`,
    [tenantId, patientId],
  );
  if (!row) return { places: [], signedIn: false };
  const { places, came, signedIn } = row;
  if (came || places.length === 0) return { places, signedIn };
  const confirmed = await tx.rows<{ value: string }>(
    `select distinct value from portal_invitation
     where tenant_id = $1 and patient_id = $2 and decision = 'confirmed' and value = any ($3)`,
    [tenantId, patientId, places],
  );
  return { places: places.filter((place) => confirmed.some(({ value }) => value === place)), signedIn };
}

/**
 * The people who worked on the files that made or changed a record, or a record that is or was part of it: who
 * uploaded a file, mapped its columns, or corrected a message. As the service of the tenant, because other people's
 * files are hidden.
 */
export async function broughtInBy(
  database: Database,
  tenantId: string,
  patientId: string,
): Promise<ReadonlySet<string>> {
  const rows = await database.withScope(
    { kind: 'service', tenantId },
    (tx) =>
      tx.rows<{ accountId: string }>(
        `with recursive own as (
           select $2::uuid as id
           union
           select joined.id from own o cross join lateral (
             select p.id from patient p where p.tenant_id = $1 and p.merged_into = o.id
             union all
             -- Taken apart since then: what came with the other may have stayed.
             select unnest(e.record_ids) from audit_record a
             join audit_event e on e.tenant_id = a.tenant_id and e.id = a.event_id
             where a.tenant_id = $1 and a.record_id = o.id and e.action = 'decide match'
               and e.detail ->> 'decision' = 'same') joined
         ), message as (
           select import_id, index from import_message where tenant_id = $1 and patient_id in (select id from own)
           union
           select m.import_id, m.index from result r join import_message m on m.tenant_id = $1 and m.id = r.import_message_id
           where r.tenant_id = $1 and r.patient_id in (select id from own)
         ), named as (
           select distinct import_id as id from message
           union
           -- Every state of a message, those included that were corrected.
           select m.id from import_message m join message n on n.import_id = m.import_id and n.index = m.index
           where m.tenant_id = $1
         )
         select created_by as "accountId" from import
         where tenant_id = $1 and id in (select import_id from message) and created_by is not null
         union
         select e.account_id from audit_record a join audit_event e on e.tenant_id = a.tenant_id and e.id = a.event_id
         where a.tenant_id = $1 and a.record_id in (select id from named) and e.account_id is not null
           and e.action in ('upload', 'start', 'run again', 'correct', 'map columns')`,
        [tenantId, patientId],
      ),
    { readOnly: true },
  );
  return new Set(rows.map(({ accountId }) => accountId));
}

/** Why a person cannot confirm a request; null if they can. */
export const barOf = (
  askedBy: string,
  accountId: string,
  broughtIn: ReadonlySet<string>,
): InvitationBar | null =>
  askedBy === accountId ? 'asked-for-it' : broughtIn.has(accountId) ? 'brought-it-in' : null;

/** A patient's waiting request, as a reader sees it. */
export async function waitingFor(
  tx: Tx,
  tenantId: string,
  patientId: string,
  reader: { accountId: string; broughtIn: ReadonlySet<string> },
): Promise<PortalState['waiting']> {
  const [row] = await tx.rows<Waiting & { name: string | null; askedAt: Date; expiresAt: Date }>(
    `select i.id, i.by, i.value as "to", i.language_code as "languageCode", i.asked_by as "askedBy",
       nullif(concat_ws(' ', a.first_name, a.last_name), '') as name, i.asked_at as "askedAt", i.expires_at as "expiresAt"
     from portal_invitation i left join account a on a.id = i.asked_by
     where i.tenant_id = $1 and i.patient_id = $2 and i.decision is null and i.expires_at > now()`,
    [tenantId, patientId],
  );
  if (!row) return null;
  const { id, by, to, languageCode, askedBy, name, askedAt, expiresAt } = row;
  return {
    id,
    by,
    to,
    languageCode,
    askedBy: name,
    askedAt: askedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    own: askedBy === reader.accountId,
    barred: barOf(askedBy, reader.accountId, reader.broughtIn),
  };
}

/** At most this many are listed, the longest waiting first. */
const listedAtMost = 200;

/** The waiting requests for patients whom the transaction's scope sees. */
export async function listWaiting(tx: Tx, accountId: string): Promise<WaitingInvitation[]> {
  const rows = await tx.rows<
    Omit<WaitingInvitation, 'askedAt' | 'expiresAt'> & { askedAt: Date; expiresAt: Date }
  >(
    `select i.id, p.id as "patientId", p.first_name as "firstName", p.last_name as "lastName",
       (select c.id from case_report c where c.tenant_id = $3 and c.patient_id = p.id
        order by c.created_on desc, c.id desc limit 1) as "caseReportId",
       nullif(concat_ws(' ', a.first_name, a.last_name), '') as "askedBy", i.asked_at as "askedAt",
       i.expires_at as "expiresAt", i.asked_by = $1 as own
     from portal_invitation i join patient stored on stored.tenant_id = i.tenant_id and stored.id = i.patient_id
     cross join lateral app_shown(stored, stored.told_openly) p
     cross join lateral (select app_told(p.told_by) and i.value = any (p.emails || p.phones) as shown) s
     left join account a on a.id = i.asked_by
     where i.tenant_id = $3 and i.decision is null and i.expires_at > now() and p.merged_into is null
       and (s.shown or i.asked_by = $1)
     order by i.asked_at, i.id limit $2`,
    [accountId, listedAtMost, tx.tenantId],
  );
  return rows.map((row) => ({
    ...row,
    askedAt: row.askedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }));
}
