import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { importList } from '../server/src/features/imports/import-list.ts';
import { ImportThreads } from '../server/src/features/imports/running/import-threads.ts';
import { runImport } from '../server/src/features/imports/running/run-import.ts';
import { storeUpload } from '../server/src/features/imports/upload-store.ts';
import { type ConnectedDatabase, connectDatabase } from '../server/src/platform/db/connect.ts';
import { connected } from '../server/src/platform/db/roles.ts';
import { createLog } from '../server/src/platform/log/log.ts';
import { dataFolder } from './data-folder.ts';
import type { Bench } from './figure.ts';
import { message } from './import-messages.ts';

/** Messages of the measured file; BENCH_MESSAGES makes it larger: a million are a gigabyte. */
const messages = Number(process.env.BENCH_MESSAGES ?? 20_000);
/** Enough to see the cost of one transaction per message. */
const oneByOne = 500;

/**
 * Imports a file with this many messages into a new tenant, in a thread or with one transaction per message. Returns
 * the time and the peak memory.
 */
async function measure(
  { database }: ConnectedDatabase,
  count: number,
  threads: ImportThreads | 'one by one',
) {
  const tenantId = randomUUID();
  const importId = randomUUID();
  await database.withScope({ kind: 'system' }, (tx) =>
    tx.run('insert into tenant (id, name, slug) values ($1, $2, $2)', [tenantId, `bench-${importId}`]),
  );
  async function* file() {
    for (let n = 0; n < count; n++) yield Buffer.from(message(n));
  }
  const { byteSize } = await storeUpload(database, tenantId, importId, file());
  await database.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.run(
      `insert into import (tenant_id, id, file_name, byte_size, state) values ($1, $2, 'bench.hl7', $3, 'queued')`,
      [tenantId, importId, byteSize],
    ),
  );
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  const began = performance.now();
  if (threads === 'one by one') await runImport({ database, tenantId, importId, batchSize: 1 });
  else await threads.run({ tenantId, importId }, {});
  const seconds = (performance.now() - began) / 1000;
  clearInterval(watch);
  const [row] = await database.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.rows<{ taken: number }>(`select taken from ${importList('$1')} i`, [tenantId]),
  );
  if (row?.taken !== count) throw new Error(`${row?.taken} of ${count} messages were taken`);
  return { perSecond: count / seconds, peak: peak / 2 ** 20, megabytes: byteSize / 2 ** 20 };
}

/** Updates the planner's statistics, as PostgreSQL itself does from time to time. */
async function analyze({ ownerUrl }: ConnectedDatabase): Promise<void> {
  await connected(ownerUrl!, 'DATABASE_OWNER_URL', (owner) => owner.query('analyze'));
}

/** From the file to patients, results and cases with their search keys and the replica's outbox. */
export const importBench: Bench = {
  name: 'Import of laboratory messages into the packaged PostgreSQL',
  async run() {
    const dataDir = await dataFolder();
    const connection = await connectDatabase({ dataDir, log: createLog('error') });
    try {
      const threads = new ImportThreads({ url: connection.appUrl });
      // As in a server that has been working: its thread is running, its program loaded.
      await measure(connection, oneByOne, threads);
      const batched = await measure(connection, messages, threads);
      const single = await measure(connection, oneByOne, 'one by one');
      // The statistics now cover tenants with all those messages, and nothing about the next one.
      await analyze(connection);
      const beside = await measure(connection, messages, threads);
      await threads.close();
      return [
        {
          what: `messages, ${messages.toLocaleString('en')} in one file`,
          value: batched.perSecond,
          unit: 'per second',
          promised: '≥ 1000',
          against: {
            what: 'as fast as one transaction a message',
            ratio: batched.perSecond / single.perSecond,
          },
        },
        {
          what: 'the same file, first of a new tenant beside a full one',
          value: beside.perSecond,
          unit: 'per second',
          against: {
            what: 'as fast as the first tenant of all',
            ratio: beside.perSecond / batched.perSecond,
          },
        },
        {
          what: `memory of the process at its height, file of ${Math.round(batched.megabytes)} MB`,
          value: batched.peak,
          unit: 'MB',
          promised: '≤ 512',
        },
      ];
    } finally {
      await connection.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
