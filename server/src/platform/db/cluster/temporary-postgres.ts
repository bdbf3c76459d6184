import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type PackagedPostgres, startPackagedPostgres } from './packaged-postgres.ts';

/** A packaged PostgreSQL in its own folder, which is removed with it; fast, and not crash-safe. */
export async function startTemporaryPostgres(log: Logger): Promise<PackagedPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'caseway-'));
  await chmod(dataDir, 0o711);
  const cluster = await startPackagedPostgres({ dataDir, log, durable: false, graceSeconds: 1 });
  return {
    ...cluster,
    async stop() {
      await cluster.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
