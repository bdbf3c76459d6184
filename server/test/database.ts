import { randomBytes } from 'node:crypto';
import { afterAll, inject } from 'vitest';
import { type Database, openDatabase } from '../src/platform/db/database.ts';
import { createLog } from '../src/platform/log/log.ts';
import { asked, databaseUrl, emptyTemplate, makeDatabase, removeDatabase, template } from './cluster.ts';

export interface TestDatabase {
  database: Database;
  /** Connection string of the application role, which the server uses. */
  appUrl: string;
  /** Connection string of the owner, who migrates. */
  ownerUrl: string;
  /** Connection string of the superuser, who sees every row. */
  superuserUrl: string;
}

/**
 * A migrated database for the test file, removed when the file ends. Call it at the top of a file: `const { database
 * } = await createTestDatabase();`
 */
export async function createTestDatabase({
  poolSize = 4,
  // Other tests run at the same time.
  patienceMs = 60_000,
  empty = false,
  fill,
}: {
  poolSize?: number;
  /** Passed to `openDatabase`. */
  patienceMs?: number;
  empty?: boolean;
  /** Gets the owner's connection string before anyone else uses the database. */
  fill?: (ownerUrl: string) => Promise<unknown>;
} = {}): Promise<TestDatabase> {
  const cluster = inject('cluster');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await makeDatabase(cluster, name, empty ? (cluster.servers ? emptyTemplate : 'template1') : template);
  const ownerUrl = databaseUrl(cluster.owner, name);
  await fill?.(ownerUrl);
  const appUrl = databaseUrl(cluster.app, name);
  const database = await openDatabase({ url: appUrl, log: createLog('fatal'), poolSize, patienceMs });
  afterAll(async () => {
    await database.close();
    await removeDatabase(cluster, name);
  });
  return { database, appUrl, ownerUrl, superuserUrl: databaseUrl(cluster.superuser, name) };
}

/** The rows of a statement run by a role that bypasses all policies. */
export async function asSuperuser<Row extends object>(
  text: string,
  params: unknown[] = [],
  url: string = inject('cluster').superuser,
): Promise<Row[]> {
  return asked(url, text, params);
}
