import { draftOfParts, partsOf, type Role, type RoleDraft } from '@caseway/contract/roles';
import { describe, expect, test } from 'vitest';
import { ancestorsOf, permissionsFor, stateOf } from './grants.ts';

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
  test('is its own, or inherited from the nearest role that has it', () => {
    expect(state('analyst', 'testing-analytics/read')).toEqual({ effect: 'allow', own: 'allow', from: null });
    expect(state('epi', 'testing-analytics/read')).toEqual({ effect: 'allow', own: null, from: 'analyst' });
    expect(state('epi', 'general/other')).toEqual({ effect: 'allow', own: null, from: 'member' });
    expect(state('epi', 'audit/read')).toEqual({ effect: null, own: null, from: null });
  });

  test('is for one kind of organization', () => {
    expect(state('epi', 'case-reports/read', 'O').effect).toBe('allow');
    expect(state('epi', 'case-reports/read', 'T').effect).toBeNull();
  });

  test('is denied if anything it inherits denies it, whatever the role itself says', () => {
    expect(state('limited', 'testing-analytics/read')).toEqual({
      effect: 'deny',
      own: 'allow',
      from: 'guest',
    });
  });

  test('roles in a circle are handled', () => {
    const ring = new Map([
      ['a', role('a', ['b'], [])],
      ['b', role('b', ['a'], [])],
    ]);
    expect(ancestorsOf(ring, ring.get('a')!).map(({ id }) => id)).toEqual(['b']);
  });
});

test('a role in its parts says the same; a denial overrides an allow', () => {
  const draft: RoleDraft = {
    label: 'Reader',
    labelI18N: { es: 'Lector' },
    parentIds: ['member', 'guest'],
    grants: [
      { on: 'T', permission: 'audit/read', effect: 'deny' },
      { on: 'T', permission: 'audit/read', effect: 'allow' },
      { on: 'O', permission: 'users/read', effect: 'allow' },
    ],
  };
  const parts = partsOf(draft);
  expect(parts).toEqual({
    label: 'Reader',
    es: 'Lector',
    ht: '',
    'en-GB': '',
    parentIds: ['guest', 'member'],
    'grant/T/audit/read': 'deny',
    'grant/O/users/read': 'allow',
  });
  expect(draftOfParts({ ...parts, 'grant/T/users/read': '' })).toEqual({
    ...draft,
    parentIds: ['guest', 'member'],
    grants: [
      { on: 'T', permission: 'audit/read', effect: 'deny' },
      { on: 'O', permission: 'users/read', effect: 'allow' },
    ],
  });
});

test('for system administration, only relevant permissions are offered', () => {
  expect(permissionsFor(['A'])).toContain('tenants/write');
  expect(permissionsFor(['A'])).not.toContain('case-reports/read');
  expect(permissionsFor(['T'])).not.toContain('tenants/write');
});
