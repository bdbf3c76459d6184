import { compilePolicy, policyModel } from '@caseway/contract/policy';
import { newEnforcer, newModelFromString } from 'casbin';
import { type Bench, percentile, timings } from './figure.ts';

/** 2,000 lines: 40 roles in chains of ten, each with grants on several subjects, and a reader with five of them. */
function lines(): string[] {
  const all: string[] = [];
  for (let role = 0; role < 40; role++) {
    if (role % 10 !== 0) all.push(`g, role:r${role}, role:r${role - 1}`);
    for (let grant = 0; grant < 48; grant++)
      all.push(
        `p, role:r${role}, ${['T', 'PHJ', `O:org-${grant}`][grant % 3]}, module-${grant % 16}/read, ${grant === 47 ? 'deny' : 'allow'}`,
      );
  }
  for (const role of [9, 19, 29, 39, 5]) all.push(`g, reader, role:r${role}`);
  while (all.length < 2000) all.push(`g, other-${all.length}, role:r0`);
  return all;
}

export const policy: Bench = {
  name: 'Permissions, 2,000 policy lines',
  async run() {
    const all = lines();
    const load = await timings(20, () => compilePolicy(all).allows('reader', 'T', 'module-3/read'));
    const enforcer = compilePolicy(all);
    const checks = 200_000;
    const [repeated] = await timings(1, () => {
      for (let check = 0; check < checks; check++) enforcer.allows('reader', 'T', 'module-3/read');
    });
    const casbin = await newEnforcer(newModelFromString(policyModel));
    for (const line of all) {
      const [kind, ...fields] = line.split(', ');
      if (kind === 'p') await casbin.addPolicy(...fields);
      else await casbin.addGroupingPolicy(...fields);
    }
    const alone = await timings(20, () => casbin.enforce('reader', 'T', 'module-3/read'));
    const perCheck = (repeated! / checks) * 1000;
    return [
      {
        what: 'load the lines and decide once, p95',
        value: percentile(load, 0.95),
        unit: 'ms',
        promised: '< 50',
      },
      {
        what: 'a repeated check',
        value: perCheck,
        unit: 'µs',
        promised: '< 5',
        against: { what: 'Casbin alone takes', ratio: (percentile(alone, 0.5) * 1000) / perCheck },
      },
    ];
  },
};
