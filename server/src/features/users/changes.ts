import { randomUUID } from 'node:crypto';
import type { Fault } from '@caseway/contract/error';
import type { MembershipFields, PersonFields, UserRefusal } from '@caseway/contract/users';
import { v7 } from 'uuid';
import { awaitSignIns } from '../../platform/auth/sign-in.ts';
import type { Tx } from '../../platform/db/database.ts';
import { changesBetween, type WriteAudit } from '../../platform/http/acting.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import {
  type Authority,
  type Place,
  placesOf,
  type Refusal,
  refusalOf,
} from '../../platform/policy/authority.ts';
import type { TenantPolicy } from '../../platform/policy/tenant-policy.ts';
import { sendInvitation } from './invitation.ts';
import { editableOf, type KnownUser } from './person.ts';

/*
 * Changes of users, each in a transaction of the scope `identity` that holds the tenant's policy (see
 * `authorityToChange`). Every statement names the tenant, since that scope sees all of them.
 */

/** For whoever reads the API; the screens have their own words, by the code. */
const messages: Readonly<Record<UserRefusal, string>> = {
  'beyond-your-rights': 'it would give permissions that you do not hold',
  'holds-more': 'the person holds permissions there that you do not',
  'own-membership': 'nobody changes their own roles',
  'unknown-organization': 'not an organization whose users you administer',
  'unknown-role': 'there is no such role',
  'kept-by-person': 'the person changes this on their own profile',
  'address-taken': 'another account has this address',
  'exists-already': 'the person belongs to this organization already',
  'sent-just-now': 'the last invitation is less than a minute old',
};
const fault = (path: string, { code, permissions }: Refusal): Fault => ({
  path,
  code,
  message: permissions.length > 0 ? `${messages[code]}: ${permissions.join(', ')}` : messages[code],
});
export const refused = (path: string, code: UserRefusal, permissions: string[] = []): AppError =>
  new AppError('validation-failed', { faults: [fault(path, { code, permissions })] });

export const codesOf = ({ roles }: TenantPolicy, roleIds: readonly string[]): string[] =>
  roleIds.map((id) => roles.get(id)?.code ?? id).sort();

/** A membership as it is stored, with its roles. */
export interface StoredMembership {
  id: string;
  accountId: string;
  orgType: MembershipFields['orgType'];
  orgId: string;
  roleIds: string[];
  active: boolean;
}

export const membershipsWhere = (
  tx: Tx,
  tenantId: string,
  condition: string,
  params: readonly unknown[],
): Promise<StoredMembership[]> =>
  tx.rows<StoredMembership>(
    `select m.id, m.account_id as "accountId", m.org_type as "orgType", m.org_id as "orgId", m.ended_at is null as active,
       array(select r.role_id from membership_role r
         where r.tenant_id = m.tenant_id and r.membership_id = m.id order by r.role_id) as "roleIds"
     from membership m where m.tenant_id = $1 and ${condition}`,
    [tenantId, ...params],
  );

/** Begins a membership, or renews one that has ended, with these roles and no other. */
export async function writeMembership(
  tx: Tx,
  { tenantId, accountId: invitedBy }: Pick<Authority, 'tenantId' | 'accountId'>,
  accountId: string,
  { orgType, orgId, roleIds }: MembershipFields,
): Promise<string> {
  const [row] = await tx.rows<{ id: string }>(
    `insert into membership (tenant_id, id, account_id, org_type, org_id, invited_at, invited_by)
     values ($1, $2, $3, $4, $5, now(), $6)
     on conflict (tenant_id, account_id, org_type, org_id)
       do update set ended_at = null, invited_at = now(), invited_by = excluded.invited_by
     returning id`,
    [tenantId, v7(), accountId, orgType, orgId, invitedBy],
  );
  await writeRoles(tx, tenantId, row!.id, roleIds);
  return row!.id;
}

export async function writeRoles(
  tx: Tx,
  tenantId: string,
  membershipId: string,
  roleIds: readonly string[],
): Promise<void> {
  await tx.run('delete from membership_role where tenant_id = $1 and membership_id = $2', [
    tenantId,
    membershipId,
  ]);
  await tx.run(
    `insert into membership_role (tenant_id, membership_id, role_id)
     select distinct $1::uuid, $2::uuid, id from unnest($3::uuid[]) as given (id)`,
    [tenantId, membershipId, roleIds],
  );
}

/** The account of a member of staff by an address they sign in with or get mail at. */
export async function accountByAddress(tx: Tx, email: string): Promise<string | undefined> {
  const [row] = await tx.rows<{ id: string }>(
    `select id from account where (username = $1 or lower(email) = $1) and patient_id is null
     order by username = $1 desc, created_at limit 1`,
    [email.toLowerCase()],
  );
  return row?.id;
}

export async function writeAccount(tx: Tx, person: PersonFields): Promise<string> {
  const id = v7();
  await tx.run(
    `insert into account (id, cognito_account_id, username, email, first_name, middle_name, last_name, phone,
       language_code, time_zone) values ($1, $1::uuid::text, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      person.email.toLowerCase(),
      person.email,
      person.firstName,
      person.middleName,
      person.lastName,
      person.phone,
      person.language,
      person.timeZone,
    ],
  );
  return id;
}

async function placeOf(
  tx: Tx,
  authority: Authority,
  wanted: Pick<MembershipFields, 'orgType' | 'orgId'>,
  active = false,
): Promise<Place | undefined> {
  const [place] = await placesOf(tx, authority, wanted.orgType, { orgId: wanted.orgId, active });
  return place;
}

/** Brings somebody into organisations, and has them told by mail. Returns one of the memberships. */
export async function bringIn(
  tx: Tx,
  authority: Authority,
  audit: WriteAudit,
  person: { accountId: string } | PersonFields,
  wanted: readonly MembershipFields[],
  path: (index: number) => string,
): Promise<string> {
  const { tenantId, policy } = authority;
  const known = 'accountId' in person ? person.accountId : await accountByAddress(tx, person.email);
  const current = known ? await membershipsWhere(tx, tenantId, 'm.account_id = $2', [known]) : [];
  const faults: Fault[] = [];
  for (const [index, membership] of wanted.entries()) {
    const place = await placeOf(tx, authority, membership, true);
    const there = current.find(
      ({ orgType, orgId }) => orgType === membership.orgType && orgId === membership.orgId,
    );
    const refusal: Refusal | null = !place
      ? { code: 'unknown-organization', permissions: [] }
      : there?.active
        ? { code: 'exists-already', permissions: [] }
        : refusalOf(
            authority,
            { accountId: known ?? null, kind: place.kind, holding: there ?? null },
            { roleIds: membership.roleIds, active: true },
          );
    if (refusal) faults.push(fault(path(index), refusal));
  }
  if (faults.length > 0) throw new AppError('validation-failed', { faults });

  const accountId = known ?? (await writeAccount(tx, person as PersonFields));
  const ids: string[] = [];
  for (const membership of wanted) ids.push(await writeMembership(tx, authority, accountId, membership));
  await audit({
    action: known ? 'user/added' : 'user/invited',
    recordKind: 'account',
    recordIds: [accountId],
    detail: {
      memberships: wanted.map(({ orgType, orgId, roleIds }) => ({
        orgType,
        orgId,
        roles: codesOf(policy, roleIds),
      })),
    },
  });
  await enqueue(tx, sendInvitation, { tenantId, membershipIds: ids, mailId: randomUUID() });
  return ids[0]!;
}

/** Gives other roles in one organisation, ends the membership or renews it. */
export async function changeHolding(
  tx: Tx,
  authority: Authority,
  audit: WriteAudit,
  membershipId: string,
  change: { roleIds?: string[]; active?: boolean },
): Promise<void> {
  const { tenantId, policy } = authority;
  const [current] = await membershipsWhere(tx, tenantId, 'm.id = $2', [membershipId]);
  const place = current && (await placeOf(tx, authority, current));
  if (!current || !place) throw new AppError('not-found');
  const next = { roleIds: change.roleIds ?? current.roleIds, active: change.active ?? current.active };
  const refusal = refusalOf(
    authority,
    { accountId: current.accountId, kind: place.kind, holding: current },
    next,
  );
  if (refusal) throw new AppError('validation-failed', { faults: [fault('roleIds', refusal)] });
  if (next.active && !current.active && !place.active) throw refused('active', 'unknown-organization');
  if (change.roleIds) await writeRoles(tx, tenantId, membershipId, next.roleIds);
  if (next.active !== current.active)
    await tx.run(
      `update membership set ended_at = ${next.active ? 'null' : 'now()'} where tenant_id = $1 and id = $2`,
      [tenantId, membershipId],
    );
  const said = ({ roleIds, active }: { roleIds: string[]; active: boolean }) => ({
    roles: codesOf(policy, roleIds),
    active,
  });
  const changes = changesBetween(said(current), said(next));
  if (Object.keys(changes.after).length === 0) return;
  await audit({
    action: changes.after.active === false ? 'user/deactivated' : 'user/changed',
    recordKind: 'account',
    recordIds: [current.accountId],
    detail: { orgType: current.orgType, orgId: current.orgId, ...changes },
  });
}

/** Changes a person's name, language and time zone, and, as long as nobody signed in with them, the addresses. */
export async function changePerson(
  tx: Tx,
  audit: WriteAudit,
  known: KnownUser,
  change: Partial<PersonFields>,
): Promise<void> {
  const { listed } = known;
  const editable = await editableOf(tx, known);
  const before: PersonFields = {
    firstName: listed.first_name,
    middleName: listed.middle_name,
    lastName: listed.last_name,
    email: listed.email,
    phone: listed.phone,
    language: listed.language_code as PersonFields['language'],
    timeZone: listed.time_zone,
  };
  const changes = changesBetween(before, { ...before, ...change });
  const fields = Object.keys(changes.after) as (keyof PersonFields)[];
  if (fields.length === 0) return;
  const addresses: readonly string[] = ['email', 'phone'];
  const kept = fields.filter(
    (field) => editable === 'nothing' || (editable === 'name' && addresses.includes(field)),
  );
  if (kept.length > 0)
    throw new AppError('validation-failed', {
      faults: kept.map((path) => fault(path, { code: 'kept-by-person', permissions: [] })),
    });
  const { email } = changes.after;
  if (email !== undefined) {
    const other = await accountByAddress(tx, email);
    if (other !== undefined && other !== listed.account_id) throw refused('email', 'address-taken');
  }
  const after = { ...before, ...change };
  if (fields.some((field) => addresses.includes(field))) await awaitSignIns(tx, listed.account_id);
  await tx.run(
    `update account set first_name = $2, middle_name = $3, last_name = $4, email = $5, phone = $6,
       phone_confirmed = phone_confirmed and phone is not distinct from $6, language_code = $7, time_zone = $8, username = case when $9 then $10 else username end where id = $1`,
    [
      listed.account_id,
      after.firstName,
      after.middleName,
      after.lastName,
      after.email,
      after.phone,
      after.language,
      after.timeZone,
      email !== undefined,
      after.email.toLowerCase(),
    ],
  );
  await audit({
    action: 'user/changed',
    recordKind: 'account',
    recordIds: [listed.account_id],
    detail: { ...changes },
  });
}

/** Sends the invitation of somebody who has not signed in yet once more. */
export async function inviteAgain(
  tx: Tx,
  { tenantId }: Authority,
  audit: WriteAudit,
  { listed }: KnownUser,
): Promise<void> {
  if (listed.status !== 'invited') throw new AppError('conflict');
  const sent = await tx.run(
    `update membership set invited_at = now() where tenant_id = $1 and id = $2
       and coalesce(invited_at < now() - interval '1 minute', true)`,
    [tenantId, listed.id],
  );
  if (sent === 0) throw refused('', 'sent-just-now');
  await enqueue(tx, sendInvitation, { tenantId, membershipIds: [listed.id], mailId: randomUUID() });
  await audit({ action: 'user/invited-again', recordKind: 'account', recordIds: [listed.account_id] });
}
