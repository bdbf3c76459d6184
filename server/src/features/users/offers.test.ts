import type { MembershipOffer, UserDetail, UserRow, UserTableRow } from '@caseway/contract/users';
import { describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { askingAs, type Headers } from '../../../test/asking.ts';
import { changingUsers } from '../../../test/changing-users.ts';
import { asSuperuser } from '../../../test/database.ts';
import { messagesTo } from '../../../test/outbox.ts';
import { actFor, type SignedIn, signInAs } from '../../../test/sign-in.ts';
import { defaultRoleId } from '../roles/default-roles.ts';

// The department of the demo has people with accounts, and the vendor invites them unasked.

const testing = await testApp({}, { background: true });
const { demo, vendor } = await seedDemoTenants(testing.database);
const admin = await signInAs(testing, 'admin@demo.caseway.test');
const stranger = await signInAs(testing, 'admin@vendor.caseway.test');
const epi = await signInAs(testing, 'epi@demo.caseway.test', `T:${demo.id}`);

const { ask, ok } = askingAs(testing, stranger);
const { tryChange, change } = changingUsers(ask);
const { ask: askOwn, ok: okOwn } = askingAs(testing, epi, '/api/profile/');
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, testing.superuserUrl);
const answerOf = async (response: ReturnType<typeof ask>) => {
  const answer = await response;
  return [answer.statusCode, answer.json().faults?.[0]?.code ?? answer.json().code];
};

let counted = 0;
const somebody = (more: object = {}) => ({
  email: `guest-${++counted}@example.test`,
  firstName: 'Gail',
  middleName: null,
  lastName: 'Typed',
  phone: '+14045550123',
  language: 'en',
  timeZone: 'America/Chicago',
  ...more,
});
const inVendor = (code = 'auditor') => ({
  orgType: 'T',
  orgId: vendor.id,
  roleIds: [defaultRoleId(vendor.id, code)],
});
const inDemo = (code = 'auditor') => ({
  orgType: 'T',
  orgId: demo.id,
  roleIds: [defaultRoleId(demo.id, code)],
});
const invite = (person: object, membership: object = inVendor(), headers?: Headers) =>
  ok<UserDetail>('POST', 'users', { ...person, memberships: [membership] }, headers);
const rowsOf = async (email: string) =>
  (
    await ok<{ rows: UserRow[] }>('POST', 'grid/tenant-users/search', {
      filterModel: { items: [{ field: 'email', operator: 'equals', value: email }] },
    })
  ).rows;

/** Someone of the department who has signed in once. */
async function colleague(): Promise<SignedIn & { email: string; user: UserDetail }> {
  const person = somebody({ firstName: 'True', lastName: `Name${counted}`, phone: null });
  const user = await invite(person, inDemo(), admin.headers);
  return { email: person.email, user, ...(await signInAs(testing, person.email)) };
}
const offersOf = async ({ headers }: Pick<SignedIn, 'headers'>) =>
  (await okOwn<{ offers: MembershipOffer[] }>('GET', 'offers', undefined, headers)).offers;
const answer = (person: Pick<SignedIn, 'headers'>, id: string, how: 'accept' | 'refuse' = 'accept') =>
  askOwn('POST', `offers/${id}/${how}`, {}, person.headers);
const membershipsOf = (email: string) =>
  sql<{ tenant_id: string; active: boolean }>(
    `select m.tenant_id, m.ended_at is null as active from membership m join account a on a.id = m.account_id
     where a.email = $1 order by m.created_at`,
    [email],
  );
const eventsAbout = async (id: string) =>
  (
    await sql<{ action: string }>(
      'select action from audit_event where tenant_id = $1 and $2 = any (record_ids) order by at, id',
      [vendor.id, id],
    )
  ).map(({ action }) => action);

/** All differences between two people who were invited in the same way. */
const alike = <T extends object>(answer: T, email: string) =>
  JSON.parse(
    JSON.stringify(answer)
      .replaceAll(email, 'ADDRESS')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
      .replace(/"\d{4}-\d\d-\d\dT[^"]+Z"/g, '"TIME"'),
  );

describe('someone who has an account elsewhere', () => {
  test('[P1, P12] looks to the inviter like an unknown person, whatever is done with the invitation', async () => {
    const { email } = await colleague();
    const looks: unknown[][] = [];
    for (const address of [email, somebody().email]) {
      const seen: unknown[] = [];
      const look = (answer: object) => seen.push(alike(answer, address));
      const person = somebody({ email: address });
      const user = await invite(person);
      look(user);
      look(await rowsOf(address));
      const then = async (
        method: 'GET' | 'POST' | 'PATCH',
        path: string,
        body?: object,
        headers: Headers = stranger.headers,
      ) => {
        const response = await ask(method, path, body, headers);
        const { requestId: _, ...answered } = response.json();
        look([response.statusCode, answered]);
      };
      await then('POST', 'users', { ...person, firstName: 'Again', memberships: [inVendor()] });
      await then('POST', `users/${user.id}/invitation`);
      await then('POST', `users/${user.id}/unlock`);
      await then('POST', `users/${user.id}/second-factor/reset`);
      const { id } = user;
      const version = async () => (await ok<UserDetail>('GET', `users/${id}`)).version;
      await then('PATCH', `users/${id}`, {
        version: await version(),
        lastName: 'Corrected',
        phone: null,
      });
      await then('PATCH', `users/${id}`, {
        version: await version(),
        roles: ['tenant-administrator', 'case-investigator'].map((code) => defaultRoleId(vendor.id, code)),
      });
      await then('POST', `users/${user.id}/deactivate`);
      look(await rowsOf(address));
      await then('PATCH', `users/${id}`, { version: await version(), active: true });
      await then('GET', `users/${id}/history`);
      await then('POST', `users/${id}/undo`, { version: await version() });
      await then('POST', `users/${id}/undo`, { version: await version() });
      // Other lists show no difference either.
      await then('GET', 'roles');
      await then('GET', 'access/granters?permission=audit/read');
      await then('GET', 'list/investigators');
      await then('GET', 'settings');
      await then('POST', `users/${user.id}/deactivate`);
      await then('POST', 'users', { ...somebody({ email: address }), memberships: [inVendor()] });
      await then('GET', `users/${user.id}`);
      look(await rowsOf(address));
      look(await eventsAbout(user.accountId));
      await ok('POST', `users/${user.id}/deactivate`);
      looks.push(seen);
    }
    expect(looks[0]).toEqual(looks[1]);
    expect(looks[0]![0]).toMatchObject({
      firstName: 'Gail',
      lastName: 'Typed',
      phone: '+14045550123',
      status: 'invited',
      lastSignInAt: null,
      secondFactor: 'no',
      editable: 'everything',
    });
  });

  test('[P1] belongs nowhere else because of it: their sessions, their log and their administrators do not change', async () => {
    const { email, user, tokens } = await colleague();
    await invite(somebody({ email }));
    expect((await membershipsOf(email)).map(({ tenant_id }) => tenant_id)).toEqual([demo.id]);
    expect((await actFor(testing, tokens)).init.availableOrgs).toHaveLength(1);
    expect((await ok<UserDetail>('GET', `users/${user.id}`, undefined, admin.headers)).editable).toBe('name');
    await signInAs(testing, email);
    expect(await eventsAbout(user.accountId)).toEqual([]);
    // A session in the stranger's tenant is shorter; theirs are not.
    const { version } = await ok<{ version: number }>('GET', 'settings');
    await ok('PATCH', 'settings', { version, changes: { sessionIdleMinutes: 15 } });
    const idle = await sql<{ idle_minutes: number }>(
      'select distinct idle_minutes from session where account_id = $1',
      [user.accountId],
    );
    expect(idle).toEqual([{ idle_minutes: 60 }]);
  });

  test('gets an email in their language, sees who invites them to what, and belongs there once they accept', async () => {
    const theirs = await colleague();
    await sql(`update account set language_code = 'es' where id = $1`, [theirs.user.accountId]);
    const invited = await invite(somebody({ email: theirs.email }));
    const newest = async () => (await messagesTo(testing, theirs.email)).at(-1)!;
    await expect.poll(newest, { interval: 50 }).toContain('acepte o rechace');
    const mail = await newest();
    expect(mail).toContain('Content-Language: es');
    // [P16]
    expect(/https?:\S*@/.test(mail)).toBe(false);
    const [offer, ...more] = await offersOf(theirs);
    expect(more).toEqual([]);
    expect(offer).toMatchObject({
      tenant: vendor.name,
      invitedBy: `${stranger.init.user.firstName} ${stranger.init.user.lastName}`,
      organizations: [{ orgType: 'T', name: vendor.name, roles: [{ label: expect.any(String) }] }],
    });
    expect((await answer(theirs, offer!.id)).json()).toEqual({ organizations: 1 });
    const { init, headers } = await actFor(testing, theirs.tokens, `T:${vendor.id}`);
    expect(init.availableOrgs).toHaveLength(2);
    expect(init.casbinPolicy).toContain('p, role:auditor, T, audit/read, allow');
    expect((await ask('POST', 'grid/audit/search', {}, headers)).statusCode).toBe(200);
    // From now on the inviter sees a member with the same id, and their real name.
    expect(await rowsOf(theirs.email)).toMatchObject([
      { id: invited.id, accountId: theirs.user.accountId, status: 'active' },
    ]);
    expect(await ok<UserDetail>('GET', `users/${invited.id}`)).toMatchObject({
      firstName: 'True',
      editable: 'nothing',
    });
    expect(await eventsAbout(theirs.user.accountId)).toContain('user/joined');
    expect(await offersOf(theirs)).toEqual([]);
  });

  test('accepts once: if there are two answers at the same time, one counts', async () => {
    const theirs = await colleague();
    await invite(somebody({ email: theirs.email }));
    const [offer] = await offersOf(theirs);
    const answers = await Promise.all([
      answer(theirs, offer!.id),
      answer(theirs, offer!.id),
      answer(theirs, offer!.id, 'refuse'),
    ]);
    const codes = answers.map(({ statusCode }) => statusCode);
    expect(codes.filter((code) => code === 409)).toHaveLength(2);
    const joined = codes[2] === 409;
    expect(await membershipsOf(theirs.email)).toHaveLength(joined ? 2 : 1);
  });

  test('refuses, and the inviter sees that and nothing else', async () => {
    const theirs = await colleague();
    const invited = await invite(somebody({ email: theirs.email }));
    const [offer] = await offersOf(theirs);
    expect((await answer(theirs, offer!.id, 'refuse')).statusCode).toBe(204);
    expect(await rowsOf(theirs.email)).toMatchObject([
      { name: 'Typed, Gail', status: 'inactive', lastSignInAt: null },
    ]);
    expect(await offersOf(theirs)).toEqual([]);
    expect((await answer(theirs, offer!.id)).statusCode).toBe(409);
    const events = await sql<{ account_id: string | null }>(
      `select account_id from audit_event where action = 'user/refused' and $1 = any (record_ids)`,
      [invited.accountId],
    );
    expect(events).toEqual([{ account_id: null }]);
  });

  test('cannot accept an offer that was withdrawn or was never theirs', async () => {
    const theirs = await colleague();
    const invited = await invite(somebody({ email: theirs.email }));
    const [offer] = await offersOf(theirs);
    expect((await answer(epi, offer!.id)).statusCode).toBe(409);
    expect((await askOwn('POST', `offers/${offer!.id}/accept`, {}, {})).statusCode).toBe(401);
    expect((await askOwn('GET', 'offers', undefined, {})).statusCode).toBe(401);
    await ok('POST', `users/${invited.id}/deactivate`);
    expect((await answer(theirs, offer!.id)).statusCode).toBe(409);
    expect(await membershipsOf(theirs.email)).toHaveLength(1);
  });

  test('accepts what the inviter may still give, in its current state', async () => {
    const theirs = await colleague();
    const helper = somebody();
    const helping = await invite(helper, inVendor('tenant-administrator'));
    const { headers } = await signInAs(testing, helper.email);
    const organization = await sql<{ id: string }>(
      `insert into organization (tenant_id, id, name) values ($1, gen_random_uuid(), 'Branch') returning id`,
      [vendor.id],
    );
    const inBranch = { ...inVendor('read-only-analyst'), orgType: 'O', orgId: organization[0]!.id };
    await ok(
      'POST',
      'users',
      { ...somebody({ email: theirs.email }), memberships: [inVendor(), inBranch] },
      headers,
    );
    const [offer] = await offersOf(theirs);
    expect(offer!.organizations.map(({ name }) => name).sort()).toEqual(['Branch', vendor.name].sort());
    const may = (roleIds: string[]) => change(helping.id, { roles: roleIds });
    // The inviter has lost the permission.
    await may(inVendor('auditor').roleIds);
    expect((await answer(theirs, offer!.id)).statusCode).toBe(409);
    await may(inVendor('tenant-administrator').roleIds);
    await sql('update tenant set suspended_at = now() where id = $1', [vendor.id]);
    expect(await offersOf(theirs)).toEqual([]);
    expect((await answer(theirs, offer!.id)).statusCode).toBe(409);
    await sql('update tenant set suspended_at = null where id = $1', [vendor.id]);
    // Nobody works for a closed organisation.
    await sql('update organization set deactivated_at = now() where id = $1', [inBranch.orgId]);
    expect((await answer(theirs, offer!.id)).json()).toEqual({ organizations: 1 });
    expect(await membershipsOf(theirs.email)).toHaveLength(2);
  });

  test('belongs to the owner of its address: another address of the account does not get it', async () => {
    // The stranger invited the person first, and may correct the address until someone signs in.
    const person = somebody();
    const own = await invite(person);
    const wanted = await invite(person, inDemo('tenant-administrator'), admin.headers);
    expect(wanted.memberships).toMatchObject([{ orgId: demo.id, active: true }]);
    const mine = `mine-${person.email}`;
    await change(own.id, { email: mine });
    expect(await offersOf(await signInAs(testing, mine))).toEqual([]);
    expect((await answer(await signInAs(testing, mine), wanted.accountId)).statusCode).toBe(409);
  });

  test('[P12] cannot be found out by correcting the address of an invitation either', async () => {
    const theirs = await colleague();
    const invited = await invite(somebody());
    const corrected = await change(invited.id, { email: theirs.email });
    expect(corrected).toMatchObject({
      id: invited.id,
      accountId: invited.accountId,
      email: theirs.email,
      firstName: 'Gail',
      status: 'invited',
      editable: 'everything',
    });
    expect(await offersOf(theirs)).toHaveLength(1);
    expect(await membershipsOf(theirs.email)).toHaveLength(1);
    // And back to an unknown address: a new account, which signs in.
    const free = somebody().email;
    expect(await change(invited.id, { email: free })).toMatchObject({
      id: invited.id,
      accountId: invited.accountId,
      email: free,
      status: 'invited',
    });
    expect(await offersOf(theirs)).toEqual([]);
    expect((await signInAs(testing, free)).init.availableOrgs).toHaveLength(1);
  });

  test('[P12] is in a table of users like a new person', async () => {
    const theirs = await colleague();
    const send = async (rows: string[], dryRun = true) =>
      (
        await ok<{ rows: UserTableRow[] }>('POST', 'users/table', {
          text: ['email,firstName,lastName,roles,status', ...rows].join('\n'),
          dryRun,
        })
      ).rows.map(({ outcome, reason, column }) => [outcome, reason, column]);
    const free = somebody().email;
    const both = (row: string) => [theirs.email, free].map((email) => `${email},${row}`);
    for (const [row, dryRun] of [
      [',,auditor,', true],
      ['Tess,Table,auditor,', true],
      ['Tess,Table,auditor,', false],
      ['Other,Name,auditor,', true],
      [',,epidemiologist,', false],
      [',,,inactive', false],
      [',,auditor,', false],
    ] as const) {
      const [known, unknown] = await send(both(row), dryRun);
      expect([row, known]).toEqual([row, unknown]);
    }
    expect(alike(await rowsOf(theirs.email), theirs.email)).toEqual(alike(await rowsOf(free), free));
    expect(await membershipsOf(theirs.email)).toHaveLength(1);
    expect(await offersOf(theirs)).toMatchObject([{ organizations: [{ roles: [{ label: 'Auditor' }] }] }]);
  });

  test('keeps an offered role in use, like any invitation', async () => {
    const theirs = await colleague();
    const invited = await invite(somebody({ email: theirs.email }), inVendor('data-entry'));
    const holders = async () =>
      (await ok<{ roles: { id: string; holders: number }[] }>('GET', 'roles')).roles.find(
        ({ id }) => id === defaultRoleId(vendor.id, 'data-entry'),
      )?.holders;
    expect(await holders()).toBe(1);
    await ok('POST', `users/${invited.id}/deactivate`);
    expect(await holders()).toBe(0);
  });
});

describe('a membership that has ended', () => {
  /** A person who worked for both, and whom the stranger's tenant removed. */
  async function former(): Promise<SignedIn & { email: string; user: UserDetail; theirs: UserDetail }> {
    const person = await colleague();
    const theirs = await invite(somebody({ email: person.email }));
    const [offer] = await offersOf(person);
    await answer(person, offer!.id);
    await ok('POST', `users/${theirs.id}/deactivate`);
    return { ...person, theirs };
  }

  test('takes nothing from the person’s other administrators', async () => {
    const { user } = await former();
    expect((await ok<UserDetail>('GET', `users/${user.id}`, undefined, admin.headers)).editable).toBe('name');
    expect(await change(user.id, { lastName: 'Married' }, admin.headers)).toMatchObject({
      lastName: 'Married',
    });
  });

  test('[P1] leaves no sign-ins in the log of the former tenant', async () => {
    const { email, user } = await former();
    const before = await eventsAbout(user.accountId);
    await signInAs(testing, email);
    expect(await eventsAbout(user.accountId)).toEqual(before);
    const [heard] = await sql<{ action: string }>(
      `select action from audit_event where tenant_id = $1 and account_id = $2 order by at desc, id desc limit 1`,
      [demo.id, user.accountId],
    );
    expect(heard!.action).toBe('sign-in/succeeded');
  });

  test('[P1] stays with the former tenant as they left, however they change and wherever they sign in', async () => {
    const { email, user, theirs } = await former();
    const [row] = await rowsOf(email);
    const shown = () => ok<UserDetail>('GET', `users/${theirs.id}`);
    const detail = await shown();
    expect(row).toMatchObject({
      email,
      status: 'inactive',
      lastSignInAt: expect.any(String),
      secondFactor: 'no',
    });
    expect(detail).toMatchObject({ email, status: 'inactive', lock: null, editable: 'nothing' });

    await signInAs(testing, email);
    await sql(
      `update account set email = 'new@employer.example', username = 'new@employer.example', phone = '+18135550199',
         last_name = 'Married', language_code = 'es', time_zone = 'America/Denver', second_factor_at = now()
         where id = $1`,
      [user.accountId],
    );
    await sql(
      `update account_state set locked_at = now(), locked_until = now() + interval '1 hour' where account_id = $1`,
      [user.accountId],
    );
    expect(await rowsOf(email)).toEqual([row]);
    expect(await rowsOf('new@employer.example')).toEqual([]);
    expect(await shown()).toEqual(detail);
    const { body } = await ask('POST', 'users/export', { orgType: 'T', query: {} });
    expect(body).toContain(email);
    expect(body).not.toMatch(/employer\.example|Married|8135550199/);
    expect(await answerOf(tryChange(theirs.id, { lastName: 'Other' }))).toEqual([422, 'kept-by-person']);
    // Where they still belong, their current details are shown.
    expect(await ok<UserDetail>('GET', `users/${user.id}`, undefined, admin.headers)).toMatchObject({
      lastName: 'Married',
      status: 'locked',
      secondFactor: 'yes',
    });
    // After their return, their current details are shown here too.
    await change(theirs.id, { active: true });
    expect(await shown()).toMatchObject({ email: 'new@employer.example', lastName: 'Married' });
    await sql('update account_state set locked_at = null, locked_until = null where account_id = $1', [
      user.accountId,
    ]);
  });

  test('can be restored for an hour; after that the person is asked first', async () => {
    const { email, theirs, headers } = await former();
    const back = () => answerOf(tryChange(theirs.id, { active: true }));
    expect((await back())[0]).toBe(200);
    await ok('POST', `users/${theirs.id}/deactivate`);
    await sql(`update membership set ended_at = now() - interval '61 minutes' where id = $1`, [theirs.id]);
    expect(await back()).toEqual([422, 'asked-first']);
    await invite(somebody({ email }));
    expect((await rowsOf(email)).map(({ status }) => status).sort()).toEqual(['inactive', 'invited']);
    const [offer] = await offersOf({ headers });
    expect((await answer({ headers }, offer!.id)).statusCode).toBe(200);
    expect(await rowsOf(email)).toMatchObject([{ id: theirs.id, status: 'active' }]);
  });
});
