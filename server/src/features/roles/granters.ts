import { type SubjectKind, subjectKindOf } from '@caseway/contract/permission';
import type { OrgType } from '@caseway/contract/session';
import { hasSignedIn } from '../../platform/auth/account-state.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Call } from '../../platform/http/serve.ts';
import { effectivePermissions } from '../../platform/policy/effective-permissions.ts';
import { loadTenantPolicy } from '../../platform/policy/tenant-policy.ts';

const shownPeople = 10;

/**
 * Other people in the tenant, in the caller's organisation, and in the organisation of a facility, with their roles.
 */
const near = `
  select m.account_id, m.org_type, m.invited_at,
    array(select r.role_id from membership_role r
      where r.tenant_id = m.tenant_id and r.membership_id = m.id order by r.role_id) as roles,
    case when m.org_type = $2 and m.org_id = $3 then 0 when m.org_type = 'O' then 1 else 2 end as distance
  from membership m
  where m.tenant_id = $1 and m.ended_at is null and m.account_id <> $4
    and (m.org_type = 'T' or m.org_type = $2 and m.org_id = $3
      or $2 = 'F' and m.org_type = 'O'
        and m.org_id = (select organization_id from facility where tenant_id = $1 and id = $3))`;

/**
 * The roles that give a permission in the caller's organisation, and the people who can grant it there: they
 * administer users there and have the permission themselves. In the scope `identity`, because the caller may not see
 * the users of the organisation.
 */
export async function findGranters(tx: Tx, call: Call, permission: string) {
  const { id: orgId, orgType, experience } = call.org;
  const kind = subjectKindOf(orgType, experience);
  const [tenant] = await tx.rows<{ id: string; kind: SubjectKind }>(
    `select t.id, case when t.experience = 'SYSTEM_ADMINISTRATION' then 'A' else 'T' end as kind from tenant t
     where t.id = case when $1 = 'PHJ' then (select managed_by_tenant_id from jurisdiction where id = $2::uuid)
       else $3::uuid end`,
    [orgType, orgId, call.org.tenantIds[0] ?? null],
  );
  if (!tenant) return { roles: [], people: [] };
  const policy = await loadTenantPolicy(tx, tenant.id);
  const labels = await tx.rows<{ id: string; label: string; label_i18n: Record<string, string> }>(
    'select id, label, label_i18n from role where tenant_id = $1 order by app_fold(label), id',
    [tenant.id],
  );
  // Many people share few combinations of roles, so the combinations that can grant it are found first.
  const held = await tx.rows<{ org_type: OrgType; roles: string[] }>(
    `select distinct org_type, roles from (${near}) n`,
    [tenant.id, orgType, orgId, call.account.accountId],
  );
  const granting = held.filter(({ org_type, roles }) => {
    const permitted = effectivePermissions(policy, roles, org_type === 'T' ? tenant.kind : org_type);
    return permitted.has('users/write') && permitted.has(permission);
  });
  const people = await tx.rows<{ name: string; email: string }>(
    `select name, email from (
       select distinct on (n.account_id) a.first_name || ' ' || a.last_name as name, a.email, n.distance
       from (${near}) n join account a on a.id = n.account_id and a.disabled_at is null
         and (${hasSignedIn} or n.invited_at is null)
       where n.org_type || ' ' || array_to_string(n.roles, ' ') = any ($5)
       order by n.account_id, n.distance) p
     order by distance, name limit ${shownPeople}`,
    [
      tenant.id,
      orgType,
      orgId,
      call.account.accountId,
      granting.map(({ org_type, roles }) => [org_type, ...roles].join(' ')),
    ],
  );
  return {
    roles: labels
      .filter(({ id }) => effectivePermissions(policy, [id], kind).has(permission))
      .map(({ label, label_i18n }) => ({ label, labelI18N: label_i18n })),
    people,
  };
}
