import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseCrontab } from 'graphile-worker';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startChild } from '../../../test/child.ts';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { createLog } from '../log/log.ts';
import { crontabOf, defineJob, enqueue, type Jobs, migrateJobs, startJobs, type Work, work } from './jobs.ts';

const { database, appUrl, ownerUrl, superuserUrl } = await createTestDatabase();
const log = createLog('silent');

const note = defineJob({
  name: 'test/note',
  payload: z.object({ id: z.string() }),
  lane: 'quick',
  attempts: 3,
});
const scope = { kind: 'system' } as const;

let jobs: Jobs | undefined;
const begin = async (...works: Work[]) => {
  jobs = await startJobs({ url: appUrl, log, works });
};
afterEach(async () => {
  await jobs?.stop();
  jobs = undefined;
  await asSuperuser(
    'truncate graphile_worker._private_jobs, graphile_worker._private_job_queues',
    [],
    superuserUrl,
  );
});
const until = (condition: () => boolean) => expect.poll(condition, { interval: 10 }).toBe(true);

describe('jobs', () => {
  test('a job runs after its transaction has committed, and never when it is rolled back', async () => {
    const done: string[] = [];
    await begin(work(note, async ({ id }) => void done.push(id)));
    await database.withScope(scope, async (tx) => {
      await enqueue(tx, note, { id: 'kept' });
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(done).toEqual([]);
    });
    await expect(
      database.withScope(scope, async (tx) => {
        await enqueue(tx, note, { id: 'dropped' });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await until(() => done.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(done).toEqual(['kept']);
  });

  test('a payload that does not match the job is refused before it is stored', async () => {
    const wrong = database.withScope(scope, (tx) => enqueue(tx, note, { id: 7 } as never));
    await expect(wrong).rejects.toThrow();
  });

  test('a job that fails is tried again, and its error is not stored', async () => {
    const attempts: number[] = [];
    await begin(
      work(note, async (_, { attempt }) => {
        attempts.push(attempt);
        if (attempt === 1) throw new Error('Jane Roe, born 1980');
      }),
    );
    await database.withScope(scope, (tx) => enqueue(tx, note, { id: 'again' }));
    await until(() => attempts.length === 1);
    const kept = () =>
      asSuperuser<{ last_error: string | null }>(
        'select last_error from graphile_worker._private_jobs',
        [],
        superuserUrl,
      );
    await expect.poll(async () => (await kept())[0]?.last_error).toBe('Error');
    await until(() => attempts.length === 2);
    expect(attempts).toEqual([1, 2]);
  });

  test('[P6] attempts that were stopped by an outage or the end of the server do not count', async () => {
    const attempts: number[] = [];
    const kept = async () =>
      (
        await asSuperuser<{ attempts: number; last_error: string; seconds: number }>(
          `select attempts, last_error, extract(epoch from run_at)::float8 - $1 as seconds
           from graphile_worker._private_jobs where last_error is not null`,
          [failedAt / 1000],
          superuserUrl,
        )
      )[0];
    const again = () =>
      asSuperuser('update graphile_worker._private_jobs set run_at = now()', [], superuserUrl);
    const ended = Promise.withResolvers<void>();
    // The second attempt waits until the pause before it has been checked.
    const lookedAt = Promise.withResolvers<void>();
    let failedAt = 0;
    const failing = work(note, async (_, { attempt, signal }) => {
      attempts.push(attempt);
      if (attempts.length === 2) await lookedAt.promise;
      failedAt = Date.now();
      if (attempts.length === 3) throw new Error('a fault of the program');
      if (attempts.length === 4) {
        signal.addEventListener('abort', () => ended.resolve());
        await ended.promise;
        throw new Error('stopped');
      }
      throw Object.assign(new Error('it is away'), { code: '08006' });
    });
    await begin(failing);
    await database.withScope(scope, (tx) => enqueue(tx, note, { id: 'away' }));
    // First soon, in case it was a restart; then every twenty seconds. The library adds e⁰.
    await expect.poll(kept).toMatchObject({ last_error: 'DatabaseAway' });
    expect((await kept())!.seconds).toBeLessThan(15);
    await again();
    lookedAt.resolve();
    await expect.poll(async () => (await kept())!.seconds).toBeGreaterThan(15);
    expect(await kept()).toMatchObject({ attempts: 0, last_error: 'DatabaseAway' });
    await again();
    await expect.poll(kept).toMatchObject({ last_error: 'Error' });
    await again();
    await until(() => attempts.length === 4);
    await jobs!.stop();
    jobs = undefined;
    expect(await asSuperuser('select attempts from graphile_worker._private_jobs', [], superuserUrl)).toEqual(
      [{ attempts: 1 }],
    );
    expect(attempts).toEqual([1, 1, 1, 2]);
  });

  test('at most one run of a scheduled job waits, and it is tried as often as it declares', () => {
    const works = [
      work(note, async () => {}, '23 4 * * *'),
      work({ ...note, name: 'test/other' }, async () => {}),
    ];
    expect(parseCrontab(crontabOf(works))).toMatchObject([
      { task: 'test/note', options: { maxAttempts: 3, jobKey: 'test/note' } },
    ]);
  });

  test('long work does not keep quick work waiting', async () => {
    const long = defineJob({ name: 'test/long', payload: z.object({}), lane: 'long', attempts: 1 });
    const done: string[] = [];
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await begin(
      work(long, () => finished),
      work(note, async ({ id }) => void done.push(id)),
    );
    await database.withScope(scope, async (tx) => {
      for (let i = 0; i < 6; i += 1) await enqueue(tx, long, {});
      await enqueue(tx, note, { id: 'quick' });
    });
    await until(() => done.length === 1);
    finish();
  });

  test('among waiting jobs with the same key only the last runs', async () => {
    const done: string[] = [];
    await database.withScope(scope, async (tx) => {
      await enqueue(tx, note, { id: 'first' }, { key: 'same' });
      await enqueue(tx, note, { id: 'last' }, { key: 'same' });
    });
    await begin(work(note, async ({ id }) => void done.push(id)));
    await until(() => done.length === 1);
    expect(done).toEqual(['last']);
  });

  test('[P5] a job of a killed process is run again within seconds', async () => {
    const script = fileURLToPath(new URL('../../../test/hold-job.ts', import.meta.url));
    const holder = startChild(process.execPath, [script, appUrl], { stdio: ['ignore', 'pipe', 'inherit'] });
    await database.withScope(scope, (tx) => enqueue(tx, note, { id: 'orphan' }));
    const [said] = await once(holder.stdout, 'data');
    expect(String(said)).toBe('orphan\n');
    const done: string[] = [];
    await begin(work(note, async ({ id }) => void done.push(id)));
    // While that process lives, it keeps its job.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(done).toEqual([]);
    holder.kill('SIGKILL');
    await expect.poll(() => done).toEqual(['orphan']);
  });

  test('[P2] the application role owns nothing of the queue, and no view shows it more than it may see', async () => {
    const owned = await asSuperuser(
      `select relname from pg_class where relnamespace = 'graphile_worker'::regnamespace and relowner = 'caseway_app'::regrole`,
      [],
      superuserUrl,
    );
    expect(owned).toEqual([]);
    const views = await asSuperuser<{ reloptions: string[] }>(
      `select reloptions from pg_class where relnamespace = 'graphile_worker'::regnamespace and relkind = 'v'`,
      [],
      superuserUrl,
    );
    for (const { reloptions } of views) expect(reloptions).toContain('security_invoker=true');
  });

  test('the queue can be migrated repeatedly', async () => {
    await migrateJobs(ownerUrl);
  });
});
