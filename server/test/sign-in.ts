import type { InitUserAnswer, SignInAnswer, Tokens } from '@caseway/contract/session';
import type { IdentityAuthorizer } from '../src/platform/auth/authorizer.ts';
import type { Identification } from '../src/platform/auth/sign-in.ts';
import { Signing } from '../src/platform/auth/signing.ts';
import type { TestApp } from './app.ts';

/** Makes the server read memberships again, which it otherwise caches for a moment. */
export const forgetMemberships = ({ app }: Pick<TestApp, 'app'>): void =>
  (app.authorizer as IdentityAuthorizer).forgetMemberships();

export interface SignedIn {
  tokens: Tokens;
  /** What the browser gets at its start, for the requested organisation. */
  init: InitUserAnswer;
  /** The headers of every request of this person in this organisation. [S10.5] */
  headers: { authorization: string; 'x-org-token': string };
}

/**
 * Signs a member of staff in like the browser does, except for the message: the code is made with the server's
 * secret. `org` is `orgType:id`; without it, the first organisation by name is chosen. An account gets three codes
 * in a quarter of an hour, so a file signs each one in once and passes the result around.
 */
export async function signInAs(
  given: Pick<TestApp, 'app' | 'config'>,
  username: string,
  org?: string,
): Promise<SignedIn> {
  const tokens = await answerChallenge(given, await beginSignIn(given, username));
  return { tokens, ...(await actFor(given, tokens, org)) };
}

/** Chooses an organisation with earlier tokens. */
export async function actFor(
  { app }: Pick<TestApp, 'app'>,
  { accessToken }: Tokens,
  org?: string,
): Promise<Pick<SignedIn, 'init' | 'headers'>> {
  const authorization = `Bearer ${accessToken}`;
  const response = await app.fastify.inject({
    url: '/api/auth/initUser',
    query: org ? { org } : {},
    headers: { authorization },
  });
  if (response.statusCode !== 200) throw new Error(`init answered ${response.statusCode}: ${response.body}`);
  const init = response.json<InitUserAnswer>();
  return { init, headers: { authorization, 'x-org-token': init.selectedOrg?.token ?? '' } };
}

/** Sends a request to a server in another process: a POST if there is a body. Throws if it is refused. */
type Ask = <T>(path: string, headers: Record<string, string>, body?: object) => Promise<T>;

/** The same over HTTP. `secret`: the server's `TOKEN_SECRET`. */
export async function signInOver(
  ask: Ask,
  secret: string,
  username: string,
  org?: string,
): Promise<SignedIn['headers']> {
  const asked = { origin: 'localhost', username, challengeMethod: 'EMAIL' };
  const { details } = await ask<SignInAnswer>('/auth/tenant/sign-in', {}, asked);
  const answer = { details, secret: await codeFor(secret, details) };
  const { accessToken } = await ask<Tokens>('/auth/tenant/challenge', {}, answer);
  const authorization = `Bearer ${accessToken}`;
  const init = await ask<InitUserAnswer>(`/api/auth/initUser${org ? `?org=${org}` : ''}`, { authorization });
  return { authorization, 'x-org-token': init.selectedOrg?.token ?? '' };
}

/**
 * Signs a patient in: `who` is the name they give, such as `{email}`. The record has to exist, with the date of
 * birth. Returns the headers of all their requests.
 */
export async function signInAsPatient(
  { app, config }: Pick<TestApp, 'app' | 'config'>,
  who: Identification,
  birthDate: string,
): Promise<{ tokens: Tokens; headers: { authorization: string } }> {
  const post = async (url: string, payload: object) => {
    const response = await app.fastify.inject({ method: 'POST', url, payload });
    if (response.statusCode !== 200)
      throw new Error(`${url} answered ${response.statusCode}: ${response.body}`);
    return response.json();
  };
  const begun: SignInAnswer = await post('/auth/patient/sign-in', {
    origin: 'localhost',
    challengeMethod: who.phone ? 'SMS' : 'EMAIL',
    ...who,
  });
  const secret = await codeFor(config.tokenSecret!, begun.details, 'patient');
  const { details }: SignInAnswer = await post('/auth/patient/challenge', { details: begun.details, secret });
  const tokens: Tokens = await post('/auth/patient/challenge', { details, secret: birthDate });
  return { tokens, headers: { authorization: `Bearer ${tokens.accessToken}` } };
}

export async function beginSignIn({ app }: Pick<TestApp, 'app'>, username: string): Promise<SignInAnswer> {
  const response = await app.fastify.inject({
    method: 'POST',
    url: '/auth/tenant/sign-in',
    payload: { origin: 'localhost', username, challengeMethod: 'EMAIL' },
  });
  if (response.statusCode !== 200)
    throw new Error(`sign-in answered ${response.statusCode}: ${response.body}`);
  return response.json();
}

export async function answerChallenge(
  { app, config }: Pick<TestApp, 'app' | 'config'>,
  { details }: SignInAnswer,
): Promise<Tokens> {
  const response = await app.fastify.inject({
    method: 'POST',
    url: '/auth/tenant/challenge',
    payload: { details, secret: await codeFor(config.tokenSecret!, details) },
  });
  if (response.statusCode !== 200)
    throw new Error(`challenge answered ${response.statusCode}: ${response.body}`);
  return response.json();
}

/** The code in the message. */
export async function codeFor(
  secret: string,
  details: string,
  audience: 'staff' | 'patient' = 'staff',
): Promise<string> {
  const signing = new Signing(secret);
  return signing.oneTimeCode((await signing.readChallengeDetails(details, audience))!);
}
