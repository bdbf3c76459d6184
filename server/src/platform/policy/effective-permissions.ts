import { permissions, type SubjectKind } from '@caseway/contract/permission';
import { compilePolicy, permissionSubject } from '@caseway/contract/policy';
import { type PolicyOrg, policyLines, type TenantPolicy } from './tenant-policy.ts';

/** An organisation of a kind. A role allows the same in each of them. */
const orgOfKind = (kind: SubjectKind): PolicyOrg => ({
  id: 'any',
  orgType: kind === 'A' ? 'T' : kind,
  experience: kind === 'A' ? 'SYSTEM_ADMINISTRATION' : 'PUBLIC_HEALTH',
});

/** Cached with the policy, because many people share few combinations of roles. */
const known = new WeakMap<TenantPolicy, Map<string, ReadonlySet<string>>>();

/**
 * What a person with these roles may do in an organisation of this kind. Decided like every request, by the policy
 * lines of the roles and all they inherit. Switched-off features make no difference, because they may be switched on
 * again.
 */
export function effectivePermissions(
  policy: TenantPolicy,
  roleIds: readonly string[],
  kind: SubjectKind,
): ReadonlySet<string> {
  const ofPolicy = known.get(policy) ?? new Map<string, ReadonlySet<string>>();
  known.set(policy, ofPolicy);
  const key = [kind, ...roleIds.toSorted()].join(' ');
  let permitted = ofPolicy.get(key);
  if (!permitted) {
    permitted = decide(policy, roleIds, kind);
    ofPolicy.set(key, permitted);
  }
  return permitted;
}

function decide(policy: TenantPolicy, roleIds: readonly string[], kind: SubjectKind): ReadonlySet<string> {
  const org = orgOfKind(kind);
  const lines = policyLines('somebody', org, roleIds, policy);
  // Without any line, the fallback would apply, and it allows permissions that nobody can grant.
  if (lines.length === 0) return new Set();
  const enforcer = compilePolicy(lines);
  const subject = permissionSubject(org, 'somebody');
  return new Set(permissions.filter((permission) => enforcer.allows('somebody', subject, permission)));
}

/** The elements of the first set that are not in the second, in order. */
export const without = (all: ReadonlySet<string>, known: ReadonlySet<string>): string[] =>
  [...all].filter((one) => !known.has(one));
