import { subjectKindOf } from '@caseway/contract/permission';
import type { OrgType } from '@caseway/contract/session';
import type { MembershipOffer } from '@caseway/contract/users';
import { type Origin, writeEvent } from '../../platform/audit/auditor.ts';
import { membershipFor } from '../../platform/auth/memberships.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { type Authority, placesOf, refusalOf } from '../../platform/policy/authority.ts';
import { effectivePermissions } from '../../platform/policy/effective-permissions.ts';
import { loadTenantPolicy, type TenantPolicy } from '../../platform/policy/tenant-policy.ts';
import { codesOf, type Member, membershipsWhere, writeMemberships } from './memberships.ts';
import { keepChanges } from './user-history.ts';

/*
 * Offers as the invited people see them. Everything that a tenant offers one person is one offer, answered as a
 * whole. It belongs to them as long as they have the address it was made to. In the scope `identity`.
 */

const ofAccount = `o.account_id = $1 and o.ended_at is null and exists (select from account a
  where a.id = o.account_id and a.patient_id is null and lower(o.email) in (a.username, lower(a.email)))`;

export async function offersTo(tx: Tx, accountId: string): Promise<MembershipOffer[]> {
  const rows = await tx.rows<{
    id: string;
    tenant: string;
    invitedBy: string | null;
    invitedAt: Date;
    orgType: OrgType;
    orgName: string;
    roles: MembershipOffer['organizations'][number]['roles'];
  }>(
    `select o.person_id as id, t.name as tenant, i.first_name || ' ' || i.last_name as "invitedBy",
       o.invited_at as "invitedAt", o.org_type as "orgType", coalesce(g.name, f.name, j.name, t.name) as "orgName",
       (select coalesce(jsonb_agg(jsonb_build_object('label', r.label, 'labelI18N', r.label_i18n) order by r.label), '[]')
         from role r where r.tenant_id = o.tenant_id and r.id = any (o.role_ids)) as roles
     from membership_offer o
     join tenant t on t.id = o.tenant_id and t.suspended_at is null
     left join account i on i.id = o.invited_by
     left join organization g on o.org_type = 'O' and g.tenant_id = o.tenant_id and g.id = o.org_id
     left join facility f on o.org_type = 'F' and f.tenant_id = o.tenant_id and f.id = o.org_id
     left join jurisdiction j on o.org_type = 'PHJ' and j.id = o.org_id
     where ${ofAccount}
     order by o.invited_at desc, o.person_id, "orgName", o.id`,
    [accountId],
  );
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((parts) => ({
    id: parts[0]!.id,
    tenant: parts[0]!.tenant,
    invitedBy: [...new Set(parts.map(({ invitedBy }) => invitedBy))].filter(Boolean).join(', '),
    invitedAt: parts[0]!.invitedAt.toISOString(),
    organizations: parts.map(({ orgType, orgName: name, roles }) => ({ orgType, name, roles })),
  }));
}

interface OpenOffer {
  id: string;
  tenantId: string;
  invitedBy: string;
  inviterOrgType: OrgType;
  inviterOrgId: string;
  inviterDisabled: boolean;
}

/**
 * Reads the parts of an offer after locking out other changes of the tenant's users, so that a check still holds
 * when the change is written.
 */
async function takeOffer(
  tx: Tx,
  accountId: string,
  personId: string,
): Promise<[OpenOffer, ...OpenOffer[]] | undefined> {
  const read = () =>
    tx.rows<OpenOffer>(
      `select o.id, o.tenant_id as "tenantId", o.invited_by as "invitedBy",
         o.inviter_org_type as "inviterOrgType", o.inviter_org_id as "inviterOrgId",
         i.disabled_at is not null as "inviterDisabled"
       from membership_offer o join account i on i.id = o.invited_by where ${ofAccount} and o.person_id = $2 order by o.created_at, o.id`,
      [accountId, personId],
    );
  const [found] = await read();
  if (!found) return undefined;
  await tx.rows('select from policy_version where tenant_id = $1 for update', [found.tenantId]);
  const [first, ...more] = await read();
  return first && [first, ...more];
}

/** The current rights of the inviter; undefined if they no longer administer users there. */
async function inviterOf(tx: Tx, offer: OpenOffer, policy: TenantPolicy): Promise<Authority | undefined> {
  const { tenantId, invitedBy: accountId, inviterOrgType: orgType, inviterOrgId: orgId } = offer;
  const membership = await membershipFor(tx, { tenantId, accountId, orgType, orgId });
  if (!membership || offer.inviterDisabled) return undefined;
  const { roleIds } = membership;
  const kind = subjectKindOf(orgType, membership.experience);
  const held = effectivePermissions(policy, roleIds, kind);
  return held.has('users/write')
    ? { tenantId, accountId, orgType, orgId, kind, roleIds, policy, held }
    : undefined;
}

/** Creates the memberships of an offer, as far as it is still valid, and returns their number. */
export async function takeUpOffer(
  tx: Tx,
  accountId: string,
  personId: string,
  { requestId, address }: Origin,
): Promise<number> {
  const parts = await takeOffer(tx, accountId, personId);
  if (!parts) throw new AppError('conflict');
  const { tenantId } = parts[0];
  const policy = await loadTenantPolicy(tx, tenantId);
  const here = await membershipsWhere(tx, tenantId, 'm.account_id = $2', [accountId]);
  const joined: Member[] = [];
  for (const part of parts) {
    const offer = here.find(({ id, offered }) => offered && id === part.id)!;
    const { orgType, orgId, roleIds } = offer;
    const inviter = await inviterOf(tx, part, policy);
    const [place] = inviter ? await placesOf(tx, inviter, orgType, { orgId, active: true }) : [];
    if (!inviter || !place) continue;
    const holding =
      here.find((one) => !one.offered && one.orgType === orgType && one.orgId === orgId) ?? null;
    if (refusalOf(inviter, { accountId, kind: place.kind, holding }, { roleIds, active: true })) continue;
    const member = { offer, accountId, orgType, orgId, roleIds };
    await writeMemberships(tx, { tenantId, accountId: part.invitedBy }, [member]);
    joined.push(member);
  }
  if (joined.length === 0) throw new AppError('conflict');
  await writeEvent(tx, {
    tenantId,
    accountId,
    orgType: null,
    orgId: null,
    action: 'user/joined',
    deed: 'administration',
    recordKind: 'account',
    // The log has the invitation under one id, and everything from now on under the other.
    recordIds: [accountId, personId],
    detail: {
      memberships: joined.map(({ orgType, orgId, roleIds }) => ({
        orgType,
        orgId,
        roles: codesOf(policy, roleIds),
      })),
    },
    requestId,
    address,
  });
  return joined.length;
}

/** Ends an offer. The tenant sees that it was refused, and nothing about the person. */
export async function turnDownOffer(tx: Tx, accountId: string, personId: string): Promise<void> {
  const parts = await takeOffer(tx, accountId, personId);
  if (!parts) throw new AppError('conflict');
  const { tenantId } = parts[0];
  const ids = parts.map(({ id }) => id);
  await tx.run(
    'update membership_offer set ended_at = now() where tenant_id = $1 and id = any ($2::uuid[])',
    [tenantId, ids],
  );
  const ended = { active: { from: true, to: false } };
  await keepChanges(tx, { tenantId, accountId: null }, new Map(ids.map((id) => [id, ended])));
  await writeEvent(tx, {
    tenantId,
    accountId: null,
    orgType: null,
    orgId: null,
    action: 'user/refused',
    deed: 'administration',
    recordKind: 'account',
    recordIds: [personId],
    detail: {},
  });
}
