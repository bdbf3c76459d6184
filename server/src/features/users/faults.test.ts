import type { UserDetail } from '@caseway/contract/users';
import { expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs } from '../../../test/asking.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { defaultRoleId } from '../roles/default-roles.ts';

const testing = await testApp();
const { demo } = await seedDemoTenants(testing.database);
const { ask, ok } = askingAs(testing, await signInAs(testing, 'admin@demo.caseway.test'));
const nobody = '11111111-1111-4111-8111-111111111111';
const person = {
  email: 'new@example.test',
  firstName: 'Nia',
  middleName: null,
  lastName: 'Newcomer',
  phone: null,
  language: 'en',
  timeZone: 'America/New_York',
};
const membership = { orgType: 'T', orgId: demo.id, roleIds: [defaultRoleId(demo.id, 'member')] };

const told = async (method: 'POST' | 'PATCH', path: string, body: object) => {
  const answer = await ask(method, path, body);
  const { faults = [] } = answer.json<{ faults?: { path: string; code: string }[] }>();
  return [answer.statusCode, ...faults.map(({ path: at, code }) => `${at} ${code}`).sort()];
};
const invited = await ok<UserDetail>('POST', 'users', { ...person, memberships: [membership] });

test('[S5.1] an invitation is refused with all faults of the person and of the memberships together', async () => {
  const memberships = [
    { ...membership, orgType: 'O', orgId: nobody },
    { ...membership, roleIds: [nobody] },
  ];
  const faulty = { ...person, email: 'nowhere', phone: '555', memberships };
  expect(await told('POST', 'users', faulty)).toEqual([
    422,
    'email invalid_format',
    'memberships.0 unknown-organization',
    'memberships.1 unknown-role',
    'phone invalid-phone',
  ]);
  // The address alone identifies the person.
  expect(await told('POST', 'users', { ...person, lastName: '', memberships: [membership] })).toEqual([
    422,
    'lastName too_small',
    'memberships.0 exists-already',
  ]);
});

test('[S5.1] a change of a person is refused with all faults together', async () => {
  const change = { version: 1, firstName: '', phone: '555', email: 'epi@demo.caseway.test' };
  expect(await told('PATCH', `users/${invited.id}`, change)).toEqual([
    422,
    'email address-taken',
    'firstName too_small',
    'phone invalid-phone',
  ]);
});

test('[S5.1] a membership is refused with all faults together', async () => {
  expect(
    await told('POST', `users/${invited.id}/memberships`, { orgType: 'O', orgId: nobody, roleIds: [] }),
  ).toEqual([422, 'orgId unknown-organization', 'roleIds too_small']);
  expect(
    await told('PATCH', `users/${invited.id}`, {
      version: 1,
      roles: [nobody],
      active: 'yes',
    }),
  ).toEqual([422, 'active invalid_type', 'roles unknown-role']);
});
