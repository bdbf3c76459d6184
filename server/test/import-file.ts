// A process that imports a file in small batches. After each it prints how many messages are committed, and waits
// until it gets a byte: a test kills it there, or lets it continue. A fourth argument makes it a dry run.
import { readSync } from 'node:fs';
import { importFile } from '../src/features/imports/import-file.ts';
import { runImport } from '../src/features/imports/running/run-import.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { createLog } from '../src/platform/log/log.ts';

const [url, tenantId, path, isDry] = process.argv.slice(2) as [string, string, string, string?];
const database = await openDatabase({ url, log: createLog('fatal'), poolSize: 2 });
const { end } = await importFile({
  database,
  tenantId,
  path,
  dryRun: isDry !== undefined,
  run: (request, hooks) => runImport({ database, ...request, ...hooks, batchSize: 40 }),
  onProgress: ({ messages }) => {
    console.log(messages);
    readSync(0, Buffer.alloc(1));
  },
});
console.log(end);
await database.close();
