import type { Recovery } from '@caseway/contract/recovery';
import type pino from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { beginSignIn, codeFor } from '../../../test/sign-in.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import { createLog } from '../../platform/log/log.ts';
import { forgetRecoveries } from './requests.ts';
import { faultOf, type Headers, reason, recoveryTools, verified } from './test-recovery.ts';

const logged: string[] = [];
const log = createLog('trace', {
  write: (line: string) => void logged.push(line),
} as unknown as pino.DestinationStream);
const testing = await testApp({}, { background: true, log });
const { app, config, database } = testing;
const { demo, vendor } = await seedDemoTenants(database);
const tools = recoveryTools(testing);
const { sql, messages, messagesTo, codeTo, request, asked, staff, signedIn, approve, decline } = tools;
const { complete, stop, waited, nextDay, actions } = tools;

const network = demo.organizations.find(({ name }) => name === 'Mangrove Community Health Network')!;
const clinic = demo.facilities.find(({ name }) => name === 'Mangrove Community Clinic Ybor City')!;
const atNetwork = { tenant_id: demo.id, org_type: 'O', org_id: network.id } as const;
const atClinic = { tenant_id: demo.id, org_type: 'F', org_id: clinic.id } as const;

const admin = await signedIn('admin@demo.caseway.test');
const orgadmin = await signedIn('orgadmin@demo.caseway.test');
const epi = await signedIn('epi@demo.caseway.test');
const vendorAdmin = await signedIn('admin@vendor.caseway.test');
const secondAccount = await staff({ tenant_id: demo.id }, 'tenant-administrator');
const second = await signedIn(secondAccount.username);

beforeEach(nextDay);

let number = 0;
/** A person who has lost everything, and their new contact data. */
async function somebody(
  role = 'facility-user',
  place: Parameters<typeof staff>[0] = atClinic,
  given: object = {},
) {
  number += 1;
  const account = await staff(place, role, given);
  return { account, email: `new-${number}@elsewhere.example` };
}
const list = async (headers: Headers, only: 'waiting' | 'all' = 'waiting') => {
  const response = await tools.ask('GET', `?only=${only}`, undefined, headers);
  expect(response.statusCode).toBe(200);
  return response.json<{ recoveries: Recovery[]; rowCount: number }>().recoveries;
};
const seenBy = async (headers: Headers, id: string, only: 'waiting' | 'all' = 'waiting') =>
  (await list(headers, only)).find((one) => one.id === id);
/** Requested and approved, and the waiting time is over: returns the code. */
async function approved(who: Awaited<ReturnType<typeof somebody>>): Promise<string> {
  const id = await asked(who.account.username, who.email);
  expect((await approve(id, admin.headers)).json<Recovery>().state).toBe('approved');
  const code = await codeTo(who.email);
  await waited();
  return code;
}

describe('a request', () => {
  test('is seen by the account’s administrators, with the earlier addresses and the reason', async () => {
    const { account, email } = await somebody('facility-user', atClinic, { phone: '+18135550142' });
    const id = await asked(account.username.toUpperCase(), email);
    expect(await seenBy(admin.headers, id)).toEqual({
      id,
      accountId: account.id,
      who: `${account.first_name} ${account.last_name}`,
      email: account.email,
      phone: '+18135550142',
      contactChangedAt: null,
      newEmail: email,
      reason,
      askedAt: expect.any(String),
      state: 'open',
      expiresAt: expect.any(String),
      usableAt: null,
      endedAt: null,
      note: null,
      approvals: [],
      needed: 1,
      refusal: null,
    });
    expect((await seenBy(orgadmin.headers, id))?.id).toBe(id);
    expect(await seenBy(vendorAdmin.headers, id)).toBeUndefined();
    const elsewhere = await staff(
      {
        tenant_id: demo.id,
        org_type: 'O',
        org_id: demo.organizations.find((one) => one.id !== network.id)!.id,
      },
      'organization-administrator',
    );
    expect(await seenBy((await signedIn(elsewhere.username)).headers, id)).toBeUndefined();
    expect(await actions(account.id)).toEqual(['recovery/requested']);
  });

  test('sends an email to people who can decide, without naming the person', async () => {
    const before = { admin: (await messagesTo('admin@demo.caseway.test')).length };
    const { account, email } = await somebody('facility-user', atClinic, { last_name: 'Zqxlost' });
    await asked(account.username, email);
    await expect
      .poll(async () => (await messagesTo('admin@demo.caseway.test')).length)
      .toBe(before.admin + 1);
    const mail = (await messagesTo('admin@demo.caseway.test')).at(-1)!;
    expect(mail).toContain('/admin/users/recovery');
    expect(mail).not.toContain(account.last_name);
    expect(mail).not.toContain(email);
    expect(mail).not.toContain(reason);
    // Nobody else: neither people who may not decide, nor the owner, nor the stranger who asked.
    for (const other of ['epi@demo.caseway.test', 'admin@vendor.caseway.test', account.username, email])
      expect((await messagesTo(other)).filter((one) => one.includes('/admin/users/recovery'))).toEqual([]);
  });

  test('for an unknown account stores nothing that was typed', async () => {
    await request('nobody@elsewhere.example', 'left@elsewhere.example');
    const kept = () =>
      sql<{ state: string; text: string }>(
        `select state, r::text as text from account_recovery r order by created_at desc limit 1`,
      );
    await expect.poll(async () => (await kept())[0]!.state).toBe('nothing');
    expect((await kept())[0]!.text).not.toMatch(/elsewhere|stolen/);
  });

  test('is limited to one at a time for an account, and three a day: its administrators are not flooded', async () => {
    const { account, email } = await somebody();
    const id = await asked(account.username, email);
    const again = async (address: string) => {
      expect((await request(account.username, address)).statusCode).toBe(200);
      await expect
        .poll(async () => (await sql(`select from account_recovery where state = 'asked'`)).length)
        .toBe(0);
    };
    await again('second@elsewhere.example');
    expect((await list(admin.headers)).filter((one) => one.accountId === account.id)).toHaveLength(1);
    await decline(id, admin.headers);
    for (const address of ['third@elsewhere.example', 'fourth@elsewhere.example']) {
      await sql(`update account_recovery set network = 'x'`);
      await decline(await asked(account.username, address), admin.headers);
    }
    await sql(`update account_recovery set network = 'x'`);
    await again('fifth@elsewhere.example');
    expect((await list(admin.headers, 'all')).filter((one) => one.accountId === account.id)).toHaveLength(3);
    expect((await actions(account.id)).filter((action) => action === 'recovery/asked-again')).toHaveLength(2);
  });

  test('a typed text is shown as text, whatever it looks like', async () => {
    const { account, email } = await somebody();
    const text = '<img src=x onerror=alert(1)> {{code}} $t(common:x)';
    await request(account.username, email, { reason: text });
    await expect.poll(async () => (await tools.stateOf(email))?.state).toBe('open');
    const { id } = (await tools.stateOf(email))!;
    expect((await seenBy(admin.headers, id))?.reason).toBe(text);
  });

  test('ends after seven days without a decision', async () => {
    const { account, email } = await somebody();
    const id = await asked(account.username, email);
    await sql(`update account_recovery set expires_at = now() where id = $1`, [id]);
    expect(await seenBy(admin.headers, id)).toBeUndefined();
    expect(await seenBy(admin.headers, id, 'all')).toMatchObject({ state: 'expired' });
    expect((await approve(id, admin.headers)).statusCode).toBe(409);
    await database.withScope({ kind: 'system' }, (tx) => enqueue(tx, forgetRecoveries, {}));
    await expect.poll(() => actions(account.id)).toEqual(['recovery/requested', 'recovery/expired']);
    // Then another one can be requested.
    await asked(account.username, email);
  });
});

describe('an approval', () => {
  test('of an ordinary account needs one person, who says how they verified the requester', async () => {
    const { account, email } = await somebody();
    const id = await asked(account.username, email);
    const path = `/${id}/approve`;
    const tooLittle = await tools.ask(
      'POST',
      path,
      { verifiedBy: 'call', verification: 'yes' },
      admin.headers,
    );
    expect(tooLittle.statusCode).toBe(422);
    const answer = (await approve(id, admin.headers)).json<Recovery>();
    expect(answer).toMatchObject({
      state: 'approved',
      approvals: [{ by: 'Adaeze Stone', ...verified }],
      refusal: 'approved-already',
    });
    expect((Date.parse(answer.usableAt!) - Date.now()) / 60_000).toBeGreaterThan(58);
    expect(Date.parse(answer.expiresAt) - Date.parse(answer.usableAt!)).toBe(24 * 3_600_000);
    const [event] = await sql<{ detail: object; who: string }>(
      `select detail, account_id as who from audit_event where action = 'recovery/approved' and record_ids = array[$1::uuid]`,
      [account.id],
    );
    expect(event).toEqual({ detail: { recoveryId: id, verifiedBy: 'call' }, who: admin.init.user.id });
  });

  test('of an account that administers users, or sees a whole tenant, needs two different people', async () => {
    for (const [role, place] of [
      ['tenant-administrator', { tenant_id: demo.id }],
      ['epidemiologist', { tenant_id: demo.id }],
      ['organization-administrator', atNetwork],
    ] as const) {
      const { account, email } = await somebody(role, place);
      const id = await asked(account.username, email);
      expect((await seenBy(admin.headers, id))?.needed, role).toBe(2);
      expect((await approve(id, admin.headers)).json()).toMatchObject({ state: 'open' });
      expect(faultOf(await approve(id, admin.headers))).toEqual([422, 'approved-already']);
      expect(await messagesTo(email)).toEqual([]);
      expect((await approve(id, second.headers)).json()).toMatchObject({
        state: 'approved',
        approvals: [{ by: 'Adaeze Stone' }, { by: 'Member' }].map(({ by }) => ({
          by: expect.stringContaining(by),
        })),
      });
      expect(await actions(account.id)).toEqual([
        'recovery/requested',
        'recovery/approved-first',
        'recovery/approved',
      ]);
      await nextDay();
    }
  });

  test('by a person who has since lost the permission does not count', async () => {
    const { account, email } = await somebody('tenant-administrator', { tenant_id: demo.id });
    const third = await staff({ tenant_id: demo.id }, 'tenant-administrator');
    const id = await asked(account.username, email);
    expect((await approve(id, (await signedIn(third.username)).headers)).json()).toMatchObject({
      state: 'open',
    });
    await sql('update membership set ended_at = now() where account_id = $1', [third.id]);
    expect((await approve(id, admin.headers)).json()).toMatchObject({ state: 'open' });
    expect((await approve(id, second.headers)).json()).toMatchObject({ state: 'approved' });
  });

  test('counts two approvals at the same time as two, and two of one person as one', async () => {
    const { account, email } = await somebody('tenant-administrator', { tenant_id: demo.id });
    const id = await asked(account.username, email);
    const answers = await Promise.all(
      [admin, admin, second, second].map(({ headers }) => approve(id, headers)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2);
    expect((await seenBy(admin.headers, id))?.state).toBe('approved');
    await codeTo(email);
  });

  test('needs the same permissions in every organization, and never works for the approver’s own account', async () => {
    // Has more rights than an administrator of the organization.
    const wide = await somebody('tenant-administrator', { tenant_id: demo.id });
    const narrow = await somebody('organization-administrator', atNetwork);
    await sql(
      `insert into membership (tenant_id, id, account_id, org_type, org_id) values ($1, gen_random_uuid(), $2, 'O', $3)`,
      [demo.id, wide.account.id, network.id],
    );
    const wideId = await asked(wide.account.username, wide.email);
    expect((await seenBy(orgadmin.headers, wideId))?.refusal).toBe('elsewhere');
    expect(faultOf(await approve(wideId, orgadmin.headers))).toEqual([422, 'elsewhere']);
    const clinical = await somebody('epidemiologist', atNetwork);
    const clinicalId = await asked(clinical.account.username, clinical.email);
    expect(faultOf(await approve(clinicalId, orgadmin.headers))).toEqual([422, 'holds-more']);
    const own = await signedIn(narrow.account.username);
    const ownId = await asked(narrow.account.username, narrow.email);
    expect(faultOf(await approve(ownId, own.headers))).toEqual([422, 'own-account']);
    expect((await approve(ownId, orgadmin.headers)).statusCode).toBe(200);
    for (const id of [wideId, clinicalId])
      expect(await seenBy(admin.headers, id)).toMatchObject({ approvals: [] });
  });

  test('of an account in two tenants needs a person in each, who see nothing of each other', async () => {
    const { account, email } = await somebody();
    await sql(
      `with member as (insert into membership (tenant_id, id, account_id, org_type, org_id)
         values ($1, gen_random_uuid(), $2, 'T', $1) returning tenant_id, id)
       insert into membership_role select member.tenant_id, member.id, r.id from member
         join role r on r.tenant_id = member.tenant_id and r.code = 'laboratorian'`,
      [vendor.id, account.id],
    );
    const id = await asked(account.username, email);
    // One of the first tenant, and two of the other; the account sees all of them.
    expect((await approve(id, admin.headers)).json()).toMatchObject({ state: 'open', needed: 3 });
    const other = await staff({ tenant_id: vendor.id }, 'tenant-administrator');
    const { headers } = await signedIn(other.username);
    expect((await approve(id, headers)).json()).toMatchObject({ state: 'open' });
    const answer = (await approve(id, vendorAdmin.headers)).json<Recovery>();
    expect(answer.state).toBe('approved');
    expect(answer.approvals.map(({ by, verification }) => [by, verification])).toEqual([
      [null, null],
      [expect.stringContaining('Member'), verified.verification],
      ['Vera Nakamura', verified.verification],
    ]);
  });

  test('is refused if another account has the address', async () => {
    const { account } = await somebody();
    const id = await asked(account.username, 'Investigator@demo.caseway.test');
    expect(faultOf(await approve(id, admin.headers))).toEqual([422, 'address-taken']);
  });

  test('does not reveal to administrators whether someone in another tenant has the address [P12]', async () => {
    const answers = [];
    for (const address of ['Analyst@vendor.caseway.test', 'Nobody@vendor.caseway.test']) {
      const { account } = await somebody();
      const id = await asked(account.username, address);
      const before = await seenBy(admin.headers, id);
      const { statusCode } = await approve(id, admin.headers);
      answers.push([before?.refusal, statusCode, (await seenBy(admin.headers, id))?.state]);
    }
    expect(answers).toEqual([
      [null, 200, 'approved'],
      [null, 200, 'approved'],
    ]);
    // The person who gets mail there learns it, and the account does not change.
    await waited();
    const code = await codeTo('Analyst@vendor.caseway.test');
    expect((await complete(code)).statusCode).toBe(409);
  });

  test('needs a recent sign-in', async () => {
    const { account, email } = await somebody();
    const id = await asked(account.username, email);
    const move = (hours: string) =>
      sql(`update session set created_at = created_at + $2::interval where account_id = $1`, [
        admin.init.user.id,
        hours,
      ]);
    await move('-1 hour');
    expect(faultOf(await approve(id, admin.headers))).toEqual([403, 'recent-sign-in-needed']);
    await move('1 hour');
    expect((await approve(id, admin.headers)).statusCode).toBe(200);
  });

  test('[S6.5] is refused to people who are signed out, lack the right or belong to another tenant', async () => {
    const { account, email } = await somebody();
    const id = await asked(account.username, email);
    for (const deed of ['approve', 'decline'] as const) {
      const body = deed === 'approve' ? verified : { note: null };
      const answers = await Promise.all(
        [{}, epi.headers, vendorAdmin.headers].map((headers) =>
          tools.ask('POST', `/${id}/${deed}`, body, headers),
        ),
      );
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 403, 404]);
    }
    expect((await tools.ask('GET', '', undefined, {})).statusCode).toBe(401);
    expect((await tools.ask('GET', '', undefined, epi.headers)).statusCode).toBe(403);
    expect(await seenBy(admin.headers, id)).toMatchObject({ state: 'open', approvals: [] });
  });

  test('is announced at every previously known address, with the way to stop it, and not at the new one', async () => {
    const { account, email } = await somebody('facility-user', atClinic, {
      phone: '+18135550177',
      email: 'Present@known.example',
    });
    await sql(
      `insert into contact_change (id, account_id, kind, value, previous, present_by, expires_at, completed_at)
       values (gen_random_uuid(), $1, 'EMAIL', 'Present@known.example', 'earlier@known.example', 'EMAIL', now(), now())`,
      [account.id],
    );
    const id = await asked(account.username, email);
    expect((await seenBy(admin.headers, id))?.contactChangedAt).not.toBeNull();
    await approve(id, admin.headers);
    const codes = new Set<string>();
    for (const place of ['present@known.example', 'earlier@known.example', account.username, '+18135550177'])
      codes.add(await codeTo(place));
    expect(codes.size).toBe(1);
    const mail = (await messagesTo('earlier@known.example'))[0]!;
    expect(mail).toContain('/sign-in/stop');
    expect(mail).not.toContain(email);
    const code = await codeTo(email);
    expect(codes.has(code)).toBe(false);
    // To an unconfirmed address: without a name.
    const unconfirmed = (await messagesTo(email))[0]!;
    for (const word of [account.first_name, account.username, 'known.example'])
      expect(unconfirmed).not.toContain(word);
  });
});

describe('declining', () => {
  test('ends it; also after the approval, while the code is unused', async () => {
    const one = await somebody();
    const id = await asked(one.account.username, one.email);
    expect((await decline(id, orgadmin.headers, 'It was not Robin.')).json()).toMatchObject({
      state: 'declined',
      note: 'It was not Robin.',
    });
    expect((await approve(id, admin.headers)).statusCode).toBe(409);
    expect((await decline(id, admin.headers)).statusCode).toBe(409);
    const other = await somebody();
    const code = await approved(other);
    const { id: otherId } = (await tools.stateOf(other.email))!;
    await decline(otherId, admin.headers);
    expect(faultOf(await complete(code))).toEqual([401, 'code-expired']);
    expect(await actions(other.account.id)).toEqual([
      'recovery/requested',
      'recovery/approved',
      'recovery/declined',
    ]);
    // The requester gets no message: a stranger would find out that there is an account.
    expect(await messagesTo(one.email)).toEqual([]);
  });
});

describe('the code', () => {
  test('waits, so that the owner can stop it; then it opens nothing, and the administrators get an email', async () => {
    const { account, email } = await somebody();
    const id = await asked(account.username, email);
    await approve(id, admin.headers);
    const [code, stopCode] = [await codeTo(email), await codeTo(account.username)];
    const early = (await complete(code)).json<{ state: string; from: string }>();
    expect(early).toEqual({ state: 'waiting', from: (await seenBy(admin.headers, id))!.usableAt });
    // Neither code works in place of the other.
    expect(faultOf(await complete(stopCode))).toEqual([401, 'code-wrong']);
    expect(faultOf(await stop(code))).toEqual([401, 'code-wrong']);
    const before = (await messagesTo('admin@demo.caseway.test')).length;
    expect((await stop(` ${stopCode.toUpperCase().replaceAll('-', '')} `)).statusCode).toBe(200);
    await waited();
    expect(faultOf(await complete(code))).toEqual([401, 'code-expired']);
    expect(faultOf(await stop(stopCode))).toEqual([401, 'code-expired']);
    expect(await seenBy(admin.headers, id, 'all')).toMatchObject({ state: 'cancelled' });
    await expect.poll(async () => (await messagesTo('admin@demo.caseway.test')).length).toBe(before + 1);
    expect(await actions(account.id)).toEqual([
      'recovery/requested',
      'recovery/approved',
      'recovery/cancelled',
    ]);
    const [kept] = await sql<{ email: string }>('select email from account where id = $1', [account.id]);
    expect(kept!.email).toBe(account.email);
  });

  test('lets in only with the new address: earlier ways to sign in and all sessions are gone', async () => {
    const who = await somebody('facility-user', atClinic, { phone: '+18135550188' });
    const { account, email } = who;
    const session = await signedIn(account.username);
    const pending = await beginSignIn(testing, account.username);
    await sql('update account set second_factor_at = now() where id = $1', [account.id]);
    await sql(`update account_state set locked_until = now() + interval '1 day' where account_id = $1`, [
      account.id,
    ]);
    await sql(
      `insert into totp_authenticator (account_id, seed, last_step) values ($1, gen_random_uuid(), 1)`,
      [account.id],
    );
    await sql(
      `insert into passkey (id, account_id, credential_id, public_key, counter, synced, name)
       values (gen_random_uuid(), $1, $2, 'x', 0, false, 'x')`,
      [account.id, account.username],
    );
    await sql(`insert into recovery_code (account_id, hash) values ($1, 'x')`, [account.id]);
    const code = await approved(who);

    expect((await complete(code)).json()).toEqual({ state: 'done', username: email });
    const [after] = await sql(
      `select username, email, phone, second_factor_at, locked_until, (select count(*)::int from totp_authenticator t
         where t.account_id = a.id) + (select count(*)::int from passkey p where p.account_id = a.id)
         + (select count(*)::int from recovery_code c where c.account_id = a.id) as factors
       from account a join account_state s on s.account_id = a.id where id = $1`,
      [account.id],
    );
    expect(after).toEqual({
      username: email,
      email,
      phone: null,
      second_factor_at: null,
      locked_until: null,
      factors: 0,
    });
    const renewed = await app.fastify.inject({
      method: 'POST',
      url: '/auth/tenant/refresh-token',
      payload: { refreshToken: session.tokens.refreshToken },
    });
    expect(renewed.statusCode).toBe(401);
    const read = () =>
      app.fastify.inject({
        url: '/api/auth/initUser',
        headers: { authorization: session.headers.authorization },
      });
    expect((await read()).statusCode).toBe(401);
    const late = await app.fastify.inject({
      method: 'POST',
      url: '/auth/tenant/challenge',
      payload: { details: pending.details, secret: await codeFor(config.tokenSecret!, pending.details) },
    });
    // The same as for an unknown name: the answer does not reveal that the account is another's now. [P12]
    expect(late.json().code).toBe('code-wrong');
    expect((await signedIn(email)).init.user.email).toBe(email);
    // The previously known addresses get a notice that it is done.
    await expect.poll(async () => (await messagesTo(account.username)).at(-1)).toContain('was recovered');
    expect((await actions(account.id)).at(-1)).toBe('recovery/completed');
    expect(faultOf(await complete(code))).toEqual([401, 'code-expired']);
  });

  test('[P21] if a tenant requires a second factor, it is set up again before anything else', async () => {
    const who = await somebody();
    await complete(await approved(who));
    await sql('update tenant set second_factor_required = true where id = $1', [demo.id]);
    try {
      const { init, headers } = await signedIn(who.email);
      expect(init.selectedOrg?.secondFactorNeeded).toBe(true);
      const search = await app.fastify.inject({
        method: 'POST',
        url: '/api/web/grid/case-reports/search',
        headers,
        payload: {},
      });
      expect(faultOf(search)).toEqual([403, 'second-factor-needed']);
    } finally {
      await sql('update tenant set second_factor_required = false where id = $1', [demo.id]);
    }
  });

  test('works once, even if it is used many times at the same time', async () => {
    const code = await approved(await somebody());
    const answers = await Promise.all(Array.from({ length: 8 }, () => complete(code)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(7).fill(401)]);
  });

  test('stopping and completing at the same time: one of the two', async () => {
    const who = await somebody();
    const code = await approved(who);
    const stopCode = await codeTo(who.account.username);
    const answers = await Promise.all([complete(code), stop(stopCode)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
  });

  test('expires a day after it can first be used', async () => {
    const who = await somebody();
    const code = await approved(who);
    await sql(`update account_recovery set expires_at = now() where state = 'approved'`);
    expect(faultOf(await complete(code))).toEqual([401, 'code-expired']);
  });

  test('is refused if another account has since got the address', async () => {
    const who = await somebody();
    const code = await approved(who);
    await staff(atClinic, 'facility-user', { email: who.email });
    expect(faultOf(await complete(code))).toEqual([409, 'conflict']);
    expect((await signedIn(who.account.username)).init.user.email).toBe(who.account.email);
  });

  test('cannot be guessed for long: twenty wrong ones from a network in a day', async () => {
    for (let time = 0; time < 20; time += 1)
      expect(faultOf(await complete('aaaa-aaaa-aaaa-aaaa', '192.0.2.50'))).toEqual([401, 'code-wrong']);
    const code = await approved(await somebody());
    expect(faultOf(await complete(code, '192.0.2.50'))).toEqual([429, 'too-many-requests']);
    expect((await complete(code, '192.0.2.51')).statusCode).toBe(200);
  });
});

describe('stored data', () => {
  test('[P16] no code, address, number or reason in the log, nor in the audit log', async () => {
    const codes = (await messages()).flatMap((one) => one.match(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/gm) ?? []);
    expect(codes.length).toBeGreaterThan(10);
    const audited = (
      await sql<{ text: string }>(
        `select detail::text as text from audit_event where action like 'recovery/%'`,
      )
    ).map(({ text }) => text);
    expect(audited.length).toBeGreaterThan(20);
    const said = [...logged, ...audited].join('\n');
    for (const word of [...codes, 'elsewhere.example', 'known.example', '+1813555', 'stolen', 'directory'])
      expect(said).not.toContain(word);
  });

  test('is deleted: requests for no one after a day, completed ones after ninety', async () => {
    await sql(`update account_recovery set ended_at = now() - interval '91 days' where ended_at is not null`);
    await sql(`update account_recovery set created_at = now() - interval '25 hours' where state = 'nothing'`);
    const left = () =>
      sql<{ state: string }>(
        `select distinct state from account_recovery
         where state = 'nothing' or ended_at < now() - interval '90 days'`,
      );
    expect((await left()).length).toBeGreaterThan(2);
    await database.withScope({ kind: 'system' }, (tx) => enqueue(tx, forgetRecoveries, {}));
    await expect.poll(left).toEqual([]);
  });
});
