import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { verifyChain } from '../audit/verify.ts';
import { createLog } from '../log.ts';
import { openDatabase } from './database.ts';
import { type Migration, migrate, readMigrations } from './migrate.ts';

const { appUrl, ownerUrl, superuserUrl } = await createTestDatabase({ empty: true });
const ask = (text: string) => asSuperuser(text, [], superuserUrl);
const one = (number: number, sql: string): Migration => ({
  number,
  name: `000${number}_step.sql`,
  sql,
  checksum: sql,
});
const first = one(1, 'create table step (n int); insert into step values (1);');

beforeEach(async () => {
  await ask('drop schema public cascade');
  await ask('create schema public authorization pg_database_owner');
});

it('runs pending migrations, in order and once', async () => {
  expect(await migrate(ownerUrl, [first])).toEqual(['0001_step.sql']);
  const second = one(2, 'insert into step values (2)');
  expect(await migrate(ownerUrl, [first, second])).toEqual(['0002_step.sql']);
  expect(await migrate(ownerUrl, [first, second])).toEqual([]);
  expect(await ask('select n from step order by n')).toEqual([{ n: 1 }, { n: 2 }]);
});

it('gives the application role the rows of new tables and nothing more', async () => {
  await migrate(ownerUrl, [first]);
  const [rights] = await ask(`
    select has_table_privilege('caseway_app', 'step', 'select') and has_table_privilege('caseway_app', 'step', 'insert')
      and has_table_privilege('caseway_app', 'step', 'update') and has_table_privilege('caseway_app', 'step', 'delete') as rows,
      has_table_privilege('caseway_app', 'step', 'truncate, references, trigger') as more`);
  expect(rights).toEqual({ rows: true, more: false });
});

it('leaves the database as it was before a migration that fails, and names its line', async () => {
  const failing = one(2, 'insert into step values (2);\ninsert into\n  nowhere values (1);');
  await expect(migrate(ownerUrl, [first, failing])).rejects.toThrow(
    'The migration 0002_step.sql failed in line 3: relation "nowhere" does not exist',
  );
  expect(await ask('select n from step')).toEqual([{ n: 1 }]);
  expect(await ask('select number from schema_migration')).toEqual([{ number: 1 }]);
});

it('refuses a migration that was changed after it was applied', async () => {
  await migrate(ownerUrl, [first]);
  await expect(migrate(ownerUrl, [one(1, 'select 1')])).rejects.toThrow(
    '0001_step.sql was changed after it was applied',
  );
});

it('refuses a database that a newer version migrated', async () => {
  await migrate(ownerUrl, [first, one(2, 'select 1')]);
  await expect(migrate(ownerUrl, [first])).rejects.toThrow(
    'a newer version of Caseway (0002_step.sql is not known here)',
  );
});

it('lets one of several that start together do the work', async () => {
  const slow = one(2, 'select pg_sleep(0.2); insert into step values (2)');
  const done = await Promise.all([1, 2, 3].map(() => migrate(ownerUrl, [first, slow])));
  expect(done.flat()).toEqual(['0001_step.sql', '0002_step.sql']);
});

it('reads a folder of migrations with numbers left out, and refuses one given twice and a name of another form', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'caseway-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, '0001_first.sql'), 'select 1');
  expect(await readMigrations(folder)).toMatchObject([
    { number: 1, name: '0001_first.sql', sql: 'select 1' },
  ]);
  await writeFile(join(folder, '0003_third.sql'), 'select 3');
  expect((await readMigrations(folder)).map(({ number }) => number)).toEqual([1, 3]);
  await writeFile(join(folder, '0001_other.sql'), 'select 1');
  await expect(readMigrations(folder)).rejects.toThrow('0001_other.sql should have a number of its own');
  await rm(join(folder, '0001_other.sql'));
  await writeFile(join(folder, '2_second.sql'), 'select 2');
  await expect(readMigrations(folder)).rejects.toThrow('2_second.sql should be named by four digits');
});

it('migrates the data of an earlier version, which the owner of the tables does not see by default', async () => {
  const all = await readMigrations();
  await migrate(
    ownerUrl,
    all.filter(({ number }) => number <= 26),
  );
  await ask(`
    set session_replication_role = replica;
    insert into sign_in_challenge (id, audience, subject, account_id, method, sent, expires_at)
      values ('00000000-0000-4000-8000-000000000003', 'staff', decode('0102030405060708', 'hex'),
        '00000000-0000-4000-8000-000000000002', 'EMAIL', true, now() + interval '5 minutes');
    insert into patient (tenant_id, id, birth_date)
      select '00000000-0000-4000-8000-000000000001', gen_random_uuid(), case when n > 1 then date '1980-01-01' end
      from generate_series(1, 3) as n;
    insert into patient_block (tenant_id, key, patient_id)
      select tenant_id, kind || ':30303:KRS.MR', id from patient, unnest(array['t', 'z']) as kind;
    -- As the log was written then: January, and the month before it.
    insert into audit_event (tenant_id, id, at, action, record_ids, lane, number, hash)
      select '00000000-0000-4000-8000-000000000001', ('00000000-0000-4000-8000-00000000010' || n)::uuid,
        ('2026-01-01T00:30:00Z'::timestamptz + make_interval(hours => n - 2)), 'a' || n,
        array['00000000-0000-4000-8000-000000000009'::uuid], 0, n, '' from generate_series(1, 2) as n;
    update audit_event set hash = sha256(convert_to(app_audit_text(tenant_id, id, at, account_id, org_type, org_id, action,
      record_kind, record_ids, detail, request_id, address), 'UTF8')) where number = 1;
    update audit_event e set hash = sha256(p.hash || convert_to(app_audit_text(e.tenant_id, e.id, e.at, e.account_id,
      e.org_type, e.org_id, e.action, e.record_kind, e.record_ids, e.detail, e.request_id, e.address), 'UTF8'))
      from audit_event p where p.number = 1 and e.number = 2;
    insert into audit_chain (tenant_id, lane, number, hash) select tenant_id, 0, 2, hash from audit_event where number = 2;
    insert into audit_record (tenant_id, record_id, event_id) select tenant_id, record_ids[1], id from audit_event;
    set session_replication_role = default;`);
  expect(await migrate(ownerUrl, all)).toEqual(
    all.filter(({ number }) => number > 26).map(({ name }) => name),
  );
  expect(
    await ask(
      'select (select count(distinct number)::int from patient) as numbers, named = subject and promised as kept from sign_in_challenge',
    ),
  ).toEqual([{ numbers: 3, kept: true }]);
  expect(
    await ask(
      `select left(key, 2) as key, birth_date is not null as born, count(*)::int as n
       from patient_block b join patient p on p.id = b.patient_id group by 1, 2 order by 1, 2`,
    ),
  ).toEqual([
    { key: 'n:', born: false, n: 1 },
    { key: 't:', born: false, n: 1 },
    { key: 't:', born: true, n: 2 },
    { key: 'z:', born: true, n: 2 },
  ]);
  // Each event of the log is in the partition of its month, in UTC, and its hash still matches its content.
  expect(
    await ask(
      `select e.action, e.tableoid::regclass::text as lies_in, r.tableoid::regclass::text as record_in, l.deed
       from audit_event e join audit_record r on r.event_id = e.id join audit_list l on l.id = e.id order by e.number`,
    ),
  ).toEqual([
    { action: 'a1', lies_in: 'audit_event_2025_12', record_in: 'audit_record_2025_12', deed: 'change' },
    { action: 'a2', lies_in: 'audit_event_2026_01', record_in: 'audit_record_2026_01', deed: 'change' },
  ]);
  const database = await openDatabase({ url: appUrl, log: createLog('fatal'), poolSize: 1 });
  onTestFinished(() => database.close());
  expect(await verifyChain(database, '00000000-0000-4000-8000-000000000001')).toMatchObject({
    events: 2,
    faults: [],
  });
});
