import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { followWhile } from '../../../test/following.ts';
import { postmasterOf } from '../../../test/postmaster.ts';
import { connectDatabase } from '../db/connect.ts';
import { createLog } from '../log/log.ts';

// Its own PostgreSQL, which writes to the disk before it acknowledges.
const dataDir = await mkdtemp(join(tmpdir(), 'caseway-numbers-'));
await chmod(dataDir, 0o711);
const { database, close } = await connectDatabase({ dataDir, log: createLog('silent'), poolSize: 10 });
afterAll(async () => {
  await close();
  await rm(dataDir, { recursive: true, force: true });
});

it('while PostgreSQL is killed again and again, every acknowledged change is read once and in order [P5, P6]', async () => {
  const outcome = await followWhile(
    database,
    { tenants: 2, writers: 6, patienceMs: 30_000 },
    async (more) => {
      await more(40);
      for (const signal of ['SIGKILL', 'SIGQUIT', 'SIGKILL'] as const) {
        process.kill(await postmasterOf(dataDir), signal);
        await more(40);
      }
    },
  );
  expect(outcome).toMatchObject({ faults: [], lost: 0 });
  // Some changes were under way at each kill.
  expect(outcome.unheard).toBeGreaterThan(3);
  expect(outcome.undone).toBeGreaterThan(0);
});
