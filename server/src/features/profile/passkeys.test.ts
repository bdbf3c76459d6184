import type { SignInAnswer, Tokens } from '@caseway/contract/session';
import { describe, expect, test } from 'vitest';
import { Authenticator } from '../../../test/authenticator.ts';
import { codeFor } from '../../../test/sign-in.ts';
import {
  addApp,
  addPasskey,
  afterMail,
  answer,
  ask,
  begin,
  epi,
  isSignedIn,
  origin,
  profile,
  secret,
  signIn,
  sql,
  testing,
} from './test-second-factors.ts';

const { app } = testing;

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

  test('anything but a passkey is refused in words, and malformed answers do no harm', async () => {
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
