import type { Experience, OrgType } from '@caseway/contract/session';
import type { Tx } from '../db/database.ts';

/** The roles of a tenant with their grants, at one version. */
export interface TenantPolicy {
  tenantId: string;
  version: number;
  roles: ReadonlyMap<string, Role>;
}
interface Role {
  code: string;
  parentIds: readonly string[];
  grants: readonly { obj: string; act: string; eft: string }[];
}

/** Reads the roles of a tenant; the scope must be `identity` or belong to that tenant. */
export async function loadTenantPolicy(tx: Tx, tenantId: string): Promise<TenantPolicy> {
  const rows = await tx.rows<{
    version: number | null;
    id: string;
    code: string;
    parents: string[];
    grants: string[];
  }>(
    `select (select version from policy_version v where v.tenant_id = r.tenant_id) as version, r.id, r.code,
       array(select p.parent_id from role_parent p where p.tenant_id = r.tenant_id and p.role_id = r.id
         order by p.parent_id) as parents,
       array(select g.obj || ' ' || g.act || ' ' || g.eft from role_grant g
         where g.tenant_id = r.tenant_id and g.role_id = r.id order by g.obj, g.act, g.eft) as grants
     from role r where r.tenant_id = $1 order by r.code`,
    [tenantId],
  );
  const roles = rows.map(({ id, code, parents, grants }): [string, Role] => [
    id,
    {
      code,
      parentIds: parents,
      grants: grants.map((grant) => {
        const [obj, act, eft] = grant.split(' ') as [string, string, string];
        return { obj, act, eft };
      }),
    },
  ]);
  return { tenantId, version: rows[0]?.version ?? 0, roles: new Map(roles) };
}

/**
 * Tells every process with a compiled policy of a tenant that it has changed. Call it in every transaction that
 * changes the tenant's roles or grants.
 */
export async function raisePolicyVersion(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(
    `insert into policy_version (tenant_id, version) values ($1, 2)
     on conflict (tenant_id) do update set version = policy_version.version + 1`,
    [tenantId],
  );
}

export interface PolicyOrg {
  id: string;
  orgType: OrgType;
  experience: Experience;
}

/**
 * The Casbin lines of one account in one organisation: `p, role:{code}, {subject}, {action}, {effect}` for its roles
 * and all they inherit, `g, role:…, role:…` for inheritance, `g, {account}, role:…` for its roles there. A grant on
 * any organisation or facility is written for this one. [S6.2, S6.4]
 */
export function policyLines(
  accountId: string,
  org: PolicyOrg,
  roleIds: readonly string[],
  { roles }: TenantPolicy,
): string[] {
  const reached = new Set<string>();
  const reach = (id: string) => {
    if (reached.has(id)) return;
    reached.add(id);
    for (const parent of roles.get(id)?.parentIds ?? []) reach(parent);
  };
  for (const id of roleIds) reach(id);

  const subject = (obj: string): string | undefined => {
    if (obj !== 'O' && obj !== 'F') return obj;
    return obj === org.orgType ? `${obj}:${org.id}` : undefined;
  };
  const grants: string[] = [];
  const inheritance: string[] = [];
  for (const id of reached) {
    const role = roles.get(id);
    if (!role) continue;
    for (const { obj, act, eft } of role.grants) {
      const on = subject(obj);
      if (on) grants.push(`p, role:${role.code}, ${on}, ${act}, ${eft}`);
    }
    for (const parent of role.parentIds) {
      const code = roles.get(parent)?.code;
      if (code) inheritance.push(`g, role:${role.code}, role:${code}`);
    }
  }
  const held = roleIds.flatMap((id) => {
    const code = roles.get(id)?.code;
    return code ? [`g, ${accountId}, role:${code}`] : [];
  });
  return [...grants, ...inheritance, ...held];
}
