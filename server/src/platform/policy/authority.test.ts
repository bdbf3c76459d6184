import { permissions, type SubjectKind } from '@caseway/contract/permission';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Authority, type Holding, refusalOf } from './authority.ts';
import { effectivePermissions } from './effective-permissions.ts';
import type { TenantPolicy } from './tenant-policy.ts';

// Random roles that inherit from each other, with random grants and denials on random kinds.
const roleCount = 6;
const roleIds = Array.from({ length: roleCount }, (_, index) => `r${index}`);
const some = fc.subarray(roleIds);
const kinds: SubjectKind[] = ['T', 'O', 'F'];
// Few permissions, so that what one role allows another often denies.
const acts = permissions.slice(1, 7);
const grants = fc.array(
  fc.record({
    obj: fc.constantFrom(...kinds),
    act: fc.constantFrom(...acts),
    eft: fc.oneof(
      { weight: 3, arbitrary: fc.constant('allow') },
      { weight: 1, arbitrary: fc.constant('deny') },
    ),
  }),
  { maxLength: 12 },
);
const policies = fc
  .array(fc.record({ parents: some, grants }), { minLength: roleCount, maxLength: roleCount })
  .map(
    (roles): TenantPolicy => ({
      tenantId: 't',
      version: 1,
      roles: new Map(
        roles.map((role, index) => [
          `r${index}`,
          { code: `role-${index}`, parentIds: role.parents, grants: role.grants },
        ]),
      ),
    }),
  );
const holdings = fc.record({ roleIds: some, active: fc.boolean() });

const powers = (policy: TenantPolicy, holding: Holding | null, kind: SubjectKind) =>
  holding?.active ? effectivePermissions(policy, holding.roleIds, kind) : new Set<string>();

describe('with any roles, nobody gives permissions that they do not have', () => {
  test('and nobody changes people with more permissions: random policies, administrators, people and changes', () => {
    const seen = { allowed: 0, beyond: 0, more: 0, byTaking: 0 };
    fc.assert(
      fc.property(
        policies,
        some,
        fc.constantFrom(...kinds),
        fc.constantFrom(...kinds),
        fc.option(holdings, { nil: null }),
        holdings,
        (policy, own, ownKind, kind, current, next) => {
          const held = effectivePermissions(policy, own, ownKind);
          const authority: Authority = {
            tenantId: 't',
            accountId: 'me',
            orgType: 'T',
            orgId: 't',
            kind: ownKind,
            roleIds: own,
            held,
            policy,
          };
          const refusal = refusalOf(authority, { accountId: 'other', kind, holding: current }, next);
          const before = powers(policy, current, kind);
          const after = powers(policy, next, kind);
          const gained = [...after].filter((permission) => !before.has(permission));
          const gives = gained.some((permission) => !held.has(permission));
          const stronger = [...before].some((permission) => !held.has(permission));
          if (refusal === null) {
            seen.allowed += 1;
            // Everything that only the change allows the person is within the administrator's permissions.
            expect(gives).toBe(false);
            expect(stronger).toBe(false);
          } else if (refusal.code === 'beyond-your-rights') {
            seen.beyond += 1;
            expect(gives).toBe(true);
            if (current?.active && next.roleIds.every((id) => current.roleIds.includes(id)))
              seen.byTaking += 1;
          } else {
            seen.more += 1;
            expect([refusal.code, stronger]).toEqual(['holds-more', true]);
          }
        },
      ),
      { numRuns: 5000, seed: 20260301 },
    );
    // Every case occurred, including gaining a permission by losing a role that denied it.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });

  test('nobody changes their own permissions', () => {
    fc.assert(
      fc.property(policies, some, holdings, holdings, (policy, own, current, next) => {
        const held = effectivePermissions(policy, own, 'T');
        const authority: Authority = {
          tenantId: 't',
          accountId: 'me',
          orgType: 'T',
          orgId: 't',
          kind: 'T',
          roleIds: own,
          held,
          policy,
        };
        expect(refusalOf(authority, { accountId: 'me', kind: 'T', holding: current }, next)?.code).toBe(
          'own-membership',
        );
      }),
      { numRuns: 100, seed: 1 },
    );
  });

  test('nobody can give a role that the tenant does not have', () => {
    const policy: TenantPolicy = { tenantId: 't', version: 1, roles: new Map() };
    const authority: Authority = {
      tenantId: 't',
      accountId: 'me',
      orgType: 'T',
      orgId: 't',
      kind: 'T',
      roleIds: [],
      held: new Set(permissions),
      policy,
    };
    expect(
      refusalOf(
        authority,
        { accountId: 'other', kind: 'T', holding: null },
        { roleIds: ['r0'], active: true },
      )?.code,
    ).toBe('unknown-role');
  });
});
