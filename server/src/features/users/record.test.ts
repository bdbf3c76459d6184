import { anyRecord } from '@caseway/contract/record';
import type { HistoryEntry } from '@caseway/contract/record-history';
import { type UserDetail, users } from '@caseway/contract/users';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { changingUsers } from '../../../test/changing-users.ts';
import { asSuperuser } from '../../../test/database.ts';
import { describeRecord } from '../../../test/describe-record.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { defaultRoleId } from '../roles/default-roles.ts';

const testing = await testApp({}, { background: true });
const { demo } = await seedDemoTenants(testing.database);
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const orgadmin = await signInAs(testing, 'orgadmin@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${demo.id}`);
const vendorAdmin = await signInAs(testing, 'admin@vendor.caseway.test');
const network = demo.organizations.find(({ name }) => name === 'Mangrove Community Health Network')!;
const { ask, ok } = askingAs(testing, admin);
const { change, tryChange } = changingUsers(ask);
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, testing.superuserUrl);

let counted = 0;
const role = (code: string) => defaultRoleId(demo.id, code);
const sorted = (...codes: string[]) => codes.map(role).sort();
const inTenant = (...codes: string[]) => ({ orgType: 'T', orgId: demo.id, roleIds: codes.map(role) });
const inNetwork = (...codes: string[]) => ({ orgType: 'O', orgId: network.id, roleIds: codes.map(role) });
const somebody = (...memberships: object[]) => ({
  email: `one-${++counted}@example.test`,
  firstName: 'Nia',
  middleName: null,
  lastName: `One${counted}`,
  phone: null,
  language: 'en',
  timeZone: 'America/New_York',
  memberships,
});
const invite = (...memberships: object[]) => ok<UserDetail>('POST', 'users', somebody(...memberships));
const historyOf = async ({ id }: { id: string }, headers?: Headers) =>
  (await ok<{ entries: HistoryEntry[] }>('GET', `users/${id}/history`, undefined, headers)).entries;
const answerTo = async (answer: ReturnType<typeof ask>) => {
  const { faults = [], code } = (await answer).json<{ faults?: { code: string }[]; code?: string }>();
  return [(await answer).statusCode, faults[0]?.code ?? code];
};

describeRecord({
  record: anyRecord(users),
  ask,
  sql,
  others: { without: epi.headers, elsewhere: vendorAdmin.headers },
  fresh: async () => somebody(inTenant('auditor')),
  changed: () => ({
    firstName: 'Other',
    middleName: 'Middle',
    lastName: 'Another',
    email: `other-${++counted}@example.test`,
    phone: '+18135550123',
    language: 'es',
    timeZone: 'America/Chicago',
    roles: sorted('auditor', 'read-only-analyst'),
  }),
  apart: {
    // The details shown after a person has left are stored for a return.
    columns: async (id) =>
      (
        await sql<{ row: Record<string, unknown> }>(
          `select to_jsonb(a) || to_jsonb(m) - 'version' - 'left_as' || jsonb_build_object('roles',
             array(select r.role_id from membership_role r where r.membership_id = m.id order by 1)) as row
           from membership m join account a on a.id = m.account_id where m.id = $1`,
          [id],
        )
      )[0]!.row,
    raise: (id) => sql('update membership set version = version + 1 where id = $1', [id]),
    logged: ({ accountId }) => ({ kind: 'account', id: String(accountId), made: 'user/invited' }),
  },
});

describe('the history of a user', () => {
  test('begins with their roles, and has what happened to each membership', async () => {
    const user = await invite(inTenant('auditor'), inNetwork('read-only-analyst'));
    const there = user.memberships.find(({ orgId }) => orgId === network.id)!;
    await change(user.id, { lastName: 'Married' });
    await ok('POST', `users/${user.id}/deactivate`);
    await ok('POST', 'users', { ...somebody(inTenant('epidemiologist')), email: user.email });
    const [of, ofThere] = [await historyOf(user), await historyOf(there)];
    expect(of.map(({ version, changes }) => [version, changes])).toEqual([
      [
        4,
        {
          active: { from: false, to: true },
          roles: { from: sorted('auditor'), to: sorted('epidemiologist') },
        },
      ],
      [3, { active: { from: true, to: false } }],
      [2, { lastName: { from: user.lastName, to: 'Married' } }],
      [1, { roles: { to: sorted('auditor') } }],
    ]);
    expect(ofThere.map(({ version, changes }) => [version, Object.keys(changes)])).toEqual([
      [3, ['active']],
      [2, ['lastName']],
      [1, ['roles']],
    ]);
    expect(of.every(({ by }) => by?.id === admin.init.user.id)).toBe(true);
  });

  test('is read by people who administer the membership [P1]', async () => {
    const user = await invite(inTenant('auditor'), inNetwork('read-only-analyst'));
    const there = user.memberships.find(({ orgId }) => orgId === network.id)!;
    expect(await historyOf(there, orgadmin.headers)).toHaveLength(1);
    expect((await ask('GET', `users/${user.id}/history`, undefined, orgadmin.headers)).statusCode).toBe(404);
  });

  test('does not show an organization a person’s new name after they have left it [P1]', async () => {
    const elsewhere = demo.organizations.find(({ id }) => id !== network.id)!;
    const user = await invite(
      { orgType: 'O', orgId: elsewhere.id, roleIds: [role('read-only-analyst')] },
      inNetwork('read-only-analyst'),
    );
    const there = user.memberships.find(({ orgId }) => orgId === network.id)!;
    await change(there.id, { active: false });
    await change(user.id, { lastName: 'Later' });
    await change(there.id, { firstName: 'Later' });
    expect((await historyOf(there, orgadmin.headers)).map(({ version }) => version)).toEqual([2, 1]);
    expect((await historyOf(there)).map(({ version }) => version)).toEqual([3, 2, 1]);
    expect((await ok<UserDetail>('GET', `users/${there.id}`, undefined, orgadmin.headers)).firstName).toBe(
      'Nia',
    );
  });

  test('has the changes from a table', async () => {
    const user = await invite(inTenant('auditor'));
    const text = (line: string) => `email,roles,status\n${user.email},${line}\n`;
    for (const line of ['epidemiologist,active', 'epidemiologist,inactive', 'auditor,active'])
      await ok('POST', 'users/table', { text: text(line), dryRun: false });
    expect((await historyOf(user)).map(({ version, changes }) => [version, changes])).toMatchObject([
      [4, { active: { to: true }, roles: { to: sorted('auditor') } }],
      [3, { active: { to: false } }],
      [2, { roles: { from: sorted('auditor'), to: sorted('epidemiologist') } }],
      [1, { roles: { to: sorted('auditor') } }],
    ]);
  });
});

describe('a change of a user', () => {
  test('is refused if the person has changed their own details in the meantime', async () => {
    const user = await invite(inTenant('auditor'));
    const { headers } = await signInAs(testing, user.email, `T:${demo.id}`);
    const own = await ask('GET', `users/${user.id}`);
    const { version } = own.json<UserDetail>();
    const { ok: okOwn } = askingAs(testing, { headers }, '/api/');
    await okOwn('PATCH', 'profile', { firstName: 'Mine' });
    const mine = { version, firstName: 'Theirs' };
    expect(await answerTo(ask('PATCH', `users/${user.id}`, mine))).toEqual([409, 'conflict']);
    expect((await ok<UserDetail>('GET', `users/${user.id}`)).firstName).toBe('Mine');
  });

  test('of the person reaches every place where they are known, and conflicts there', async () => {
    const user = await invite(inTenant('auditor'), inNetwork('read-only-analyst'));
    const there = user.memberships.find(({ orgId }) => orgId === network.id)!;
    await change(user.id, { lastName: 'Here' });
    const stale = { version: there.version, lastName: 'There' };
    expect(await answerTo(ask('PATCH', `users/${there.id}`, stale))).toEqual([409, 'changed-since']);
    // Another field does not conflict.
    const other = { version: there.version, roles: [role('epidemiologist')] };
    expect((await ask('PATCH', `users/${there.id}`, other)).statusCode).toBe(200);
  });

  test('is undone only by people who may give what it removed', async () => {
    const user = await invite(inNetwork('epidemiologist'));
    const less = await change(user.id, { roles: [role('read-only-analyst')] });
    const undo = (headers?: Headers) =>
      ask('POST', `users/${user.id}/undo`, { version: less.version }, headers);
    expect(await answerTo(undo(orgadmin.headers))).toEqual([422, 'beyond-your-rights']);
    expect((await undo()).statusCode).toBe(200);
    expect((await ok<UserDetail>('GET', `users/${user.id}`)).roles).toEqual(sorted('epidemiologist'));
    // Administrators cannot do it for themselves either.
    const own = await ok<{ rows: UserDetail[] }>('POST', 'grid/tenant-users/search', {
      filterModel: { items: [{ field: 'email', operator: 'equals', value: 'admin@demo.caseway.test' }] },
    });
    expect(await answerTo(tryChange(own.rows[0]!.id, { roles: [role('auditor')] }))).toEqual([
      422,
      'own-membership',
    ]);
  });
});
