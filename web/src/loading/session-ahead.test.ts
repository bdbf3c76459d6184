import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { renewalLock, storageKeys } from '../session/storage-keys.ts';
import { personAhead, renewAhead, tokensAhead } from './session-ahead.ts';

const addresses = { renewal: '/auth/renew', person: '/api/who', lock: renewalLock, keys: storageKeys };
const old = 'old-refresh-token';
const renewed = { accessToken: 'new-access-token', refreshToken: 'new-refresh-token' };
const asked: { path: string; headers: Record<string, string>; body?: string }[] = [];
let answers: Record<string, () => Response>;

beforeEach(() => {
  asked.length = 0;
  answers = {
    '/auth/renew': () => Response.json(renewed),
    '/api/who?org=F%3A3': () => Response.json({ name: 'Ana' }),
  };
  vi.stubGlobal('fetch', async (path: string, request: RequestInit) => {
    asked.push({ path, ...request } as never);
    const answer = answers[path];
    if (!answer) throw new TypeError('Failed to fetch');
    return answer();
  });
  vi.stubGlobal('navigator', {
    locks: { request: async (_name: string, work: () => Promise<unknown>) => work() },
  });
  localStorage.setItem(storageKeys.refreshToken, old);
  localStorage.setItem(storageKeys.lastUsedOrg, 'F:3');
});
afterEach(() => {
  window.sessionAhead = undefined;
});

const begin = () => renewAhead({ beginning: 'shell', language: 'es' }, addresses);
const question = { accessToken: renewed.accessToken, org: 'F:3', language: 'es' };

describe('the session that the page renews while the program is loading [S4.2]', () => {
  test('goes at once to the tab and the browser, and to the program with the answer to who is signed in', async () => {
    begin();
    expect(await tokensAhead(renewed.refreshToken)).toEqual(renewed);
    expect(localStorage.getItem(storageKeys.refreshToken)).toBe(renewed.refreshToken);
    expect(sessionStorage.getItem(storageKeys.refreshToken)).toBe(renewed.refreshToken);
    expect(await personAhead(question)).toEqual({ name: 'Ana' });
    expect(asked.map(({ path }) => path)).toEqual(['/auth/renew', '/api/who?org=F%3A3']);
    expect(JSON.parse(asked[0]!.body!)).toEqual({ refreshToken: old });
    expect(asked[1]!.headers).toMatchObject({
      Authorization: 'Bearer new-access-token',
      'Accept-Language': 'es',
    });
  });

  test('is used once, because later answers are newer', async () => {
    begin();
    await tokensAhead(renewed.refreshToken);
    expect(await tokensAhead(renewed.refreshToken)).toBeUndefined();
    await personAhead(question);
    expect(await personAhead(question)).toBeNull();
  });

  test.each([
    { ...question, org: 'T:1' },
    { ...question, language: 'en' },
    { ...question, accessToken: 'another' },
  ])('does not answer another question', async (other) => {
    begin();
    await tokensAhead(renewed.refreshToken);
    expect(await personAhead(other)).toBeNull();
  });

  test('is not used if another token has been stored since', async () => {
    begin();
    expect(await tokensAhead('of another tab')).toBeUndefined();
    expect(await personAhead(question)).toBeNull();
  });

  test.each([
    ['that is refused', () => new Response('{}', { status: 401 })],
    ['that is not answered', undefined],
  ])('is left to the program after a renewal %s', async (_what, answer) => {
    answers = answer ? { '/auth/renew': answer } : {};
    begin();
    expect(await tokensAhead(old)).toBeUndefined();
    expect(localStorage.getItem(storageKeys.refreshToken)).toBe(old);
    expect(asked).toHaveLength(1);
  });

  test('is used even if the answer to who is signed in has failed', async () => {
    delete answers['/api/who?org=F%3A3'];
    begin();
    expect(await tokensAhead(renewed.refreshToken)).toEqual(renewed);
    expect(await personAhead(question)).toBeNull();
  });

  test('is not started for signed-out users, or if the tab has its own token', async () => {
    renewAhead({ beginning: 'signIn', language: 'en' }, addresses);
    expect(window.sessionAhead).toBeUndefined();
    sessionStorage.setItem(storageKeys.refreshToken, 'of this tab');
    begin();
    expect(await tokensAhead('of this tab')).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

test('it runs as standalone text, as the build writes it into the page', async () => {
  const begun = { beginning: 'shell', language: 'es' };
  new Function(`(${renewAhead})(${JSON.stringify(begun)}, ${JSON.stringify(addresses)})`)();
  expect(await tokensAhead(renewed.refreshToken)).toEqual(renewed);
});
