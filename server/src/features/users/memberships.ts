import type { MembershipFields, PersonFields } from '@caseway/contract/users';
import { v7 } from 'uuid';
import { carriedBy, noteMemberships } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Authority } from '../../platform/policy/authority.ts';
import type { TenantPolicy } from '../../platform/policy/tenant-policy.ts';
import { lastOfEach, memberKey } from './offers.ts';
import { keepBegun } from './user-history.ts';

/*
 * Stored memberships and accounts. Every statement names the tenant, because the scope `identity`, in which users
 * are changed, sees all of them.
 */

export const codesOf = ({ roles }: TenantPolicy, roleIds: readonly string[]): string[] =>
  roleIds.map((id) => roles.get(id)?.code ?? id).sort();

/** A stored membership or offer of one, with its roles. */
export interface StoredMembership {
  id: string;
  version: number;
  accountId: string;
  /** The tenant's id for the person; for an offer, not the account. */
  personId: string;
  orgType: MembershipFields['orgType'];
  orgId: string;
  roleIds: string[];
  /** For an offer: it waits for an answer. */
  active: boolean;
  offered: boolean;
  endedAt: Date | null;
}

/** Active ones first. */
export const membershipsWhere = (
  tx: Tx,
  tenantId: string,
  condition: string,
  params: readonly unknown[],
): Promise<StoredMembership[]> =>
  tx.rows<StoredMembership>(
    `select m.id, m.version, m.account_id as "accountId", m.person_id as "personId", m.org_type as "orgType", m.org_id as "orgId",
       m.role_ids as "roleIds", m.ended_at is null as active, m.offered, m.ended_at as "endedAt"
     from (
       select tenant_id, id, version, account_id, account_id as person_id, org_type, org_id, ended_at, false as offered,
         array(select r.role_id from membership_role r
           where r.tenant_id = membership.tenant_id and r.membership_id = membership.id order by r.role_id) as role_ids
       from membership
       union all
       select tenant_id, id, version, account_id, person_id, org_type, org_id, ended_at, true, role_ids
       from membership_offer
     ) m where m.tenant_id = $1 and ${condition} order by m.ended_at is null desc`,
    [tenantId, ...params],
  );

/** A person who will belong to a place; `offer`: they have accepted it, and it becomes a membership with its id. */
export interface Member extends MembershipFields {
  accountId: string;
  offer?: Pick<StoredMembership, 'id' | 'version'>;
}

/**
 * Begins memberships, or renews ended ones, with exactly these roles. Returns their ids in the same order. A fixed
 * number of statements, because accounts and memberships are on every server, and other tenants' administrators wait
 * until the transaction has ended. [P30]
 */
export async function writeMemberships(
  tx: Tx,
  writer: Pick<Authority, 'tenantId' | 'accountId'>,
  members: readonly Member[],
): Promise<string[]> {
  if (members.length === 0) return [];
  const { tenantId, accountId: invitedBy } = writer;
  const each = lastOfEach(members);
  const accountIds = [...new Set(each.map(({ accountId }) => accountId))];
  const earlier = await membershipsWhere(tx, tenantId, 'not m.offered and m.account_id = any ($2::uuid[])', [
    accountIds,
  ]);
  const given = each.map(({ accountId, orgType, orgId, offer }) => ({
    id: offer?.id ?? v7(),
    version: offer ? offer.version + 1 : 1,
    accountId,
    orgType,
    orgId,
  }));
  const rows = await tx.rows<Required<Omit<Member, 'roleIds' | 'offer'>> & { id: string; version: number }>(
    `insert into membership (tenant_id, id, version, account_id, org_type, org_id, invited_at, invited_by)
     select $1, given.id, given.version, given."accountId", given."orgType", given."orgId", now(), $3::uuid
     from json_to_recordset($2::json) as given (id uuid, version int, "accountId" uuid, "orgType" text, "orgId" uuid)
     on conflict (tenant_id, account_id, org_type, org_id) do update set ended_at = null,
       version = membership.version + 1, invited_at = excluded.invited_at, invited_by = excluded.invited_by
     returning id, version, account_id as "accountId", org_type as "orgType", org_id as "orgId"`,
    [tenantId, JSON.stringify(given), invitedBy],
  );
  const written = new Map(rows.map((row) => [memberKey(row), row]));
  const idOf = (member: Member) => written.get(memberKey(member))!.id;
  await noteMemberships(tx, accountIds);
  await writeRoles(tx, tenantId, new Map(each.map((member) => [idOf(member), member.roleIds])));
  // The offered memberships exist now.
  await tx.run(
    `delete from membership_offer where tenant_id = $1 and account_id = any ($2::uuid[])
       and account_id || ' ' || org_type || ' ' || org_id = any ($3::text[])`,
    [tenantId, accountIds, each.map(memberKey)],
  );
  await keepBegun(
    tx,
    writer,
    each.map((member) => ({ ...written.get(memberKey(member))!, roleIds: member.roleIds })),
    earlier,
  );
  return members.map(idOf);
}

/** SQL: the details of account `a` for a place that the person leaves. Later changes are not shown there. [P1] */
export const asTheyAre = `jsonb_build_object('email', a.email, 'phone', a.phone, 'firstName', a.first_name,
  'middleName', a.middle_name, 'lastName', a.last_name, 'nameKey', a.name_key, 'language', a.language_code,
  'timeZone', a.time_zone, 'lastSignInAt', s.last_sign_in_at, 'secondFactor', a.second_factor_at is not null)`;

/** Ends active memberships. Every end of a membership goes through here; a test checks that. */
export async function endMemberships(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const people = await tx.rows<{ id: string; left_as: string }>(
    `select m.id, ${asTheyAre}::text as left_as from membership m join account a on a.id = m.account_id
     left join account_state s on s.account_id = a.id where m.tenant_id = $1 and m.id = any ($2::uuid[])`,
    [tenantId, ids],
  );
  await tx.run(
    `update membership m set ended_at = now(), left_as = n.left_as from unnest($2::uuid[], $3::jsonb[]) as n (id, left_as)
     where m.tenant_id = $1 and m.id = n.id`,
    [tenantId, people.map(({ id }) => id), people.map(({ left_as }) => left_as)],
  );
}

const carried = carriedBy('membership_role', 'membership');

/** Gives memberships exactly these roles, by membership id. */
export async function writeRoles(
  tx: Tx,
  tenantId: string,
  roles: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  if (roles.size === 0) return;
  await tx.run('delete from membership_role where tenant_id = $1 and membership_id = any ($2::uuid[])', [
    tenantId,
    [...roles.keys()],
  ]);
  const each = [...roles].flatMap(([id, roleIds]) => roleIds.map((roleId) => [id, roleId] as const));
  await tx.run(
    `insert into membership_role (tenant_id, membership_id, role_id, ${carried.columns})
     select $1, c.membership_id, c.id, ${carried.values}
     from (select distinct membership_id, id from unnest($2::uuid[], $3::uuid[]) as given (membership_id, id)) c
       ${carried.join} returning 1`,
    [tenantId, each.map(([id]) => id), each.map(([, roleId]) => roleId)],
  );
}

/** The account of a member of staff by an address for sign-in or mail. */
export async function accountByAddress(tx: Tx, email: string): Promise<string | undefined> {
  const [row] = await tx.rows<{ id: string }>(
    `select id from account where (username = $1 or lower(email) = $1) and patient_id is null
     order by username = $1 desc, created_at limit 1`,
    [email.toLowerCase()],
  );
  return row?.id;
}

/** Makes accounts, and returns their ids in the same order. */
export async function writeAccounts(
  tx: Tx,
  people: readonly (PersonFields & { id?: string })[],
): Promise<string[]> {
  if (people.length === 0) return [];
  const given = people.map((person) => ({ id: v7(), ...person, username: person.email.toLowerCase() }));
  await tx.run(
    `insert into account (id, cognito_account_id, username, email, first_name, middle_name, last_name, phone,
       language_code, time_zone)
     select id, id::text, username, email, "firstName", "middleName", "lastName", phone, language, "timeZone"
     from json_to_recordset($1::json) as given (id uuid, username text, email text, "firstName" text, "middleName" text,
       "lastName" text, phone text, language text, "timeZone" text) returning 1`,
    [JSON.stringify(given)],
  );
  return given.map(({ id }) => id);
}
