import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { signIn } from '@caseway/contract/session';
import { expect, test, vi } from 'vitest';
import { seedDemoTenants } from '../../../seeds/demo/seed-tenants.ts';
import { testApp } from '../../../test/app.ts';
import { stopTheClock } from '../../../test/later.ts';
import { signInAs } from '../../../test/sign-in.ts';
import { deviceCookie } from '../auth/device.ts';
import { Signing } from '../auth/signing.ts';
import { createLog } from '../log/log.ts';
import { isInside } from './flood.ts';

const perMinute = 12;
const lines = new PassThrough();
let logged = '';
lines.on('data', (chunk) => {
  logged += chunk;
});
const testing = await testApp(
  {
    ANONYMOUS_PER_MINUTE: String(perMinute),
    BEHIND_PROXY: 'true',
    PUBLIC_URL: 'https://health.example.test',
  },
  { log: createLog('info', lines) },
);
const { app, config, database } = testing;
await seedDemoTenants(database);
await app.fastify.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.fastify.server.address() as AddressInfo;

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}
let names = 0;
const begin = (
  network: string,
  { path = signIn.path, body, ...headers }: { path?: string; body?: string } & Record<string, string> = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const text =
      body ?? JSON.stringify({ origin: 'x', username: `nobody-${names++}`, challengeMethod: 'EMAIL' });
    const request = send(
      {
        port,
        host: '127.0.0.1',
        path,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          'x-forwarded-for': network,
          ...headers,
        },
      },
      (answer) => {
        let said = '';
        answer.on('data', (chunk) => {
          said += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, body: said }));
      },
    );
    request.on('error', reject);
    request.end(text);
  });
const early = async () => {
  const { values } = await app.metrics.getSingleMetric('caseway_strangers_refused_total')!.get();
  return values[0]!.value;
};
const useUp = async (network: string) => {
  stopTheClock();
  for (let n = 0; n < perMinute; n += 1) expect((await begin(network)).status).toBe(200);
};

test('[P25] a network that has used up its allowance is answered before its request is read', async () => {
  await useUp('198.51.100.1');
  const refusedBefore = await early();
  const asked = vi.spyOn(app.anonymousDatabase, 'withScope');
  const answeredLines = logged.split('"answered"').length;
  // With any content, and also through another internal proxy.
  const requests = [
    ['198.51.100.1', undefined],
    ['198.51.100.1', '{'],
    ['203.0.113.9, 198.51.100.1', undefined],
    ['198.51.100.1, 10.1.2.3', undefined],
  ] as const;
  const since = Date.now();
  const answers = await Promise.all(
    requests.map(([network, body]) => begin(network, body === undefined ? {} : { body })),
  );
  // A caller who asks again right after each answer is slowed down.
  expect(Date.now() - since).toBeGreaterThan(490);
  for (const refused of answers) {
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.body)).toEqual({
      code: 'too-many-requests',
      message: expect.any(String),
      retryAfter: Number(refused.headers['retry-after']),
      requestId: refused.headers['x-request-id'],
    });
    expect(refused.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  }
  expect(await early()).toBe(refusedBefore + 4);
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
  // One log line for all of them, not one for each.
  expect(logged.split('"answered"')).toHaveLength(answeredLines);
  expect(logged).toContain('strangers ask too much');
  expect(logged).not.toContain('198.51.100.1');
  // Another spelling of the path is limited the usual way, by its route.
  const spelled = await begin('198.51.100.1', { path: signIn.path.replace('auth', '%61uth') });
  expect(spelled.status).toBe(429);
  expect(await early()).toBe(refusedBefore + 4);
});

test('[P25] others are not: other networks, known browsers, people who are signed in', async () => {
  await useUp('198.51.100.2');
  expect((await begin('198.51.100.2')).status).toBe(429);
  expect((await begin('198.51.100.3')).status).toBe(200);
  // Only the last proxy is trusted.
  expect((await begin('198.51.100.2, 198.51.100.4')).status).toBe(200);
  const signing = new Signing(config.tokenSecret!);
  const cookie = (await deviceCookie(signing, crypto.randomUUID(), undefined, true)).split(';')[0]!;
  expect((await begin('198.51.100.2', { cookie })).status).toBe(200);
  // A forged cookie has no effect.
  expect((await begin('198.51.100.2', { cookie: `${cookie}x` })).status).toBe(429);
  const { headers } = await signInAs(testing, 'epi@demo.caseway.test');
  const own = await fetch(`http://127.0.0.1:${port}/api/auth/initUser`, {
    headers: { ...(headers as Record<string, string>), 'x-forwarded-for': '198.51.100.2' },
  });
  expect(own.status).toBe(200);
});

test('[P25] a long body is not waited for', async () => {
  await useUp('198.51.100.5');
  const refused = await new Promise<{ status?: number; closed: boolean }>((resolve) => {
    const request = send({
      port,
      host: '127.0.0.1',
      path: signIn.path,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': 1_000_000,
        'x-forwarded-for': '198.51.100.5',
      },
    });
    request.on('error', () => {});
    request.on('response', (answer) => {
      answer.resume();
      request.socket!.once('close', () => resolve({ status: answer.statusCode, closed: true }));
    });
    request.write('{"origin":"');
  });
  expect(refused).toEqual({ status: 429, closed: true });
});

test('[P25] when as many strangers wait as allowed, more are refused immediately, from any network', async () => {
  let end = () => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  const holding = Array.from({ length: 4 }, () =>
    app.anonymousDatabase.withScope({ kind: 'identity' }, async (tx) => {
      await tx.rows('select 1');
      await held;
    }),
  );
  const before = await early();
  // Two running, forty waiting, and some more that are refused when their turn comes.
  const many = Array.from({ length: 60 }, (_, n) => begin(`203.0.${n}.1`));
  await expect.poll(() => app.anonymous.waitOf('203.0.200.1')).toBe(2);
  const refused = await begin('203.0.200.1');
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '2']);
  expect(await early()).toBeGreaterThan(before);
  end();
  await Promise.all(holding);
  const statuses = (await Promise.all(many)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await begin('203.0.200.1')).status).toBe(200);
});

test('[P25] among very many strangers at the same time only some are read, and known browsers still are', async () => {
  stopTheClock();
  const before = await early();
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_, n) =>
      begin(`192.0.${n % 250}.${1 + (n >> 8)}`, {
        body: JSON.stringify({ origin: 'x', username: 'one-name', challengeMethod: 'EMAIL' }),
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(12);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  // 150 at the same time, and 50 more per second.
  expect((await early()) - before).toBeGreaterThan(100);
  const cookie = (
    await deviceCookie(new Signing(config.tokenSecret!), crypto.randomUUID(), undefined, true)
  ).split(';')[0]!;
  expect((await begin('192.0.2.1', { cookie })).status).toBe(200);
});

test('only proxies in private networks are trusted', () => {
  for (const address of [
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    '172.31.0.1',
    '192.168.1.1',
    'fd00::1',
    '::ffff:10.0.0.1',
  ])
    expect(isInside(address), address).toBe(true);
  for (const address of ['198.51.100.1', '172.32.0.1', '2001:db8::1', '', 'unknown', '::ffff:8.8.8.8'])
    expect(isInside(address), address).toBe(false);
});
