import { randomUUID } from 'node:crypto';
import type { Fault } from '@caseway/contract/error';
import type { MembershipFields, PersonFields, UserDetail, UserRefusal } from '@caseway/contract/users';
import { awaitSignIns, changeAddresses } from '../../platform/auth/addresses.ts';
import { noteMemberships } from '../../platform/carried/carried.ts';
import type { Tx } from '../../platform/db/database.ts';
import { changesBetween, type WriteAudit } from '../../platform/http/acting.ts';
import { AppError, refuse } from '../../platform/http/app-error.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import {
  type Authority,
  type Place,
  placesOf,
  type Refusal,
  refusalOf,
} from '../../platform/policy/authority.ts';
import { type Changes, same } from '../../platform/records/record-history.ts';
import { sendInvitation } from './invitation.ts';
import {
  accountByAddress,
  asTheyAre,
  codesOf,
  endMemberships,
  membershipsWhere,
  type StoredMembership,
  writeAccounts,
  writeMemberships,
  writeRoles,
} from './memberships.ts';
import {
  accountBehind,
  askedFirst,
  changeOffer,
  changeOfferedPerson,
  newPersonId,
  type OfferedPerson,
  offeredPersons,
  offerInstead,
  writeOffers,
} from './offers.ts';
import { editableOf, type KnownUser } from './person.ts';
import { keepChanges } from './user-history.ts';

/*
 * Changes of users, each in a transaction of the scope `identity` that locks the tenant's policy (see
 * `authorityToChange`). Every statement names the tenant, because that scope sees all of them.
 */

/** For API users; the screens have their own words for each code. */
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
  'asked-first': 'the person is to be invited again, and decides',
};
const fault = (path: string, { code, permissions }: Refusal): Fault => ({
  path,
  code,
  message: permissions.length > 0 ? `${messages[code]}: ${permissions.join(', ')}` : messages[code],
});
export const refused = (path: string, code: UserRefusal, permissions: string[] = []): AppError =>
  new AppError('validation-failed', { faults: [fault(path, { code, permissions })] });

async function placeOf(
  tx: Tx,
  authority: Authority,
  wanted: Pick<MembershipFields, 'orgType' | 'orgId'>,
  active = false,
): Promise<Place | undefined> {
  const [place] = await placesOf(tx, authority, wanted.orgType, { orgId: wanted.orgId, active });
  return place;
}

/**
 * The faults of memberships to give to a person. An invalid membership is absent, and so is an invalid address; the
 * others are checked without it.
 */
export async function membershipFaults(
  tx: Tx,
  authority: Authority,
  person: { accountId?: string; email?: string },
  wanted: readonly Partial<MembershipFields>[],
  path: (index: number) => string,
): Promise<Fault[]> {
  const { tenantId } = authority;
  const known = await accountOf(tx, tenantId, person);
  const current = known ? await membershipsWhere(tx, tenantId, 'm.account_id = $2', [known]) : [];
  const faults: Fault[] = [];
  for (const [index, { orgType, orgId, roleIds }] of wanted.entries()) {
    if (orgType === undefined || orgId === undefined) continue;
    const place = await placeOf(tx, authority, { orgType, orgId }, true);
    const there = current.find((one) => one.orgType === orgType && one.orgId === orgId);
    const refusal: Refusal | null = !place
      ? { code: 'unknown-organization', permissions: [] }
      : there?.active
        ? { code: 'exists-already', permissions: [] }
        : roleIds === undefined
          ? null
          : refusalOf(
              authority,
              { accountId: known ?? null, kind: place.kind, holding: there ?? null },
              { roleIds, active: true },
            );
    if (refusal) faults.push(fault(path(index), refusal));
  }
  return faults;
}

const accountOf = async (
  tx: Tx,
  tenantId: string,
  { accountId, email }: { accountId?: string; email?: string },
): Promise<string | undefined> =>
  accountId
    ? accountBehind(tx, tenantId, accountId)
    : email === undefined
      ? undefined
      : accountByAddress(tx, email);

/**
 * Adds a person to organisations, or offers it if they have to be asked first; sends them an email. Returns one of
 * the memberships or offers.
 */
export async function bringIn(
  tx: Tx,
  authority: Authority,
  audit: WriteAudit,
  person: PersonFields & { accountId?: string },
  wanted: readonly MembershipFields[],
  path: (index: number) => string,
): Promise<string> {
  const { tenantId, policy } = authority;
  refuse(await membershipFaults(tx, authority, person, wanted, path));

  const known = await accountOf(tx, tenantId, person);
  const current = known ? await membershipsWhere(tx, tenantId, 'm.account_id = $2', [known]) : [];
  const asked = known !== undefined && (await askedFirst(tx, tenantId, [known])).has(known);
  const before = asked && (await offeredPersons(tx, tenantId, [known])).get(known);
  const accountId = known ?? (await writeAccounts(tx, [person]))[0]!;
  const offered: OfferedPerson | false = asked && (before || { ...person, personId: newPersonId() });
  const members = wanted.map((membership) => ({ ...membership, accountId }));
  const ids = await (offered
    ? writeOffers(
        tx,
        authority,
        members.map((member) => ({ ...member, person: offered })),
      )
    : writeMemberships(tx, authority, members));
  await audit({
    // An address that the tenant sees for the first time is new to it, even if others know it. [P12]
    action: (offered ? before || current.length > 0 : known) ? 'user/added' : 'user/invited',
    recordKind: 'account',
    recordIds: [offered ? offered.personId : accountId],
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

/** An end can be undone for a short while; after that, people who are asked first are asked again. */
async function mayRenew(tx: Tx, tenantId: string, ended: StoredMembership): Promise<boolean> {
  if (ended.offered || Date.now() - ended.endedAt!.getTime() < 60 * 60_000) return true;
  return !(await askedFirst(tx, tenantId, [ended.accountId])).has(ended.accountId);
}

/** A membership before and after a change, with its faults. */
export async function judgeHolding(
  tx: Tx,
  authority: Authority,
  membershipId: string,
  change: { roleIds?: string[]; active?: boolean },
) {
  const { tenantId } = authority;
  const [current] = await membershipsWhere(tx, tenantId, 'm.id = $2', [membershipId]);
  const place = current && (await placeOf(tx, authority, current));
  if (!current || !place) throw new AppError('not-found');
  const next = { roleIds: change.roleIds ?? current.roleIds, active: change.active ?? current.active };
  const renewed = next.active && !current.active;
  const faults: Fault[] = [];
  if (renewed && !(await mayRenew(tx, tenantId, current)))
    faults.push(fault('active', { code: 'asked-first', permissions: [] }));
  else if (renewed && !place.active)
    faults.push(fault('active', { code: 'unknown-organization', permissions: [] }));
  const refusal = refusalOf(
    authority,
    { accountId: current.accountId, kind: place.kind, holding: current },
    next,
  );
  if (refusal) faults.push(fault('roles', refusal));
  return { current, next, faults };
}

/** Changes the roles in one organisation, ends the membership or renews it, as it was judged. */
async function changeHolding(
  tx: Tx,
  authority: Authority,
  audit: WriteAudit,
  { current, next }: Pick<Awaited<ReturnType<typeof judgeHolding>>, 'current' | 'next'>,
): Promise<void> {
  const { tenantId, policy } = authority;
  const { id } = current;
  if (current.offered) await changeOffer(tx, authority, id, next);
  else if (!same(current.roleIds, next.roleIds))
    await writeRoles(tx, tenantId, new Map([[id, next.roleIds]]));
  if (!current.offered && current.active && !next.active) await endMemberships(tx, tenantId, [id]);
  else if (!current.offered && next.active && !current.active)
    await tx.run('update membership set ended_at = null where tenant_id = $1 and id = $2', [tenantId, id]);
  const said = ({ roleIds, active }: { roleIds: string[]; active: boolean }) => ({
    roles: codesOf(policy, roleIds),
    active,
  });
  const changes = changesBetween(said(current), said(next));
  await audit({
    action: changes.after.active === false ? 'user/deactivated' : 'user/changed',
    recordKind: 'account',
    recordIds: [current.personId],
    detail: { orgType: current.orgType, orgId: current.orgId, ...changes },
  });
}

/** Ends a person's active memberships and offers. */
export async function endAll(
  tx: Tx,
  authority: Authority,
  audit: WriteAudit,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    const judged = await judgeHolding(tx, authority, id, { active: false });
    refuse(judged.faults);
    if (!judged.current.active) continue;
    await changeHolding(tx, authority, audit, judged);
    await keepChanges(tx, authority, new Map([[id, { active: { from: true, to: false } }]]));
  }
}

/** A user as the tenant knows them. */
export const personOf = ({ stored }: KnownUser): PersonFields & { accountId: string } => ({
  accountId: stored.accountId,
  firstName: stored.firstName,
  middleName: stored.middleName,
  lastName: stored.lastName,
  email: stored.email,
  phone: stored.phone,
  language: stored.language as PersonFields['language'],
  timeZone: stored.timeZone,
});

/** The faults of fields that only the person may change, on their own profile. */
function keptFaults(editable: UserDetail['editable'], fields: readonly string[]): Fault[] {
  return fields
    .filter(
      (field) => editable === 'nothing' || (editable === 'name' && (field === 'email' || field === 'phone')),
    )
    .map((path) => fault(path, { code: 'kept-by-person', permissions: [] }));
}

/** The faults of a change of a person; missing fields are not checked. */
export async function personFaults(
  tx: Tx,
  authority: Authority,
  known: KnownUser,
  change: Partial<PersonFields>,
): Promise<Fault[]> {
  const { accountId, ...before } = personOf(known);
  const { after } = changesBetween(before, { ...before, ...change });
  const faults = keptFaults(await editableOf(tx, known), Object.keys(after));
  const email = after.email as string | undefined;
  if (email === undefined || faults.some(({ path }) => path === 'email')) return faults;
  const held = await membershipsWhere(tx, authority.tenantId, 'm.person_id = $2', [accountId]);
  return (await isTaken(tx, authority.tenantId, email, held))
    ? [...faults, fault('email', { code: 'address-taken', permissions: [] })]
    : faults;
}

/** Changes a person's name, language and time zone, and the addresses as long as nobody signed in with them. */
async function changePerson(
  tx: Tx,
  authority: Authority,
  audit: WriteAudit,
  known: KnownUser,
  change: Partial<PersonFields>,
): Promise<void> {
  const { tenantId } = authority;
  const { accountId, ...before } = personOf(known);
  const changes = changesBetween(before, { ...before, ...change });
  const after = { ...before, ...change };
  const moved = changes.after.email !== undefined && (await readdress(tx, authority, known, after));
  if (!moved && known.offered) await changeOfferedPerson(tx, tenantId, { ...after, personId: accountId });
  else if (!moved) await changeAccount(tx, accountId, changes.after, after);
  await audit({
    action: 'user/changed',
    recordKind: 'account',
    recordIds: [accountId],
    detail: { ...changes },
  });
}

/** A requested change of a user: of the person, and in one organisation. */
export interface UserChange {
  person: Partial<PersonFields>;
  holding: { roleIds?: string[]; active?: boolean };
}

/** All faults of a change of a user, and the resulting membership. */
export async function judgeUser(
  tx: Tx,
  authority: Authority,
  known: KnownUser,
  { person, holding }: UserChange,
) {
  const judged =
    Object.keys(holding).length > 0 ? await judgeHolding(tx, authority, known.stored.id, holding) : undefined;
  return {
    judged,
    faults: [...(await personFaults(tx, authority, known, person)), ...(judged?.faults ?? [])],
  };
}

/** Changes a user; `changes`: the differences, for the history. */
export async function changeUser(
  tx: Tx,
  authority: Authority,
  audit: WriteAudit,
  known: KnownUser,
  change: UserChange,
  changes: Changes,
  undoes?: number,
): Promise<void> {
  const { id, accountId } = known.stored;
  const { judged, faults } = await judgeUser(tx, authority, known, change);
  refuse(faults);
  if (Object.keys(changes).length === 0) return;
  const { roles, active, ...ofPerson } = changes;
  if (Object.keys(ofPerson).length > 0) await changePerson(tx, authority, audit, known, change.person);
  if (judged && (roles ?? active)) await changeHolding(tx, authority, audit, judged);
  // Every place of the person gets the current details.
  const others = Object.keys(ofPerson).length === 0 ? [] : await placesOfPerson(tx, authority, accountId);
  await keepChanges(
    tx,
    authority,
    new Map([...others.map((one) => [one, ofPerson] as const), [id, changes] as const]),
    undoes,
  );
}

/** The active memberships and offers of a person. */
const placesOfPerson = async (tx: Tx, { tenantId }: Authority, personId: string): Promise<string[]> =>
  (await membershipsWhere(tx, tenantId, 'm.person_id = $2 and m.ended_at is null', [personId])).map(
    ({ id }) => id,
  );

async function changeAccount(
  tx: Tx,
  accountId: string,
  changed: Partial<PersonFields>,
  after: PersonFields,
): Promise<void> {
  await changeAddresses(tx, accountId, () =>
    tx.run(
      `update account set first_name = $2, middle_name = $3, last_name = $4, email = $5, phone = $6,
       phone_confirmed = phone_confirmed and phone is not distinct from $6, language_code = $7, time_zone = $8, username = case when $9 then $10 else username end where id = $1`,
      [
        accountId,
        after.firstName,
        after.middleName,
        after.lastName,
        after.email,
        after.phone,
        after.language,
        after.timeZone,
        changed.email !== undefined,
        after.email.toLowerCase(),
      ],
    ),
  );
}

/** Whether an address belongs to someone else, who cannot be offered this person's memberships. */
async function isTaken(
  tx: Tx,
  tenantId: string,
  email: string,
  held: readonly StoredMembership[],
): Promise<boolean> {
  const owner = await accountByAddress(tx, email);
  if (owner === undefined || owner === held[0]!.accountId) return false;
  const here = await membershipsWhere(tx, tenantId, 'm.account_id = $2', [owner]);
  return here.length > 0 || !(await askedFirst(tx, tenantId, [owner])).has(owner);
}

/**
 * For an invitation that goes to another address: a membership of a new account becomes an offer if the address has
 * an account, and an offer becomes a membership if it has none. The ids stay, so that a correction does not reveal
 * whether an address has an account. False if nothing changes. [P12]
 */
async function readdress(
  tx: Tx,
  authority: Authority,
  { stored: { accountId: personId }, offered }: KnownUser,
  person: PersonFields,
): Promise<boolean> {
  const { tenantId } = authority;
  const owner = await accountByAddress(tx, person.email);
  const held = await membershipsWhere(tx, tenantId, 'm.person_id = $2', [personId]);
  if (owner === held[0]!.accountId || (owner === undefined && !offered)) return false;
  if (await isTaken(tx, tenantId, person.email, held)) throw refused('email', 'address-taken');
  if (offered && owner !== undefined) {
    await tx.run('update membership_offer set account_id = $3 where tenant_id = $1 and person_id = $2', [
      tenantId,
      personId,
      owner,
    ]);
    return false;
  }
  if (offered) {
    // An account that an earlier correction left behind is used again.
    if ((await tx.run('update account set disabled_at = null where id = $1', [personId])) > 0)
      await changeAccount(tx, personId, person, person);
    else await writeAccounts(tx, [{ ...person, id: personId }]);
    await tx.run(
      `insert into membership (tenant_id, id, version, account_id, org_type, org_id, invited_at, invited_by, created_at,
         ended_at, left_as)
       select m.tenant_id, m.id, m.version, m.person_id, m.org_type, m.org_id, m.invited_at, m.invited_by, m.created_at, m.ended_at,
         case when m.ended_at is not null then ${asTheyAre} end
       from membership_offer m join account a on a.id = m.person_id left join account_state s on s.account_id = a.id
       where m.tenant_id = $1 and m.person_id = $2 returning 1`,
      [tenantId, personId],
    );
    await noteMemberships(tx, [personId]);
    await writeRoles(tx, tenantId, new Map(held.map(({ id, roleIds }) => [id, roleIds])));
    await tx.run('delete from membership_offer where tenant_id = $1 and person_id = $2', [
      tenantId,
      personId,
    ]);
    return true;
  }
  await awaitSignIns(tx, personId);
  await offerInstead(tx, authority, owner!, { ...person, personId });
  // Nobody ever signed in with the remaining account, so its address is free again.
  await changeAddresses(tx, personId, () =>
    tx.run(
      `update account set username = id::text, email = id::text, disabled_at = now()
       where id = $1 and not exists (select from membership where account_id = $1)`,
      [personId],
    ),
  );
  return true;
}

/** Sends the invitation again to a person who has not signed in yet. */
export async function inviteAgain(
  tx: Tx,
  { tenantId }: Authority,
  audit: WriteAudit,
  { stored, offered }: KnownUser,
): Promise<void> {
  if (stored.status !== 'invited') throw new AppError('conflict');
  const sent = await tx.run(
    `update ${offered ? 'membership_offer' : 'membership'} set invited_at = now() where tenant_id = $1 and id = $2
       and (invited_at is null or invited_at < now() - interval '1 minute')`,
    [tenantId, stored.id],
  );
  if (sent === 0) throw refused('', 'sent-just-now');
  await enqueue(tx, sendInvitation, { tenantId, membershipIds: [stored.id], mailId: randomUUID() });
  await audit({ action: 'user/invited-again', recordKind: 'account', recordIds: [stored.accountId] });
}
