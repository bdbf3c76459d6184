import type { Recovery } from '@caseway/contract/recovery';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { defaultRoleId } from '../roles/default-roles.ts';
import { faultOf, reason, recoveryTools } from './test-recovery.ts';

// Attempts to take over someone else's account.

const testing = await testApp({}, { background: true });
const { database } = testing;
const { demo, vendor } = await seedDemoTenants(database);
const tools = recoveryTools(testing);
const { sql, messagesTo, codeTo, asked, staff, signedIn, approve, decline, complete, stop, waited } = tools;

const network = demo.organizations.find(({ name }) => name === 'Mangrove Community Health Network')!;
const clinic = demo.facilities.find(({ name }) => name === 'Mangrove Community Clinic Ybor City')!;
const atClinic = { tenant_id: demo.id, org_type: 'F', org_id: clinic.id } as const;

const admin = await signedIn('admin@demo.caseway.test');
const orgadmin = await signedIn('orgadmin@demo.caseway.test');
const vendorAdmin = await signedIn('admin@vendor.caseway.test');
const second = await signedIn((await staff({ tenant_id: demo.id }, 'tenant-administrator')).username);

beforeEach(tools.nextDay);

let number = 0;
const nextAddress = () => {
  number += 1;
  return `taker-${number}@elsewhere.example`;
};
const stateOf = async (id: string) =>
  (await sql<{ state: string }>('select state from account_recovery where id = $1', [id]))[0]!.state;
const give = (accountId: string, tenantId: string, role: string, place: { orgType: string; orgId: string }) =>
  sql(
    `with member as (insert into membership (tenant_id, id, account_id, org_type, org_id)
       values ($1, gen_random_uuid(), $2, $3, $4) returning tenant_id, id)
     insert into membership_role select member.tenant_id, member.id, $5::uuid from member`,
    [tenantId, accountId, place.orgType, place.orgId, defaultRoleId(tenantId, role)],
  );

describe('checks that are repeated when the code is used', () => {
  const changes: Record<string, (accountId: string, approverId: string) => Promise<unknown>> = {
    'the account has been given what its approver does not hold': (accountId) =>
      give(accountId, demo.id, 'tenant-administrator', { orgType: 'T', orgId: demo.id }),
    'the account has been brought into a tenant in which nobody has approved': (accountId) =>
      give(accountId, vendor.id, 'laboratorian', { orgType: 'T', orgId: vendor.id }),
    'the access of the account has been ended': (accountId) =>
      sql('update membership set ended_at = now() where account_id = $1', [accountId]),
    'the access of the approver has been ended': (_, approverId) =>
      sql('update membership set ended_at = now() where account_id = $1', [approverId]),
    'the account of the approver has been disabled': (_, approverId) =>
      sql('update account set disabled_at = now() where id = $1', [approverId]),
  };
  for (const [what, change] of Object.entries(changes))
    test(`${what}: the code does not work, and recovery can be requested again`, async () => {
      const account = await staff(atClinic, 'facility-user');
      const approver = await staff(
        { tenant_id: demo.id, org_type: 'O', org_id: network.id },
        'organization-administrator',
      );
      const email = nextAddress();
      const id = await asked(account.username, email);
      const answer = await approve(id, (await signedIn(approver.username)).headers);
      expect(answer.json<Recovery>().state).toBe('approved');
      const code = await codeTo(email);
      await waited();
      await change(account.id, approver.id);
      expect(faultOf(await complete(code))).toEqual([401, 'code-expired']);
      expect(await stateOf(id)).toBe('expired');
      const [kept] = await sql('select username, email from account where id = $1', [account.id]);
      expect(kept).toEqual({ username: account.username, email: account.email });
      expect((await tools.actions(account.id)).at(-1)).toBe('recovery/expired');
      expect(faultOf(await complete(code))).toEqual([401, 'code-expired']);
    });
});

describe('a tenant that adds a person', () => {
  test('does not provide the second approver for an account that administers users', async () => {
    const account = await staff({ tenant_id: demo.id }, 'tenant-administrator');
    await give(account.id, vendor.id, 'read-only-analyst', { orgType: 'T', orgId: vendor.id });
    const email = nextAddress();
    const id = await asked(account.username, email);
    const other = await signedIn((await staff({ tenant_id: vendor.id }, 'tenant-administrator')).username);
    for (const { headers } of [vendorAdmin, other, admin])
      expect((await approve(id, headers)).json<Recovery>()).toMatchObject({ state: 'open', needed: 4 });
    expect((await approve(id, second.headers)).json<Recovery>().state).toBe('approved');
  });

  test('reads no note that another tenant has written', async () => {
    const account = await staff(atClinic, 'facility-user');
    await give(account.id, vendor.id, 'laboratorian', { orgType: 'T', orgId: vendor.id });
    const id = await asked(account.username, nextAddress());
    const note = 'Robin is on leave until March.';
    expect((await decline(id, admin.headers, note)).json<Recovery>().note).toBe(note);
    const seenBy = async (headers: typeof admin.headers) =>
      (await tools.ask('GET', '?only=all', undefined, headers))
        .json<{ recoveries: Recovery[] }>()
        .recoveries.find((one) => one.id === id);
    expect(await seenBy(admin.headers)).toMatchObject({ state: 'declined', note });
    expect(await seenBy(vendorAdmin.headers)).toMatchObject({ state: 'declined', note: null });
  });
});

describe('someone in the same network as the owner', () => {
  test('does not keep them from stopping it by entering wrong codes', async () => {
    const account = await staff(atClinic, 'facility-user');
    const email = nextAddress();
    const id = await asked(account.username, email);
    await approve(id, admin.headers);
    const [code, stopCode] = [await codeTo(email), await codeTo(account.username)];
    for (let time = 0; time < 20; time += 1)
      expect(faultOf(await stop('aaaa-aaaa-aaaa-aaaa', '192.0.2.60'))).toEqual([401, 'code-wrong']);
    expect(faultOf(await stop('aaaa-aaaa-aaaa-aaaa', '192.0.2.60'))).toEqual([429, 'too-many-requests']);
    expect((await stop(stopCode, '192.0.2.60')).statusCode).toBe(200);
    await waited();
    expect(faultOf(await complete(code))).toEqual([401, 'code-expired']);
    expect(await stateOf(id)).toBe('cancelled');
  });
});

describe('text typed into a request', () => {
  const send = (body: object, language?: string) =>
    testing.app.fastify.inject({
      method: 'POST',
      url: '/auth/recovery/request',
      payload: body,
      headers: language === undefined ? {} : { 'accept-language': language },
    });

  test('adds no line to a message, and fails as wrong input if it cannot be stored', async () => {
    const { username: name } = await staff(atClinic, 'facility-user');
    for (const email of [
      'a@elsewhere.example\nbcc: b@elsewhere.example',
      'a@elsewhere.example,b@elsewhere.example',
      '"a b"@elsewhere.example',
      'A <a@elsewhere.example>',
    ])
      expect((await send({ name, email, reason })).statusCode, email).toBe(422);
    for (const body of [
      { name: `${name}\u0000`, email: nextAddress(), reason },
      { name, email: nextAddress(), reason: `${reason}\u0000` },
    ])
      expect((await send(body)).statusCode).toBe(422);
    for (const code of ['a\u0000b', "' or 1 = 1 --", '%', '{}'])
      expect(faultOf(await complete(code, '192.0.2.61'))).toEqual(
        code.includes('\u0000') ? [422, expect.any(String)] : [401, 'code-wrong'],
      );
  });

  test('is answered in English for an unknown language', async () => {
    const account = await staff(atClinic, 'facility-user');
    const email = nextAddress();
    expect((await send({ name: account.username, email, reason }, 'valueOf')).statusCode).toBe(200);
    await expect.poll(async () => (await tools.stateOf(email))?.state).toBe('open');
    await approve((await tools.stateOf(email))!.id, admin.headers);
    await codeTo(email);
    expect((await messagesTo(email))[0]).toContain('Your code to get back into your account');
  });
});

test('an organization administrator does not get into an account of the whole tenant through any of its parts', async () => {
  const account = await staff(atClinic, 'facility-user');
  await give(account.id, demo.id, 'read-only-analyst', { orgType: 'T', orgId: demo.id });
  const id = await asked(account.username, nextAddress());
  expect(faultOf(await approve(id, orgadmin.headers))).toEqual([422, 'elsewhere']);
  expect((await approve(id, admin.headers)).json<Recovery>()).toMatchObject({ state: 'open', needed: 2 });
});
