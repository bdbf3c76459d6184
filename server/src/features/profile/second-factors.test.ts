import { randomUUID } from 'node:crypto';
import type { FurtherChallenge } from '@caseway/contract/session';
import { describe, expect, test } from 'vitest';
import { messagesIn } from '../../../test/outbox.ts';
import { actFor, codeFor } from '../../../test/sign-in.ts';
import {
  App,
  addApp,
  addPasskey,
  afterMail,
  anHourLater,
  answer,
  ask,
  begin,
  epi,
  isSignedIn,
  profile,
  secret,
  signIn,
  sql,
  testing,
  world,
} from './test-second-factors.ts';

const { app, database } = testing;

describe('[P21] an authenticator app', () => {
  test('is added with its first code, and required at the next sign-in', async () => {
    const tokens = await signIn();
    const begun = (await ask(tokens, 'POST', '/totp/begin', {})).json();
    expect(begun.address).toBe(
      `otpauth://totp/Caseway%20localhost%3A8080:epi%40demo.caseway.test?secret=${begun.secret}&issuer=Caseway%20localhost%3A8080`,
    );
    const own = new App(begun.secret);
    const refused = await ask(tokens, 'POST', '/totp', { details: begun.details, code: own.wrong() });
    expect(refused.statusCode).toBe(422);
    expect(refused.json().faults).toEqual([expect.objectContaining({ path: 'code', code: 'code-wrong' })]);
    expect((await profile(tokens)).totp).toBeNull();
    const added = await ask(tokens, 'POST', '/totp', { details: begun.details, code: own.code() });
    expect(added.json().recoveryCodes).toHaveLength(10);
    await anHourLater();

    const next = await afterMail();
    expect(next).toMatchObject({
      challengeMethod: 'TOTP',
      destination: null,
      proofs: ['TOTP', 'RECOVERY_CODE'],
    });
    expect(isSignedIn(next)).toBe(false);
    expect((await answer(next.details, own.wrong())).json().code).toBe('code-wrong');
    const done = await answer(next.details, ` ${own.code().slice(0, 3)} ${own.code().slice(3)} `);
    expect(isSignedIn(done.json())).toBe(true);
    const [session] = (await ask(done.json(), 'GET', '/sessions')).json().sessions;
    expect(session.methods).toEqual(['EMAIL', 'TOTP']);
  });

  test('the secret cannot be read from what the server stores', async () => {
    const tokens = await signIn();
    const { secret: told } = (await ask(tokens, 'POST', '/totp/begin', {})).json();
    await addApp(tokens);
    const [row] = await sql<{ whole: string }>(
      'select totp_authenticator::text as whole from totp_authenticator',
    );
    expect(row!.whole).not.toContain(told);
  });

  test('[P11] a code works once: not again, not at the same time, not an earlier one', async () => {
    const { app: own } = await addApp(await signIn());
    const challenges = [await afterMail(), await afterMail()];
    await sql(`update sign_in_challenge set created_at = created_at - interval '1 day'`);
    challenges.push(await afterMail());
    const code = own.code();
    const answers = await Promise.all(challenges.map(({ details }) => answer(details, code)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401]);
    const left = challenges.filter((_, index) => answers[index]!.statusCode === 401);
    for (const { details } of left) expect((await answer(details, own.code(-1))).statusCode).toBe(401);
    expect((await answer(left[0]!.details, own.code(1))).statusCode).toBe(200);
  });

  test('[P11] a code works once from two browsers, one of which is known for the account', async () => {
    const { app: own } = await addApp(await signIn());
    const known = await answer((await afterMail()).details, own.code());
    await anHourLater();
    // A challenge in such a browser does not wait for the account's other challenges.
    const cookie = String(known.headers['set-cookie']).split(';')[0]!;
    const challenges = [await afterMail(), await afterMail(epi, cookie)];
    const { answers } = await database.withScope({ kind: 'identity' }, async (tx) => {
      await tx.rows('select from totp_authenticator for update');
      const code = own.code();
      const given = challenges.map(({ details }) => answer(details, code));
      // Both have read the last code before either accepts this one.
      await expect
        .poll(() =>
          sql(
            `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
               and query like '%update totp_authenticator%'`,
          ),
        )
        .toHaveLength(2);
      return { answers: given };
    });
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
  });

  test('can be the first factor of a sign-in; then the mail is the second', async () => {
    const { app: own } = await addApp(await signIn());
    const first = await begin('TOTP');
    expect(first).toMatchObject({ challengeMethod: 'TOTP', destination: null });
    const next = (await answer(first.details, own.code())).json<FurtherChallenge>();
    expect(next).toMatchObject({ challengeMethod: 'EMAIL', destination: 'e***@d***', proofs: ['EMAIL'] });
    // A second code of the app is not a second factor.
    await anHourLater();
    expect((await answer(next.details, own.code())).statusCode).toBe(401);
    expect(isSignedIn((await answer(next.details, await codeFor(secret, next.details))).json())).toBe(true);
  });

  test('for no one, for a stranger and for a person without one is refused in the same way', async () => {
    const { app: own } = await addApp(await signIn());
    for (const username of [
      'nobody@elsewhere.example',
      'lab@demo.caseway.test',
      'patient@demo.caseway.test',
    ]) {
      const { details } = await begin('TOTP', username);
      expect((await answer(details, own.code())).json()).toMatchObject({ code: 'code-wrong' });
    }
  });

  test('another app replaces it; once it is removed, the code from the email is enough', async () => {
    const tokens = await signIn();
    const { app: old } = await addApp(tokens);
    const { app: own, recoveryCodes } = await addApp(tokens);
    expect(recoveryCodes).toBeNull();
    const { details } = await afterMail();
    expect((await answer(details, old.code())).statusCode).toBe(401);
    expect((await answer(details, own.code())).statusCode).toBe(200);
    expect((await ask(tokens, 'DELETE', '/totp')).statusCode).toBe(204);
    expect((await ask(tokens, 'DELETE', '/totp')).statusCode).toBe(404);
    expect(await profile(tokens)).toMatchObject({ totp: null, recoveryCodesLeft: 0 });
    expect(isSignedIn(await afterMail())).toBe(true);
  });

  test('the details of one account add nothing to another, and expire', async () => {
    const begun = (await ask(await signIn(), 'POST', '/totp/begin', {})).json();
    const stranger = await signIn('lab@demo.caseway.test');
    const own = new App(begun.secret);
    for (const details of [begun.details, `${begun.details}x`, 'x'])
      expect((await ask(stranger, 'POST', '/totp', { details, code: own.code() })).statusCode).toBe(422);
  });

  test('[P11] wrong codes are counted over all challenges, and lock the account', async () => {
    const { app: own } = await addApp(await signIn());
    for (let challenge = 0; challenge < 4; challenge += 1) {
      const { details } = await begin('TOTP');
      for (let i = 0; i < 5; i += 1)
        expect((await answer(details, own.wrong())).json().code).toBe('code-wrong');
    }
    const { details } = await begin('TOTP');
    expect((await answer(details, own.code())).json().code).toBe('code-wrong');
    const [account] = await sql<{ hours: number }>(
      `select extract(epoch from locked_until - now())::float / 3600 as hours
       from account_state join account on id = account_id where username = $1`,
      [epi],
    );
    expect(account!.hours).toBeGreaterThan(23.9);
    expect(account!.hours).toBeLessThanOrEqual(24);
  });
});

describe('[P21] recovery codes', () => {
  test('replace a lost app, each once, typed in any form, and the owner gets an email', async () => {
    const tokens = await signIn();
    const { recoveryCodes } = await addApp(tokens);
    const [first, second] = recoveryCodes as [string, string];
    expect(first).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
    const { details } = await afterMail();
    expect((await answer(details, 'aaaaa-aaaaa')).statusCode).toBe(401);
    const done = await answer(details, ` ${first.toUpperCase().replace('-', ' ')} `);
    expect(isSignedIn(done.json())).toBe(true);
    expect((await profile(tokens)).recoveryCodesLeft).toBe(9);
    const again = await afterMail();
    expect((await answer(again.details, first)).statusCode).toBe(401);
    expect((await answer(again.details, second)).statusCode).toBe(200);
    await expect
      .poll(async () => {
        const texts = await messagesIn(testing);
        return texts.filter((text) => text.includes('A recovery code was used')).length;
      })
      .toBe(2);
  });

  test('do not work as the first step, nor for another account', async () => {
    const { recoveryCodes } = await addApp(await signIn());
    const lab = await signIn('lab@demo.caseway.test');
    await addApp(lab);
    for (const challenge of [
      await begin('EMAIL'),
      await begin('TOTP'),
      await afterMail('lab@demo.caseway.test'),
    ])
      expect((await answer(challenge.details, recoveryCodes![0]!)).statusCode).toBe(401);
  });

  test('a code given many times at the same time lets in once', async () => {
    const { recoveryCodes } = await addApp(await signIn());
    const challenges = [await afterMail(), await afterMail()];
    const answers = await Promise.all(challenges.map(({ details }) => answer(details, recoveryCodes![0]!)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
  });

  test('new ones replace the old, and are only for people with a second factor', async () => {
    const tokens = await signIn();
    expect((await ask(tokens, 'POST', '/recovery-codes', {})).statusCode).toBe(404);
    const { recoveryCodes: old } = await addApp(tokens);
    const made = (await ask(tokens, 'POST', '/recovery-codes', {})).json().recoveryCodes;
    expect(made).toHaveLength(10);
    const { details } = await afterMail();
    expect((await answer(details, old![0]!)).statusCode).toBe(401);
    expect((await answer(details, made[0])).statusCode).toBe(200);
  });

  test('are stored as keyed hashes', async () => {
    const { recoveryCodes } = await addApp(await signIn());
    const rows = await sql<{ whole: string }>('select recovery_code::text as whole from recovery_code');
    expect(rows).toHaveLength(10);
    for (const code of recoveryCodes!)
      for (const { whole } of rows) expect(whole).not.toContain(code.replace('-', ''));
  });
});

describe('[P21] a tenant that requires a second factor', () => {
  const demand = (slug = 'demo') =>
    sql('update tenant set second_factor_required = true where slug = $1', [slug]);
  const read = (headers: object) =>
    app.fastify.inject({ url: '/api/web/list/diseaseFamilies', headers: { ...headers } });

  test('lets no one act for it without one; such a session may only set one up, and then continues', async () => {
    await demand();
    const tokens = await signIn('entry@demo.caseway.test');
    const { init, headers } = await actFor(testing, tokens);
    expect(init.selectedOrg!.secondFactorNeeded).toBe(true);
    const events = await app.fastify.inject({ url: '/api/web/events', headers });
    expect([events.statusCode, events.json().code]).toEqual([403, 'second-factor-needed']);
    expect(await profile(tokens)).toMatchObject({ secondFactorRequired: true });
    await addApp(tokens);
    expect((await actFor(testing, tokens)).init.selectedOrg!.secondFactorNeeded).toBe(false);
    const cases = await app.fastify.inject({
      method: 'POST',
      url: '/api/web/grid/case-reports/search',
      headers,
      payload: {},
    });
    expect(cases.json().code).not.toBe('second-factor-needed');
    expect((await read(headers)).statusCode).toBe(200);
  });

  test('does not affect people who act for another tenant', async () => {
    await demand('vendor');
    const { init } = await actFor(testing, await signIn());
    expect(init.selectedOrg!.secondFactorNeeded).toBe(false);
  });

  test('keeps the last factor, and lets people remove the others', async () => {
    const tokens = await signIn();
    await addApp(tokens);
    await addPasskey(tokens);
    await demand();
    const { id } = (await profile(tokens)).passkeys[0]!;
    expect((await ask(tokens, 'DELETE', '/totp')).statusCode).toBe(204);
    const last = await ask(tokens, 'DELETE', `/passkeys/${id}`);
    expect([last.statusCode, last.json().code]).toEqual([409, 'last-second-factor']);
    expect((await profile(tokens)).passkeys).toHaveLength(1);
  });

  test('if two are removed at the same time, one stays', async () => {
    const tokens = await signIn();
    await addApp(tokens);
    await addPasskey(tokens);
    await demand();
    const { id } = (await profile(tokens)).passkeys[0]!;
    const answers = await Promise.all([
      ask(tokens, 'DELETE', '/totp'),
      ask(tokens, 'DELETE', `/passkeys/${id}`),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409]);
  });
});

describe('changes that protect an account', () => {
  const guarded = [
    ['POST', '/totp/begin', {}],
    ['POST', '/totp', { details: 'x', code: '000000' }],
    ['DELETE', '/totp', undefined],
    ['POST', '/passkeys/begin', {}],
    ['POST', '/passkeys', { details: 'x', name: 'x', response: { id: 'x' } }],
    ['DELETE', `/passkeys/${randomUUID()}`, undefined],
    ['POST', '/recovery-codes', {}],
  ] as const;

  test.each(guarded)(
    '%s %s: only within a quarter of an hour after signing in',
    async (method, path, body) => {
      const tokens = await signIn();
      await sql(`update session set created_at = created_at - interval '16 minutes'`);
      const refused = await ask(tokens, method, path, body);
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'recent-sign-in-needed']);
      expect(
        (await app.fastify.inject({ method, url: `/api/profile${path}`, payload: body })).statusCode,
      ).toBe(401);
    },
  );

  test('a session without the second factor changes nothing once there is one', async () => {
    const [weak, strong] = [await signIn(), await signIn()];
    await addApp(strong);
    const refused = await ask(weak, 'DELETE', '/totp');
    expect(refused.json().code).toBe('recent-sign-in-needed');
    expect((await ask(strong, 'DELETE', '/totp')).statusCode).toBe(204);
  });

  test('every change is in the log of the tenant', async () => {
    const lab = 'lab@vendor.caseway.test';
    const tokens = await signIn(lab);
    await addApp(tokens);
    await addPasskey(tokens);
    await ask(tokens, 'POST', '/recovery-codes', {});
    await ask(tokens, 'DELETE', '/totp');
    const rows = await sql<{ action: string }>(
      `select action from audit_event e join account a on a.id = e.account_id
       where a.username = $1 and e.tenant_id = $2 and action like 'account/%' order by at`,
      [lab, world.vendor.id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'account/totp-added',
      'account/passkey-added',
      'account/recovery-codes-made',
      'account/totp-removed',
    ]);
  });
});
