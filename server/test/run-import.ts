// A process that runs one import and says after each commit how many messages are stored; a test kills it.
import { runImport } from '../src/features/imports/run-import.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { createLog } from '../src/platform/log.ts';

const [url, dataDir, tenantId, importId, batchSize] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
const database = await openDatabase({ url, log: createLog('fatal'), poolSize: 2 });
const end = await runImport({
  database,
  dataDir,
  tenantId,
  importId,
  batchSize: Number(batchSize),
  onProgress: ({ messages }) => console.log(messages),
});
console.log(end);
await database.close();
