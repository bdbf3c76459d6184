import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { makeAuditPartitions } from '../audit/partitions.ts';
import { migrateJobs } from '../jobs/jobs.ts';
import { distributeTables, inPlace } from './distribute.ts';
import { prepareEveryTable, showToOwner } from './every-table.ts';
import { isDistributed } from './places.ts';
import { applicationRole, connected } from './roles.ts';
import {
  applyTexts,
  changedTexts,
  dropTexts,
  policiesFile,
  type RunSql,
  readTexts,
  runNamed,
  type SchemaText,
} from './schema-texts.ts';
import { type Patience, takeTables, withTables } from './take-tables.ts';

export interface Migration {
  number: number;
  name: string;
  sql: string;
  checksum: string;
}

export const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url));

/**
 * The migrations of a folder in order. Numbers may be missing, because parallel work reserves numbers. Throws if a
 * name is not `NNNN_words.sql` or a number occurs twice.
 */
export async function readMigrations(from: string = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql') && name !== policiesFile).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]);
      if (Number.isNaN(number))
        throw new Error(
          `The migration ${name} should be named by four digits and words, as 0001_words.sql is.`,
        );
      if (names[index - 1]?.startsWith(name.slice(0, 5)))
        throw new Error(`The migration ${name} should have a number of its own.`);
      const sql = await readFile(join(from, name), 'utf8');
      return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** The files that define the tables of a database. */
export interface SchemaFiles {
  migrations: Migration[];
  texts: SchemaText[];
}

export const readSchema = async (from: string = migrationsFolder): Promise<SchemaFiles> => ({
  migrations: await readMigrations(from),
  texts: await readTexts(from),
});

/**
 * Brings a database to the state that the files describe, and returns the names of those that it ran: the missing
 * migrations, and the functions, views and policies with changed texts. All is one transaction: it throws one clear
 * sentence and leaves the database as it was if one fails, if a migration was changed after it was applied, or if a
 * newer version of Caseway migrated the database. If several processes do this at the same time, one works and the
 * others wait.
 *
 * While migrations run, there are no views or policies, and no functions of ours except those that a table needs;
 * the owner sees every row. All are created again before anyone else can look.
 *
 * Everyone waits while it changes the tables. If a long transaction uses one of them, it lets the others work, calls
 * `patience.waits`, and tries again a few seconds later, until that transaction has ended.
 */
export function migrate(ownerUrl: string, files?: SchemaFiles, patience: Patience = {}): Promise<string[]> {
  return migrated(ownerUrl, files, async () => {}, patience);
}

/**
 * Migrates a database, and spreads its tables with their rows over the servers of its Citus cluster; see
 * `distribute`. `say` gets a line for each step. Returns the same as `migrate`.
 */
export function migrateAndDistribute(
  ownerUrl: string,
  say: (line: string) => void,
  files?: SchemaFiles,
): Promise<string[]> {
  return migrated(ownerUrl, files, (client) => distributeTables(client, say));
}

async function migrated(
  ownerUrl: string,
  files: SchemaFiles | undefined,
  then: (client: pg.Client) => Promise<void>,
  patience: Patience = {},
): Promise<string[]> {
  const { migrations, texts } = files ?? (await readSchema());
  return connected(ownerUrl, 'the owner', async (client) => {
    await client.query("select pg_advisory_lock(hashtext('caseway migrations'))");
    const done = await withTables(client, patience, async () => {
      await prepareSchema(client);
      const ask = (text: string) => client.query(text);
      const pending = await pendingMigrations(ask, migrations);
      const changed = await changedTexts(ask, texts);
      if (pending.length + changed.length > 0) {
        await takeTables(client, patience);
        await dropTexts(client);
        if (pending.length > 0) await showToOwner(client);
        for (const migration of pending) await runMigration(client, migration);
        await applyTexts(client, texts, runSql);
      }
      await prepareEveryTable(client);
      return [...pending.map(({ name }) => name), ...changed];
    });
    await makeAuditPartitions(client);
    await then(client);
    // Also under the lock: the queue's own migrations come with its package.
    await migrateJobs(ownerUrl);
    return done;
  });
}

const runSql: RunSql = async (client, sql) =>
  (await isDistributed(client)) ? inPlace(client, sql) : client.query(sql);

/** Preparations before the first migration; safe to repeat. */
export async function prepareSchema(client: pg.Client): Promise<void> {
  await client.query(`
    set client_min_messages = warning;
    create table if not exists schema_migration (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    );
    create table if not exists schema_text (
      name text primary key,
      checksum text not null,
      -- Of Caseway: an older version does not put its own texts in the place of newer ones.
      version text not null,
      applied_at timestamptz not null default now()
    );
    -- In a database that had tables before, the default below has already given more.
    revoke all on schema_migration, schema_text from ${applicationRole};
    grant select on schema_migration, schema_text to ${applicationRole};
    grant usage on schema public to ${applicationRole};
    alter default privileges in schema public grant select, insert, update, delete on tables to ${applicationRole};
    alter default privileges in schema public grant usage, select on sequences to ${applicationRole};`);
}

/** A migration from before version 0.1.0. Such a database cannot be upgraded. */
export const isBeforeRelease = (name: string): boolean => name === '0001_scope_and_identity.sql';

const beforeRelease =
  'The database was made by Caseway before version 0.1.0, which no later version can bring up to date. Start with an empty one: move DATA_DIR away, or name another database in DATABASE_URL.';

/** The migrations that a database lacks. Throws if the database has migrations that are not known here. */
export async function pendingMigrations(
  ask: (text: string) => Promise<{ rows: unknown[] }>,
  known: Migration[],
): Promise<Migration[]> {
  const { rows } = await ask('select number, name, checksum from schema_migration order by number');
  const applied = new Map((rows as Migration[]).map((row) => [row.number, row]));
  if ([...applied.values()].some(({ name }) => isBeforeRelease(name))) throw new Error(beforeRelease);
  for (const { number, name, checksum } of applied.values()) {
    const migration = known.find((one) => one.number === number);
    if (!migration)
      throw new Error(`The database was migrated by a newer version of Caseway (${name} is not known here).`);
    if (migration.checksum !== checksum)
      throw new Error(
        `The migration ${name} was changed after it was applied. Put it back and write a new one instead.`,
      );
  }
  return known.filter(({ number }) => !applied.has(number));
}

/** Runs a migration in the transaction of the caller. Throws one clear sentence if it fails. */
export async function runMigration(
  client: pg.Client,
  { number, name, sql, checksum }: Migration,
): Promise<void> {
  await runNamed(client, `The migration ${name}`, sql, runSql);
  await client.query('insert into schema_migration (number, name, checksum) values ($1, $2, $3)', [
    number,
    name,
    checksum,
  ]);
}
