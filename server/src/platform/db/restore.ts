import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { migrateJobs } from '../jobs/jobs.ts';
import type { BackupEnd, BackupHead } from './backup.ts';
import { BackupFault, type BackupRecord } from './backup-file.ts';
import {
  type BackupTable,
  listed,
  named,
  plainSettings,
  quoted,
  RowCounter,
  readRows,
} from './backup-rows.ts';
import { prepareEveryTable } from './every-table.ts';
import {
  isBeforeRelease,
  type Migration,
  migrate,
  migrateAndDistribute,
  prepareSchema,
  readMigrations,
  readSchema,
  runMigration,
  type SchemaFiles,
} from './migrate.ts';
import { isDistributed } from './places.ts';
import { connected } from './roles.ts';

const parsed = <T>({ bytes }: BackupRecord): T => JSON.parse(bytes.toString()) as T;
const wrong = () => new BackupFault('The backup does not hold what it says; nothing was changed.');

/** The contents of a complete backup. */
export interface CheckedBackup {
  head: BackupHead;
  tables: BackupTable[];
  end: BackupEnd;
}

/**
 * Reads and checks a whole backup. Throws a `BackupFault` if a byte was changed, a table has other rows than the end
 * says, or a newer version of Caseway made it.
 */
export async function checkBackup(
  records: AsyncIterable<BackupRecord>,
  migrations?: Migration[],
): Promise<CheckedBackup> {
  let head: BackupHead | undefined;
  let end: BackupEnd | undefined;
  const tables: BackupTable[] = [];
  const counters: RowCounter[] = [];
  for await (const record of records) {
    if (end) throw wrong();
    if (record.kind === 'h') head = parsed(record);
    else if (record.kind === 't') {
      tables.push(parsed(record));
      counters.push(new RowCounter());
    } else if (record.kind === 'r') counters.at(-1)?.add(record.bytes);
    else if (record.kind === 'e') end = parsed(record);
    else throw wrong();
  }
  if (!head || !end) throw wrong();
  for (const [at, { schema, name }] of tables.entries())
    if (JSON.stringify(end.tables[`${schema}.${name}`]) !== JSON.stringify(counters[at]!.total))
      throw wrong();
  const known = migrations ?? (await readMigrations());
  if (head.migrations.some(({ name }) => isBeforeRelease(name)))
    throw new BackupFault(
      'The backup was made by Caseway before version 0.1.0, which no later version can restore.',
    );
  for (const { number, name, checksum } of head.migrations) {
    const ours = known.find((one) => one.number === number);
    if (!ours)
      throw new BackupFault(
        `The backup was made by a newer version of Caseway (${head.version}, ${name}). Restore it with that version.`,
      );
    if (ours.checksum !== checksum)
      throw new BackupFault(
        `The backup was made with another text of the migration ${name} than this version has.`,
      );
  }
  return { head, tables, end };
}

/**
 * Replaces everything in the database with the rows of a checked backup, in one transaction: either all of it is
 * restored, and every table compared by count and sum, or the database does not change. Then runs the migrations
 * that are newer than the backup, and returns them. Throws a `BackupFault` if the database is in use, if rows would
 * be lost without `replace`, or if it has tables that are not Caseway's.
 */
export async function restoreDatabase(
  ownerUrl: string,
  backup: CheckedBackup,
  records: AsyncIterable<BackupRecord>,
  { replace, files }: { replace: boolean; files?: SchemaFiles },
): Promise<string[]> {
  const { migrations, texts } = files ?? (await readSchema());
  const wasDistributed = await connected(ownerUrl, 'the owner', async (client) => {
    const isSpread = await isDistributed(client);
    await client.query(plainSettings);
    // A server that starts now waits here.
    await client.query("select pg_advisory_lock(hashtext('caseway migrations'))");
    await assertReplaceable(client, replace);
    // The queue creates its tables on its own connections.
    await migrateJobs(ownerUrl);
    await client.query('begin');
    try {
      await makeSchema(client, backup, migrations);
      await fill(client, backup, records);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
    await client.query('analyze');
    return isSpread;
  });
  const done = wasDistributed
    ? await migrateAndDistribute(ownerUrl, () => {}, { migrations, texts })
    : await migrate(ownerUrl, { migrations, texts });
  return done.filter((name) => migrations.some((one) => one.name === name));
}

async function assertReplaceable(client: pg.Client, replace: boolean): Promise<void> {
  const { rows: others } = await client.query(
    `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and application_name like 'caseway%' limit 1`,
  );
  if (others.length > 0)
    throw new BackupFault(
      'A server or a command of Caseway works with this database. Stop it first; nothing was changed.',
    );
  const { rows } = await client.query<{ ours: boolean; tables: number; filled: boolean }>(`
    select to_regclass('public.schema_migration') is not null as ours, count(*)::int as tables,
      coalesce(bool_or(c.relname in ('tenant', 'account') and pg_relation_size(c.oid) > 0), false) as filled
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'f')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`);
  const { ours, tables, filled } = rows[0]!;
  if (tables > 0 && !ours)
    throw new BackupFault('The database holds tables that are not of Caseway. Restore into an empty one.');
  if (filled && !replace)
    throw new BackupFault(
      'The database is not empty. Say --replace to lose what is in it, or restore into an empty one.',
    );
}

/** The empty tables as they were when the backup was made; earlier contents are gone. */
async function makeSchema(
  client: pg.Client,
  { head, tables }: CheckedBackup,
  known: Migration[],
): Promise<void> {
  // All names are read before the first view is dropped. That drops others with it, whose names could no longer be
  // read.
  await client.query(`
    do $$
    declare name text;
    begin
      foreach name in array array(select format('%I.%I', n.nspname, c.relname) from pg_class c
        join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public'
        and c.relkind = 'v' and pg_has_role(c.relowner, 'usage')
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e'))
      loop execute format('drop view if exists %s cascade', name); end loop;
      foreach name in array array(select format('%I.%I', n.nspname, c.relname) from pg_class c
        join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public'
        and c.relkind in ('r', 'p') and not c.relispartition
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e'))
      loop execute format('drop table if exists %s cascade', name); end loop;
      foreach name in array array(select format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid))
        from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public'
        and pg_has_role(p.proowner, 'usage')
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e'))
      loop execute format('drop routine if exists %s cascade', name); end loop;
    end $$`);
  await prepareSchema(client);
  for (const { number } of head.migrations)
    await runMigration(client, known.find((one) => one.number === number)!);
  await client.query(`select set_config('app.scope', '', true)`);
  for (const table of tables)
    for (const { name, bound } of table.partitions)
      await client.query(
        `create table if not exists ${named({ ...table, name })} partition of ${named(table)} ${bound}`,
      );
  await prepareEveryTable(client);
}

/** Copies the rows in, with checks and triggers for each row suspended until all are there. */
async function fill(
  client: pg.Client,
  { tables, end }: CheckedBackup,
  records: AsyncIterable<BackupRecord>,
): Promise<void> {
  const names = tables.map((table) => `${table.schema}.${table.name}`);
  const { rows: forced } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relforcerowsecurity and relnamespace = 'public'::regnamespace`,
  );
  const { rows: keys } = await client.query<{ table: string; name: string; text: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as text from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  );
  const { rows: indexes } = await client.query<{ name: string; text: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as text
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition and not i.indisunique`,
  );
  for (const { name } of forced) await client.query(`alter table ${name} no force row level security`);
  for (const { table, name } of keys)
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  for (const table of tables) await client.query(`alter table ${named(table)} disable trigger user`);
  await client.query(`truncate ${tables.map(named).join(', ')}`);
  await copyAll(client, records);
  for (const [at, table] of tables.entries()) {
    const counter = new RowCounter();
    for await (const chunk of readRows(client, table)) counter.add(chunk);
    if (JSON.stringify(counter.total) !== JSON.stringify(end.tables[names[at]!]))
      throw new BackupFault(`The rows of ${names[at]} are not those of the backup; nothing was changed.`);
  }
  for (const { name, value } of end.sequences)
    await client.query('select setval(to_regclass($1), $2::bigint) where to_regclass($1) is not null', [
      name,
      value,
    ]);
  for (const table of tables) await client.query(`alter table ${named(table)} enable trigger user`);
  for (const { text } of indexes) await client.query(text);
  for (const { table, name, text } of keys)
    await client.query(`alter table ${table} add constraint ${quoted(name)} ${text}`);
  for (const { name } of forced) await client.query(`alter table ${name} force row level security`);
}

async function copyAll(client: pg.Client, records: AsyncIterable<BackupRecord>): Promise<void> {
  const source = records[Symbol.asyncIterator]();
  let next = await source.next();
  async function* rows() {
    for (; !next.done && next.value.kind === 'r'; next = await source.next()) yield next.value.bytes;
  }
  while (!next.done) {
    const record = next.value;
    next = await source.next();
    if (record.kind !== 't') continue;
    const table = parsed<BackupTable>(record);
    await pipeline(rows(), client.query(copyFrom(`copy ${named(table)} (${listed(table)}) from stdin`)));
  }
}
