import { challenge, signIn } from '@caseway/contract/session';
import { describe, expect, test, vi } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { asSuperuser } from '../../../test/database.ts';
import { stopTheClock } from '../../../test/later.ts';
import { actFor, answerChallenge, beginSignIn, codeFor } from '../../../test/sign-in.ts';
import { Allowances } from '../../platform/http/anonymous.ts';

/* What signed-out people can do to people who are signed in. [P25] */

const perMinute = 12;
const testing = await testApp({ ANONYMOUS_PER_MINUTE: String(perMinute) });
const { app, config, database, superuserUrl } = testing;
await seedDemoTenants(database);
const secret = config.tokenSecret!;
const sql = <Row extends object>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);

let networks = 0;
/** An address in its own network. */
const newNetwork = () => {
  networks += 1;
  return `198.51.${Math.floor(networks / 250)}.${(networks % 250) + 1}`;
};
const post = (url: string, payload: object, from: { address?: string; cookie?: string } = {}) =>
  app.fastify.inject({
    method: 'POST',
    url,
    payload,
    remoteAddress: from.address ?? newNetwork(),
    headers: from.cookie ? { cookie: from.cookie } : {},
  });
const begin = (username: string, from?: { address?: string; cookie?: string }) =>
  post(signIn.path, { origin: 'localhost', username, challengeMethod: 'EMAIL' }, from);
const answer = (details: string, code: string, from?: { address?: string; cookie?: string }) =>
  post(challenge.path, { details, secret: code }, from);
const wrong = (code: string) => (code === '000000' ? '000001' : '000000');
const right = (details: string) => codeFor(secret, details);
/** Signs in; returns the cookie that makes the browser known. */
async function signInKnown(username: string): Promise<string> {
  const { details } = (await begin(username)).json();
  const answered = await answer(details, await right(details));
  expect(answered.statusCode).toBe(200);
  return String(answered.headers['set-cookie']).split(';')[0]!;
}

const publicRoutes = app.endpoints.filter(({ access }) => access === 'public');
/** Valid bodies; every new route without sign-in that takes one has to be added. */
const bodies: Record<string, () => object> = {
  '/auth/tenant/sign-in': () => ({ origin: 'x', username: `n${networks++}`, challengeMethod: 'EMAIL' }),
  '/auth/tenant/challenge': () => ({ details: `d${networks++}`, secret: '123456' }),
  '/auth/tenant/refresh-token': () => ({ refreshToken: 'x' }),
  '/auth/tenant/sign-out': () => ({ refreshToken: 'x' }),
  '/auth/patient/sign-in': () => ({ origin: 'x', username: `n${networks++}`, challengeMethod: 'EMAIL' }),
  '/auth/patient/challenge': () => ({ details: `d${networks++}`, secret: '123456' }),
  '/auth/patient/refresh-token': () => ({ refreshToken: 'x' }),
  '/auth/patient/sign-out': () => ({ refreshToken: 'x' }),
  '/auth/recovery/request': () => ({
    name: `n${networks++}`,
    email: 'someone@example.test',
    reason: 'lost my phone',
  }),
  '/auth/recovery/complete': () => ({ code: 'abcd-efgh-jkmn-pqrs' }),
  '/auth/recovery/stop': () => ({ code: 'abcd-efgh-jkmn-pqrs' }),
};

describe('[P25] every route that needs no sign-in', () => {
  test.each(publicRoutes.map(({ method, path }) => [path, method]))(
    '%s is limited by network before the database',
    async (path, method) => {
      stopTheClock();
      const body = bodies[path];
      if (method !== 'GET') expect(body, 'a lawful body').toBeDefined();
      const send = (remoteAddress = newNetwork()) =>
        body
          ? post(path, body(), { address: remoteAddress })
          : app.fastify.inject({ url: path.replace(':hash', 'x'.repeat(43)), remoteAddress });
      for (const network of [newNetwork(), `2001:db8:${(networks++).toString(16)}::`]) {
        const address = (n: number) =>
          network.includes('::') ? `${network}${(n + 1).toString(16)}` : network;
        for (let n = 0; n < perMinute; n += 1) {
          const taken = await send(address(n));
          expect(taken.statusCode, taken.body).not.toBe(422);
          // Recovery has its own limit in addition to this one.
          if (!path.includes('recovery/request')) expect(taken.statusCode).not.toBe(429);
        }
        const asked = vi.spyOn(app.anonymousDatabase, 'withScope');
        const refused = await send(address(perMinute));
        expect(refused.statusCode).toBe(429);
        expect(refused.json()).toMatchObject({ code: 'too-many-requests', retryAfter: expect.any(Number) });
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
        expect(asked).not.toHaveBeenCalled();
        asked.mockRestore();
      }
      expect((await send()).statusCode).not.toBe(429);
    },
  );

  test('has its own pool, and someone signed in does not wait for it', async () => {
    const tokens = await answerChallenge(testing, await beginSignIn(testing, 'epi@demo.caseway.test'));
    const { headers } = await actFor(testing, tokens);
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    // All connections for strangers are busy, for example because of a lock.
    const holding = Array.from({ length: 4 }, () =>
      app.anonymousDatabase.withScope({ kind: 'identity' }, async (tx) => {
        await tx.rows('select 1');
        await held;
      }),
    );
    const waits = begin('epi@demo.caseway.test');
    const own = await app.fastify.inject({ url: '/api/auth/initUser', headers });
    expect(own.statusCode).toBe(200);
    end();
    await Promise.all(holding);
    expect((await waits).statusCode).toBe(200);
  });

  test('with 300 requests at the same time from as many networks, about one name: few connections, no endless queue', async () => {
    stopTheClock();
    const tokens = await answerChallenge(testing, await beginSignIn(testing, 'lab@demo.caseway.test'));
    const { headers } = await actFor(testing, tokens);
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, database.usage().waiting);
    }, 1);
    const strangers = Promise.all(Array.from({ length: 300 }, () => begin('admin@demo.caseway.test')));
    expect((await app.fastify.inject({ url: '/api/auth/initUser', headers })).statusCode).toBe(200);
    const statuses = (await strangers).map(({ statusCode }) => statusCode);
    clearInterval(watch);
    expect(most).toBe(0);
    // Ten of them in a quarter of an hour, whether or not the name exists.
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(290);
    const unknown = await Promise.all(Array.from({ length: 11 }, () => begin('nobody@demo.caseway.test')));
    expect(unknown.filter(({ statusCode }) => statusCode === 200)).toHaveLength(10);
  });
});

describe('[P25] a browser in which someone has signed in', () => {
  const owner = 'investigator@demo.caseway.test';

  test('gets codes and opens the account, although strangers used up its messages and failures', async () => {
    const cookie = await signInKnown(owner);
    // The rest of three messages, and then a stranger's fourth, which sends nothing.
    const challenges: string[] = [];
    for (let n = 0; n < 6; n += 1) challenges.push((await begin(owner)).json().details);
    // Twenty wrong answers by strangers lock the account for strangers.
    for (const details of challenges.slice(0, 4))
      for (let n = 0; n < 5; n += 1)
        expect((await answer(details, wrong(await right(details)))).statusCode).toBe(401);
    const late = challenges.at(-1)!;
    expect((await answer(late, await right(late))).statusCode).toBe(401);

    const { details } = (await begin(owner, { cookie })).json();
    const [sent] = await sql<{ sent: boolean }>(
      'select sent from sign_in_challenge where device is not null order by created_at desc limit 1',
    );
    expect(sent).toEqual({ sent: true });
    // The owner mistypes once, and still has four tries.
    expect((await answer(details, wrong(await right(details)), { cookie })).statusCode).toBe(401);
    expect((await answer(details, await right(details), { cookie })).statusCode).toBe(200);
  });

  test('has its own allowance, and no more than that', async () => {
    const name = 'dis@demo.caseway.test';
    const cookie = await signInKnown(name);
    await sql(`update sign_in_challenge set created_at = created_at - interval '1 hour'`);
    for (let n = 0; n < 4; n += 1) await begin(name, { cookie });
    const rows = await sql<{ sent: boolean }>(
      `select sent from sign_in_challenge where device is not null and created_at > now() - interval '15 minutes'
       order by created_at`,
    );
    expect(rows.slice(-4).map(({ sent }) => sent)).toEqual([true, true, true, false]);
  });

  test('is trusted only for its own accounts, and only with a cookie that was signed here', async () => {
    const cookie = await signInKnown('clinician@demo.caseway.test');
    const before = await sql('select from sign_in_challenge where device is not null');
    await begin('privacy@demo.caseway.test', { cookie });
    await begin('clinician@demo.caseway.test', { cookie: `${cookie.slice(0, -3)}AAA` });
    expect(await sql('select from sign_in_challenge where device is not null')).toHaveLength(before.length);
  });

  test('is known by a cookie that scripts and other sites cannot use', async () => {
    const { details } = (await begin('entry@demo.caseway.test')).json();
    const answered = await answer(details, await right(details));
    expect(answered.headers['set-cookie']).toMatch(
      /^caseway-device=[\w.-]+; Path=\/auth\/; HttpOnly; SameSite=Strict; Max-Age=15552000$/,
    );
  });
});

describe('[P25] codes', () => {
  const name = 'facility@demo.caseway.test';

  test('of the last three challenges answer the newest one, each once; older ones do not', async () => {
    await sql(`update sign_in_challenge set created_at = created_at - interval '1 hour'`);
    const [first, second, third] = [
      (await begin(name)).json().details,
      (await begin(name)).json().details,
      (await begin(name)).json().details,
    ];
    // A stranger requested the first; the owner types its code after requesting the third.
    expect((await answer(third, await right(first))).statusCode).toBe(200);
    // It is used up, and so is the challenge that it answered.
    expect((await answer(second, await right(first))).statusCode).toBe(401);
    expect((await answer(first, await right(first))).statusCode).toBe(401);
    expect((await answer(second, await right(second))).statusCode).toBe(200);
  });

  test('of another account answer nothing', async () => {
    const theirs = (await begin('orgadmin@demo.caseway.test')).json().details;
    const own = (await begin('auditor@demo.caseway.test')).json().details;
    expect((await answer(own, await right(theirs))).statusCode).toBe(401);
  });
});

test('an allowance refills evenly, separately for each key', () => {
  const allowances = new Allowances({ most: 3, withinMs: 60_000 });
  expect([0, 0, 0, 0].map(() => allowances.use('a', 0))).toEqual([0, 0, 0, 20]);
  expect(allowances.use('b', 0)).toBe(0);
  expect(allowances.use('a', 10_000)).toBe(10);
  expect(allowances.use('a', 20_000)).toBe(0);
  expect(allowances.use('a', 20_000)).toBe(20);
});
