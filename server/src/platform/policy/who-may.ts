import type { KnownPermission } from '@caseway/contract/permission';
import type { OrgType } from '@caseway/contract/session';
import type { Tx } from '../db/database.ts';
import { effectivePermissions } from './effective-permissions.ts';
import { loadTenantPolicy } from './tenant-policy.ts';

/** A current member of a tenant. */
interface Member {
  accountId: string;
  email: string;
  languageCode: string;
}

/**
 * Accounts that hold one of these permissions in the tenant now, at places of these kinds. Each account appears
 * once. Needs the scope `identity`, because only that sees all accounts.
 */
export async function membersWhoMay(
  tx: Tx,
  tenantId: string,
  permissions: readonly KnownPermission[],
  orgTypes: readonly OrgType[],
): Promise<Member[]> {
  const policy = await loadTenantPolicy(tx, tenantId);
  const members = await tx.rows<Member & { orgType: OrgType; roleIds: string[] }>(
    `select a.id as "accountId", a.email, a.language_code as "languageCode", m.org_type as "orgType",
       array(select r.role_id from membership_role r
         where r.tenant_id = m.tenant_id and r.membership_id = m.id) as "roleIds"
     from membership m join account a on a.id = m.account_id and a.disabled_at is null and a.patient_id is null
     where m.tenant_id = $1 and m.org_type = any ($2) and m.ended_at is null order by a.id`,
    [tenantId, orgTypes],
  );
  const found = members.flatMap(({ orgType, roleIds, ...member }): [string, Member][] => {
    const held = effectivePermissions(policy, roleIds, orgType);
    return permissions.some((one) => held.has(one)) ? [[member.accountId, member]] : [];
  });
  return [...new Map(found).values()];
}
