import { type Tokens, takenAway } from '@caseway/contract/session';
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { letFiveSecondsPass, stopTheClock } from '../../../test/later.ts';
import { answerChallenge, beginSignIn } from '../../../test/sign-in.ts';
import { outdateWith } from '../../platform/events/hub.ts';

const testing = await testApp();
const { app, database, superuserUrl } = testing;
await seedDemoTenants(database);
const epi = 'epi@demo.caseway.test';
const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

beforeEach(() => sql(`update sign_in_challenge set created_at = created_at - interval '1 day'`));
const signIn = async (username = epi) => answerChallenge(testing, await beginSignIn(testing, username));

const post = (url: string, payload: object) => app.fastify.inject({ method: 'POST', url, payload });
const refresh = (refreshToken: string) => post('/auth/tenant/refresh-token', { refreshToken });
const init = (accessToken: string) =>
  app.fastify.inject({ url: '/api/auth/initUser', headers: { authorization: `Bearer ${accessToken}` } });

describe('[S3.7] tokens', () => {
  test('the access token expires in 15 minutes and says so; the refresh token names account and session', async () => {
    const { accessToken, refreshToken } = await signIn();
    const access = decodeJwt<{ atExpAt: number; sid: string }>(accessToken);
    expect(access.atExpAt - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(access.atExpAt - Date.now()).toBeLessThanOrEqual(15 * 60_000);
    const renewal = decodeJwt<{ sid: string; patient?: boolean }>(refreshToken);
    expect(renewal).toMatchObject({ sub: access.sub, sid: access.sid });
    expect(renewal.patient).toBeUndefined();
  });

  test('a refresh token is stored only as a hash', async () => {
    const { refreshToken } = await signIn();
    const { sid, jti } = decodeJwt<{ sid: string }>(refreshToken);
    const [row] = await sql('select session::text as whole from session where id = $1', [sid]);
    expect((row as { whole: string }).whole).not.toContain(jti);
    expect((row as { whole: string }).whole).not.toContain(refreshToken.split('.')[2]);
  });

  test('a missing, malformed or forged token means signed out', async () => {
    expect((await app.fastify.inject({ url: '/api/auth/initUser' })).json().code).toBe('not-signed-in');
    for (const token of ['nonsense', 'a.b.c', (await signIn()).refreshToken]) {
      const response = await init(token);
      expect(response.statusCode).toBe(401);
      expect(response.json().code).toBe('session-expired');
    }
  });
});

describe('[P13] renewal', () => {
  test('gives new tokens, and the old refresh token is replaced', async () => {
    const first = await signIn();
    const second = (await refresh(first.refreshToken)).json<Tokens>();
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect((await init(second.accessToken)).statusCode).toBe(200);
    const third = (await refresh(second.refreshToken)).json<Tokens>();
    expect(third.refreshToken).not.toBe(second.refreshToken);
  });

  test('50 at the same time with one token all get the same successor, which works', async () => {
    const { refreshToken } = await signIn();
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(refreshToken)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(200));
    const successors = new Set(answers.map((one) => one.json<Tokens>().refreshToken));
    expect(successors.size).toBe(1);
    expect((await refresh([...successors][0]!)).statusCode).toBe(200);
  });

  test('a replaced token used again after the grace period ends the whole session, and is in the log', async () => {
    const first = await signIn();
    const second = (await refresh(first.refreshToken)).json<Tokens>();
    const { sid } = decodeJwt<{ sid: string }>(second.refreshToken);
    await sql(`update session set rotated_at = now() - interval '11 seconds' where id = $1`, [sid]);
    const replay = await refresh(first.refreshToken);
    expect(replay.statusCode).toBe(401);
    expect(replay.json().code).toBe('session-expired');
    expect(replay.json().faults).toBeUndefined();
    // Neither thief nor owner can continue: not with the newest refresh token, nor with the access token.
    expect((await refresh(second.refreshToken)).statusCode).toBe(401);
    expect((await init(second.accessToken)).statusCode).toBe(401);
    const audited = await sql(
      `select action, detail->>'because' as because from audit_event where detail->>'sessionId' = $1`,
      [sid],
    );
    expect(audited).toEqual([{ action: 'session/revoked', because: 'refresh token used again' }]);
  });

  test('says that someone has ended the session, but not that it has expired', async () => {
    const told = async (token: string) => (await refresh(token)).json().faults?.[0]?.code;
    const lapsed = (await signIn()).refreshToken;
    const sidOf = (token: string) => decodeJwt<{ sid: string }>(token).sid;
    await sql(`update session set last_used_at = now() - interval '61 minutes' where id = $1`, [
      sidOf(lapsed),
    ]);
    expect(await told(lapsed)).toBeUndefined();
    const ended = (await signIn()).refreshToken;
    await sql(`update session set revoked_at = now(), revoked_because = 'ended by its owner' where id = $1`, [
      sidOf(ended),
    ]);
    expect(await told(ended)).toBe(takenAway);
    // A device that was not used for an hour ends its session itself, and keeps what is not sent.
    const own = (await signIn()).refreshToken;
    await post('/auth/tenant/sign-out', { refreshToken: own });
    expect((await refresh(own)).statusCode).toBe(401);
    expect(await told(own)).toBeUndefined();
    // Only the holder of the token learns it.
    expect(await told(`${ended.slice(0, -4)}AAAA`)).toBeUndefined();
  });

  test('the token before the last also ends the session within the grace period', async () => {
    const first = await signIn();
    const second = (await refresh(first.refreshToken)).json<Tokens>();
    const third = (await refresh(second.refreshToken)).json<Tokens>();
    expect((await refresh(first.refreshToken)).statusCode).toBe(401);
    expect((await refresh(third.refreshToken)).statusCode).toBe(401);
  });

  test('an idle hour ends a session, and the refresh token says when', async () => {
    const { refreshToken, accessToken } = await signIn();
    const { sid, iat, exp } = decodeJwt<{ sid: string }>(refreshToken);
    expect(exp! - iat!).toBe(3600);
    await sql(`update session set last_used_at = now() - interval '61 minutes' where id = $1`, [sid]);
    expect((await refresh(refreshToken)).statusCode).toBe(401);
    expect((await init(accessToken)).statusCode).toBe(401);
  });

  test('a session ends after 24 hours however much it is used, and no token outlives it', async () => {
    const first = await signIn();
    const { refreshToken } = (await refresh(first.refreshToken)).json<Tokens>();
    const ends = (token: string) => decodeJwt<{ ends: number }>(token).ends * 1000;
    expect(ends(refreshToken)).toBe(ends(first.refreshToken));
    expect(ends(refreshToken) - Date.now()).toBeLessThanOrEqual(24 * 3_600_000);
    const { sid } = decodeJwt<{ sid: string }>(refreshToken);
    await sql(`update session set expires_at = now() - interval '1 second' where id = $1`, [sid]);
    expect((await refresh(refreshToken)).statusCode).toBe(401);
  });

  test('the last refresh token expires with the session', async () => {
    const first = await signIn();
    const { sid } = decodeJwt<{ sid: string }>(first.refreshToken);
    await sql(`update session set expires_at = now() + interval '10 minutes' where id = $1`, [sid]);
    const { iat, exp, ends } = decodeJwt<{ ends: number }>(
      (await refresh(first.refreshToken)).json<Tokens>().refreshToken,
    );
    expect(exp).toBe(ends);
    expect(exp! - iat!).toBeLessThanOrEqual(600);
  });

  test('a tenant shortens both; in several tenants the shortest counts, and running sessions do not change', async () => {
    const before = await signIn('admin@demo.caseway.test');
    await sql(`update tenant set session_idle_minutes = 15, session_hours = 8 where slug = 'demo'`);
    const { iat, exp, ends } = decodeJwt<{ ends: number }>(
      (await signIn('admin@demo.caseway.test')).refreshToken,
    );
    expect(exp! - iat!).toBe(15 * 60);
    expect(ends - iat!).toBe(8 * 3600);
    const kept = decodeJwt((await refresh(before.refreshToken)).json<Tokens>().refreshToken);
    expect(kept.exp! - kept.iat!).toBe(3600);
    const elsewhere = decodeJwt((await signIn('admin@vendor.caseway.test')).refreshToken);
    expect(elsewhere.exp! - elsewhere.iat!).toBe(3600);
    await sql(
      `insert into membership (tenant_id, id, account_id, org_type, org_id)
       select t.id, gen_random_uuid(), a.id, 'T', t.id from tenant t, account a
       where t.slug = 'demo' and a.username = 'admin@vendor.caseway.test'`,
    );
    const both = decodeJwt((await signIn('admin@vendor.caseway.test')).refreshToken);
    expect(both.exp! - both.iat!).toBe(15 * 60);
    await sql(`update tenant set session_idle_minutes = 60, session_hours = 24 where slug = 'demo'`);
  });

  test('no tenant makes them longer than an hour and a day', async () => {
    for (const column of ['session_idle_minutes = 61', 'session_hours = 25'])
      await expect(sql(`update tenant set ${column}`)).rejects.toThrow(/check constraint/);
  });

  test('a disabled account renews nothing', async () => {
    const { refreshToken } = await signIn('entry@demo.caseway.test');
    await sql(`update account set disabled_at = now() where username = 'entry@demo.caseway.test'`);
    expect((await refresh(refreshToken)).statusCode).toBe(401);
  });

  test('anything but a refresh token is refused', async () => {
    const { accessToken } = await signIn();
    for (const token of [accessToken, 'nonsense', `${accessToken}x`])
      expect((await refresh(token)).statusCode).toBe(401);
  });
});

describe('[S4.3] signing out', () => {
  test('ends the session on the server immediately, and other sessions of the account stay', async () => {
    const [one, other] = [await signIn(), await signIn()];
    expect((await init(one.accessToken)).statusCode).toBe(200);
    expect((await post('/auth/tenant/sign-out', { refreshToken: one.refreshToken })).statusCode).toBe(200);
    expect((await init(one.accessToken)).statusCode).toBe(401);
    expect((await refresh(one.refreshToken)).statusCode).toBe(401);
    expect((await init(other.accessToken)).statusCode).toBe(200);
    const { sid } = decodeJwt<{ sid: string }>(one.refreshToken);
    expect(await sql(`select action from audit_event where detail->>'sessionId' = $1`, [sid])).toEqual([
      { action: 'session/signed-out' },
    ]);
  });

  test('of an unknown token is not an error', async () => {
    expect((await post('/auth/tenant/sign-out', { refreshToken: 'unknown' })).statusCode).toBe(200);
  });
});

describe('[P14] access that is revoked elsewhere', () => {
  test('ends here within five seconds', async () => {
    const { accessToken, refreshToken } = await signIn();
    expect((await init(accessToken)).statusCode).toBe(200);
    const { sid } = decodeJwt<{ sid: string }>(refreshToken);
    await sql('update session set revoked_at = now() where id = $1', [sid]);
    letFiveSecondsPass();
    expect((await init(accessToken)).statusCode).toBe(401);
  });

  test('ends here at once when another process reports it', async () => {
    const { accessToken, refreshToken } = await signIn();
    const { sid } = decodeJwt<{ sid: string }>(refreshToken);
    // Nothing is looked up again automatically.
    stopTheClock();
    expect((await init(accessToken)).statusCode).toBe(200);
    await sql('update session set revoked_at = now() where id = $1', [sid]);
    expect((await init(accessToken)).statusCode).toBe(200);
    await database.withScope({ kind: 'system' }, (tx) => outdateWith(tx, { kind: 'session', id: sid }));
    await expect.poll(async () => (await init(accessToken)).statusCode).toBe(401);
  });
});
