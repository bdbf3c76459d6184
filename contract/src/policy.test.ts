import { describe, expect, test } from 'vitest';
import { compilePolicy, passes, permissionSubject, policyModel } from './policy.ts';
import type { OrgType } from './session.ts';

describe('permission subject', () => {
  test('[S6.4] a tenant is A only in the system administration experience', () => {
    const tenant = { id: 't1', orgType: 'T' as const };
    expect(permissionSubject({ ...tenant, experience: 'SYSTEM_ADMINISTRATION' }, 'u1')).toBe('A');
    expect(permissionSubject({ ...tenant, experience: 'PUBLIC_HEALTH' }, 'u1')).toBe('T');
  });

  test('[S6.4] an organization and a facility carry their id, a jurisdiction does not', () => {
    const experience = 'SYSTEM_ADMINISTRATION';
    expect(permissionSubject({ id: 'o1', orgType: 'O', experience }, 'u1')).toBe('O:o1');
    expect(permissionSubject({ id: 'f1', orgType: 'F', experience }, 'u1')).toBe('F:f1');
    expect(permissionSubject({ id: 'j1', orgType: 'PHJ', experience }, 'u1')).toBe('PHJ');
  });

  test('[S6.5] an unknown org type is an error that names the user', () => {
    const org = { id: 'x', orgType: 'X' as OrgType, experience: 'PUBLIC_HEALTH' as const };
    expect(() => permissionSubject(org, 'u1')).toThrow('Unknown org type for user u1');
  });
});

describe('decisions', () => {
  test('[S6.2] a user has what their role is allowed, on that subject only', () => {
    const policy = compilePolicy(['p, epi, T, case-reports/read, allow', 'g, u1, epi']);
    expect(policy.allows('u1', 'T', 'case-reports/read')).toBe(true);
    expect(policy.allows('u1', 'A', 'case-reports/read')).toBe(false);
    expect(policy.allows('u1', 'T', 'case-reports/write')).toBe(false);
    expect(policy.allows('u2', 'T', 'case-reports/read')).toBe(false);
  });

  test('[S6.2] deny overrides allow, in any order and at any depth', () => {
    const policy = compilePolicy([
      'p, staff, T, x/read, deny',
      'p, u1, T, x/read, allow',
      'g, u1, epi',
      'g, epi, staff',
    ]);
    expect(policy.allows('u1', 'T', 'x/read')).toBe(false);
    expect(policy.allows('u1', 'T', 'x/read')).toBe(false);
  });

  test('[S6.2] roles are inherited over ten links, but not eleven', () => {
    const chain = (links: number) => Array.from({ length: links }, (_, i) => `g, r${i}, r${i + 1}`);
    expect(compilePolicy([...chain(10), 'p, r10, T, x/read, allow']).allows('r0', 'T', 'x/read')).toBe(true);
    expect(compilePolicy([...chain(11), 'p, r11, T, x/read, allow']).allows('r0', 'T', 'x/read')).toBe(false);
  });

  test('roles that inherit from each other in a circle are handled', () => {
    const policy = compilePolicy(['g, a, b', 'g, b, a', 'p, b, T, x/read, allow']);
    expect(policy.allows('a', 'T', 'x/read')).toBe(true);
    expect(policy.allows('a', 'T', 'x/write')).toBe(false);
  });

  test.each([[undefined], [[]]])(
    '[S6.3] without a policy, any user may do general/other and nothing else',
    (lines) => {
      const policy = compilePolicy(lines);
      expect(policy.allows('anybody', 'PHJ', 'general/other')).toBe(true);
      expect(policy.allows('anybody', 'PHJ', 'case-reports/read')).toBe(false);
    },
  );

  test('a quoted field may contain a comma; blank lines and comments are skipped', () => {
    const policy = compilePolicy(['', '# who may read', 'p, "last, first", T, x/read, allow']);
    expect(policy.allows('last, first', 'T', 'x/read')).toBe(true);
  });
});

describe('checks', () => {
  const policy = compilePolicy(['p, u1, T, a/read, allow', 'p, u1, T, b/read, allow']);

  test('[S6.6] one permission', () => {
    expect(passes(policy, 'u1', 'T', 'a/read')).toBe(true);
    expect(passes(policy, 'u1', 'T', 'c/read')).toBe(false);
  });
  test('[S6.6] several, one of which is enough', () => {
    expect(passes(policy, 'u1', 'T', ['c/read', 'b/read'])).toBe(true);
    expect(passes(policy, 'u1', 'T', ['c/read', 'd/read'])).toBe(false);
    expect(passes(policy, 'u1', 'T', [])).toBe(false);
  });
  test('[S6.6] a named map gives a map of booleans', () => {
    expect(passes(policy, 'u1', 'T', { see: 'a/read', any: ['c/read', 'b/read'], edit: 'a/write' })).toEqual({
      see: true,
      any: true,
      edit: false,
    });
  });
});

describe('[S6.7] loading', () => {
  test('missing sections are named', () => {
    expect(() => compilePolicy([], policyModel.replace('[matchers]', '').replace(/^m =.*$/m, ''))).toThrow(
      'missing required sections: matchers',
    );
    expect(() => compilePolicy([], '')).toThrow(
      'missing required sections: request_definition,policy_definition,policy_effect,matchers',
    );
  });
  test.each([
    'g(r.sub, p.sub) & r.obj == p.obj',
    'r.obj == p.obj | r.act == p.act',
    'r.obj = p.obj',
    'r.obj == p.obj &&& r.act == p.act',
  ])('the operator in %s is refused', (matcher) => {
    expect(() => compilePolicy([], policyModel.replace(/^m = .*$/m, `m = ${matcher}`))).toThrow(
      'Invalid operator in matcher',
    );
  });
  test('an undefined effect is refused', () => {
    expect(() =>
      compilePolicy([], policyModel.replace(/^e = .*$/m, 'e = most(where (p.eft == allow))')),
    ).toThrow('unsupported effect');
  });
  test('a line of the wrong length is named and does not count as an allow', () => {
    expect(() => compilePolicy(['p, u1, T, x/read, allow', 'p, u1, T, x/write'])).toThrow('policy line 2');
  });
});

describe('which lines decide', () => {
  const policy = compilePolicy([
    'p, role:member, T, x/read, allow',
    'p, role:guest, T, x/read, deny',
    'p, *, *, x/other, allow',
    'p, role:member, A, x/read, allow',
    'g, role:epi, role:analyst',
    'g, role:analyst, role:member',
    'g, ana, role:epi',
    'g, ben, role:epi',
    'g, ben, role:guest',
  ]);

  test('come with the chain of roles that leads to them', () => {
    expect(policy.explain('ana', 'T', 'x/read')).toEqual([
      {
        line: 'p, role:member, T, x/read, allow',
        effect: 'allow',
        path: ['ana', 'role:epi', 'role:analyst', 'role:member'],
      },
    ]);
  });

  test('are all listed, including overridden ones', () => {
    expect(policy.explain('ben', 'T', 'x/read').map(({ effect, path }) => [effect, path.at(-1)])).toEqual([
      ['allow', 'role:member'],
      ['deny', 'role:guest'],
    ]);
    expect(policy.allows('ben', 'T', 'x/read')).toBe(false);
  });

  test('are none if no line matches, and have no path if they apply to everyone', () => {
    expect(policy.explain('ana', 'T', 'x/write')).toEqual([]);
    expect(policy.explain('cy', 'PHJ', 'x/other')).toEqual([
      { line: 'p, *, *, x/other, allow', effect: 'allow', path: ['cy'] },
    ]);
  });
});
