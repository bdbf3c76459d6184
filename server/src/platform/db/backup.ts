import type pg from 'pg';
import { BackupFault, type BackupRecord } from './backup-file.ts';
import {
  type BackupTable,
  backupTables,
  named,
  plainSettings,
  RowCounter,
  type RowSum,
  readRows,
} from './backup-rows.ts';
import { isDistributed } from './places.ts';
import { connect } from './roles.ts';

/** The beginning of a backup. */
export interface BackupHead {
  /** The moment of its contents. */
  at: string;
  version: string;
  migrations: { number: number; name: string; checksum: string }[];
  /** Signs every session; absent if it comes from the environment. */
  tokenSecret?: string;
  /** Tells secrets apart. */
  tokenMark: string;
}

/** Taken exclusively to remove months from the audit log, and shared to read all of it. */
export const archiveLock = `hashtext('caseway audit archive')`;

/** The end of a backup. */
export interface BackupEnd {
  tables: Record<string, RowSum>;
  sequences: { name: string; value: string }[];
}

const json = (kind: string, value: unknown): BackupRecord => ({
  kind,
  bytes: Buffer.from(JSON.stringify(value)),
});

/**
 * Every row of the database at one moment, while others continue to write: `h` the head, then for each table `t` and
 * its rows in pieces `r`, then `e` the end with counts and sums. Runs as the owner, to whom policies show all rows
 * only in the scope `backup`. Throws if only a part of a table would be read.
 */
export async function* dumpDatabase(
  ownerUrl: string,
  about: Pick<BackupHead, 'version' | 'tokenSecret' | 'tokenMark'>,
): AsyncGenerator<BackupRecord> {
  const client = await connect(ownerUrl, 'the owner');
  try {
    yield* dump(client, ownerUrl, about);
  } finally {
    await client.end();
  }
}

async function* dump(
  client: pg.Client,
  ownerUrl: string,
  about: Pick<BackupHead, 'version' | 'tokenSecret' | 'tokenMark'>,
): AsyncGenerator<BackupRecord> {
  // A month of the audit log is archived before or after the backup, never during it.
  await client.query(`select pg_advisory_lock_shared(${archiveLock})`);
  await client.query(plainSettings);
  const expected = await backupTables(client);
  const release = (await isDistributed(client)) ? await holdWriters(ownerUrl, expected) : undefined;
  try {
    // Locked before the first query, which fixes the snapshot, so that no migration changes a table in between.
    await client.query('begin isolation level repeatable read read only');
    await client.query(`set local app.scope = 'backup'`);
    await client.query(`lock table ${expected.map(named).join(', ')} in access share mode`);
    // The query reads a table of records, so it takes a snapshot on every server.
    if (release)
      await client.query(`select count(*) from ${named({ schema: 'public', name: 'audit_chain' })}`);
  } finally {
    await release?.();
  }
  const { rows: at } = await client.query<{ at: Date }>('select clock_timestamp() as at');
  const tables = await backupTables(client);
  if (JSON.stringify(tables) !== JSON.stringify(expected))
    throw new BackupFault('The database is being migrated; make the backup when that is done.');
  await assertReadWhole(client);
  const { rows: migrations } = await client.query<BackupHead['migrations'][number]>(
    'select number, name, checksum from schema_migration order by number',
  );
  yield json('h', { at: at[0]!.at.toISOString(), migrations, ...about } satisfies BackupHead);
  const sums: BackupEnd['tables'] = {};
  for (const table of tables) {
    yield json('t', table satisfies BackupTable);
    const counter = new RowCounter();
    for await (const bytes of readRows(client, table)) {
      counter.add(bytes);
      yield { kind: 'r', bytes };
    }
    sums[`${table.schema}.${table.name}`] = counter.total;
  }
  const { rows: sequences } = await client.query<{ name: string; value: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value from pg_sequences
     where schemaname in ('public', 'graphile_worker') and last_value is not null order by 1`,
  );
  yield json('e', { tables: sums, sequences } satisfies BackupEnd);
  await client.query('commit');
}

/**
 * Waits until nobody writes, and blocks new writers until the returned function is called. Each server of a cluster
 * fixes its own snapshot, and in this pause all have the same state.
 */
async function holdWriters(ownerUrl: string, tables: BackupTable[]): Promise<() => Promise<void>> {
  const client = await connect(ownerUrl, 'the owner');
  try {
    await client.query(`begin; set local lock_timeout = '30s'`);
    await client.query(`lock table ${tables.map(named).join(', ')} in share mode`);
  } catch (error) {
    await client.end();
    throw error;
  }
  return () => client.end();
}

/** Throws unless every table that hides rows from its owner has the policy that shows them to a backup. */
async function assertReadWhole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (c.relforcerowsecurity or not pg_has_role(c.relowner, 'usage') and c.relrowsecurity)
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'backup_read'
        and p.polroles = array[(select oid from pg_roles where rolname = current_user)])`);
  if (rows.length > 0)
    throw new BackupFault(
      `The role of the backup would not see every row of ${rows.map(({ name }) => name).join(', ')}. Run npm run migrate with the role that owns the tables, and make the backup with the same role.`,
    );
}
