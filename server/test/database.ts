import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { type Database, openDatabase } from '../src/platform/db/database.ts';
import { createLog } from '../src/platform/log.ts';
import { databaseUrl, template } from './cluster.ts';

export interface TestDatabase {
  database: Database;
  /** Connection string of the application role, which the server works with. */
  appUrl: string;
  /** Connection string of the owner, who migrates. */
  ownerUrl: string;
  /** Connection string of the superuser, who sees every row. */
  superuserUrl: string;
}

/**
 * A migrated database for the test file, removed when the file ends. Call it at the top of a file: `const { database }
 * = await createTestDatabase();`
 */
export async function createTestDatabase({ poolSize = 4, empty = false } = {}): Promise<TestDatabase> {
  const cluster = inject('cluster');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const from = empty ? 'template1' : template;
  await asSuperuser(`create database ${name} owner caseway_owner template ${from} strategy file_copy`);
  const appUrl = databaseUrl(cluster.app, name);
  const database = await openDatabase({ url: appUrl, log: createLog('fatal'), poolSize });
  afterAll(async () => {
    await database.close();
    await asSuperuser(`drop database ${name} with (force)`);
  });
  const ownerUrl = databaseUrl(cluster.owner, name);
  return { database, appUrl, ownerUrl, superuserUrl: databaseUrl(cluster.superuser, name) };
}

/** The rows of a statement run by a role that no policy hides anything from. */
export async function asSuperuser<Row extends object>(
  text: string,
  params: unknown[] = [],
  url: string = inject('cluster').superuser,
): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(text, params)).rows;
  } finally {
    await client.end();
  }
}
