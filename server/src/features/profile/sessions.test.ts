import { randomUUID } from 'node:crypto';
import type { OpenSession } from '@caseway/contract/profile';
import type { Tokens } from '@caseway/contract/session';
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { answerChallenge, beginSignIn } from '../../../test/sign-in.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
await seedDemoTenants(database);
const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

beforeEach(async () => {
  await sql(`update sign_in_challenge set created_at = created_at - interval '1 day'`);
  await sql('delete from session');
});

const signIn = async (username: string) => answerChallenge(testing, await beginSignIn(testing, username));
const ask = (tokens: Tokens, method: 'GET' | 'POST' | 'DELETE', path = '', payload?: object) =>
  app.fastify.inject({
    method,
    url: `/api/profile/sessions${path}`,
    headers: { authorization: `Bearer ${tokens.accessToken}` },
    payload,
  });
const list = async (tokens: Tokens) =>
  (await ask(tokens, 'GET')).json<{ sessions: OpenSession[] }>().sessions;
const idOf = ({ refreshToken }: Tokens) => decodeJwt<{ sid: string }>(refreshToken).sid;
const status = async (tokens: Tokens) => (await ask(tokens, 'GET')).statusCode;

const epi = 'epi@demo.caseway.test';

describe('the sessions of a person', () => {
  test('are listed with device, address, time and method, the current one marked', async () => {
    const response = await app.fastify.inject({
      method: 'POST',
      url: '/auth/tenant/sign-in',
      payload: { origin: 'localhost', username: epi, challengeMethod: 'EMAIL' },
    });
    const first = await answerChallenge(testing, response.json());
    const second = await signIn(epi);
    await signIn('lab@demo.caseway.test');
    const sessions = await list(first);
    expect(sessions.map(({ id }) => id).sort()).toEqual([idOf(first), idOf(second)].sort());
    const own = sessions.find(({ id }) => id === idOf(first))!;
    expect(own).toMatchObject({
      current: true,
      address: '127.0.0.1',
      methods: ['EMAIL'],
      userAgent: expect.any(String),
    });
    expect(Date.parse(own.endsAt) - Date.parse(own.createdAt)).toBe(24 * 3_600_000);
    expect(sessions.find(({ id }) => id === idOf(second))!.current).toBe(false);
  });

  test('that have ended are not listed', async () => {
    const [here, revoked, idle, old] = await Promise.all([signIn(epi), signIn(epi), signIn(epi)]).then(
      async (three) => {
        await sql(`update sign_in_challenge set created_at = created_at - interval '1 day'`);
        return [...three, await signIn(epi)] as const;
      },
    );
    await sql('update session set revoked_at = now() where id = $1', [idOf(revoked)]);
    await sql(`update session set last_used_at = now() - interval '61 minutes' where id = $1`, [idOf(idle)]);
    await sql(`update session set expires_at = now() where id = $1`, [idOf(old)]);
    expect((await list(here)).map(({ id }) => id)).toEqual([idOf(here)]);
  });

  test('one ends immediately, and is in the log of each tenant', async () => {
    const [here, there] = [await signIn(epi), await signIn(epi)];
    expect(await status(there)).toBe(200);
    expect((await ask(here, 'DELETE', `/${idOf(there)}`)).statusCode).toBe(204);
    expect(await status(there)).toBe(401);
    expect(await status(here)).toBe(200);
    const audited = await sql(
      `select action, detail->>'because' as because, address from audit_event where detail->>'sessionId' = $1`,
      [idOf(there)],
    );
    expect(audited).toEqual([
      { action: 'session/revoked', because: 'ended by its owner', address: '127.0.0.1' },
    ]);
  });

  test('all others end, and the answer says how many', async () => {
    const here = await signIn(epi);
    const others = [await signIn(epi), await signIn(epi)];
    const stranger = await signIn('lab@demo.caseway.test');
    const answer = await ask(here, 'POST', '/end-others', {});
    expect(answer.json()).toEqual({ ended: 2 });
    for (const one of others) expect(await status(one)).toBe(401);
    expect(await status(here)).toBe(200);
    expect(await status(stranger)).toBe(200);
  });

  test('of someone else are not found, and are not ended', async () => {
    const [here, stranger] = [await signIn(epi), await signIn('lab@demo.caseway.test')];
    for (const id of [idOf(stranger), randomUUID()])
      expect((await ask(here, 'DELETE', `/${id}`)).statusCode).toBe(404);
    expect(await status(stranger)).toBe(200);
  });

  test('a signed-out request gets nothing', async () => {
    for (const [method, url] of [
      ['GET', '/api/profile/sessions'],
      ['DELETE', `/api/profile/sessions/${randomUUID()}`],
      ['POST', '/api/profile/sessions/end-others'],
    ] as const)
      expect((await app.fastify.inject({ method, url })).statusCode).toBe(401);
  });
});
