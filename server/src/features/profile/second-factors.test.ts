import { randomUUID } from 'node:crypto';
import type { Profile } from '@caseway/contract/profile';
import type { FurtherChallenge, SignInAnswer, Tokens } from '@caseway/contract/session';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { Authenticator } from '../../../test/authenticator.ts';
import { asSuperuser } from '../../../test/database.ts';
import { messagesIn } from '../../../test/outbox.ts';
import { actFor, answerChallenge, beginSignIn, codeFor } from '../../../test/sign-in.ts';
import { stepAt, totpCode } from '../../platform/auth/totp.ts';

const testing = await testApp({}, { background: true });
const { app, config, database, superuserUrl } = testing;
const world = await seedDemoTenants(database);
const secret = config.tokenSecret!;
const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

const epi = 'epi@demo.caseway.test';
const origin = config.publicUrl;

beforeEach(async () => {
  await sql(`update sign_in_challenge set created_at = created_at - interval '1 day'`);
  await sql('delete from sign_in_failure');
  await sql('delete from totp_authenticator');
  await sql('delete from passkey');
  await sql('delete from recovery_code');
  await sql('update account set second_factor_at = null, locked_until = null');
  await sql('update tenant set second_factor_required = false');
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const ask = (tokens: Tokens, method: Method, path: string, payload?: object) =>
  app.fastify.inject({
    method,
    url: `/api/profile${path}`,
    headers: { authorization: `Bearer ${tokens.accessToken}` },
    payload,
  });
const signIn = async (username = epi) => answerChallenge(testing, await beginSignIn(testing, username));
const profile = async (tokens: Tokens) => (await ask(tokens, 'GET', '')).json<Profile>();
const begin = async (challengeMethod: string, username: string | undefined = epi, cookie?: string) =>
  (
    await app.fastify.inject({
      method: 'POST',
      url: '/auth/tenant/sign-in',
      headers: cookie === undefined ? {} : { cookie },
      payload: { origin: 'localhost', username, challengeMethod },
    })
  ).json<SignInAnswer>();
const answer = (details: string, given: string | object) =>
  app.fastify.inject({
    method: 'POST',
    url: '/auth/tenant/challenge',
    payload: { details, secret: typeof given === 'string' ? given : JSON.stringify(given) },
  });
/** The challenge that follows a right code from the mail. */
async function afterMail(username = epi, cookie?: string): Promise<FurtherChallenge> {
  const { details } = await begin('EMAIL', username, cookie);
  return (await answer(details, await codeFor(secret, details))).json<FurtherChallenge>();
}

/** An authenticator app: each code belongs to another step than the last, as if time had passed. */
class App {
  readonly #key: Buffer;
  constructor(base32: string) {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
    const bits = [...base32].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
    this.#key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  }
  code(stepsAway = 0): string {
    return totpCode(this.#key, stepAt(Date.now()) + stepsAway);
  }
  /** A code that is not valid at this time. */
  wrong(): string {
    const right = [-2, -1, 0, 1, 2].map((away) => this.code(away));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
      (code) => !right.includes(code),
    )!;
  }
}
/** Makes the last accepted code an hour old, so that the next one is later. */
const anHourLater = () => sql('update totp_authenticator set last_step = last_step - 120');

async function addApp(tokens: Tokens): Promise<{ app: App; recoveryCodes: string[] | null }> {
  const begun = (await ask(tokens, 'POST', '/totp/begin', {})).json();
  const own = new App(begun.secret);
  const response = await ask(tokens, 'POST', '/totp', { details: begun.details, code: own.code() });
  expect(response.statusCode).toBe(200);
  await anHourLater();
  return { app: own, ...response.json() };
}
async function addPasskey(tokens: Tokens, key = new Authenticator(origin), name = 'Laptop') {
  const begun = (await ask(tokens, 'POST', '/passkeys/begin', {})).json();
  const response = key.create(begun.options);
  return { key, made: await ask(tokens, 'POST', '/passkeys', { details: begun.details, name, response }) };
}
const isSignedIn = (body: object) => 'accessToken' in body;

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

  test('the secret cannot be read from what the server keeps', async () => {
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
      await vi.waitFor(async () =>
        expect(
          await sql(
            `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
               and query like '%update totp_authenticator%'`,
          ),
        ).toHaveLength(2),
      );
      return { answers: given };
    });
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
  });

  test('can be what a sign-in begins with; then the mail is the second step', async () => {
    const { app: own } = await addApp(await signIn());
    const first = await begin('TOTP');
    expect(first).toMatchObject({ challengeMethod: 'TOTP', destination: null });
    const next = (await answer(first.details, own.code())).json<FurtherChallenge>();
    expect(next).toMatchObject({ challengeMethod: 'EMAIL', destination: 'e***@d***', proofs: ['EMAIL'] });
    // A second code of the app is not the second step.
    await anHourLater();
    expect((await answer(next.details, own.code())).statusCode).toBe(401);
    expect(isSignedIn((await answer(next.details, await codeFor(secret, next.details))).json())).toBe(true);
  });

  test('of nobody, of a stranger and of someone without one are refused in the same way', async () => {
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

  test('[P11] wrong codes are counted over all challenges, and shut the account', async () => {
    const { app: own } = await addApp(await signIn());
    for (let challenge = 0; challenge < 4; challenge += 1) {
      const { details } = await begin('TOTP');
      for (let i = 0; i < 5; i += 1)
        expect((await answer(details, own.wrong())).json().code).toBe('code-wrong');
    }
    const { details } = await begin('TOTP');
    expect((await answer(details, own.code())).json().code).toBe('code-wrong');
    const [account] = await sql<{ hours: number }>(
      `select extract(epoch from locked_until - now())::float / 3600 as hours from account where username = $1`,
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

  test('are kept as keyed hashes', async () => {
    const { recoveryCodes } = await addApp(await signIn());
    const rows = await sql<{ whole: string }>('select recovery_code::text as whole from recovery_code');
    expect(rows).toHaveLength(10);
    for (const code of recoveryCodes!)
      for (const { whole } of rows) expect(whole).not.toContain(code.replace('-', ''));
  });
});

describe('[P21] a passkey', () => {
  test('is added, and signs in on its own: it is two factors in one', async () => {
    const tokens = await signIn();
    const { key, made } = await addPasskey(tokens);
    expect(made.json().recoveryCodes).toHaveLength(10);
    expect((await profile(tokens)).passkeys).toMatchObject([
      { name: 'Laptop', synced: true, lastUsedAt: null },
    ]);
    const { details, passkey } = await begin('PASSKEY');
    expect(passkey).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    const done = await answer(details, key.get(passkey!));
    expect(isSignedIn(done.json())).toBe(true);
    expect((await ask(done.json(), 'GET', '/sessions')).json().sessions[0].methods).toEqual(['PASSKEY']);
    expect((await profile(tokens)).passkeys[0]!.lastUsedAt).not.toBeNull();
  });

  test('signs in without a name', async () => {
    const { key } = await addPasskey(await signIn());
    const { details, passkey } = await begin('PASSKEY', undefined as never);
    const done = (await answer(details, key.get(passkey!))).json<Tokens>();
    expect((await profile(done)).username).toBe(epi);
    const bare = await app.fastify.inject({
      method: 'POST',
      url: '/auth/tenant/sign-in',
      payload: { origin: 'localhost', challengeMethod: 'EMAIL' },
    });
    expect(bare.statusCode).toBe(422);
    expect(bare.json().faults).toEqual([expect.objectContaining({ path: 'username', code: 'required' })]);
  });

  test('is the second step after the email, with the list of passkeys', async () => {
    const tokens = await signIn();
    const { key } = await addPasskey(tokens);
    await addApp(tokens);
    const next = await afterMail();
    expect(next).toMatchObject({
      challengeMethod: 'PASSKEY',
      proofs: ['PASSKEY', 'TOTP', 'RECOVERY_CODE'],
      passkey: { allowCredentials: [{ id: key.credentialId, transports: ['internal'] }] },
    });
    expect(isSignedIn((await answer(next.details, key.get(next.passkey!))).json())).toBe(true);
  });

  test('[P12] signing in with a name does not reveal whether it has a passkey', async () => {
    await addPasskey(await signIn());
    const asked = [epi, 'lab@demo.caseway.test', 'nobody@elsewhere.example'];
    const bodies = await Promise.all(asked.map((username) => begin('PASSKEY', username)));
    const shapes = bodies.map(({ passkey, ...rest }) => [
      Object.keys(rest).join(),
      Object.keys(passkey!).join(),
      JSON.stringify(bodies[0]).length,
      passkey!.allowCredentials,
    ]);
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
    expect(new Set(bodies.map((body) => JSON.stringify(body).length)).size).toBe(1);
  });

  test('is refused for another challenge, another page, another account, without verifying its person, or replayed', async () => {
    const { key } = await addPasskey(await signIn());
    const refused = async (challenge: SignInAnswer, given: object) =>
      expect((await answer(challenge.details, given)).json().code).toBe('code-wrong');
    const one = await begin('PASSKEY');
    await refused(one, key.get((await begin('PASSKEY')).passkey!));
    key.origin = 'http://caseway.elsewhere.example';
    await refused(one, key.get(one.passkey!));
    key.origin = origin;
    key.verifies = false;
    await refused(one, key.get(one.passkey!));
    key.verifies = true;
    const stranger = await begin('PASSKEY', 'lab@demo.caseway.test');
    await refused(stranger, key.get(stranger.passkey!));
    // A clone made earlier has a lower counter.
    key.counter = 10;
    const good = key.get(one.passkey!);
    expect((await answer(one.details, good)).statusCode).toBe(200);
    expect((await answer(one.details, good)).json().code).toBe('code-expired');
    key.counter = 3;
    const later = await begin('PASSKEY');
    await refused(later, key.get(later.passkey!));
  });

  test('of staff opens no patient’s session', async () => {
    const { key } = await addPasskey(await signIn());
    for (const who of [{ email: epi }, { email: 'nobody@elsewhere.example' }]) {
      const response = await app.fastify.inject({
        method: 'POST',
        url: '/auth/patient/sign-in',
        payload: { origin: 'localhost', challengeMethod: 'PASSKEY', ...who },
      });
      const { details, passkey } = response.json<SignInAnswer>();
      const given = await app.fastify.inject({
        method: 'POST',
        url: '/auth/patient/challenge',
        payload: { details, secret: JSON.stringify(key.get(passkey!)) },
      });
      expect(given.json().code).toBe('code-wrong');
    }
  });

  test('opens an account that a stranger has locked by guessing', async () => {
    const { key } = await addPasskey(await signIn());
    const [row] = await sql<{ subject: Buffer }>(
      'select subject from sign_in_challenge order by created_at desc limit 1',
    );
    await sql(
      'insert into sign_in_failure (subject, id) select $1, gen_random_uuid() from generate_series(1, 25)',
      [row!.subject],
    );
    const mailed = await begin('EMAIL');
    expect((await answer(mailed.details, await codeFor(secret, mailed.details))).statusCode).toBe(401);
    const { details, passkey } = await begin('PASSKEY');
    expect((await answer(details, key.get(passkey!))).statusCode).toBe(200);
  });

  test('something that is not a passkey is refused in words, and malformed answers do no harm', async () => {
    const tokens = await signIn();
    const begun = (await ask(tokens, 'POST', '/passkeys/begin', {})).json();
    const key = new Authenticator(origin);
    const good = key.create(begun.options);
    const bad = [
      { id: 'x' },
      { ...good, type: 'password' },
      { ...good, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } },
      { ...good, id: new Authenticator(origin).credentialId },
      key.create({ challenge: 'AAAA' }),
    ];
    for (const response of bad) {
      const refused = await ask(tokens, 'POST', '/passkeys', { details: begun.details, name: 'x', response });
      expect(refused.statusCode).toBe(422);
      expect(refused.json().faults[0]).toMatchObject({ path: 'response', code: 'passkey-refused' });
    }
    const { details } = await begin('PASSKEY');
    for (const given of ['{', '{}', '{"id":1}', JSON.stringify({ ...good, response: {} })])
      expect((await answer(details, given)).json().code).toBe('code-wrong');
    expect((await profile(tokens)).passkeys).toEqual([]);
  });

  test('cannot be added twice, or to two accounts', async () => {
    const tokens = await signIn();
    const { key } = await addPasskey(tokens);
    expect((await addPasskey(tokens, key)).made.statusCode).toBe(422);
    expect((await addPasskey(await signIn('lab@demo.caseway.test'), key)).made.statusCode).toBe(422);
    const begun = (await ask(tokens, 'POST', '/passkeys/begin', {})).json();
    expect(begun.options.excludeCredentials).toMatchObject([{ id: key.credentialId }]);
  });

  test('is renamed and removed only by its owner', async () => {
    const tokens = await signIn();
    const { key } = await addPasskey(tokens);
    const { id } = (await profile(tokens)).passkeys[0]!;
    const stranger = await signIn('lab@demo.caseway.test');
    expect((await ask(stranger, 'PATCH', `/passkeys/${id}`, { name: 'Mine' })).statusCode).toBe(404);
    expect((await ask(stranger, 'DELETE', `/passkeys/${id}`)).statusCode).toBe(404);
    expect((await ask(tokens, 'PATCH', `/passkeys/${id}`, { name: ' Phone ' })).statusCode).toBe(204);
    expect((await profile(tokens)).passkeys[0]!.name).toBe('Phone');
    expect((await ask(tokens, 'DELETE', `/passkeys/${id}`)).statusCode).toBe(204);
    const { details, passkey } = await begin('PASSKEY');
    expect((await answer(details, key.get(passkey!))).statusCode).toBe(401);
    expect(isSignedIn(await afterMail())).toBe(true);
  });
});

describe('[P21] a tenant that requires a second factor', () => {
  const demand = (slug = 'demo') =>
    sql('update tenant set second_factor_required = true where slug = $1', [slug]);
  const read = (headers: object) =>
    app.fastify.inject({ url: '/api/web/list/diseaseFamilies', headers: { ...headers } });

  test('lets nobody act for it without one; such a session may only set one up, and then continues', async () => {
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

  test('has the last factor kept, and the others given up freely', async () => {
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

describe('name, language and time zone', () => {
  test('are changed by their owner, with all faults reported together', async () => {
    const tokens = await signIn();
    const changed = await ask(tokens, 'PATCH', '', {
      middleName: ' Q. ',
      languageCode: 'es',
      timeZone: 'America/Chicago',
    });
    expect(changed.json()).toMatchObject({
      firstName: 'Erin',
      middleName: 'Q.',
      languageCode: 'es',
      timeZone: 'America/Chicago',
    });
    expect((await actFor(testing, tokens)).init.user).toMatchObject({ middleName: 'Q.', languageCode: 'es' });
    expect((await ask(tokens, 'PATCH', '', { middleName: '' })).json().middleName).toBe('');
    const refused = await ask(tokens, 'PATCH', '', {
      firstName: ' ',
      languageCode: 'xx',
      timeZone: 'Mars/Base',
    });
    expect(refused.statusCode).toBe(422);
    expect(
      refused
        .json()
        .faults.map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual(['firstName', 'languageCode', 'timeZone']);
    expect((await ask(tokens, 'PATCH', '', { username: 'x' })).statusCode).toBe(400);
    // [P8] Characters that reverse the text next to them, or begin a line, are not part of a name.
    const unseen = await ask(tokens, 'PATCH', '', { firstName: 'Erin\u202e', lastName: 'Castel\nlanos' });
    expect([unseen.statusCode, unseen.json().faults]).toMatchObject([
      422,
      [
        { path: 'firstName', code: 'unseen-character' },
        { path: 'lastName', code: 'unseen-character' },
      ],
    ]);
  });
});
