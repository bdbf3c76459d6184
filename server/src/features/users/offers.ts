import type { OrgType } from '@caseway/contract/session';
import type { MembershipFields, PersonFields } from '@caseway/contract/users';
import { v7 } from 'uuid';
import { hasSignedIn } from '../../platform/auth/account-state.ts';
import { noteMemberships } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Authority } from '../../platform/policy/authority.ts';
import { type Begun, keepBegun } from './user-history.ts';

/*
 * Only the owner of an existing account can bring it into a tenant: their invitation is an offer. It has what the
 * inviter typed, and has no effect until the person accepts it. Everything here is read and written in the scope
 * `identity`.
 */

/** Identifies a person's place. */
export const memberKey = ({
  accountId,
  orgType,
  orgId,
}: {
  accountId: string;
  orgType: OrgType;
  orgId: string;
}): string => `${accountId.toLowerCase()} ${orgType} ${orgId.toLowerCase()}`;

/** The last entry for each of a person's places. */
export const lastOfEach = <Place extends Parameters<typeof memberKey>[0]>(
  places: readonly Place[],
): Place[] => [...new Map(places.map((place) => [memberKey(place), place])).values()];

/** What the inviter typed about a person, and the id that is used instead of the account's. */
export interface OfferedPerson extends PersonFields {
  personId: string;
}

type Inviter = Pick<Authority, 'tenantId' | 'accountId' | 'orgType' | 'orgId'>;

/** Values of `email, first_name, middle_name, last_name, phone, language_code, time_zone`. */
const saidOf = ({ email, firstName, middleName, lastName, phone, language, timeZone }: PersonFields) => [
  email,
  firstName,
  middleName,
  lastName,
  phone,
  language,
  timeZone,
];

/** Values of `invited_by, inviter_org_type, inviter_org_id`. */
const restingOn = ({ accountId, orgType, orgId }: Inviter) => [accountId, orgType, orgId];

/** SQL: whether the person of account `a` is asked before a tenant gets them. */
const asksFirst = (tenant: string) => `(
  not exists (select from membership m where m.account_id = a.id and m.tenant_id = ${tenant} and m.ended_at is null)
  and (${hasSignedIn}
    or exists (select from membership m where m.account_id = a.id and m.tenant_id <> ${tenant})))`;

/**
 * Those accounts whose owners decide whether they join this tenant: people who have signed in, or were invited by
 * another tenant, and do not belong to this one.
 */
export async function askedFirst(
  tx: Tx,
  tenantId: string,
  accountIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.rows<{ id: string }>(
    `select a.id from account a where a.id = any ($2::uuid[]) and ${asksFirst('$1')}`,
    [tenantId, accountIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * The people among these accounts whom a tenant has invited and who have not accepted, as the tenant knows them, by
 * account.
 */
export async function offeredPersons(
  tx: Tx,
  tenantId: string,
  accountIds: readonly string[],
): Promise<Map<string, OfferedPerson>> {
  const rows = await tx.rows<OfferedPerson & { accountId: string }>(
    `select distinct on (account_id) account_id as "accountId", person_id as "personId", email,
       first_name as "firstName", middle_name as "middleName", last_name as "lastName", phone,
       language_code as language, time_zone as "timeZone"
     from membership_offer where tenant_id = $1 and account_id = any ($2::uuid[]) order by account_id, created_at, id`,
    [tenantId, accountIds],
  );
  return new Map(rows.map(({ accountId, ...person }) => [accountId, person]));
}

/** The account behind a user's id in a tenant; for an offer, the account it was made to. */
export async function accountBehind(tx: Tx, tenantId: string, personId: string): Promise<string> {
  const [offer] = await tx.rows<{ account_id: string }>(
    'select account_id from membership_offer where tenant_id = $1 and person_id = $2 limit 1',
    [tenantId, personId],
  );
  return offer?.account_id ?? personId;
}

export const newPersonId = (): string => v7();

/** A place to offer to the owner of an account. */
export interface Offer extends MembershipFields {
  accountId: string;
  person: OfferedPerson;
}

/** Makes offers, or renews ended ones, with exactly these roles. Returns their ids in the same order. */
export async function writeOffers(tx: Tx, inviter: Inviter, offers: readonly Offer[]): Promise<string[]> {
  if (offers.length === 0) return [];
  const given = lastOfEach(offers).map(({ person, roleIds, ...place }) => ({
    ...person,
    ...place,
    id: v7(),
    roleIds: sortedIds(roleIds),
  }));
  const earlier = await tx.rows<Begun & { active: boolean }>(
    `select id, version, org_type as "orgType", org_id as "orgId", role_ids as "roleIds", ended_at is null as active
     from membership_offer where tenant_id = $1 and account_id = any ($2::uuid[])`,
    [inviter.tenantId, given.map(({ accountId }) => accountId)],
  );
  const rows = await tx.rows<Begun & { accountId: string }>(
    `insert into membership_offer (tenant_id, id, person_id, account_id, org_type, org_id, role_ids, email, first_name,
       middle_name, last_name, phone, language_code, time_zone, invited_by, inviter_org_type, inviter_org_id)
     select $1, id, "personId", "accountId", "orgType", "orgId", "roleIds", email, "firstName", "middleName", "lastName",
       phone, language, "timeZone", $3::uuid, $4::text, $5::uuid
     from json_to_recordset($2::json) as given (id uuid, "personId" uuid, "accountId" uuid, "orgType" text, "orgId" uuid,
       "roleIds" uuid[], email text, "firstName" text, "middleName" text, "lastName" text, phone text, language text,
       "timeZone" text)
     on conflict (tenant_id, account_id, org_type, org_id) do update set ended_at = null, invited_at = excluded.invited_at,
       version = membership_offer.version + 1, role_ids = excluded.role_ids, invited_by = excluded.invited_by,
       inviter_org_type = excluded.inviter_org_type, inviter_org_id = excluded.inviter_org_id
     returning id, version, account_id as "accountId", org_type as "orgType", org_id as "orgId",
       role_ids as "roleIds"`,
    [inviter.tenantId, JSON.stringify(given), ...restingOn(inviter)],
  );
  await keepBegun(tx, inviter, rows, earlier);
  const written = new Map(rows.map((row) => [memberKey(row), row.id]));
  return offers.map((offer) => written.get(memberKey(offer))!);
}

/** Turns the memberships of a person who has never signed in into offers to an account, with the same ids. */
export async function offerInstead(
  tx: Tx,
  inviter: Inviter,
  accountId: string,
  person: OfferedPerson,
): Promise<void> {
  await tx.run(
    `insert into membership_offer (tenant_id, id, version, person_id, account_id, org_type, org_id, role_ids, email,
       first_name, middle_name, last_name, phone, language_code, time_zone, invited_by, inviter_org_type,
       inviter_org_id, invited_at, created_at, ended_at)
     select m.tenant_id, m.id, m.version, m.account_id, $3, m.org_type, m.org_id,
       array(select r.role_id from membership_role r
         where r.tenant_id = m.tenant_id and r.membership_id = m.id order by r.role_id),
       $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, coalesce(m.invited_at, m.created_at), m.created_at, m.ended_at
     from membership m where m.tenant_id = $1 and m.account_id = $2 returning 1`,
    [inviter.tenantId, person.personId, accountId, ...saidOf(person), ...restingOn(inviter)],
  );
  await tx.run('delete from membership where tenant_id = $1 and account_id = $2', [
    inviter.tenantId,
    person.personId,
  ]);
  await noteMemberships(tx, [person.personId]);
}

/** Changes roles or state. From then on it depends on the rights of the person who changed it. */
export async function changeOffer(
  tx: Tx,
  inviter: Inviter,
  id: string,
  { roleIds, active }: { roleIds: readonly string[]; active: boolean },
): Promise<void> {
  await tx.run(
    `update membership_offer set role_ids = $3,
       ended_at = ${active ? 'null' : 'least(ended_at, now())'},
       invited_by = $4, inviter_org_type = $5, inviter_org_id = $6
     where tenant_id = $1 and id = $2`,
    [inviter.tenantId, id, sortedIds(roleIds), ...restingOn(inviter)],
  );
}

/** Changes what the inviter says about the person. */
export async function changeOfferedPerson(
  tx: Tx,
  tenantId: string,
  { personId, ...person }: OfferedPerson,
): Promise<void> {
  await tx.run(
    `update membership_offer set email = $3, first_name = $4, middle_name = $5, last_name = $6, phone = $7,
       language_code = $8, time_zone = $9 where tenant_id = $1 and person_id = $2`,
    [tenantId, personId, ...saidOf(person)],
  );
}

export const sortedIds = (ids: readonly string[]) => [...new Set(ids.map((id) => id.toLowerCase()))].sort();
