import type { Role, RoleDraft } from '@caseway/contract/roles';
import { describe, expect, test } from 'vitest';
import { ancestorsOf, onTopOf, permissionsFor, stateOf, withGrant } from './grants.ts';

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

describe('a draft on a role that someone else has changed', () => {
  const draft = (more: Partial<RoleDraft> = {}): RoleDraft => ({
    label: 'Reader',
    labelI18N: { es: 'Lector', ht: 'Lektè' },
    parentIds: ['member', 'guest'],
    grants: [
      { on: 'T', permission: 'audit/read', effect: 'allow' },
      { on: 'T', permission: 'users/read', effect: 'allow' },
    ],
    ...more,
  });

  test('that changed nothing is the role as it is now', () => {
    const now = draft({ label: 'Readers', labelI18N: { es: 'Lectura' }, parentIds: [], grants: [] });
    expect(onTopOf(now, draft(), draft())).toEqual(now);
  });

  test('keeps what was changed in it, beside what the other has changed', () => {
    const now = draft({
      label: 'Readers',
      labelI18N: { es: 'Lectura', ht: 'Lektè', 'en-GB': 'Readers' },
      parentIds: ['guest', 'analyst'],
      grants: [
        { on: 'T', permission: 'audit/read', effect: 'deny' },
        { on: 'T', permission: 'users/read', effect: 'allow' },
        { on: 'O', permission: 'users/read', effect: 'allow' },
      ],
    });
    const mine = draft({
      labelI18N: { es: 'Lectores' },
      parentIds: ['member', 'epi'],
      grants: [
        { on: 'T', permission: 'audit/read', effect: 'allow' },
        { on: 'T', permission: 'roles/write', effect: 'allow' },
      ],
    });
    const both = onTopOf(now, draft(), mine);
    expect({
      ...both,
      grants: both.grants.map(({ on, permission, effect }) => `${on} ${permission} ${effect}`),
    }).toEqual({
      label: 'Readers',
      labelI18N: { es: 'Lectores', 'en-GB': 'Readers' },
      parentIds: ['analyst', 'epi'],
      grants: ['T audit/read deny', 'O users/read allow', 'T roles/write allow'],
    });
  });
});

test('of the administration of the system, only what concerns it is offered', () => {
  expect(permissionsFor(['A'])).toContain('tenants/write');
  expect(permissionsFor(['A'])).not.toContain('case-reports/read');
  expect(permissionsFor(['T'])).not.toContain('tenants/write');
});
