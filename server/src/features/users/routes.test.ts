import type { GrantableRole, UserDetail, UserRow } from '@caseway/contract/users';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { changingUsers } from '../../../test/changing-users.ts';
import { asSuperuser } from '../../../test/database.ts';
import { makeMember } from '../../../test/factories.ts';
import { messageTo } from '../../../test/outbox.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { defaultRoleId } from '../roles/default-roles.ts';

const testing = await testApp({}, { background: true });
const { database } = testing;
const world = await seedDemoTenants(database);
const { demo, vendor } = world;
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const orgadmin = await signInAs(testing, 'orgadmin@demo.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${demo.id}`);
const vendorAdmin = await signInAs(testing, 'admin@vendor.caseway.test');

const network = demo.organizations.find(({ name }) => name === 'Mangrove Community Health Network')!;
const clinic = demo.facilities.find(({ name }) => name === 'Mangrove Community Clinic Ybor City')!;
const jurisdiction = world.jurisdictions.find(({ countyFips }) => countyFips.length === 3)!;
const role = (code: string) => defaultRoleId(demo.id, code);

const { ask, ok } = askingAs(testing, admin);
const { tryChange, change } = changingUsers(ask);
const faultOf = async (response: Awaited<ReturnType<typeof ask>>) => {
  const answer = await response;
  return [answer.statusCode, answer.json().faults?.[0]?.code ?? answer.json().code];
};
type Found = { rows: UserRow[]; rowCount: number };
const search = (grid: string, query: object = {}, headers?: Headers) =>
  ok<Found>('POST', `grid/${grid}/search`, query, headers);
const rowOf = async (grid: string, email: string, headers?: Headers) =>
  (
    await search(
      grid,
      { filterModel: { items: [{ field: 'email', operator: 'equals', value: email }] } },
      headers,
    )
  ).rows;

let counted = 0;
const somebody = (more: object = {}) => ({
  email: `new-${++counted}@example.test`,
  firstName: 'Nia',
  middleName: null,
  lastName: `Newcomer${counted}`,
  phone: null,
  language: 'en',
  timeZone: 'America/New_York',
  ...more,
});
const inTenant = (...codes: string[]) => ({ orgType: 'T', orgId: demo.id, roleIds: codes.map(role) });
const invite = (person: object, memberships: object[], headers?: Headers) =>
  ok<UserDetail>('POST', 'users', { ...person, memberships }, headers);

const audited = (accountId: string) =>
  asSuperuser<{ action: string; detail: Record<string, unknown>; account_id: string }>(
    'select action, detail, account_id from audit_event where record_ids = array[$1::uuid] order by at, id',
    [accountId],
    testing.superuserUrl,
  );

describe('the grids [S1.2]', () => {
  test('[S9.1, S9.2] open with 25 rows, by name', async () => {
    const { rows } = await search('tenant-users');
    const names = rows.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['Baptiste, Didier', 'Castellanos, Erin', 'Desrosiers, Paloma']);
    expect(rows.length).toBeLessThanOrEqual(25);
  });

  test('show each type of organisation its own users', async () => {
    expect(await rowOf('organization-users', 'orgadmin@demo.caseway.test')).toMatchObject([
      {
        name: 'Larkin, Odette',
        organization: network.id,
        roles: [role('organization-administrator')],
        status: 'active',
      },
    ]);
    expect(await rowOf('facility-users', 'facility@demo.caseway.test')).toMatchObject([
      { facility: clinic.id, organization: network.id, roles: [role('facility-user')] },
    ]);
    expect(await rowOf('jurisdiction-users', 'jurisdiction@demo.caseway.test')).toMatchObject([
      { jurisdiction: jurisdiction.id },
    ]);
    // A person in three organisations is three rows.
    expect(await rowOf('organization-users', 'epi@demo.caseway.test')).toHaveLength(2);
    expect(await rowOf('tenant-users', 'epi@demo.caseway.test')).toHaveLength(1);
  });

  test('[P1] an administrator of an organisation sees its people and those of its facilities, and no one else', async () => {
    const people = async (grid: string) =>
      (await search(grid, {}, orgadmin.headers)).rows.map(({ organization }) => organization);
    expect(new Set(await people('organization-users'))).toEqual(new Set([network.id]));
    expect(new Set(await people('facility-users'))).toEqual(new Set([network.id]));
    expect(await people('tenant-users')).toEqual([]);
    expect(await people('jurisdiction-users')).toEqual([]);
  });

  test('[P1] another tenant sees none of its people', async () => {
    const { rows } = await search('tenant-users', {}, vendorAdmin.headers);
    expect(rows.map(({ email }) => email).sort()).toEqual([
      'admin@vendor.caseway.test',
      'analyst@vendor.caseway.test',
      'lab@vendor.caseway.test',
    ]);
    const [row] = await rowOf('tenant-users', 'epi@demo.caseway.test');
    expect((await ask('GET', `users/${row!.id}`, undefined, vendorAdmin.headers)).statusCode).toBe(404);
  });

  test('sort and filter by every column', async () => {
    for (const field of [
      'name',
      'email',
      'status',
      'secondFactor',
      'lastSignInAt',
      'phone',
      'language',
      'timeZone',
      'invitedAt',
      'createdAt',
    ])
      await search('tenant-users', { sortModel: [{ field, sort: 'desc' }] });
    await search('organization-users', { sortModel: [{ field: 'organization', sort: 'asc' }] });
    await search('facility-users', { sortModel: [{ field: 'facility', sort: 'asc' }] });
    await search('jurisdiction-users', { sortModel: [{ field: 'jurisdiction', sort: 'asc' }] });
    const byRole = async (operator: string, value: unknown) =>
      (
        await search('tenant-users', { filterModel: { items: [{ field: 'roles', operator, value }] } })
      ).rows.map(({ email }) => email);
    expect(await byRole('is', role('auditor'))).toEqual(['auditor@demo.caseway.test']);
    expect(await byRole('not', role('auditor'))).not.toContain('auditor@demo.caseway.test');
    expect((await byRole('isAnyOf', [role('auditor'), role('epidemiologist')])).sort()).toEqual([
      'auditor@demo.caseway.test',
      'epi@demo.caseway.test',
    ]);
  });

  test('are searched by the beginnings of names and addresses', async () => {
    const found = async (...quickFilterValues: string[]) =>
      (await search('tenant-users', { filterModel: { items: [], quickFilterValues } })).rows.map(
        ({ email }) => email,
      );
    expect(await found('castell')).toEqual(['epi@demo.caseway.test']);
    expect(await found('ERIN', 'cást')).toEqual(['epi@demo.caseway.test']);
    expect(await found('epi@demo')).toEqual(['epi@demo.caseway.test']);
    expect(await found('astellanos')).toEqual([]);
  });

  test('need the permission', async () => {
    for (const grid of ['tenant-users', 'organization-users', 'facility-users', 'jurisdiction-users']) {
      expect((await ask('POST', `grid/${grid}/search`, {}, {})).statusCode).toBe(401);
      expect((await ask('POST', `grid/${grid}/search`, {}, epi.headers)).statusCode).toBe(403);
    }
  });
});

describe('an invitation', () => {
  test('makes the account, sends the person an email in their language, and is audited', async () => {
    const person = somebody({ language: 'es', firstName: 'Inés' });
    const user = await invite(person, [
      inTenant('epidemiologist'),
      { orgType: 'O', orgId: network.id, roleIds: [role('read-only-analyst')] },
    ]);
    expect(user).toMatchObject({ email: person.email, status: 'invited', editable: 'everything' });
    expect(user.memberships.map(({ orgName, active }) => [orgName, active])).toEqual([
      [demo.name, true],
      [network.name, true],
    ]);
    const mail = await messageTo(testing, person.email);
    expect(mail).toContain('Content-Language: es');
    expect(mail).toContain(network.name);
    // The link opens the product in the language of the message.
    expect(mail).toContain(`${testing.config.publicUrl}/es/sign-in`);
    // [P16] Nothing about the person is in the address.
    expect(/https?:\S*@/.test(mail)).toBe(false);
    expect(await audited(user.accountId)).toEqual([
      {
        action: 'user/invited',
        account_id: admin.init.user.id,
        detail: {
          memberships: [
            { orgType: 'T', orgId: demo.id, roles: ['epidemiologist'] },
            { orgType: 'O', orgId: network.id, roles: ['read-only-analyst'] },
          ],
        },
      },
    ]);
    const signedIn = await signInAs(testing, person.email, `T:${demo.id}`);
    expect(signedIn.init.availableOrgs).toHaveLength(2);
    expect(await rowOf('tenant-users', person.email)).toMatchObject([
      { status: 'active', lastSignInAt: expect.any(String) },
    ]);
  });

  test('for a person of the tenant adds them to one more organisation, with the name they have', async () => {
    const user = await invite(somebody({ email: 'Auditor@demo.caseway.test', firstName: 'Other' }), [
      { orgType: 'O', orgId: network.id, roleIds: [role('read-only-analyst')] },
    ]);
    expect(user).toMatchObject({ firstName: 'Audra', lastName: 'Finch' });
    expect(user.memberships.map(({ orgId }) => orgId)).toEqual([demo.id, network.id]);
  });

  test('does not reveal that an address is a patient’s', async () => {
    const user = await invite(somebody({ email: 'patient@demo.caseway.test' }), [inTenant('auditor')]);
    expect(user).toMatchObject({ status: 'invited', firstName: 'Nia' });
    const [{ n }] = (await asSuperuser<{ n: number }>(
      `select count(*)::int as n from account where username = 'patient@demo.caseway.test'`,
      [],
      testing.superuserUrl,
    )) as [{ n: number }];
    expect(n).toBe(2);
  });

  test('that names an organisation twice, however its id is written, gives the last roles', async () => {
    const user = await invite(somebody(), [
      inTenant('auditor'),
      { ...inTenant('epidemiologist'), orgId: demo.id.toUpperCase() },
    ]);
    expect(user.memberships).toMatchObject([
      { orgType: 'T', orgId: demo.id, roleIds: [role('epidemiologist')] },
    ]);
  });

  test('twice into one organisation is refused; after an end it begins again with other roles', async () => {
    const person = somebody();
    const user = await invite(person, [inTenant('epidemiologist')]);
    expect(
      await faultOf(await ask('POST', 'users', { ...person, memberships: [inTenant('auditor')] })),
    ).toEqual([422, 'exists-already']);
    await change(user.id, { active: false });
    const again = await invite(person, [inTenant('auditor')]);
    expect(again.memberships).toMatchObject([{ id: user.id, active: true, roleIds: [role('auditor')] }]);
  });

  test('is refused for organisations and roles of other tenants', async () => {
    const into = async (membership: object) =>
      faultOf(await ask('POST', 'users', { ...somebody(), memberships: [membership] }));
    const foreign = vendor.organizations[0]?.id ?? vendor.id;
    expect(await into({ orgType: 'O', orgId: foreign, roleIds: [role('auditor')] })).toEqual([
      422,
      'unknown-organization',
    ]);
    expect(await into({ orgType: 'T', orgId: vendor.id, roleIds: [role('auditor')] })).toEqual([
      422,
      'unknown-organization',
    ]);
    expect(
      await into({ orgType: 'T', orgId: demo.id, roleIds: [defaultRoleId(vendor.id, 'auditor')] }),
    ).toEqual([422, 'unknown-role']);
  });

  test('[S5.1] reports all faults together', async () => {
    const response = await ask('POST', 'users', {
      ...somebody({ email: 'no address', phone: '555', timeZone: 'Nowhere/At_All', lastName: ' ' }),
      memberships: [inTenant('auditor')],
    });
    expect(
      response
        .json()
        .faults.map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual(['email', 'lastName', 'phone', 'timeZone']);
  });

  test('is sent again, but not within a minute', async () => {
    const user = await invite(somebody(), [inTenant('auditor')]);
    expect(await faultOf(await ask('POST', `users/${user.id}/invitation`))).toEqual([422, 'sent-just-now']);
    await asSuperuser(
      `update membership set invited_at = now() - interval '2 minutes' where id = $1`,
      [user.id],
      testing.superuserUrl,
    );
    const again = await ok<UserDetail>('POST', `users/${user.id}/invitation`);
    expect(Date.parse(again.invitedAt!)).toBeGreaterThan(Date.parse(user.invitedAt!) - 1);
    const [epiRow] = await rowOf('tenant-users', 'epi@demo.caseway.test');
    expect((await ask('POST', `users/${epiRow!.id}/invitation`)).statusCode).toBe(409);
  });
});

describe('a change', () => {
  test('of roles is immediate for the person, and is audited with before and after', async () => {
    const person = somebody();
    const user = await invite(person, [inTenant('read-only-analyst')]);
    const changed = await change(user.id, {
      roles: [role('epidemiologist'), role('auditor')],
    });
    expect(changed.memberships[0]!.roleIds.toSorted()).toEqual(
      [role('epidemiologist'), role('auditor')].sort(),
    );
    const { init } = await signInAs(testing, person.email, `T:${demo.id}`);
    expect(init.casbinPolicy).toContain('p, role:auditor, T, audit/read, allow');
    expect((await audited(user.accountId)).at(-2)).toMatchObject({
      action: 'user/changed',
      detail: {
        before: { roles: ['read-only-analyst'] },
        after: { roles: ['auditor', 'epidemiologist'] },
      },
    });
  });

  test('[P14] that removes a person ends their access, and can be undone', async () => {
    const person = somebody();
    const user = await invite(person, [
      inTenant('epidemiologist'),
      { orgType: 'F', orgId: clinic.id, roleIds: [role('facility-user')] },
    ]);
    const { headers } = await signInAs(testing, person.email, `T:${demo.id}`);
    const { ended } = await ok<{ ended: string[] }>('POST', `users/${user.id}/deactivate`);
    expect(ended).toHaveLength(2);
    await expect
      .poll(async () => (await ask('POST', 'grid/case-reports/search', {}, headers)).statusCode, {
        interval: 100,
      })
      .toBe(403);
    expect(await rowOf('tenant-users', person.email)).toMatchObject([{ status: 'inactive' }]);
    for (const id of ended) await change(id, { active: true });
    expect(await rowOf('tenant-users', person.email)).toMatchObject([
      { status: 'active', roles: [role('epidemiologist')] },
    ]);
  });

  test('of a name is possible if no one else administers the person, of an address until the first sign-in', async () => {
    const person = somebody();
    const user = await invite(person, [inTenant('auditor')]);
    const email = `corrected-${person.email}`;
    expect(await change(user.id, { email, lastName: 'Corrected', phone: '+14045550123' })).toMatchObject({
      email,
      lastName: 'Corrected',
    });
    expect((await audited(user.accountId)).at(-1)).toMatchObject({
      detail: { before: { email: person.email, phone: null }, after: { email, phone: '+14045550123' } },
    });
    // [P11] A number that an administrator enters lets nobody in.
    expect(
      await asSuperuser(
        'select phone_confirmed, sign_in_phone from account where id = $1',
        [user.accountId],
        testing.superuserUrl,
      ),
    ).toEqual([{ phone_confirmed: false, sign_in_phone: null }]);
    await signInAs(testing, email);
    expect(await ok<UserDetail>('GET', `users/${user.id}`)).toMatchObject({ editable: 'name' });
    expect(await faultOf(await tryChange(user.id, { email: 'elsewhere@example.test' }))).toEqual([
      422,
      'kept-by-person',
    ]);
    expect(await faultOf(await tryChange(user.id, { phone: null }))).toEqual([422, 'kept-by-person']);
    expect(await change(user.id, { lastName: 'Married' })).toMatchObject({
      lastName: 'Married',
    });
  });

  test('to an address that someone else has is refused', async () => {
    const user = await invite(somebody(), [inTenant('auditor')]);
    expect(await faultOf(await tryChange(user.id, { email: 'EPI@demo.caseway.test' }))).toEqual([
      422,
      'address-taken',
    ]);
  });

  test('of a person’s own roles is refused', async () => {
    const [own] = await rowOf('tenant-users', 'admin@demo.caseway.test');
    expect(await faultOf(await tryChange(own!.id, { active: false }))).toEqual([422, 'own-membership']);
    expect(await faultOf(await tryChange(own!.id, { roles: [role('auditor')] }))).toEqual([
      422,
      'own-membership',
    ]);
    expect(await faultOf(await ask('POST', `users/${own!.id}/deactivate`))).toEqual([422, 'own-membership']);
  });
});

describe('an administrator gives only what they have', () => {
  const inNetwork = (...codes: string[]) => ({ orgType: 'O', orgId: network.id, roleIds: codes.map(role) });

  test('of an organisation: its roles, in itself and its facilities', async () => {
    const user = await invite(
      somebody(),
      [
        inNetwork('organization-administrator'),
        { orgType: 'F', orgId: clinic.id, roleIds: [role('facility-user')] },
      ],
      orgadmin.headers,
    );
    expect(user.memberships).toHaveLength(2);
    const other = demo.facilities.find(({ organizationId }) => organizationId !== network.id)!;
    const into = async (membership: object) =>
      faultOf(await ask('POST', 'users', { ...somebody(), memberships: [membership] }, orgadmin.headers));
    expect(await into({ orgType: 'F', orgId: other.id, roleIds: [role('facility-user')] })).toEqual([
      422,
      'unknown-organization',
    ]);
    expect(await into(inTenant('read-only-analyst'))).toEqual([422, 'unknown-organization']);
    expect(await into(inNetwork('data-entry'))).toEqual([422, 'beyond-your-rights']);
    expect(await into(inNetwork('organization-administrator', 'epidemiologist'))).toEqual([
      422,
      'beyond-your-rights',
    ]);
  });

  test('sees beforehand which roles these are', async () => {
    const { roles } = await ok<{ roles: GrantableRole[] }>(
      'GET',
      `users/roles?orgType=O&orgId=${network.id}`,
      undefined,
      orgadmin.headers,
    );
    const missing = Object.fromEntries(roles.map(({ code, missing }) => [code, missing]));
    expect(missing['organization-administrator']).toEqual([]);
    expect(missing['read-only-analyst']).toEqual([]);
    expect(missing['case-investigator']).toEqual([
      'case-reports/write',
      'case-reports/investigate',
      'contacts/read',
      'contacts/write',
      'partner-services/read',
      'partner-services/investigate',
      'field-visits/read',
      'field-visits/write',
      'patients/write',
      'documents/write',
      'hiv-analytics/read',
      'restricted-families/read',
      'break-glass/write',
    ]);
    expect(
      (await ask('GET', `users/roles?orgType=T&orgId=${demo.id}`, undefined, orgadmin.headers)).statusCode,
    ).toBe(404);
  });

  test('cannot touch a person who has more rights there, or take over their account', async () => {
    const person = somebody();
    const user = await invite(person, [inNetwork('epidemiologist')]);
    const seen = (await rowOf('organization-users', person.email, orgadmin.headers))[0]!;
    expect(seen.id).toBe(user.id);
    const beyond = async (body: object) => faultOf(await tryChange(user.id, body, orgadmin.headers));
    expect(await beyond({ active: false })).toEqual([422, 'holds-more']);
    expect(await beyond({ roles: [role('read-only-analyst')] })).toEqual([422, 'holds-more']);
    expect(await faultOf(await tryChange(user.id, { email: 'mine@example.test' }, orgadmin.headers))).toEqual(
      [422, 'kept-by-person'],
    );
    // Not even after the membership has ended: after a renewal, it would be the attacker's.
    await change(user.id, { active: false });
    expect(await faultOf(await tryChange(user.id, { email: 'mine@example.test' }, orgadmin.headers))).toEqual(
      [422, 'kept-by-person'],
    );
    expect(await beyond({ active: true })).toEqual([422, 'beyond-your-rights']);
  });

  test('cannot change the address of a person who is also invited elsewhere', async () => {
    const person = somebody();
    const user = await invite(person, [inNetwork('read-only-analyst')], orgadmin.headers);
    expect((await ok<UserDetail>('GET', `users/${user.id}`, undefined, orgadmin.headers)).editable).toBe(
      'everything',
    );
    await invite(person, [inTenant('tenant-administrator')]);
    expect((await ok<UserDetail>('GET', `users/${user.id}`, undefined, orgadmin.headers)).editable).toBe(
      'nothing',
    );
    expect(await faultOf(await tryChange(user.id, { email: 'mine@example.test' }, orgadmin.headers))).toEqual(
      [422, 'kept-by-person'],
    );
  });

  test('loses the right together with the role, within the same request', async () => {
    const person = somebody();
    const user = await invite(person, [inTenant('tenant-administrator')]);
    const { headers } = await signInAs(testing, person.email, `T:${demo.id}`);
    await ok('GET', `users/${user.id}`, undefined, headers);
    await change(user.id, { roles: [role('auditor')] });
    // The check at the door may be some seconds old; the action itself reads the current state.
    const response = await ask(
      'POST',
      'users',
      { ...somebody(), memberships: [inTenant('auditor')] },
      headers,
    );
    expect(response.statusCode).toBe(403);
  });

  test('administers no users of a jurisdiction except as the tenant that runs it', async () => {
    const user = await invite(somebody(), [
      { orgType: 'PHJ', orgId: jurisdiction.id, roleIds: [role('jurisdiction-user')] },
    ]);
    expect(user.memberships).toMatchObject([{ orgType: 'PHJ', orgName: jurisdiction.name }]);
    const own = await makeMember(database, { tenant_id: vendor.id });
    expect(own.account.id).toBeTruthy();
    const other = await ask(
      'POST',
      'users',
      {
        ...somebody(),
        memberships: [
          {
            orgType: 'PHJ',
            orgId: jurisdiction.id,
            roleIds: [defaultRoleId(vendor.id, 'jurisdiction-user')],
          },
        ],
      },
      vendorAdmin.headers,
    );
    expect(await faultOf(other)).toEqual([422, 'unknown-organization']);
  });
});

describe('how a person signs in', () => {
  test('[P21] a lost second factor is removed, and a locked account unlocked, only by the person’s sole administrators', async () => {
    const person = somebody();
    const user = await invite(person, [inTenant('auditor')]);
    const sql = (text: string) => asSuperuser(text, [user.accountId], testing.superuserUrl);
    await sql('update account set second_factor_at = now() where id = $1');
    await sql(
      `insert into totp_authenticator (account_id, seed, last_step) values ($1, gen_random_uuid(), 1)`,
    );
    expect(await rowOf('tenant-users', person.email)).toMatchObject([
      { secondFactor: 'yes', status: 'invited' },
    ]);
    expect(await ok<UserDetail>('GET', `users/${user.id}`)).toMatchObject({ lock: null });
    await sql(
      `insert into account_state (account_id, member_of, locked_at, locked_until)
       select id, member_of, '2026-03-01T10:00:00Z', now() + interval '1 hour' from account where id = $1`,
    );
    const { lock } = await ok<UserDetail>('GET', `users/${user.id}`);
    expect(lock).toEqual({ since: '2026-03-01T10:00:00.000Z', until: expect.any(String) });
    expect((Date.parse(lock!.until) - Date.now()) / 60_000).toBeGreaterThan(55);
    expect(await rowOf('tenant-users', person.email)).toMatchObject([{ status: 'locked' }]);
    const reset = await ok<UserDetail>('POST', `users/${user.id}/second-factor/reset`);
    expect(reset).toMatchObject({ secondFactor: 'no', status: 'locked' });
    expect(await ok<UserDetail>('POST', `users/${user.id}/unlock`)).toMatchObject({
      status: 'invited',
      lock: null,
    });
    expect(await sql('select locked_at, locked_until from account_state where account_id = $1')).toEqual([
      { locked_at: null, locked_until: null },
    ]);
    expect((await audited(user.accountId)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user/second-factor-reset', 'user/unlocked']),
    );
    // They may not weaken the account of a person who also belongs to another tenant.
    const [shared] = (await asSuperuser<{ id: string }>(
      `insert into membership (tenant_id, id, account_id, org_type, org_id)
       select $1, gen_random_uuid(), id, 'T', $1 from account where username = 'analyst@vendor.caseway.test'
       returning id`,
      [demo.id],
      testing.superuserUrl,
    )) as [{ id: string }];
    for (const deed of ['second-factor/reset', 'unlock'])
      expect(await faultOf(await ask('POST', `users/${shared.id}/${deed}`))).toEqual([422, 'kept-by-person']);
  });
});

describe('organisations that a person administers', () => {
  test('are found by words', async () => {
    const names = async (query: string, headers?: Headers) =>
      (
        await ok<{ organizations: { name: string }[] }>(
          'GET',
          `users/organizations?${query}`,
          undefined,
          headers,
        )
      ).organizations.map(({ name }) => name);
    expect(await names('orgType=O&words=mangr%20netw')).toEqual([network.name]);
    expect(await names('orgType=T')).toEqual([demo.name]);
    expect(await names('orgType=F', orgadmin.headers)).toContain(clinic.name);
    expect(await names('orgType=T', orgadmin.headers)).toEqual([]);
    expect((await names('orgType=F')).length).toBeLessThanOrEqual(50);
  });
});
