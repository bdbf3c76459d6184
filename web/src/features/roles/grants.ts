import {
  grantableOn,
  type KnownPermission,
  permissions,
  type SubjectKind,
} from '@caseway/contract/permission';
import type { Role } from '@caseway/contract/roles';

type Granting = Pick<Role, 'id' | 'parentIds' | 'grants'>;

/** A role's setting of a permission for one kind of organization. */
export interface GrantState {
  /** The result: a denial overrides every allow. [S6.2] */
  effect: 'allow' | 'deny' | null;
  /** The role's own setting. */
  own: 'allow' | 'deny' | null;
  /** The role it is inherited from, if not the role's own setting. */
  from: string | null;
}

const saidBy = (role: Pick<Granting, 'grants'>, kind: SubjectKind, permission: string): GrantState['own'] => {
  const effects = role.grants
    .filter((grant) => grant.on === kind && grant.permission === permission)
    .map(({ effect }) => effect);
  return effects.includes('deny') ? 'deny' : effects.includes('allow') ? 'allow' : null;
};

/** Every role that a role inherits from, nearest first. */
export function ancestorsOf(roles: ReadonlyMap<string, Granting>, role: Granting): Granting[] {
  const reached = new Map<string, Granting>();
  let frontier = [role];
  while (frontier.length > 0) {
    const next = frontier
      .flatMap(({ parentIds }) => parentIds.flatMap((id) => roles.get(id) ?? []))
      .filter(({ id }) => id !== role.id && !reached.has(id));
    for (const one of next) reached.set(one.id, one);
    frontier = next;
  }
  return [...reached.values()];
}

export function stateOf(
  roles: ReadonlyMap<string, Granting>,
  role: Granting,
  kind: SubjectKind,
  permission: string,
): GrantState {
  const own = saidBy(role, kind, permission);
  if (own === 'deny') return { effect: 'deny', own, from: null };
  const inherited = ancestorsOf(roles, role).map((one) => [one.id, saidBy(one, kind, permission)] as const);
  const denied = inherited.find(([, effect]) => effect === 'deny');
  if (denied) return { effect: 'deny', own, from: denied[0] };
  if (own === 'allow') return { effect: 'allow', own, from: null };
  const allowed = inherited.find(([, effect]) => effect === 'allow');
  return allowed ? { effect: 'allow', own, from: allowed[0] } : { effect: null, own, from: null };
}

/** The result without the role's own setting. */
export const inheritedOf = (
  roles: ReadonlyMap<string, Granting>,
  role: Granting,
  kind: SubjectKind,
  permission: string,
): GrantState => stateOf(roles, { ...role, grants: [] }, kind, permission);

/** The permissions that can be granted on any of these kinds, in declared order. */
export const permissionsFor = (kinds: readonly SubjectKind[]): KnownPermission[] =>
  permissions.filter((permission) => kinds.some((kind) => grantableOn(permission).includes(kind)));
