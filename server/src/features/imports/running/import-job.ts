import { z } from 'zod';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { asAppError, isOutage } from '../../../platform/http/app-error.ts';
import { defineJob, enqueue, type Work, withdraw, work } from '../../../platform/jobs/jobs.ts';
import { failImport, postponeImport } from './import-row.ts';
import { ImportThreads } from './import-threads.ts';
import { rawRetentionWork } from './raw-retention.ts';
import { sweepUploads, takeOverFiles } from './upload-sweep.ts';

/** Runs an import to its end, from wherever it stopped. */
export const importJob = defineJob({
  name: 'imports/run',
  payload: z.strictObject({ tenantId: z.uuid(), importId: z.uuid() }),
  lane: 'long',
  attempts: 10,
});

const keyOf = (importId: string) => `import ${importId}`;

/**
 * Queues an import with the transaction. Imports of one tenant run one after the other, because a correction may
 * follow what it corrects; a dry run stores nothing and does not hold them up.
 */
export async function enqueueImport(tx: Tx, tenantId: string, importId: string, runAt?: Date): Promise<void> {
  const [row] = await tx.rows<{ dry_run: boolean }>(
    'select dry_run from import where tenant_id = $1 and id = $2',
    [tenantId, importId],
  );
  const queue = `${row?.dry_run ? 'dry run' : 'import'} ${tenantId}`;
  await enqueue(tx, importJob, { tenantId, importId }, { key: keyOf(importId), queue, runAt });
}

/** Removes the queued job of an import. */
export const withdrawImport = (tx: Tx, importId: string): Promise<void> => withdraw(tx, keyOf(importId));

const sweepJob = defineJob({
  name: 'imports/sweep',
  payload: z.strictObject({}),
  lane: 'quick',
  attempts: 1,
});

export interface ImportWorkOptions {
  database: Database;
  /** Connection string of the application role, for the threads that do the work. */
  url: string;
  /** Where earlier versions stored the files. */
  dataDir: string;
}

/**
 * Runs the imports of a server, each in its own thread, so that requests are still answered; and removes unused
 * files every hour.
 */
export function importWorks({ database, url, dataDir }: ImportWorkOptions): {
  works: Work[];
  /** Call it before the first job runs. */
  begin(): Promise<void>;
  /** Call it when no job is running any more. */
  close(): Promise<void>;
} {
  const threads = new ImportThreads({ url });
  const run = work(importJob, async ({ tenantId, importId }, { signal, attempt }) => {
    try {
      const end = await threads.run({ tenantId, importId }, { signal });
      if (end === 'stopped') throw new Error('stopped');
    } catch (error) {
      // The state cannot be stored while the database is away or full; the import continues after that.
      if (signal.aborted || isOutage(error)) throw error;
      const code = asAppError(error).passes ? 'unavailable' : 'internal';
      if (attempt >= importJob.attempts) await failImport(database, tenantId, importId, code);
      else if (code === 'internal') await postponeImport(database, tenantId, importId, code);
      throw error;
    }
  });
  const sweep = work(sweepJob, () => sweepUploads(database), '17 * * * *');
  return {
    works: [run, sweep, rawRetentionWork(database)],
    begin: () => takeOverFiles(database, dataDir),
    close: () => threads.close(),
  };
}
