import { type SubjectKind, subjectKindOf } from '@caseway/contract/permission';
import type { RecoveryRefusal } from '@caseway/contract/recovery';
import type { Experience, OrgType } from '@caseway/contract/session';
import type { Tx } from '../../platform/db/database.ts';
import { effectivePermissions, without } from '../../platform/policy/effective-permissions.ts';
import { loadTenantPolicy, type TenantPolicy } from '../../platform/policy/tenant-policy.ts';

/*
 * Who may let a person back into an account. A person who gets in can do everything that the account may do. So an
 * approver must have all its permissions in their own tenant, as for giving roles; an account in several tenants
 * needs an approver in each. If an account can give rights, or reads a whole tenant, two people of that tenant are
 * needed. Everything here is read in the scope `identity`.
 */

/** The permissions of an account in one organisation. */
export interface Held {
  accountId: string;
  tenantId: string;
  orgType: OrgType;
  orgId: string;
  /** For a facility: its organisation. */
  organizationId: string | null;
  kind: SubjectKind;
  roleIds: string[];
}
export type Policies = ReadonlyMap<string, TenantPolicy>;

/** The current memberships of accounts, or of whole tenants, with their permissions. */
export async function heldBy(
  tx: Tx,
  whose: { accountIds: readonly string[] } | { tenantIds: readonly string[] },
): Promise<Held[]> {
  const rows = await tx.rows<Omit<Held, 'kind'> & { experience: Experience }>(
    `select m.account_id as "accountId", m.tenant_id as "tenantId", m.org_type as "orgType", m.org_id as "orgId",
       f.organization_id as "organizationId", t.experience,
       array(select r.role_id from membership_role r
         where r.tenant_id = m.tenant_id and r.membership_id = m.id) as "roleIds"
     from membership m
     join account a on a.id = m.account_id and a.disabled_at is null and a.patient_id is null
     join tenant t on t.id = m.tenant_id
     left join facility f on m.org_type = 'F' and f.tenant_id = m.tenant_id and f.id = m.org_id
     where m.ended_at is null and ${'accountIds' in whose ? 'm.account_id' : 'm.tenant_id'} = any ($1::uuid[])
     order by m.account_id, m.created_at, m.id`,
    ['accountIds' in whose ? whose.accountIds : whose.tenantIds],
  );
  return rows.map(({ experience, ...held }) => ({ ...held, kind: subjectKindOf(held.orgType, experience) }));
}

export async function policiesOf(tx: Tx, tenantIds: Iterable<string>): Promise<Policies> {
  const policies = new Map<string, TenantPolicy>();
  for (const tenantId of new Set(tenantIds)) policies.set(tenantId, await loadTenantPolicy(tx, tenantId));
  return policies;
}

const permissionsOf = (policies: Policies, { tenantId, roleIds, kind }: Held) =>
  effectivePermissions(policies.get(tenantId)!, roleIds, kind);

/** Whether a person who acts for the one organisation administers the users of the other. */
function administers(acting: Held, other: Held): boolean {
  if (acting.tenantId !== other.tenantId) return false;
  if (acting.orgType === 'T') return true;
  if (acting.orgId === other.orgId) return acting.orgType === other.orgType;
  return acting.orgType === 'O' && other.orgType === 'F' && other.organizationId === acting.orgId;
}

/**
 * Why the approver may not approve for their organisation; null if they may. Only the account's permissions in their
 * tenant count: they cannot judge another tenant, which has its own approver.
 */
export function refusalFor(
  policies: Policies,
  approver: Held,
  account: { id: string; holds: readonly Held[] },
): Extract<RecoveryRefusal, 'own-account' | 'holds-more' | 'elsewhere'> | null {
  if (approver.accountId === account.id) return 'own-account';
  const held = permissionsOf(policies, approver);
  const here = account.holds.filter(({ tenantId }) => tenantId === approver.tenantId);
  if (here.length === 0 || here.some((one) => !administers(approver, one))) return 'elsewhere';
  return here.some((one) => without(permissionsOf(policies, one), held).length > 0) ? 'holds-more' : null;
}

/** Whether a person administers users where they act; for a jurisdiction, nobody does. */
export const administersUsers = (policies: Policies, held: Held): boolean =>
  held.orgType !== 'PHJ' && permissionsOf(policies, held).has('users/write');

/**
 * How many people of a tenant have to approve, given the permissions there: two for an account that can change
 * users, or sees all of the tenant.
 */
function neededOf(policies: Policies, holds: readonly Held[]): 1 | 2 {
  const isWide = (one: Held) => {
    const permissions = permissionsOf(policies, one);
    if (permissions.has('users/write')) return true;
    const more = [...permissions].some((permission) => permission !== 'general/other');
    return more && one.orgType !== 'O' && one.orgType !== 'F';
  };
  return holds.some(isWide) ? 2 : 1;
}

const byTenant = (holds: readonly Held[]): Map<string, Held[]> =>
  Map.groupBy(holds, ({ tenantId }) => tenantId);

/**
 * How many people have to approve, over all tenants. Each tenant needs its own: adding an account to another tenant
 * must not make it easier to take over in the first.
 */
export const neededFor = (policies: Policies, holds: readonly Held[]): number =>
  [...byTenant(holds).values()].reduce((sum, here) => sum + neededOf(policies, here), 0);

/**
 * Whether these approvals are enough: as many different people from each tenant as it needs. A person who has since
 * lost the right no longer counts.
 */
export function isApproved(
  policies: Policies,
  account: { id: string; holds: readonly Held[] },
  approvers: readonly Held[],
): boolean {
  const valid = approvers.filter(
    (one) => administersUsers(policies, one) && refusalFor(policies, one, account) === null,
  );
  const peopleOf = (all: readonly Held[]) => new Set(all.map(({ accountId }) => accountId)).size;
  return (
    account.holds.length > 0 &&
    [...byTenant(account.holds)].every(
      ([tenantId, here]) =>
        peopleOf(valid.filter((one) => one.tenantId === tenantId)) >= neededOf(policies, here),
    ) &&
    peopleOf(valid) >= neededFor(policies, account.holds)
  );
}
