import { grantableOn, permissions, type SubjectKind } from '@caseway/contract/permission';
import type { RoleGrant } from '@caseway/contract/roles';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectivePermissions } from '../../platform/policy/effective-permissions.ts';
import type { TenantPolicy } from '../../platform/policy/tenant-policy.ts';
import { defaultRoles } from './default-roles.ts';
import { changedPolicy, effectsOf, type Group, refusalsOf } from './plan.ts';

const kinds: SubjectKind[] = ['T', 'O', 'F', 'PHJ'];
const grant = (on: SubjectKind, permission: string, effect: 'allow' | 'deny' = 'allow') =>
  ({ on, permission, effect }) as RoleGrant;
const policyOf = (roles: Record<string, { parents?: string[]; grants?: RoleGrant[] }>): TenantPolicy => ({
  tenantId: 't',
  version: 1,
  roles: new Map(
    Object.entries(roles).map(([id, { parents = [], grants = [] }]) => [
      id,
      {
        code: id,
        parentIds: parents,
        grants: grants.map(({ on, permission, effect }) => ({ obj: on, act: permission, eft: effect })),
      },
    ]),
  ),
});
const draft = (parentIds: string[], grants: RoleGrant[]) => ({
  label: 'Role',
  labelI18N: {},
  parentIds,
  grants,
});
const group = (roleIds: string[], kind: SubjectKind = 'T'): Group => ({
  kind,
  roleIds,
  people: 1,
  names: ['Ana'],
});

/** The refusals of a change made by someone with the role `admin`. */
function judged(
  before: TenantPolicy,
  id: string,
  next: ReturnType<typeof draft> | null,
  groups: Group[] = [],
) {
  const change = { id, draft: next };
  const after = changedPolicy(before, change, kinds);
  const held = effectivePermissions(before, ['admin'], 'T');
  const refusals = refusalsOf(before, after, change, {
    groups,
    kinds,
    changer: { held, kind: 'T', roleIds: ['admin'] },
  });
  return {
    refusals: refusals.map(({ code, permissions: about }) => [code, ...about]),
    effects: effectsOf(before, after, groups),
  };
}

const admin = {
  grants: [
    grant('T', 'users/write'),
    grant('T', 'roles/write'),
    grant('T', 'case-reports/read'),
    grant('T', 'case-reports/write'),
  ],
};

test('the default roles grant only permissions that have an effect for their kind', () => {
  const unlawful = defaultRoles.flatMap(({ code, grants }) =>
    grants.flatMap(({ on, allow = [], deny = [] }) =>
      on.flatMap((kind) =>
        [...allow, ...deny]
          .filter((permission) => !grantableOn(permission).includes(kind))
          .map((permission) => `${code} ${kind} ${permission}`),
      ),
    ),
  );
  expect(unlawful).toEqual([]);
});

describe('a change of a role', () => {
  test('shows what each group of people gains and loses, also through roles that inherit it', () => {
    const before = policyOf({
      admin,
      base: { grants: [grant('T', 'case-reports/read')] },
      epi: { parents: ['base'] },
      other: {},
    });
    const { effects, refusals } = judged(before, 'base', draft([], [grant('T', 'case-reports/write')]), [
      group(['epi']),
      group(['other']),
      group(['admin']),
      group(['admin', 'epi']),
      group(['epi'], 'O'),
    ]);
    expect(refusals).toEqual([]);
    expect(effects.map(({ roleIds, gained, lost }) => [roleIds, gained, lost])).toEqual([
      [['epi'], ['case-reports/write'], ['case-reports/read']],
    ]);
  });

  test('is refused if it gives what its author does not have, even to a role without people', () => {
    const before = policyOf({ admin, role: {} });
    expect(judged(before, 'role', draft([], [grant('O', 'audit/read')])).refusals).toEqual([
      ['beyond-your-rights', 'audit/read'],
    ]);
  });

  test('is refused if it gives by removing a denial: to a person who is allowed it by another role', () => {
    const before = policyOf({
      admin,
      allows: { grants: [grant('T', 'audit/read')] },
      denies: { grants: [grant('T', 'audit/read', 'deny')] },
    });
    expect(judged(before, 'denies', draft([], []), [group(['allows', 'denies'])]).refusals).toEqual([
      ['beyond-your-rights', 'audit/read'],
    ]);
    expect(judged(before, 'denies', draft([], []), []).refusals).toEqual([]);
  });

  test('is refused if it takes from people who have more rights', () => {
    const before = policyOf({
      admin,
      strong: { grants: [grant('T', 'audit/read'), grant('T', 'case-reports/read')] },
      weak: { grants: [grant('T', 'case-reports/read')] },
    });
    expect(judged(before, 'strong', draft([], [grant('T', 'audit/read')])).refusals).toEqual([
      ['holds-more', 'audit/read'],
    ]);
    expect(judged(before, 'weak', draft([], []), [group(['weak', 'strong'])]).refusals).toEqual([]);
    // They still have case reports through the other role, so they lose nothing.
    expect(
      judged(before, 'weak', draft([], [grant('T', 'case-reports/read', 'deny')]), [
        group(['weak', 'strong']),
      ]).refusals,
    ).toEqual([['holds-more', 'audit/read']]);
  });

  test('is refused if its author could no longer change users or roles', () => {
    const before = policyOf({ admin });
    expect(judged(before, 'admin', draft([], [grant('T', 'users/write')])).refusals).toEqual([
      ['own-rights', 'roles/write'],
    ]);
    expect(judged(before, 'admin', null).refusals).toEqual([['own-rights', 'users/write', 'roles/write']]);
  });

  test('is refused if nobody who can change roles could give a permission back', () => {
    const before = policyOf({
      member: { grants: [grant('T', 'patients/merge')] },
      admin: { ...admin, parents: ['member'] },
      chief: { parents: ['admin'], grants: [grant('T', 'patients/merge')] },
      worker: { parents: ['member'] },
    });
    const without = draft([], []);
    expect(judged(before, 'member', without, [group(['admin']), group(['worker'])]).refusals).toEqual([
      ['lost-to-all', 'patients/merge'],
    ]);
    // Another person keeps it and can change roles.
    expect(judged(before, 'member', without, [group(['admin']), group(['chief'])]).refusals).toEqual([]);
    // The same roles in an organization cannot change a role of the tenant.
    expect(judged(before, 'member', without, [group(['admin']), group(['chief'], 'O')]).refusals).toEqual([
      ['lost-to-all', 'patients/merge'],
    ]);
  });

  test('is refused if a permission has no effect for the kind, or the tenant has no such kind', () => {
    const before = policyOf({ admin, role: {} });
    expect(judged(before, 'role', draft([], [grant('O', 'roles/write')])).refusals[0]).toEqual([
      'not-grantable',
      'roles/write',
    ]);
    expect(judged(before, 'role', draft([], [grant('A', 'users/write')])).refusals[0]).toEqual([
      'not-grantable',
      'users/write',
    ]);
  });

  test('[S6.2] is refused in a circle, and over more than nine others', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 11 }, (_, index) => [
        `r${index}`,
        { parents: index < 9 ? [`r${index + 1}`] : [] },
      ]),
    );
    const before = policyOf({ admin, ...chain });
    expect(judged(before, 'r9', draft(['r0'], [])).refusals).toEqual([['circle']]);
    expect(judged(before, 'r9', draft(['r9'], [])).refusals).toEqual([['circle']]);
    expect(judged(before, 'r9', draft(['r10'], [])).refusals).toEqual([['too-deep']]);
    expect(judged(before, 'r8', draft(['r10'], [])).refusals).toEqual([]);
  });

  test('keeps the role’s grants for kinds that the tenant does not have', () => {
    const before = policyOf({
      admin,
      system: { grants: [grant('A', 'tenants/write'), grant('T', 'case-reports/read')] },
    });
    const after = changedPolicy(before, { id: 'system', draft: draft([], []) }, kinds);
    expect(after.roles.get('system')!.grants).toEqual([{ obj: 'A', act: 'tenants/write', eft: 'allow' }]);
  });
});

test('with any roles, an allowed change gives no one what its author does not have', () => {
  const ids = ['admin', 'a', 'b', 'c'];
  const acts = permissions.filter((permission) => grantableOn(permission).includes('T')).slice(0, 6);
  const grants = fc.array(
    fc.record({
      on: fc.constantFrom<SubjectKind>('T', 'F'),
      permission: fc.constantFrom(...acts),
      effect: fc.constantFrom('allow' as const, 'allow' as const, 'deny' as const),
    }),
    { maxLength: 6 },
  );
  const roles = fc.record({ parents: fc.subarray(['a', 'b', 'c']), grants });
  const seen = { allowed: 0, refused: 0 };
  fc.assert(
    fc.property(
      fc.tuple(roles, roles, roles, roles),
      fc.constantFrom(...ids),
      roles,
      fc.array(fc.subarray(ids), { minLength: 1, maxLength: 4 }),
      (all, id, next, holders) => {
        const before = policyOf(Object.fromEntries(ids.map((one, index) => [one, all[index]!])));
        // A person who changes roles has most permissions, so that many changes are allowed.
        const own = {
          code: 'admin',
          parentIds: [],
          grants: acts.slice(1).map((act) => ({ obj: 'T', act, eft: 'allow' })),
        };
        (before.roles as Map<string, typeof own>).set('admin', own);
        const groups = holders.flatMap((roleIds) => [group(roleIds, 'T'), group(roleIds, 'F')]);
        const change = { id, draft: draft(next.parents, next.grants as RoleGrant[]) };
        const after = changedPolicy(before, change, kinds);
        const held = effectivePermissions(before, ['admin'], 'T');
        const refusals = refusalsOf(before, after, change, {
          groups,
          kinds,
          changer: { held, kind: 'T', roleIds: ['admin'] },
        });
        if (refusals.length > 0) {
          seen.refused += 1;
          return;
        }
        seen.allowed += 1;
        for (const { roleIds, kind } of groups) {
          const had = effectivePermissions(before, roleIds, kind);
          for (const permission of effectivePermissions(after, roleIds, kind))
            expect(had.has(permission) || held.has(permission)).toBe(true);
        }
      },
    ),
    { numRuns: 3000, seed: 20260302 },
  );
  expect(Math.min(seen.allowed, seen.refused)).toBeGreaterThan(100);
});
