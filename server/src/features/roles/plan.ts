import { grantableOn, type KnownPermission, type SubjectKind } from '@caseway/contract/permission';
import type { RoleDraft, RoleEffect, RoleRefusal } from '@caseway/contract/roles';
import { effectivePermissions, without } from '../../platform/policy/effective-permissions.ts';
import type { TenantPolicy } from '../../platform/policy/tenant-policy.ts';

/** People who have the same roles in organisations of one kind. */
export interface Group {
  kind: SubjectKind;
  roleIds: string[];
  people: number;
  names: string[];
}

export interface RoleChange {
  /** The changed or removed role, or a new one. */
  id: string;
  /** Null: the role is removed. */
  draft: RoleDraft | null;
}

/** The tenant's roles after the change. Grants for kinds that the tenant does not have stay. */
export function changedPolicy(
  policy: TenantPolicy,
  { id, draft }: RoleChange,
  kinds: readonly SubjectKind[],
): TenantPolicy {
  const roles = new Map(policy.roles);
  const current = roles.get(id);
  if (draft === null) roles.delete(id);
  else
    roles.set(id, {
      code: current?.code ?? id,
      parentIds: draft.parentIds,
      grants: [
        ...(current?.grants ?? []).filter(({ obj }) => !kinds.includes(obj as SubjectKind)),
        ...draft.grants.map(({ on, permission, effect }) => ({ obj: on, act: permission, eft: effect })),
      ],
    });
  return { ...policy, roles };
}

/** A role and everything that it inherits. */
function reachOf({ roles }: TenantPolicy, id: string, reached = new Set<string>()): Set<string> {
  if (!reached.has(id)) {
    reached.add(id);
    for (const parent of roles.get(id)?.parentIds ?? []) reachOf({ roles } as TenantPolicy, parent, reached);
  }
  return reached;
}

/** The longest path up from a role; null if it is a circle. */
function depthOf({ roles }: TenantPolicy, id: string, below: readonly string[] = []): number | null {
  if (below.includes(id)) return null;
  let deepest = 0;
  for (const parent of roles.get(id)?.parentIds ?? []) {
    const depth = depthOf({ roles } as TenantPolicy, parent, [...below, id]);
    if (depth === null) return null;
    deepest = Math.max(deepest, depth + 1);
  }
  return deepest;
}

/** There are at most ten links from a person to a role, and the first is to the person's own role. [S6.2] */
const deepest = 9;

/** The effect of a change on people, in groups; groups without a change are left out. */
export function effectsOf(before: TenantPolicy, after: TenantPolicy, groups: readonly Group[]): RoleEffect[] {
  return groups.flatMap((group) => {
    const had = effectivePermissions(before, group.roleIds, group.kind);
    const has = effectivePermissions(after, group.roleIds, group.kind);
    const gained = without(has, had);
    const lost = without(had, has);
    return gained.length + lost.length > 0 ? [{ ...group, gained, lost }] : [];
  });
}

/** A person who changes roles: their permissions, and where they have them. */
export interface Changer {
  held: ReadonlySet<string>;
  kind: SubjectKind;
  roleIds: readonly string[];
}

export interface Refused {
  code: RoleRefusal;
  permissions: string[];
}

/** Why a change is refused; empty if it is allowed. Names, and people who have the role, are checked elsewhere. */
export function refusalsOf(
  before: TenantPolicy,
  after: TenantPolicy,
  change: RoleChange,
  { groups, kinds, changer }: { groups: readonly Group[]; kinds: readonly SubjectKind[]; changer: Changer },
): Refused[] {
  const { held } = changer;
  const refused: Refused[] = [];
  const { draft } = change;
  const unlawful = (draft?.grants ?? []).filter(
    ({ on, permission }) => !kinds.includes(on) || !grantableOn(permission as KnownPermission).includes(on),
  );
  if (unlawful.length > 0)
    refused.push({
      code: 'not-grantable',
      permissions: [...new Set(unlawful.map(({ permission }) => permission))],
    });
  if (draft) {
    const depths = [...after.roles.keys()].map((id) => depthOf(after, id));
    if (depths.includes(null)) return [...refused, { code: 'circle', permissions: [] }];
    if (Math.max(...(depths as number[])) > deepest)
      return [...refused, { code: 'too-deep', permissions: [] }];
  }

  const beyond = new Set<string>();
  const more = new Set<string>();
  const judge = (
    roleIds: readonly string[],
    roleIdsBefore: readonly string[],
    kind: SubjectKind,
    takes: boolean,
  ) => {
    const had = effectivePermissions(before, roleIdsBefore, kind);
    const has = effectivePermissions(after, roleIds, kind);
    for (const permission of without(has, new Set([...had, ...held]))) beyond.add(permission);
    if (takes && without(had, has).length > 0)
      for (const permission of without(had, held)) more.add(permission);
  };
  for (const { roleIds, kind } of groups) judge(roleIds, roleIds, kind, true);
  // Also roles without people, because someone could assign them later without looking closely.
  for (const id of after.roles.keys())
    if (reachOf(after, id).has(change.id) || reachOf(before, id).has(change.id))
      for (const kind of kinds) judge([id], [id], kind, id === change.id);
  if (beyond.size > 0) refused.push({ code: 'beyond-your-rights', permissions: [...beyond] });
  if (more.size > 0) refused.push({ code: 'holds-more', permissions: [...more] });

  const keeps = effectivePermissions(after, changer.roleIds, changer.kind);
  const own = ['users/write', 'roles/write'].filter(
    (permission) => held.has(permission) && !keeps.has(permission),
  );
  if (own.length > 0) return [...refused, { code: 'own-rights', permissions: own }];
  // People give only what they have.
  const restorers = groups
    .filter(({ kind }) => kind === changer.kind)
    .map(({ roleIds, kind }) => effectivePermissions(after, roleIds, kind))
    .filter((has) => has.has('roles/write'));
  const lost = without(held, keeps).filter((permission) => !restorers.some((has) => has.has(permission)));
  if (lost.length > 0) refused.push({ code: 'lost-to-all', permissions: lost });
  return refused;
}
