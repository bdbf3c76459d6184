import type { Role } from '@caseway/contract/roles';
import { describe, expect, test } from 'vitest';
import { ancestorsOf, permissionsFor, stateOf, withGrant } from './grants.ts';

const role = (id: string, parentIds: string[], grants: Role['grants']) => ({ id, parentIds, grants });
const roles = new Map(
  [
    role('member', [], [{ on: 'T', permission: 'general/other', effect: 'allow' }]),
    role('analyst', ['member'], [{ on: 'T', permission: 'testing-analytics/read', effect: 'allow' }]),
    role('guest', [], [{ on: 'T', permission: 'testing-analytics/read', effect: 'deny' }]),
    role('epi', ['analyst'], [{ on: 'O', permission: 'case-reports/read', effect: 'allow' }]),
    role(
      'limited',
      ['analyst', 'guest'],
      [{ on: 'T', permission: 'testing-analytics/read', effect: 'allow' }],
    ),
  ].map((one) => [one.id, one]),
);
const state = (id: string, permission: string, kind: 'T' | 'O' = 'T') =>
  stateOf(roles, roles.get(id)!, kind, permission);

describe('the settings of a role [S6.2]', () => {
  test('is its own, or inherited from the nearest that says it', () => {
    expect(state('analyst', 'testing-analytics/read')).toEqual({ effect: 'allow', own: 'allow', from: null });
    expect(state('epi', 'testing-analytics/read')).toEqual({ effect: 'allow', own: null, from: 'analyst' });
    expect(state('epi', 'general/other')).toEqual({ effect: 'allow', own: null, from: 'member' });
    expect(state('epi', 'audit/read')).toEqual({ effect: null, own: null, from: null });
  });

  test('is for one kind of organisation', () => {
    expect(state('epi', 'case-reports/read', 'O').effect).toBe('allow');
    expect(state('epi', 'case-reports/read', 'T').effect).toBeNull();
  });

  test('is denied when anything it inherits denies it, no matter what the role itself says', () => {
    expect(state('limited', 'testing-analytics/read')).toEqual({
      effect: 'deny',
      own: 'allow',
      from: 'guest',
    });
  });

  test('roles in a ring end', () => {
    const ring = new Map([
      ['a', role('a', ['b'], [])],
      ['b', role('b', ['a'], [])],
    ]);
    expect(ancestorsOf(ring, ring.get('a')!).map(({ id }) => id)).toEqual(['b']);
  });
});

test('a grant replaces the earlier entry', () => {
  const before = [{ on: 'T', permission: 'audit/read', effect: 'allow' }] as const;
  expect(withGrant(before, 'T', 'audit/read', 'deny')).toEqual([
    { on: 'T', permission: 'audit/read', effect: 'deny' },
  ]);
  expect(withGrant(before, 'T', 'audit/read', null)).toEqual([]);
  expect(withGrant(before, 'O', 'audit/read', 'allow')).toHaveLength(2);
});

test('of the administration of the system, only what concerns it is offered', () => {
  expect(permissionsFor(['A'])).toContain('tenants/write');
  expect(permissionsFor(['A'])).not.toContain('case-reports/read');
  expect(permissionsFor(['T'])).not.toContain('tenants/write');
});
