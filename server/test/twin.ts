import { randomBytes } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { inject } from 'vitest';
import { backupTables, listed, named } from '../src/platform/db/backup-rows.ts';
import { databaseUrl, makeDatabase, plainTemplate, removeDatabase } from './cluster.ts';

/**
 * Gives the superuser's address of a database whose rows are all on one server: the database itself, or a copy of a
 * distributed one that exists during the work. For statements about all tenants, which a test needs and the product
 * does not have.
 */
export async function onOneServer<T>(
  url: string,
  work: (url: string, isCopy: boolean) => Promise<T>,
): Promise<T> {
  const { servers, ...cluster } = inject('cluster');
  if (!servers) return work(url, false);
  const name = `twin_${randomBytes(6).toString('hex')}`;
  await makeDatabase(cluster, name, plainTemplate);
  const twin = databaseUrl(cluster.superuser, name);
  const [source, target] = [new pg.Client(url), new pg.Client(twin)];
  try {
    await Promise.all([source.connect(), target.connect()]);
    await target.query('set session_replication_role = replica');
    const tables = await backupTables(target);
    await target.query(`truncate ${tables.map(named).join(', ')} cascade`);
    for (const table of tables)
      await pipeline(
        source.query(copyTo(`copy (select ${listed(table)} from ${named(table)}) to stdout`)),
        target.query(copyFrom(`copy ${named(table)} (${listed(table)}) from stdin`)),
      );
    return await work(twin, true);
  } finally {
    await Promise.all([source.end(), target.end()]);
    await removeDatabase(cluster, name);
  }
}
