import { compilePolicy, passes, policyModel } from '@caseway/contract/policy';
import { newEnforcer, newModelFromString, StringAdapter } from 'casbin';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { workOf } from '../../../test/durations.ts';

/** Casbin itself with our model, as the reference for decisions. */
async function casbin(lines: readonly string[], model: string = policyModel) {
  return newEnforcer(newModelFromString(model), new StringAdapter(lines.join('\n')));
}

const users = ['ana', 'ben', 'cai'];
const roles = Array.from({ length: 14 }, (_, index) => `role:r${index}`);
const objects = ['A', 'T', 'O:1', 'O:2', 'F:1', 'PHJ'];
const actions = ['case-reports/read', 'case-reports/write', 'general/other', 'imports/read'];
const one = (list: readonly string[]) => fc.constantFrom(...list);

const grant = fc
  .tuple(
    one([...users, ...roles, '*']),
    one([...objects, '*']),
    one(actions),
    one(['allow', 'allow', 'allow', 'deny']),
  )
  .map((fields) => `p, ${fields.join(', ')}`);
const link = fc
  .tuple(one([...users, ...roles]), one(roles))
  .filter(([name, role]) => name !== role)
  .map((fields) => `g, ${fields.join(', ')}`);
const request = fc.tuple(one([...users, 'stranger']), one([...objects, 'X']), one(actions));

describe('[S6.2] the compiled policy decides as Casbin does', () => {
  test('for any grants, denials, inheritance and requests', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(grant, link), { minLength: 1, maxLength: 40 }),
        fc.array(request, { minLength: 1, maxLength: 20 }),
        async (lines, requests) => {
          const [compiled, reference] = [compilePolicy(lines), await casbin(lines)];
          for (const [sub, obj, act] of requests)
            expect([sub, obj, act, compiled.allows(sub, obj, act)]).toEqual([
              sub,
              obj,
              act,
              await reference.enforce(sub, obj, act),
            ]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('for chains of roles around the depth of ten', async () => {
    for (const links of [1, 9, 10, 11, 12]) {
      const chain = Array.from({ length: links }, (_, index) => `g, n${index}, n${index + 1}`);
      const lines = [...chain, `p, n${links}, T, imports/read, allow`];
      const decided = compilePolicy(lines).allows('n0', 'T', 'imports/read');
      expect([links, decided]).toEqual([
        links,
        await (await casbin(lines)).enforce('n0', 'T', 'imports/read'),
      ]);
      expect(decided).toBe(links <= 10);
    }
  });
});

describe('[S6.7] loading', () => {
  // The messages are those of the library that the product's policy comes from.
  const without = (section: string) => policyModel.replace(new RegExp(`\\[${section}\\]\\n.*\\n`), '');
  const failure = async (load: () => unknown): Promise<string> => {
    try {
      await load();
    } catch (error) {
      return (error as Error).message;
    }
    return 'no error';
  };

  test.each(['request_definition', 'policy_definition', 'policy_effect', 'matchers'])(
    'a model without %s is refused in Casbin’s words',
    async (section) => {
      const ours = await failure(() => compilePolicy([], without(section)));
      expect(ours).toContain(`missing required sections: ${section}`);
      expect(await failure(() => casbin([], without(section)))).toBe(ours);
    },
  );

  test('several missing sections are all named', async () => {
    expect(await failure(() => compilePolicy([], ''))).toBe(
      'missing required sections: request_definition,policy_definition,policy_effect,matchers',
    );
  });

  test.each(['&', '|', 'and', '=>'])('a matcher with the operator %s is refused', async (operator) => {
    const model = policyModel.replace(/m = .*/, `m = g(r.sub, p.sub) ${operator} r.act == p.act`);
    expect(await failure(() => compilePolicy([], model))).toBe('Invalid operator in matcher');
  });

  test.each(['&', '|', '&&&', '|||'])('and by Casbin in the same words: %s', async (operator) => {
    const model = policyModel.replace(/m = .*/, `m = g(r.sub, p.sub) ${operator} r.act == p.act`);
    expect(await failure(() => compilePolicy([], model))).toBe(await failure(() => casbin([], model)));
  });

  test('an unsupported effect is an error', async () => {
    const model = policyModel.replace(/e = .*/, 'e = some(where (p.eft == perhaps))');
    expect(await failure(() => compilePolicy([], model))).toBe('unsupported effect');
    const reference = await casbin(['p, ana, T, imports/read, allow'], model);
    await expect(reference.enforce('ana', 'T', 'imports/read')).rejects.toThrow('unsupported effect');
  });
});

describe('figures', () => {
  const lines = [
    ...Array.from(
      { length: 1800 },
      (_, index) =>
        `p, role:r${index % 60}, ${objects[index % 6]}, module-${index % 97}/read, ${index % 19 ? 'allow' : 'deny'}`,
    ),
    ...Array.from(
      { length: 199 },
      (_, index) => `g, role:r${index % 60}, role:r${(index * 7 + 1) % 60}`,
    ).filter((line) => new Set(line.split(', ').slice(1)).size === 2),
    'g, ana, role:r3',
  ];

  test('2,000 lines load at once (bench/policy.ts prints how fast)', async () => {
    const load = () => compilePolicy(lines).allows('ana', 'T', 'module-1/read');
    expect(await workOf(load)).toBeLessThan(500);
  });

  test('a repeated check of a map of permissions is a look-up each (bench/policy.ts prints what it costs)', async () => {
    const policy = compilePolicy(lines);
    const checks = { see: 'module-1/read', any: ['module-2/read', 'module-3/read'] } as const;
    passes(policy, 'ana', 'T', checks);
    const ask = () => {
      for (let i = 0; i < 20_000; i += 1) passes(policy, 'ana', 'T', checks);
    };
    expect(((await workOf(ask)) * 1000) / 20_000 / 3).toBeLessThan(100);
  });
});
