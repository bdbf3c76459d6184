import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { makeAuditPartitions } from '../audit/partitions.ts';
import { migrateJobs } from '../jobs/jobs.ts';
import { applicationRole, connected } from './roles.ts';

export interface Migration {
  number: number;
  name: string;
  sql: string;
  checksum: string;
}

const folder = fileURLToPath(new URL('../../../migrations', import.meta.url));

/**
 * The migrations of a folder in order. A number may be missing, because parallel work reserves numbers. Throws if a
 * name is not `NNNN_words.sql` or a number occurs twice.
 */
export async function readMigrations(from: string = folder): Promise<Migration[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).sort();
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

/**
 * Brings a database to the state that the migrations describe, and returns those it ran. Each runs in its own
 * transaction; if several processes do this at the same time, one works and the others wait. Throws one clear sentence,
 * and leaves the database as it was before the failing migration, if one fails, if an applied one was changed
 * afterwards, or if the database has an unknown one.
 */
export async function migrate(ownerUrl: string, migrations?: Migration[]): Promise<string[]> {
  const known = migrations ?? (await readMigrations());
  return connected(ownerUrl, 'the owner', async (client) => {
    await client.query("select pg_advisory_lock(hashtext('caseway migrations'))");
    await prepareSchema(client);
    const pending = await pendingMigrations((text) => client.query(text), known);
    for (const migration of pending) await apply(client, migration);
    await guardPartitions(client);
    await showToBackups(client);
    await makeAuditPartitions(client);
    // Under the lock too: the queue's own migrations come with its package.
    await migrateJobs(ownerUrl);
    return pending.map(({ name }) => name);
  });
}

/** Preparations before the first migration; safe to repeat. */
export async function prepareSchema(client: pg.Client): Promise<void> {
  await client.query('set client_min_messages = warning');
  await client.query(`
    create table if not exists schema_migration (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    );
    -- In a database that had tables before, the default below has already given more.
    revoke all on schema_migration from ${applicationRole};
    grant select on schema_migration to ${applicationRole};
    grant usage on schema public to ${applicationRole};
    alter default privileges in schema public grant select, insert, update, delete on tables to ${applicationRole};
    alter default privileges in schema public grant usage, select on sequences to ${applicationRole};`);
}

/** Nobody can bypass the policies of a table by naming one of its partitions. Safe to repeat. */
export async function guardPartitions(client: pg.Client): Promise<void> {
  await client.query(`
    do $$
    declare t regclass;
    begin
      for t in select c.oid from pg_class c join pg_inherits i on i.inhrelid = c.oid
        join pg_class whole on whole.oid = i.inhparent
        where c.relnamespace = 'public'::regnamespace and c.relispartition and whole.relrowsecurity
          and not (c.relrowsecurity and c.relforcerowsecurity)
      loop
        execute format('alter table %s enable row level security', t);
        execute format('alter table %s force row level security', t);
        execute format('revoke all on %s from ${applicationRole}', t);
      end loop;
    end $$`);
}

/**
 * Row-level security is forced on the owner too, who would see no row and back up nothing. Only to the owner, and only
 * in the scope of backups, each table shows all of its rows; the application role is never the owner. [P7]
 */
export async function showToBackups(client: pg.Client): Promise<void> {
  await client.query(`
    do $$
    declare t regclass;
    begin
      for t in select c.oid from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
          and not c.relispartition and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'backup_read')
      loop
        execute format('create policy backup_read on %s for select to current_user
          using (current_setting(''app.scope'', true) = ''backup'')', t);
      end loop;
    end $$`);
}

/** The migrations a database lacks. Throws when those it has are not those that are known here. */
export async function pendingMigrations(
  ask: (text: string) => Promise<{ rows: unknown[] }>,
  known: Migration[],
): Promise<Migration[]> {
  const { rows } = await ask('select number, name, checksum from schema_migration order by number');
  const applied = new Map((rows as Migration[]).map((row) => [row.number, row]));
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

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await runMigration(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Runs a migration within the transaction of the caller. Throws one clear sentence when it fails. */
export async function runMigration(
  client: pg.Client,
  { number, name, sql, checksum }: Migration,
): Promise<void> {
  try {
    await client.query(sql);
    await client.query('insert into schema_migration (number, name, checksum) values ($1, $2, $3)', [
      number,
      name,
      checksum,
    ]);
  } catch (error) {
    const { message, position } = error as pg.DatabaseError;
    const line = position ? ` in line ${sql.slice(0, Number(position)).split('\n').length}` : '';
    throw new Error(`The migration ${name} failed${line}: ${message}`);
  }
}
