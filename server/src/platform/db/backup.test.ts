import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, describe, expect, inject, it, test, vi } from 'vitest';
import { askedEach, databaseUrl, template } from '../../../test/cluster.ts';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { load, rounds } from '../../../test/load.ts';
import { makeScopeWorld } from '../../../test/scope-world.ts';
import { type BackupEnd, dumpDatabase } from './backup.ts';
import {
  BackupFault,
  type BackupRecord,
  isEncrypted,
  openBackup,
  sealBackup,
  writeWhole,
} from './backup-file.ts';
import { migrate, readMigrations } from './migrate.ts';
import { checkBackup, restoreDatabase } from './restore.ts';
import { connected } from './roles.ts';

// Deriving the key of a file is slow on purpose, and this test opens files many times.
vi.mock('node:crypto', async (actual) => {
  const crypto = await actual<typeof import('node:crypto')>();
  const keys = new Map<string, ReturnType<typeof crypto.scryptSync>>();
  const scryptSync: typeof crypto.scryptSync = (...given) => {
    const asked = JSON.stringify(given);
    if (!keys.has(asked)) keys.set(asked, crypto.scryptSync(...given));
    return keys.get(asked)!;
  };
  return { ...crypto, scryptSync };
});

const folder = await mkdtemp(join(tmpdir(), 'caseway-backup-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
let files = 0;

async function written(records: AsyncIterable<BackupRecord>, key?: string): Promise<string> {
  const path = join(folder, `${++files}`);
  await writeFile(path, sealBackup(records, key));
  return path;
}
async function* given<T>(values: readonly T[]) {
  yield* values;
}
async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}
const about = { version: '1.2.3', tokenMark: 'mark', tokenSecret: 'secret' };

describe('the file of a backup', () => {
  const key = 'a key of twenty characters';
  const records = [
    { kind: 'h', bytes: Buffer.from('{}') },
    ...Array.from({ length: 12 }, () => ({ kind: 'r', bytes: randomBytes(100_000) })),
    { kind: 'e', bytes: Buffer.from('{}') },
  ];

  it.each([undefined, key])('gives back what was put in, with the key %s', async (secret) => {
    const path = await written(given(records), secret);
    expect(await all(openBackup(path, secret))).toEqual(records);
    expect((await readFile(path)).includes(records[1]!.bytes.subarray(0, 50))).toBe(secret === undefined);
  });

  it.each([undefined, key])(
    'is complete however little is in it, each of many times, with the key %s [P7]',
    async (secret) => {
      // Compressing so little ends before its input is closed, which once cut off a file now and then.
      const two = [records[0]!, records.at(-1)!];
      // Deriving a key is slow, and does not affect the compression.
      for (let n = 0; n < (secret === undefined ? 40 : load(3, 40)); n += 1) {
        const path = await written(given(two), secret);
        expect(await all(openBackup(path, secret))).toEqual(two);
      }
    },
  );

  it('is refused without encryption if there is a key, unless requested', async () => {
    // Anyone who can write a file can write one without a key, so nothing in it would prove that it is ours.
    const path = await written(given(records));
    await expect(all(openBackup(path, key))).rejects.toThrow(
      'The backup is not encrypted, although a key is set',
    );
    expect(await all(openBackup(path, key, { unencrypted: true }))).toEqual(records);
    expect([await isEncrypted(path), await isEncrypted(await written(given(records), key))]).toEqual([
      false,
      true,
    ]);
  });

  it('is complete or not there at all, even if two write it at the same time or it is stopped', async () => {
    const path = join(folder, 'named');
    const rest = async () => (await readdir(folder)).filter((name) => name.startsWith('named'));
    async function* broken() {
      yield records[0]!;
      throw new Error('the database is gone');
    }
    await expect(writeWhole(path, sealBackup(broken(), undefined))).rejects.toThrow('the database is gone');
    const stopping = new AbortController();
    async function* stopped() {
      yield records[0]!;
      stopping.abort();
      yield* records.slice(1);
    }
    await expect(writeWhole(path, sealBackup(stopped(), undefined), stopping.signal)).rejects.toThrow(
      `Stopped; ${path} was not written.`,
    );
    expect(await rest()).toEqual([]);
    const sizes = await Promise.all(
      [1, 2].map(() => writeWhole(path, sealBackup(given(records), undefined))),
    );
    expect(sizes).toContain((await stat(path)).size);
    expect(await all(openBackup(path, undefined))).toEqual(records);
    expect(await rest()).toEqual(['named']);
    await expect(
      writeWhole(join(folder, 'none', 'file'), sealBackup(given(records), undefined)),
    ).rejects.toMatchObject({
      code: 'ENOENT',
      path: expect.stringContaining(join(folder, 'none', 'file')),
    });
  });

  it.each([undefined, key])(
    'is refused when any byte is changed, missing or added, with the key %s [P7]',
    { timeout: 300_000 },
    async (secret) => {
      const bytes = await readFile(await written(given(records), secret));
      const path = join(folder, 'changed');
      const refused = async (changed: Buffer) => {
        await writeFile(path, changed);
        await expect(all(openBackup(path, secret))).rejects.toThrow(BackupFault);
      };
      // Every byte of the first line, of the lengths around frames and of the end, and a sample of the others.
      const line = bytes.indexOf(10) + 1;
      const first = line + 4 + Math.floor(bytes.readUInt32BE(line) / 2);
      // Deriving a key is slow, so with a key only some places of the first line are tried.
      const near = [...Array(line + 6).keys()].filter(
        (place) => secret === undefined || place % load(27, 9) === 0,
      );
      const around = [...[-1, 0, 1, 2, 3, 4].map((n) => first + n)];
      const places = [...near, ...around, bytes.length - 1, bytes.length - 33, bytes.length - 17];
      for (const place of places) {
        const changed = Buffer.from(bytes);
        changed[place]! ^= 1;
        await refused(changed);
      }
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (place, bits) => {
          const changed = Buffer.from(bytes);
          changed[place]! ^= bits;
          await refused(changed);
          await refused(bytes.subarray(0, place));
        }),
        rounds(secret === undefined ? 12 : 4, 12),
      );
      await refused(bytes.subarray(0, first));
      await refused(Buffer.concat([bytes, Buffer.from([0])]));
      // Two swapped frames.
      const second = first + 4 + Math.floor(bytes.readUInt32BE(first) / 2);
      await refused(
        Buffer.concat([
          bytes.subarray(0, line),
          bytes.subarray(first, second),
          bytes.subarray(line, first),
          bytes.subarray(second),
        ]),
      );
    },
  );

  it('is refused with another key, and without one', async () => {
    const path = await written(given(records), key);
    await expect(all(openBackup(path, `${key}!`))).rejects.toThrow('The key does not fit the backup');
    await expect(all(openBackup(path, undefined))).rejects.toThrow('The backup is encrypted: set BACKUP_KEY');
  });

  it('is refused if it is another kind of file', async () => {
    const path = join(folder, 'other');
    for (const text of ['', 'x', 'PK\u0003\u0004', '{"a":1}\n', `${'x'.repeat(5000)}\n`]) {
      await writeFile(path, text);
      await expect(all(openBackup(path, undefined))).rejects.toThrow('The file is no backup of Caseway');
    }
  });
});

/** A database for one test: an empty one, or a copy of another. */
async function newDatabase(from = 'template1') {
  const { superuser, owner } = inject('cluster');
  const name = `restored_${randomBytes(6).toString('hex')}`;
  await asSuperuser(`create database ${name} owner caseway_owner template ${from} strategy file_copy`);
  afterAll(() => asSuperuser(`drop database ${name} with (force)`));
  return { ownerUrl: databaseUrl(owner, name), superuserUrl: databaseUrl(superuser, name) };
}

/** The number of rows of each table and a hash of them, read by a role that sees every row. */
async function contents(superuserUrl: string): Promise<Record<string, unknown>> {
  const tables = await asSuperuser<{ name: string; columns: string }>(
    `select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ' order by a.attname) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
       and c.relname not in ('outbox', 'change_counter', 'migrations', 'schema_text') group by 1 order by 1`,
    [],
    superuserUrl,
  );
  const found = await askedEach(
    superuserUrl,
    tables.map(
      ({ name, columns }) =>
        `select count(*)::int as rows, md5(string_agg(t::text, E'\\n' order by t::text)) as hash
         from (select ${columns} from ${name}) t`,
    ),
  );
  return Object.fromEntries(tables.map(({ name }, at) => [name, found[at]![0]]));
}

/**
 * Everything that the catalogue says about tables, to check that a restored database protects as the original did.
 * [P2]
 */
const catalogue = (superuserUrl: string) =>
  asSuperuser(
    `select c.relname, c.relkind, c.relowner::regrole::text, c.relrowsecurity, c.relforcerowsecurity, c.relacl::text, c.reloptions,
       array(select a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || a.attnotnull || a.attacl::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attname) as columns,
       array(select p.polname::text || p.polcmd::text || p.polpermissive || pg_get_expr(p.polqual, c.oid) || p.polroles::regrole[]::text
         from pg_policy p where p.polrelid = c.oid order by p.polname) as policies,
       array(select pg_get_constraintdef(k.oid) from pg_constraint k where k.conrelid = c.oid order by 1) as constraints,
       array(select pg_get_indexdef(i.indexrelid) from pg_index i where i.indrelid = c.oid order by 1) as indexes,
       array(select pg_get_triggerdef(t.oid) || t.tgenabled::text from pg_trigger t
         where t.tgrelid = c.oid and not t.tgisinternal order by 1) as triggers
     from pg_class c where c.relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
       and c.relkind in ('r', 'p', 'v') order by 1`,
    [],
    superuserUrl,
  );

describe('a database [P7]', async () => {
  const source = await createTestDatabase();
  await makeScopeWorld(source.superuserUrl);
  // So that its January events get a partition.
  await migrate(source.ownerUrl);
  await asSuperuser(
    `select graphile_worker.add_job('imports/sweep', '{}', run_at := '2100-01-01') from generate_series(1, 3)`,
    [],
    source.superuserUrl,
  );
  const path = await written(dumpDatabase(source.ownerUrl, about), 'a key of twenty characters');
  const open = () => openBackup(path, 'a key of twenty characters');
  const backup = await checkBackup(open());

  it('is restored completely next to the other: every row, every policy, every key', async () => {
    const target = await newDatabase();
    expect(await restoreDatabase(target.ownerUrl, backup, open(), { replace: false })).toEqual([]);
    const [before, after] = [await contents(source.superuserUrl), await contents(target.superuserUrl)];
    expect(after).toEqual(before);
    const filled = Object.values(before).filter((table) => (table as { rows: number }).rows > 0);
    expect(filled.length).toBeGreaterThan(45);
    expect(await catalogue(target.superuserUrl)).toEqual(await catalogue(source.superuserUrl));
    // The next job gets a new number, after the restored ones.
    const job =
      'insert into graphile_worker._private_jobs (task_id) select min(task_id) from graphile_worker._private_jobs';
    await asSuperuser(job, [], target.superuserUrl);
  });

  it('lists the contents of each table', async () => {
    const sums = Object.entries(backup.end.tables).map(([name, { rows }]) => [
      name.replace(/^public\./, ''),
      rows,
    ]);
    const there = Object.entries(await contents(source.superuserUrl)).map(([name, table]) => [
      name,
      (table as { rows: number }).rows,
    ]);
    expect(Object.fromEntries(sums)).toEqual(Object.fromEntries(there));
    expect(backup.head).toMatchObject(about);
  });

  it('that is not empty is replaced only on request, and then keeps nothing of its earlier contents', async () => {
    const target = await newDatabase(template);
    const other = `insert into tenant (id, name, slug) values (gen_random_uuid(), 'Before', 'before')`;
    await asSuperuser(other, [], target.superuserUrl);
    const before = await contents(target.superuserUrl);
    await expect(restoreDatabase(target.ownerUrl, backup, open(), { replace: false })).rejects.toThrow(
      'The database is not empty. Say --replace',
    );
    expect(await contents(target.superuserUrl)).toEqual(before);
    // Dropping one drops the other too, in either order.
    for (const [first, then] of [['a', 'b'], ['d', 'c']] as const) // biome-ignore format: pairs
      for (const text of [`view ${first} as select 1 as n`, `view ${then} as select n from ${first}`])
        await connected(target.ownerUrl, 'the owner', (client) => client.query(`create ${text}`));
    await restoreDatabase(target.ownerUrl, backup, open(), { replace: true });
    expect(await contents(target.superuserUrl)).toEqual(await contents(source.superuserUrl));
    expect(await catalogue(target.superuserUrl)).toEqual(await catalogue(source.superuserUrl));
  });

  it('in use is left alone, and so is one that is not Caseway’s', async () => {
    const restore = (ownerUrl: string) => restoreDatabase(ownerUrl, backup, open(), { replace: true });
    const server = new pg.Client({ connectionString: source.appUrl, application_name: 'caseway listen' });
    await server.connect();
    await expect(restore(source.ownerUrl)).rejects.toThrow(
      'A server or a command of Caseway works with this database.',
    );
    await server.end();
    const target = await newDatabase();
    await asSuperuser('create table theirs (n integer)', [], target.superuserUrl);
    await expect(restore(target.ownerUrl)).rejects.toThrow('tables that are not of Caseway');
  });

  it('does not change when a restore is interrupted', async () => {
    const target = await newDatabase(template);
    const other = `insert into tenant (id, name, slug) values (gen_random_uuid(), 'Before', 'before')`;
    await asSuperuser(other, [], target.superuserUrl);
    const before = await contents(target.superuserUrl);
    async function* broken() {
      let rows = 0;
      for await (const record of open()) {
        if (record.kind === 'r' && ++rows > 20) throw new Error('the disk is gone');
        yield record;
      }
    }
    await expect(restoreDatabase(target.ownerUrl, backup, broken(), { replace: true })).rejects.toThrow(
      'the disk is gone',
    );
    async function* short() {
      for await (const record of open()) if (record.kind !== 'r') yield record;
    }
    await expect(restoreDatabase(target.ownerUrl, backup, short(), { replace: true })).rejects.toThrow(
      'are not those of the backup; nothing was changed',
    );
    expect(await contents(target.superuserUrl)).toEqual(before);
  });

  it('of another version is refused when newer, and upgraded when older', async () => {
    const changed = async (change: (head: { migrations: object[] }) => void) => {
      const records = await all(open());
      const head = JSON.parse(records[0]!.bytes.toString());
      change(head);
      return checkBackup(
        given([{ kind: 'h', bytes: Buffer.from(JSON.stringify(head)) }, ...records.slice(1)]),
      );
    };
    await expect(
      changed(({ migrations }) => migrations.push({ number: 9999, name: '9999_later.sql', checksum: 'x' })),
    ).rejects.toThrow('The backup was made by a newer version of Caseway (1.2.3, 9999_later.sql).');
    await expect(
      changed(({ migrations }) => Object.assign(migrations[0]!, { checksum: 'x' })),
    ).rejects.toThrow('another text of the migration 0001');
    await expect(
      changed(({ migrations }) => Object.assign(migrations[0]!, { name: '0001_scope_and_identity.sql' })),
    ).rejects.toThrow('The backup was made by Caseway before version 0.1.0');

    const known = await readMigrations();
    const older = await newDatabase();
    await migrate(older.ownerUrl, { migrations: known.slice(0, -3), texts: [] });
    const tenant = `insert into tenant (id, name, slug) values (gen_random_uuid(), 'Bay', 'bay')`;
    await asSuperuser(tenant, [], older.superuserUrl);
    const records = await all(dumpDatabase(older.ownerUrl, about));
    const target = await newDatabase();
    const migrated = await restoreDatabase(
      target.ownerUrl,
      await checkBackup(given(records)),
      given(records),
      {
        replace: false,
      },
    );
    expect(migrated).toEqual(known.slice(-3).map(({ name }) => name));
    expect(await asSuperuser('select slug from tenant', [], target.superuserUrl)).toEqual([{ slug: 'bay' }]);
  });

  it('whose policies hide rows from the owner is not backed up at all', async () => {
    await asSuperuser('drop policy backup_read on patient', [], source.superuserUrl);
    await expect(all(dumpDatabase(source.ownerUrl, about))).rejects.toThrow(
      'The role of the backup would not see every row of patient.',
    );
    await migrate(source.ownerUrl);
    await checkBackup(dumpDatabase(source.ownerUrl, about));
  });
});

test('a backup has the state of one moment while others write [P7]', async () => {
  const source = await createTestDatabase();
  const tenantId = '00000000-0000-4000-8000-000000000001';
  await asSuperuser(
    `insert into tenant (id, name, slug) values ($1, 'Bay', 'bay')`,
    [tenantId],
    source.superuserUrl,
  );
  const writer = new pg.Client(source.superuserUrl);
  await writer.connect();
  let writing = true;
  let pairs = 0;
  // Each import and its tally are in one transaction.
  const writes = (async () => {
    while (writing) {
      await writer.query(
        `with i as (insert into import (tenant_id, id, file_name, state) values ($1, gen_random_uuid(), 'x', 'done') returning id)
         insert into import_tally (tenant_id, import_id, kind, key, families, n) select $1, id, 'state', 'taken', '{}', 1 from i`,
        [tenantId],
      );
      pairs += 1;
    }
    await writer.end();
  })();
  await expect.poll(() => pairs).toBeGreaterThan(20);
  const records: BackupRecord[] = [];
  for await (const record of dumpDatabase(source.ownerUrl, about)) {
    // It continues only when others have written between two pieces.
    const before = pairs;
    if (record.kind === 't') await expect.poll(() => pairs).toBeGreaterThan(before);
    records.push(record);
  }
  writing = false;
  await writes;
  const { tables } = JSON.parse(records.at(-1)!.bytes.toString()) as BackupEnd;
  const held = tables['public.import']!.rows;
  expect(held).toBeGreaterThan(20);
  expect(held).toBeLessThan(pairs);
  expect(tables['public.import_tally']!.rows).toBe(held);
  await checkBackup(given(records));
});
