import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { postmasterOf } from '../../../test/postmaster.ts';
import { Way } from '../../../test/way.ts';
import { connectDatabase } from '../db/connect.ts';
import { createLog } from '../log/log.ts';
import { defineJob, enqueue, migrateJobs, startJobs, work } from './jobs.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'caseway-jobs-'));
await chmod(dataDir, 0o711);
const log = createLog('silent');
const connection = await connectDatabase({ dataDir, log });
await migrateJobs(connection.ownerUrl!);
afterAll(async () => {
  await connection.close();
  await rm(dataDir, { recursive: true, force: true });
});
const scope = { kind: 'system' } as const;
const job = defineJob({
  name: 'test/long',
  payload: z.object({ asks: z.boolean() }),
  lane: 'long',
  attempts: 3,
});

test.each([
  ['fails because of it', true],
  ['is done meanwhile', false],
])(
  '[P6] while the database is away, a job that %s does not end the process, and is finished within 10 seconds of its return',
  async (_, asks) => {
    const attempts: number[] = [];
    const begun = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const jobs = await startJobs({
      url: connection.appUrl,
      log,
      works: [
        work(job, async (payload, { attempt }) => {
          attempts.push(attempt);
          if (attempts.length > 1) return;
          begun.resolve();
          await gone.promise;
          // Like an import, which reports that the database is away.
          if (payload.asks) await connection.database.ping();
        }),
      ],
    });
    try {
      await connection.database.withScope(scope, (tx) => enqueue(tx, job, { asks }));
      await begun.promise;
      await killDatabase();
      gone.resolve();
      const waiting = () =>
        connection.database
          .withScope(scope, (tx) => tx.rows<{ n: number }>('select count(*) as n from graphile_worker.jobs'))
          .then(
            ([row]) => row!.n,
            () => undefined,
          );
      await expect.poll(waiting, { interval: 20 }).toBeDefined();
      await expect.poll(waiting, { interval: 20 }).toBe(0);
      // The attempt that was stopped by the outage does not count.
      expect(attempts).toEqual(asks ? [1, 1] : [1]);
    } finally {
      await jobs.stop();
    }
  },
);

describe('[P6] while the database is away the workers end', () => {
  /** Milliseconds that workers need to end after the database went away while they ran a job. */
  async function ending(beforeTheEnd: () => Promise<unknown>): Promise<number> {
    const begun = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const way = await Way.to(connection.appUrl);
    const jobs = await startJobs({
      url: way.url,
      log,
      works: [
        work(job, async () => {
          begun.resolve();
          await gone.promise;
        }),
      ],
    });
    await connection.database.withScope(scope, (tx) => enqueue(tx, job, { asks: false }));
    await begun.promise;
    await way.cut();
    gone.resolve();
    await beforeTheEnd();
    const began = performance.now();
    await jobs.stop();
    return performance.now() - began;
  }

  test('that have just done a job', async () => {
    expect(await ending(async () => {})).toBeLessThan(60_000);
  });

  test('that ask for the next job, and would do so for hours', async () => {
    // They ask every second.
    expect(await ending(() => pause(2500))).toBeLessThan(60_000);
  });
});

/** Kills the database, and waits until it no longer answers. */
async function killDatabase(): Promise<void> {
  process.kill(await postmasterOf(dataDir), 'SIGKILL');
  await expect
    .poll(
      () =>
        connection.database.ping().then(
          () => true,
          () => false,
        ),
      { interval: 1 },
    )
    .toBe(false);
}
