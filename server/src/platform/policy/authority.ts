import { type SubjectKind, subjectKindOf } from '@caseway/contract/permission';
import type { OrgType } from '@caseway/contract/session';
import type { UserRefusal } from '@caseway/contract/users';
import type { Tx } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Call } from '../http/serve.ts';
import { fold } from '../text/fold.ts';
import { effectivePermissions, without } from './effective-permissions.ts';
import { loadTenantPolicy, type TenantPolicy } from './tenant-policy.ts';

/*
 * Nobody gives a permission that they do not have. The policy decides what a person may do in an organisation, so
 * giving and removing roles is judged by what the person could do before and after: removing a role also gives
 * something if the role denied it.
 */

/** An administrator: the organisation they act for, and their permissions there. */
export interface Authority {
  tenantId: string;
  accountId: string;
  orgType: OrgType;
  orgId: string;
  kind: SubjectKind;
  /** Their roles there, and the permissions that follow. */
  roleIds: string[];
  held: ReadonlySet<string>;
  policy: TenantPolicy;
}

/** The tenant of an administrator's request; a jurisdiction administers nobody. */
export function administeredTenant(call: Call): string {
  const { scope } = call;
  if (scope.kind !== 'org' || call.org.orgType === 'PHJ') throw new AppError('forbidden');
  return scope.tenantId;
}

/** The tenant, for a person who acts for all of it. */
export function wholeTenant(call: Call): string {
  if (call.org.orgType !== 'T') throw new AppError('forbidden', { permission: 'settings/write' });
  return administeredTenant(call);
}

/** The permissions of the caller, where they act. The transaction must see the roles of the tenant. */
export async function authorityOf(tx: Tx, call: Call): Promise<Authority> {
  const { id: orgId, orgType, experience } = call.org;
  const { accountId } = call.account;
  const tenantId = administeredTenant(call);
  const policy = await loadTenantPolicy(tx, tenantId);
  const rows = await tx.rows<{ role_id: string }>(
    `select r.role_id from membership m
     join membership_role r on r.tenant_id = m.tenant_id and r.membership_id = m.id
     where m.tenant_id = $1 and m.account_id = $2 and m.org_type = $3 and m.org_id = $4 and m.ended_at is null`,
    [tenantId, accountId, orgType, orgId],
  );
  const kind = subjectKindOf(orgType, experience);
  const roleIds = rows.map((row) => row.role_id);
  return {
    tenantId,
    accountId,
    orgType,
    orgId,
    kind,
    policy,
    roleIds,
    held: effectivePermissions(policy, roleIds, kind),
  };
}

/**
 * The same for a change, in the scope `identity`. Anyone else who changes users, roles or settings of this tenant
 * waits until the transaction has ended, so that the check still holds when the change is written.
 */
export async function authorityToChange(
  tx: Tx,
  call: Call,
  permission: 'users/write' | 'roles/write' | 'settings/write' = 'users/write',
): Promise<Authority> {
  await tx.rows('select from policy_version where tenant_id = $1 for update', [administeredTenant(call)]);
  const authority = await authorityOf(tx, call);
  // It was just revoked, but the authorizer still has it cached.
  if (!authority.held.has(permission)) throw new AppError('forbidden', { permission });
  return authority;
}

/** An organisation in which a person administers users. */
export interface Place {
  orgType: OrgType;
  orgId: string;
  name: string;
  kind: SubjectKind;
  /** False if it is deactivated; then nobody can be added. */
  active: boolean;
}

/**
 * The organisations of a type that an administrator of each type manages: `$1` is the tenant, `$2` the
 * administrator's organisation.
 */
const administered: Readonly<Record<OrgType, Partial<Record<OrgType, string>>>> = {
  T: {
    T: 'select id, name, null::timestamptz as deactivated_at from tenant where id = $1 and $2::uuid = $1',
    O: 'select id, name, deactivated_at from organization where tenant_id = $1 and $2::uuid is not null',
    F: 'select id, name, deactivated_at from facility where tenant_id = $1 and $2::uuid is not null',
    PHJ: 'select id, name, deactivated_at from jurisdiction where managed_by_tenant_id = $1 and $2::uuid is not null',
  },
  O: {
    O: 'select id, name, deactivated_at from organization where tenant_id = $1 and id = $2',
    F: 'select id, name, deactivated_at from facility where tenant_id = $1 and organization_id = $2',
  },
  F: { F: 'select id, name, deactivated_at from facility where tenant_id = $1 and id = $2' },
  PHJ: {},
};

/**
 * The organisations of one type that a person administers, by name: a tenant all of its own, an organisation itself
 * and its facilities, a facility itself. Optionally only one, those with some words in their names, some of them, or
 * only active ones.
 */
export async function placesOf(
  tx: Tx,
  { tenantId, orgType: acting, orgId: own, kind }: Authority,
  orgType: OrgType,
  {
    orgId,
    words = [],
    limit,
    active = false,
  }: { orgId?: string; words?: readonly string[]; limit?: number; active?: boolean } = {},
): Promise<Place[]> {
  const from = administered[acting][orgType];
  if (!from) return [];
  const rows = await tx.rows<{ id: string; name: string; active: boolean }>(
    `select id, name, deactivated_at is null as active from (${from}) p where ($3::uuid is null or id = $3) and ($6::boolean is false or deactivated_at is null)
       and not exists (select from unnest($4::text[]) as word where strpos(app_fold(name), word) = 0)
     order by app_fold(name), id limit $5`,
    [tenantId, own, orgId ?? null, words.map(fold), limit ?? null, active],
  );
  return rows.map(({ id, name, active }) => ({
    orgType,
    orgId: id,
    name,
    active,
    kind: orgType === 'T' ? kind : orgType,
  }));
}

/** A person's roles in an organisation, current or planned. */
export interface Holding {
  roleIds: readonly string[];
  active: boolean;
}

export interface Refusal {
  code: UserRefusal;
  /** The permissions involved. */
  permissions: string[];
}

/** Why this administrator may not change the person's roles in a place at all; null if they may. */
export function lockOf(
  { accountId, held, policy }: Authority,
  target: { accountId: string | null; kind: SubjectKind; holding: Holding | null },
): Refusal | null {
  if (target.accountId === accountId) return { code: 'own-membership', permissions: [] };
  if (!target.holding?.active) return null;
  const more = without(effectivePermissions(policy, target.holding.roleIds, target.kind), held);
  return more.length > 0 ? { code: 'holds-more', permissions: more } : null;
}

/** Why an administrator may not change a person's roles from one set to the other; null if they may. */
export function refusalOf(
  authority: Authority,
  target: { accountId: string | null; kind: SubjectKind; holding: Holding | null },
  next: Holding,
): Refusal | null {
  const { held, policy } = authority;
  if (next.roleIds.some((id) => !policy.roles.has(id))) return { code: 'unknown-role', permissions: [] };
  const locked = lockOf(authority, target);
  if (locked) return locked;
  const before = target.holding?.active
    ? effectivePermissions(policy, target.holding.roleIds, target.kind)
    : new Set<string>();
  const after = next.active ? effectivePermissions(policy, next.roleIds, target.kind) : new Set<string>();
  const beyond = without(after, new Set([...before, ...held]));
  return beyond.length > 0 ? { code: 'beyond-your-rights', permissions: beyond } : null;
}
