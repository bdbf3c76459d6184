import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoint } from '@caseway/contract/endpoint';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { postmasterOf } from '../../../test/postmaster.ts';
import { connectDatabase } from '../db/connect.ts';
import { createLog } from '../log/log.ts';
import { createApp } from './app.ts';
import { serve } from './serve.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'caseway-restart-'));
await chmod(dataDir, 0o711);
const log = createLog('silent');
const connection = await connectDatabase({ dataDir, log });
const app = await createApp({
  database: connection.database,
  authorizer: {
    authenticate: () => Promise.reject(),
    authorise: () => Promise.reject(),
    confirm: () => Promise.reject(),
    recordOf: () => Promise.reject(),
  },
  auditor: { write: () => Promise.reject() },
  log,
  publicUrl: 'http://localhost:8080',
  anonymous: { perMinute: 1_000_000 },
});
const count = endpoint({
  method: 'GET',
  path: '/api/count',
  access: 'public',
  deed: 'read',
  summary: 'x',
  response: z.object({ tenants: z.number() }),
});
serve(app, count, (call) =>
  call.withScope(async (tx) => {
    const rows = await tx.rows<{ tenants: number }>('select count(*) as tenants from tenant');
    return rows[0]!;
  }),
);
afterAll(async () => {
  await app.fastify.close();
  await connection.close();
  await rm(dataDir, { recursive: true, force: true });
});

const ask = async () => (await app.fastify.inject('/api/count')).statusCode;

it.each(['SIGKILL', 'SIGINT', 'SIGQUIT'] as const)(
  'answers only 503 while the database is away after %s, and recovers within 10 seconds [P6]',
  async (signal) => {
    expect(await ask()).toBe(200);
    const killed = await postmasterOf(dataDir);
    const statuses = new Set<number>();
    let done = false;
    const asking = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!done) {
          statuses.add(await ask());
          await sleep(5);
        }
      }),
    );
    process.kill(killed, signal);
    const begun = Date.now();
    await expect.poll(() => statuses.has(503), { interval: 5 }).toBe(true);
    // Sessions of the killed database may still answer for a moment.
    const running = () => postmasterOf(dataDir).catch(() => killed);
    const isBack = async () => (await running()) !== killed && (await ask()) === 200;
    await expect.poll(isBack, { interval: 20 }).toBe(true);
    // The promise is ten seconds on a machine that does nothing else.
    expect(Date.now() - begun).toBeLessThan(50_000);
    done = true;
    await asking;
    expect([...statuses].sort()).toEqual([200, 503]);
  },
);
