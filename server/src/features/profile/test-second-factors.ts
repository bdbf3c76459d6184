import type { Profile } from '@caseway/contract/profile';
import type { FurtherChallenge, SignInAnswer, Tokens } from '@caseway/contract/session';
import { beforeEach, expect } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { Authenticator } from '../../../test/authenticator.ts';
import { asSuperuser } from '../../../test/database.ts';
import { answerChallenge, beginSignIn, codeFor } from '../../../test/sign-in.ts';
import { stepAt, totpCode } from '../../platform/auth/totp.ts';

// People who set up second factors and sign in with them, in the database of the importing test file.

export const testing = await testApp({}, { background: true });
const { app, config, database, superuserUrl } = testing;
export const world = await seedDemoTenants(database);
export const secret = config.tokenSecret!;
export const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

export const epi = 'epi@demo.caseway.test';
export const origin = config.publicUrl;

beforeEach(async () => {
  await sql(`update sign_in_challenge set created_at = created_at - interval '1 day'`);
  await sql('delete from sign_in_failure');
  await sql('delete from totp_authenticator');
  await sql('delete from passkey');
  await sql('delete from recovery_code');
  await sql('update account set second_factor_at = null');
  await sql('update account_state set locked_until = null');
  await sql('update tenant set second_factor_required = false');
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export const ask = (tokens: Tokens, method: Method, path: string, payload?: object) =>
  app.fastify.inject({
    method,
    url: `/api/profile${path}`,
    headers: { authorization: `Bearer ${tokens.accessToken}` },
    payload,
  });
export const signIn = async (username = epi) =>
  answerChallenge(testing, await beginSignIn(testing, username));
export const profile = async (tokens: Tokens) => (await ask(tokens, 'GET', '')).json<Profile>();
export const begin = async (challengeMethod: string, username: string | undefined = epi, cookie?: string) =>
  (
    await app.fastify.inject({
      method: 'POST',
      url: '/auth/tenant/sign-in',
      headers: cookie === undefined ? {} : { cookie },
      payload: { origin: 'localhost', username, challengeMethod },
    })
  ).json<SignInAnswer>();
export const answer = (details: string, given: string | object) =>
  app.fastify.inject({
    method: 'POST',
    url: '/auth/tenant/challenge',
    payload: { details, secret: typeof given === 'string' ? given : JSON.stringify(given) },
  });
/** The challenge that follows a right code from the mail. */
export async function afterMail(username = epi, cookie?: string): Promise<FurtherChallenge> {
  const { details } = await begin('EMAIL', username, cookie);
  return (await answer(details, await codeFor(secret, details))).json<FurtherChallenge>();
}

/** An authenticator app. Each code belongs to a later step than the last, as if time had passed. */
export class App {
  readonly #key: Buffer;
  constructor(base32: string) {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
    const bits = [...base32].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
    this.#key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  }
  code(stepsAway = 0): string {
    return totpCode(this.#key, stepAt(Date.now()) + stepsAway);
  }
  /** A code that is not valid now. */
  wrong(): string {
    const right = [-2, -1, 0, 1, 2].map((away) => this.code(away));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
      (code) => !right.includes(code),
    )!;
  }
}
/** Makes the last accepted code an hour old, so that the next one is later. */
export const anHourLater = () => sql('update totp_authenticator set last_step = last_step - 120');

export async function addApp(tokens: Tokens): Promise<{ app: App; recoveryCodes: string[] | null }> {
  const begun = (await ask(tokens, 'POST', '/totp/begin', {})).json();
  const own = new App(begun.secret);
  const response = await ask(tokens, 'POST', '/totp', { details: begun.details, code: own.code() });
  expect(response.statusCode).toBe(200);
  await anHourLater();
  return { app: own, ...response.json() };
}
export async function addPasskey(tokens: Tokens, key = new Authenticator(origin), name = 'Laptop') {
  const begun = (await ask(tokens, 'POST', '/passkeys/begin', {})).json();
  const response = key.create(begun.options);
  return { key, made: await ask(tokens, 'POST', '/passkeys', { details: begun.details, name, response }) };
}
export const isSignedIn = (body: object) => 'accessToken' in body;
