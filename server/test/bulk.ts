import { bulkServers } from '../src/bulk-servers.ts';
import { optionsOf } from '../src/features/lookups/options.ts';
import { alwaysRestricted } from '../src/features/reference/catalog.ts';
import { auditor } from '../src/platform/audit/auditor.ts';
import { createAuthorizer } from '../src/platform/auth/authorizer.ts';
import { Signing } from '../src/platform/auth/signing.ts';
import type { Database } from '../src/platform/db/database.ts';
import { Lookups } from '../src/platform/grid/lookups.ts';
import { createLog } from '../src/platform/log/log.ts';
import { bulkWork } from '../src/platform/records/bulk-job.ts';

/**
 * Runs a bulk action as the job does, from its current progress, with two records in each transaction unless another
 * number is given.
 * `beforeCommit` is called at the end of each transaction, with its number.
 */
export function bulkJobIn(
  database: Database,
  beforeCommit: (transaction: number) => Promise<unknown> | undefined = () => undefined,
  batch = 2,
): (tenantId: string, action: string) => Promise<void> {
  const lookups = new Lookups(database, optionsOf);
  return (tenantId, action) => {
    let transactions = 0;
    const { run } = bulkWork({
      database,
      auditor: {
        async write(tx, event) {
          await auditor.write(tx, event);
          transactions += 1;
          await beforeCommit(transactions);
        },
      },
      authorizer: createAuthorizer({
        database,
        signing: new Signing('signs nothing here'),
        restrictedFamilies: alwaysRestricted,
        guardianship: { database, sensitiveFamilies: [], now: () => new Date() },
      }),
      servers: bulkServers(lookups),
      batch,
    });
    const context = { log: createLog('silent'), attempt: 1, signal: new AbortController().signal };
    return run({ tenantId, action }, context);
  };
}
