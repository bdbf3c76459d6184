import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillDemo } from '../seeds/demo/fill.ts';
import { dumpDatabase } from '../src/platform/db/backup.ts';
import { type BackupRecord, openBackup, sealBackup } from '../src/platform/db/backup-file.ts';
import type { Database } from '../src/platform/db/database.ts';
import type { SchemaFiles } from '../src/platform/db/migrate.ts';
import { checkBackup, restoreDatabase } from '../src/platform/db/restore.ts';
import type { Scope } from '../src/platform/scope.ts';
import { asSuperuser, createTestDatabase, type TestDatabase } from './database.ts';
import { makeScopeWorld } from './scope-world.ts';

/** How many rows of each table and view a reader sees, without empty ones. */
export type Seen = Record<string, number>;

/** What a release leaves for later ones. */
export interface Release {
  /** A backup of the product, with the names and checksums of its migrations. */
  records(): AsyncIterable<BackupRecord>;
  readers: Record<string, { scope: Scope; sees: Seen }>;
}

export const releasesFolder = fileURLToPath(new URL('releases', import.meta.url));

export async function readRelease(version: string): Promise<Release> {
  const folder = join(releasesFolder, version);
  return {
    records: () => openBackup(join(folder, 'data.backup'), undefined),
    readers: JSON.parse(await readFile(join(folder, 'readers.json'), 'utf8')),
  };
}

/** Fills a new database with a small demo and a row of every table for every kind of reader, and stores its state. */
export async function writeRelease(
  version: string,
  { database, ownerUrl, superuserUrl }: TestDatabase,
): Promise<void> {
  await fillDemo(database, {
    demo: { patients: 8, results: 20, cases: 5 },
    vendor: { patients: 4, results: 8, cases: 2 },
  });
  const world = await makeScopeWorld(superuserUrl);
  const readers: Release['readers'] = {};
  for (const [name, scope] of Object.entries(world.readers)) {
    // Emergency access has ended by the time that anyone reads this.
    if ('glass' in scope && scope.glass) continue;
    readers[name] = { scope, sees: await seenBy(database, superuserUrl, scope) };
  }
  const folder = join(releasesFolder, version);
  await mkdir(folder, { recursive: true });
  const records = dumpDatabase(ownerUrl, { version, tokenMark: 'none', tokenSecret: undefined });
  await writeFile(join(folder, 'data.backup'), sealBackup(records, undefined));
  const lines = Object.entries(readers).map(
    ([name, reader]) => `${JSON.stringify(name)}: ${JSON.stringify(reader)}`,
  );
  await writeFile(join(folder, 'readers.json'), `{\n${lines.join(',\n')}\n}\n`);
}

export async function seenBy(database: Database, superuserUrl: string, scope: Scope): Promise<Seen> {
  const relations = await asSuperuser<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
       and not relispartition and relname not like 'schema\\_%' and relname not like 'citus\\_%' order by 1`,
    [],
    superuserUrl,
  );
  // One at a time: Citus crashes when one statement counts local, shared and distributed tables.
  const counts = await database.withScope(scope, async (tx) => {
    const found: { name: string; n: number }[] = [];
    for (const { name } of relations)
      found.push(
        ...(await tx.rows<{ name: string; n: number }>(
          `select '${name}' as name, count(*)::int as n from ${name}`,
        )),
      );
    return found;
  });
  return Object.fromEntries(counts.filter(({ n }) => n > 0).map(({ name, n }) => [name, n]));
}

/** The keys of all rows of each table, as text. */
export async function keysOf(superuserUrl: string): Promise<Map<string, Set<string>>> {
  const tables = await asSuperuser<{ name: string; key: string }>(
    `select c.relname as name, string_agg(quote_ident(a.attname) || '::text', ', ' order by k.place) as key
     from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary,
       unnest(i.indkey) with ordinality as k (attnum, place), pg_attribute a
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not like 'schema\\_%' and a.attrelid = c.oid and a.attnum = k.attnum
     group by 1 order by 1`,
    [],
    superuserUrl,
  );
  const keys = new Map<string, Set<string>>();
  for (const { name, key } of tables) {
    const rows = await asSuperuser<{ key: string }>(
      `select concat_ws(' ', ${key}) as key from ${name}`,
      [],
      superuserUrl,
    );
    keys.set(name, new Set(rows.map((row) => row.key)));
  }
  return keys;
}

/** Tables from which a migration removes rows on purpose, or which it renames, and why that loses nothing. */
const accountedFor: Record<string, string> = {};

/** Tables to which a migration adds rows on purpose, and why. */
const addedTo: Record<string, string> = {
  role_grant: 'a tenant administrator can give the permissions to see true numbers and to export patients',
  patient_fact: 'persons are a fact since',
  hiv_test_fact: 'the results that ask for HIV, which were there',
  care_year_fact: 'the years of confirmed cases of HIV, which were there',
};

/** Changes of records are not in a backup. */
export const leftOut = ['outbox', 'change_counter'];

/** The database of a release, with its migrations and no later one; `known` has all current ones. */
export async function databaseOf({ records }: Release, known: SchemaFiles): Promise<TestDatabase> {
  const backup = await checkBackup(records(), known.migrations);
  const migrations = known.migrations.filter(({ number }) =>
    backup.head.migrations.some((one) => one.number === number),
  );
  return createTestDatabase({
    empty: true,
    fill: (ownerUrl) =>
      restoreDatabase(ownerUrl, backup, records(), { replace: false, files: { migrations, texts: [] } }),
  });
}

/** Earlier rows that are gone, by table. */
export const lost = (
  before: Map<string, Set<string>>,
  after: Map<string, Set<string>>,
): Record<string, number> =>
  Object.fromEntries(
    [...before]
      .map(([table, keys]) => [table, keys.difference(after.get(table) ?? new Set()).size] as const)
      .filter(([table, gone]) => gone > 0 && accountedFor[table] === undefined),
  );

const isExpected = (table: string, before: number, after: number): boolean =>
  addedTo[table] === undefined ? after === before : after >= before;

/** Readers whose view has changed: what they saw and see now, by table. */
export async function changedSight(
  { readers }: Release,
  { database, superuserUrl }: TestDatabase,
): Promise<string[]> {
  const changes: string[] = [];
  for (const [name, { scope, sees }] of Object.entries(readers)) {
    const now = await seenBy(database, superuserUrl, scope);
    for (const table of new Set([...Object.keys(sees), ...Object.keys(now)]).difference(new Set(leftOut)))
      if (accountedFor[table] === undefined && !isExpected(table, sees[table] ?? 0, now[table] ?? 0))
        changes.push(`${name} saw ${sees[table] ?? 0} rows of ${table}, and sees ${now[table] ?? 0}`);
  }
  return changes;
}
