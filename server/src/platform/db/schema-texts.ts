import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { product } from '../operations/product.ts';

/**
 * A part of the schema without rows that is created again when its text changes: a function, view or policy. Its
 * name is that of its file, such as `views/user_list.sql`.
 */
export interface SchemaText {
  name: string;
  sql: string;
  checksum: string;
}

/** Runs a text; on a database that is spread over several servers it is rewritten first. */
export type RunSql = (client: pg.Client, sql: string) => Promise<unknown>;

export const policiesFile = 'policies.sql';

/**
 * The texts of a folder of migrations, in the order in which they depend on each other: functions by file name, then
 * views, then policies.
 */
export async function readTexts(folder: string): Promise<SchemaText[]> {
  const within = async (part: string) =>
    (await readdir(join(folder, part))).sort().map((name) => `${part}/${name}`);
  const names = [...(await within('functions')), ...(await within('views')), policiesFile];
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * The names of texts that differ in the database or are missing on either side. Throws if a newer version of Caseway
 * made them.
 */
export async function changedTexts(
  ask: (text: string) => Promise<{ rows: unknown[] }>,
  known: SchemaText[],
): Promise<string[]> {
  const { rows } = await ask('select name, checksum, version from schema_text order by name');
  const applied = rows as { name: string; checksum: string; version: string }[];
  const newer = applied.find(({ version }) => isNewer(version, product.version));
  if (newer)
    throw new Error(
      `The database was migrated by a newer version of Caseway (${newer.version}; this is ${product.version}).`,
    );
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  return [
    ...known.filter(({ name, checksum }) => checksums.get(name) !== checksum).map(({ name }) => name),
    ...applied.map(({ name }) => name).filter((name) => !known.some((one) => one.name === name)),
  ];
}

/** Whether a version such as 0.10.0 comes after another one. */
function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number)) as [number[], number[]];
  const at = a.findIndex((part, place) => part !== b[place]);
  return at >= 0 && a[at]! > (b[at] ?? 0);
}

/**
 * Drops policies, views and functions, so that migrations can change tables, and functions can change their
 * parameters. Only ours: views by the names of their files, and functions named app_…, except those whose results a
 * table stores.
 */
export async function dropTexts(client: pg.Client): Promise<void> {
  await client.query(`
    do $$
    declare one text;
    begin
      for one in select format('drop policy %I on %s', p.polname, p.polrelid::regclass)
        from pg_policy p join pg_class c on c.oid = p.polrelid
        where c.relnamespace = 'public'::regnamespace and p.polname <> 'backup_read' and pg_has_role(c.relowner, 'usage')
      loop execute one; end loop;
      for one in select format('drop view if exists %I', substring(name from '^views/(.*)\\.sql$')) from schema_text
        where name like 'views/%' order by name desc
      loop execute one; end loop;
      -- All at once, because they call each other.
      select 'drop function ' || string_agg(p.oid::regprocedure::text, ', ') into one
        from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname like 'app\\_%'
        and not exists (select from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
          and d.classid <> 'pg_proc'::regclass);
      if one is not null then execute one; end if;
    end $$`);
}

/** Creates all of them, and stores that. Throws one clear sentence if one fails. */
export async function applyTexts(client: pg.Client, texts: SchemaText[], run: RunSql): Promise<void> {
  for (const { name, sql } of texts) await runNamed(client, `The file ${name}`, sql, run);
  await client.query('delete from schema_text');
  for (const { name, checksum } of texts)
    await client.query('insert into schema_text (name, checksum, version) values ($1, $2, $3)', [
      name,
      checksum,
      product.version,
    ]);
}

/** Runs the SQL of a file. If it fails, throws one clear sentence with the given name and the line. */
export async function runNamed(client: pg.Client, name: string, sql: string, run: RunSql): Promise<void> {
  try {
    await run(client, sql);
  } catch (error) {
    const { message, position } = error as pg.DatabaseError;
    const line = position ? ` in line ${sql.slice(0, Number(position)).split('\n').length}` : '';
    throw new Error(`${name} failed${line}: ${message}`);
  }
}
