import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { makeTenant } from '../../../test/factories.ts';
import { archiveLock, dumpDatabase } from '../db/backup.ts';
import { connected } from '../db/roles.ts';
import { archiveMonth, asked, readArchive } from './archive.ts';
import { writeEvent } from './auditor.ts';
import { makeAuditPartitions } from './partitions.ts';
import { lostHeads, verifyChain } from './verify.ts';

const { database, appUrl, ownerUrl, superuserUrl } = await createTestDatabase();
const sql = <Row extends object = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  asSuperuser<Row>(text, params, superuserUrl);
const folder = await mkdtemp(join(tmpdir(), 'caseway-archive-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const key = 'a key of twenty characters';
const asOwner = <T>(work: Parameters<typeof connected<T>>[2]) => connected(ownerUrl, 'the owner', work);

/** A tenant whose first `past` events have an earlier time, January 2020 by default, in the order of the chain. */
async function tenantWith(past: number, now: number, at = (_: number) => '2020-01-31T23:59:59.5Z') {
  const { id: tenantId } = await makeTenant(database);
  const record = crypto.randomUUID();
  for (let n = 0; n < past + now; n += 1)
    await database.withScope({ kind: 'service', tenantId }, (tx) =>
      writeEvent(tx, {
        tenantId,
        accountId: null,
        orgType: 'T',
        orgId: tenantId,
        action: `e${n + 1}` as never,
        deed: 'read',
        recordKind: 'case',
        recordIds: [record],
        detail: { words: 'Ünïcode "quoted" \\', n: 1.5 },
      }),
    );
  // As if the clock had been set back: the chain is rebuilt, so the events do not count as edited.
  for (let n = 1; n <= past; n += 1) {
    await sql(
      `update audit_record r set at = $3 from audit_event e
       where r.tenant_id = $1 and e.tenant_id = $1 and e.id = r.event_id and e.number = $2`,
      [tenantId, n, at(n)],
    );
    await sql('update audit_event set at = $3 where tenant_id = $1 and number = $2', [tenantId, n, at(n)]);
  }
  let hash = Buffer.alloc(0);
  for (let n = 1; n <= past + now; n += 1) {
    const [event] = await sql<{ text: string }>(
      `select app_audit_text(e.tenant_id, e.id, e.at, e.account_id, e.org_type, e.org_id, e.action, e.record_kind,
         e.record_ids, e.detail, e.request_id, e.address, e.deed) as text
       from audit_event e where tenant_id = $1 and number = $2`,
      [tenantId, n],
    );
    hash = createHash('sha256').update(hash).update(event!.text).digest();
    await sql('update audit_event set hash = $3 where tenant_id = $1 and number = $2', [tenantId, n, hash]);
  }
  await sql('update audit_chain set hash = $2 where tenant_id = $1 and number = $3', [
    tenantId,
    hash,
    past + now,
  ]);
  return tenantId;
}

const [one, two] = [await tenantWith(3, 2), await tenantWith(2, 0)];
const tables = async () =>
  (
    await sql<{ name: string }>(
      `select relname as name from pg_class where relispartition and relkind = 'r' and relname like '%_2020_01' order by 1`,
    )
  ).map(({ name }) => name);

/** Runs a command like an operator. */
function run(command: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const path = fileURLToPath(new URL(`../../commands/${command}.ts`, import.meta.url));
  const env = {
    ...process.env,
    DATABASE_URL: appUrl,
    DATABASE_OWNER_URL: ownerUrl,
    DEMO: 'off',
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    BACKUP_KEY: key,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...args], { env, timeout: 240_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

describe('the partitions of the audit log [P15]', () => {
  test('are made three months ahead, and an event without one is in the default partition until its month is made', async () => {
    expect(
      // On Citus the name of a part ends with its number.
      await sql(
        `select distinct regexp_replace(tableoid::regclass::text, '_1\\d{5}$', '') as name from audit_event
         where at < '2021-01-01'`,
      ),
    ).toEqual([{ name: 'audit_event_rest' }]);
    expect(await asOwner(makeAuditPartitions)).toEqual(['2020-01-01']);
    expect(await tables()).toEqual(['audit_event_2020_01', 'audit_record_2020_01']);
    expect(await asOwner(makeAuditPartitions)).toEqual([]);
    const [{ ahead }] = (await sql(
      `select count(*)::int as ahead from pg_class where relispartition and relkind = 'r' and relname ~ '^audit_event_\\d'
         and to_date(substr(relname, 13), 'YYYY_MM') >= date_trunc('month', now() at time zone 'UTC')`,
    )) as [{ ahead: number }];
    expect(ahead).toBe(4);
    expect((await verifyChain(database, one)).faults).toEqual([]);
  });
});

describe('a month that is archived [P15]', () => {
  let path = '';

  test('is kept when one of its events was edited', async () => {
    await sql(`update audit_event set action = 'z' where tenant_id = $1 and number = 2`, [two]);
    await expect(
      asOwner((client) => archiveMonth(client, '2020-01', { folder, key, version: 'x' })),
    ).rejects.toThrow('1 events of 2020-01 are not as they were written.');
    expect(await tables()).toEqual(['audit_event_2020_01', 'audit_record_2020_01']);
    expect(await readdir(folder)).toEqual([]);
    await sql(`update audit_event set action = 'e2' where tenant_id = $1 and number = 2`, [two]);
  });

  test('moves from the database into a file; the rest verifies, and earlier chain heads are kept', async () => {
    const noted = (await verifyChain(database, two)).heads;
    const done = await asOwner((client) => archiveMonth(client, '2020-01', { folder, key, version: 'x' }));
    path = done!.path;
    expect(done!.archive).toMatchObject({ month: '2020-01', events: 5, faults: [] });
    expect(await tables()).toEqual([]);
    expect(await sql(`select from audit_event where at < '2021-01-01'`)).toEqual([]);
    expect(await sql(`select from audit_record where at < '2021-01-01'`)).toEqual([]);
    for (const [tenantId, events, archived] of [
      // The events of this month, and the one that records the archive.
      [one, 3, 3],
      [two, 1, 2],
    ] as const)
      expect(await verifyChain(database, tenantId)).toMatchObject({ events, archived, faults: [] });
    expect(await lostHeads(database, two, noted)).toEqual([]);
    expect(await lostHeads(database, two, [{ ...noted[0]!, hash: 'ff'.repeat(32) }])).toHaveLength(1);
    expect(
      await sql(`select detail from audit_event where tenant_id = $1 and action = 'audit/archived'`, [two]),
    ).toEqual([
      {
        detail: { month: '2020-01', events: 2, file: 'audit-2020-01.caseway', digest: done!.archive.digest },
      },
    ]);
  });

  test('the chain finds that its place was moved, cut, or given another end', async () => {
    const faults = async (change: string) => {
      await sql(`create table kept as select * from audit_archive`);
      await sql(`update audit_archive set ${change} where tenant_id = $1`, [one]);
      const found = (await verifyChain(database, one)).faults.map(({ kind, number }) => [kind, number]);
      await sql('delete from audit_archive');
      await sql('insert into audit_archive select * from kept');
      await sql('drop table kept');
      return found;
    };
    expect(await faults(`hash = sha256('x')`)).toEqual([['edited', 4]]);
    expect(await faults('last = 2')).toEqual([['missing', 3]]);
    expect(await faults('last = 4')).toEqual([['foreign', 4]]);
    expect(await faults(`hash_before = sha256('x')`)).toEqual([['edited', 1]]);
    expect((await verifyChain(database, one)).faults).toEqual([]);
  });

  test('returns its events, and every flipped byte is found', async () => {
    const lines: string[] = [];
    const read = (file: string) =>
      asOwner((client) => readArchive(file, asked(client).rows, key, (some) => lines.push(...some)));
    await read(path);
    expect(lines.map((line) => JSON.parse(line).action).sort()).toEqual(['e1', 'e1', 'e2', 'e2', 'e3']);
    const bytes = await readFile(path);
    const copy = join(folder, 'flipped');
    for (let at = 0; at < bytes.length; at += 97) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1;
      await writeFile(copy, flipped);
      await expect(read(copy)).rejects.toThrow('is damaged, was cut off, or its key is another one.');
    }
    await writeFile(copy, bytes.subarray(0, -1));
    await expect(read(copy)).rejects.toThrow('is damaged');
  });

  test('npm run audit:verify -- --archive accepts the file, and no other', async () => {
    expect(await run('audit-verify', '--archive', path)).toEqual({
      code: 0,
      output: expect.stringContaining('The archive is as it was written.'),
    });
    await sql(`update audit_archive set digest = sha256('x') where tenant_id = $1`, [two]);
    expect(await run('audit-verify', '--archive', path)).toEqual({
      code: 1,
      output: expect.stringContaining('not the file that the log of'),
    });
  });

  test('npm run audit:archive takes the months that every tenant allows, and no others', async () => {
    const tenantId = await tenantWith(2, 1);
    await asOwner(makeAuditPartitions);
    const elsewhere = join(folder, 'elsewhere');
    await sql('update tenant set audit_months = null where id = $1', [tenantId]);
    expect(await run('audit-archive', '--before', '2020-02', '--to', elsewhere)).toMatchObject({
      code: 1,
      output: expect.stringContaining('keeps its whole log in the database.'),
    });
    await sql('update tenant set audit_months = 12 where id = $1', [tenantId]);
    expect(await run('audit-archive', '--before', '2999-01')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/keeps \d{4}-\d{2} and later in the database/),
    });
    expect(await tables()).toHaveLength(2);
    const done = await run('audit-archive', '--to', elsewhere);
    expect(done).toEqual({ code: 0, output: expect.stringContaining('audit-2020-01.caseway: 2 events') });
    expect(await tables()).toEqual([]);
    expect(await verifyChain(database, tenantId)).toMatchObject({ events: 2, archived: 2, faults: [] });
    const read = await run('audit-archive', '--read', join(elsewhere, 'audit-2020-01.caseway'));
    const events = read.output.trim().split('\n');
    expect(events.map((line) => JSON.parse(line).action)).toEqual(['e1', 'e2']);
  });

  test('a month with one event is written completely, and can be read each of forty times [P7]', async () => {
    const month = (n: number) => new Date(Date.UTC(2010, n, 15)).toISOString();
    const tenantId = await tenantWith(4, 1, month);
    await asOwner(makeAuditPartitions);
    const small = join(folder, 'small');
    await asOwner(async (client) => {
      for (const n of [1, 2, 3, 4]) {
        const secret = n === 4 ? key : undefined;
        const options = { folder: small, key: secret, version: '1' };
        const done = await archiveMonth(client, month(n).slice(0, 7), options);
        expect(done!.archive).toMatchObject({ events: 1, faults: [] });
        for (let times = 0; times < 10; times += 1)
          expect(await readArchive(done!.path, asked(client).rows, secret)).toEqual(done!.archive);
      }
    });
    expect(await readdir(small)).toHaveLength(4);
    expect(await verifyChain(database, tenantId)).toMatchObject({ events: 1 + 4, archived: 4, faults: [] });
  });

  test('a file that an earlier run wrote without a key does not count as encrypted', async () => {
    await tenantWith(1, 0, () => '2009-01-15T00:00:00Z');
    await asOwner(makeAuditPartitions);
    const plain = join(folder, 'plain');
    const archived = (secret?: string) =>
      asOwner((client) => archiveMonth(client, '2009-01', { folder: plain, key: secret, version: '1' }));
    // The run stops after its file is written.
    await sql(
      `create function refuse() returns event_trigger language plpgsql as $$ begin raise 'killed'; end $$`,
    );
    await sql('create event trigger killed on sql_drop execute function refuse()');
    await expect(archived()).rejects.toThrow('killed');
    await sql('drop event trigger killed');
    expect(await readdir(plain)).toEqual(['audit-2009-01.caseway']);
    await expect(archived(key)).rejects.toThrow('is not encrypted, although a key is set; an earlier run');
    await rm(join(plain, 'audit-2009-01.caseway'));
    expect((await archived(key))!.archive).toMatchObject({ events: 1 });
  });

  test('waits for readers of the log without blocking others', async () => {
    await tenantWith(1, 0, () => '2008-01-15T00:00:00Z');
    await asOwner(makeAuditPartitions);
    const reader = new pg.Client(superuserUrl);
    await reader.connect();
    await reader.query('begin; select count(*) from audit_event');
    let done = false;
    const archiving = asOwner((client) =>
      archiveMonth(client, '2008-01', { folder, key, version: '1' }).finally(() => {
        done = true;
      }),
    );
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'alter table audit_event detach%'`;
    await expect.poll(async () => (await sql(waiting)).length).toBe(1);
    // Someone else can read again, although the first reader has not finished.
    await sql('select count(*) from audit_event');
    expect(done).toBe(false);
    await reader.end();
    expect((await archiving)!.archive).toMatchObject({ events: 1 });
  });

  test('waits for a backup, and a backup for it', async () => {
    const backup = new pg.Client(ownerUrl);
    await backup.connect();
    await backup.query(`select pg_advisory_lock_shared(${archiveLock})`);
    const archiving = run('audit-archive', '--before', '2007-01', '--to', folder);
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(async () => (await sql(waiting)).length).toBe(1);
    await backup.end();
    const { code, output } = await archiving;
    expect({ code, said: output.trim().split('\n').sort() }).toEqual({
      code: 0,
      said: [
        'No month before 2007-01 is in the database.',
        'Waiting for a backup, or for another archive, to end.',
      ],
    });
    const archive = new pg.Client(ownerUrl);
    await archive.connect();
    await archive.query(`select pg_advisory_lock(${archiveLock})`);
    const records = dumpDatabase(ownerUrl, { version: '1', tokenMark: '' });
    const first = records.next();
    await expect.poll(async () => (await sql(waiting)).length).toBe(1);
    await archive.end();
    expect((await first).value).toMatchObject({ kind: 'h' });
    await records.return(undefined);
  });
});
