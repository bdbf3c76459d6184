import { permissions, type SubjectKind } from '@caseway/contract/permission';
import type { Role } from '@caseway/contract/roles';
import type { Tx } from '../../platform/db/database.ts';
import type { Group } from './plan.ts';

/** The kinds of organisation of a tenant. The tenant that administers the system has only that kind. */
export const kindsOf = (acting: SubjectKind): SubjectKind[] =>
  acting === 'A' ? ['A'] : ['T', 'O', 'F', 'PHJ'];

/** The roles of a tenant, by name. Roles without people that only grant something to other kinds are left out. */
export async function readRoleList(tx: Tx, tenantId: string, kinds: readonly SubjectKind[]): Promise<Role[]> {
  const rows = await tx.rows<{
    id: string;
    code: string;
    label: string;
    label_i18n: Record<string, string>;
    parents: string[];
    grants: { on: SubjectKind; permission: string; effect: 'allow' | 'deny' }[];
    holders: number;
  }>(
    `select r.id, r.code, r.label, r.label_i18n,
       array(select p.parent_id from role_parent p where p.tenant_id = r.tenant_id and p.role_id = r.id
         order by p.parent_id) as parents,
       (select coalesce(json_agg(json_build_object('on', g.obj, 'permission', g.act, 'effect', g.eft)
           order by g.obj, g.act, g.eft), '[]')
         from role_grant g where g.tenant_id = r.tenant_id and g.role_id = r.id) as grants,
       (select count(*) from (
         select m.account_id from membership_role mr
         join membership m on m.tenant_id = mr.tenant_id and m.id = mr.membership_id and m.ended_at is null
         where mr.tenant_id = r.tenant_id and mr.role_id = r.id
         union
         select o.account_id from membership_offer o
         where o.tenant_id = r.tenant_id and r.id = any (o.role_ids) and o.ended_at is null) people) as holders
     from role r where r.tenant_id = $1 order by app_fold(r.label), r.id`,
    [tenantId],
  );
  const known: readonly string[] = permissions;
  return rows.flatMap(({ parents, label_i18n, grants, ...row }) => {
    const own = grants.filter(({ on, permission }) => kinds.includes(on) && known.includes(permission));
    if (grants.length > 0 && own.length === 0 && row.holders === 0) return [];
    return [{ ...row, labelI18N: label_i18n, parentIds: parents, grants: own as Role['grants'] }];
  });
}

/** Everyone who belongs to a tenant now, or is invited, in groups with the same roles. */
export async function groupsOf(tx: Tx, tenantId: string, acting: SubjectKind): Promise<Group[]> {
  const rows = await tx.rows<{
    org_type: 'T' | 'O' | 'F' | 'PHJ';
    roles: string[];
    people: number;
    names: string[];
  }>(
    `select org_type, roles, count(*) as people, (array_agg(name order by name))[1:5] as names
     from (
       select m.org_type, a.first_name || ' ' || a.last_name as name,
         array(select r.role_id from membership_role r
           where r.tenant_id = m.tenant_id and r.membership_id = m.id order by r.role_id) as roles
       from membership m join account a on a.id = m.account_id
       where m.tenant_id = $1 and m.ended_at is null
       union all
       select o.org_type, o.first_name || ' ' || o.last_name, o.role_ids
       from membership_offer o where o.tenant_id = $1 and o.ended_at is null
     ) held group by org_type, roles`,
    [tenantId],
  );
  return rows.map(({ org_type, roles, people, names }) => ({
    kind: org_type === 'T' ? acting : org_type,
    roleIds: roles,
    people,
    names,
  }));
}
