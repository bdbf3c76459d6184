// A process that runs a bulk action. It prints when its third transaction is about to be committed, and never
// commits it; a test kills it.
import { openDatabase } from '../src/platform/db/database.ts';
import { createLog } from '../src/platform/log/log.ts';
import { bulkJobIn } from './bulk.ts';

const [, , url, tenantId, action] = process.argv;
const database = await openDatabase({ url: url!, log: createLog('silent') });
const work = bulkJobIn(database, async (transaction) => {
  if (transaction < 3) return;
  console.log('before the commit');
  await new Promise(() => {});
});
await work(tenantId!, action!);
