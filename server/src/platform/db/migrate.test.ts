import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { type Migration, migrate, migrationsFolder, readMigrations } from './migrate.ts';
import { printPolicies } from './policies.ts';
import { connect } from './roles.ts';
import { policiesFile, type SchemaText } from './schema-texts.ts';

const { ownerUrl, superuserUrl } = await createTestDatabase({ empty: true });
const ask = (text: string) => asSuperuser(text, [], superuserUrl);
const one = (number: number, sql: string): Migration => ({
  number,
  name: `000${number}_step.sql`,
  sql,
  checksum: sql,
});
const text = (name: string, sql: string): SchemaText => ({ name, sql, checksum: sql });
const first = one(1, 'create table step (n int); insert into step values (1);');
const run = (migrations: Migration[], texts: SchemaText[] = []) => migrate(ownerUrl, { migrations, texts });

beforeEach(async () => {
  await ask('drop schema public cascade');
  await ask('create schema public authorization pg_database_owner');
});

describe('migrations', () => {
  it('that are pending run in order and once', async () => {
    expect(await run([first])).toEqual(['0001_step.sql']);
    const second = one(2, 'insert into step values (2)');
    expect(await run([first, second])).toEqual(['0002_step.sql']);
    expect(await run([first, second])).toEqual([]);
    expect(await ask('select n from step order by n')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('give the application role the rows of new tables and nothing more', async () => {
    await run([first]);
    const [rights] = await ask(`
      select has_table_privilege('caseway_app', 'step', 'select') and has_table_privilege('caseway_app', 'step', 'insert')
        and has_table_privilege('caseway_app', 'step', 'update') and has_table_privilege('caseway_app', 'step', 'delete') as rows,
        has_table_privilege('caseway_app', 'step', 'truncate, references, trigger') as more`);
    expect(rights).toEqual({ rows: true, more: false });
  });

  it('leave the database as it was before the first of them when one fails, and its line is named', async () => {
    await run(
      [first],
      [text('views/shown.sql', 'create view shown with (security_invoker = true) as select n from step')],
    );
    const failing = one(3, 'insert into step values (3);\ninsert into\n  nowhere values (1);');
    await expect(run([first, one(2, 'insert into step values (2)'), failing])).rejects.toThrow(
      'The migration 0003_step.sql failed in line 3: relation "nowhere" does not exist',
    );
    expect(await ask('select n from shown')).toEqual([{ n: 1 }]);
    expect(await ask('select number from schema_migration')).toEqual([{ number: 1 }]);
    expect(await ask('select name from schema_text')).toEqual([{ name: 'views/shown.sql' }]);
  });

  it('that were changed after they were applied are refused', async () => {
    await run([first]);
    await expect(run([one(1, 'select 1')])).rejects.toThrow('0001_step.sql was changed after it was applied');
  });

  it('of a newer version are refused', async () => {
    await run([first, one(2, 'select 1')]);
    await expect(run([first])).rejects.toThrow(
      'a newer version of Caseway (0002_step.sql is not known here)',
    );
  });

  it('from before the first release are refused in one sentence that says what to do', async () => {
    await run([{ ...first, name: '0001_scope_and_identity.sql' }]);
    await expect(migrate(ownerUrl)).rejects.toThrow(
      /^The database was made by Caseway before version 0\.1\.0.*move DATA_DIR away, or name another database/,
    );
    expect(await ask('select n from step')).toEqual([{ n: 1 }]);
  });

  it('change rows that row-level security hides from everyone, and are the only ones who can', async () => {
    await run([one(1, 'create table step (n int)')]);
    await ask('insert into step values (1)');
    expect(await asSuperuser('select n from step', [], ownerUrl)).toEqual([]);
    await run([one(1, 'create table step (n int)'), one(2, 'update step set n = n + 1')]);
    expect(await ask('select n from step')).toEqual([{ n: 2 }]);
    expect(await asSuperuser('select n from step', [], ownerUrl)).toEqual([]);
  });

  it('are run by one of several that start together', async () => {
    const slow = one(2, 'select pg_sleep(0.2); insert into step values (2)');
    const done = await Promise.all([1, 2, 3].map(() => run([first, slow])));
    expect(done.flat()).toEqual(['0001_step.sql', '0002_step.sql']);
  });

  it('wait for a long reader without keeping others waiting, and run when it has ended', async () => {
    const before = [first, one(2, 'create table other (n int)')];
    await run(before);
    const reader = await connect(superuserUrl, 'the test');
    onTestFinished(() => reader.end());
    await reader.query('begin; select from step');
    const waiting = Promise.withResolvers<void>();
    const files = { migrations: [...before, one(3, 'alter table step add m int')], texts: [] };
    const running = migrate(ownerUrl, files, { waits: waiting.resolve, tryMs: 200, pauseMs: 1000 });
    await waiting.promise;
    // It has released the table that is being read, and the one that nobody reads.
    for (const table of ['step', 'other']) await ask(`set lock_timeout = 500; select from ${table}`);
    await reader.query('commit');
    expect(await running).toEqual(['0003_step.sql']);
  });

  it('begin again after a deadlock with a transaction, and let that one finish', async () => {
    const before = [first, one(2, 'create table other (n int)')];
    await run(before);
    const reader = await connect(superuserUrl, 'the test');
    onTestFinished(() => reader.end());
    // The reader has the second table, and asks for the first when the migration has that one and waits for the
    // second.
    await reader.query("set deadlock_timeout = '1min'; begin; select from other");
    const files = { migrations: [...before, one(3, 'alter table step add m int')], texts: [] };
    let waited = 0;
    const running = migrate(ownerUrl, files, {
      waits: () => {
        waited += 1;
      },
      tryMs: 20_000,
      pauseMs: 10,
    });
    await expect
      .poll(() => ask(`select 1 as n from pg_locks where relation = 'other'::regclass and not granted`))
      .toHaveLength(1);
    await reader.query('select from step; commit');
    expect(await running).toEqual(['0003_step.sql']);
    expect(waited).toBe(1);
  });

  it('are read from a folder with numbers left out; a repeated number and a malformed name are refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'caseway-migrations-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, '0001_first.sql'), 'select 1');
    expect(await readMigrations(folder)).toMatchObject([
      { number: 1, name: '0001_first.sql', sql: 'select 1' },
    ]);
    await writeFile(join(folder, '0003_third.sql'), 'select 3');
    await writeFile(join(folder, 'policies.sql'), '');
    expect((await readMigrations(folder)).map(({ number }) => number)).toEqual([1, 3]);
    await writeFile(join(folder, '0001_other.sql'), 'select 1');
    await expect(readMigrations(folder)).rejects.toThrow('0001_other.sql should have a number of its own');
    await rm(join(folder, '0001_other.sql'));
    await writeFile(join(folder, '2_second.sql'), 'select 2');
    await expect(readMigrations(folder)).rejects.toThrow('2_second.sql should be named by four digits');
  });
});

describe('functions, views and policies', () => {
  const table = one(1, 'create table step (n int not null); insert into step values (1);');
  const sum = text(
    'functions/1_sum.sql',
    'create or replace function app_sum(a int) returns int return a + 1',
  );
  const view = text(
    'views/shown.sql',
    'create view shown with (security_invoker = true) as select app_sum(n) as n from step',
  );
  const policy = text('policies.sql', 'create policy step_all on step using (app_sum(n) > 0)');

  it('are created again when the text of one has changed, and only then', async () => {
    expect(await run([table], [sum, view, policy])).toEqual([
      '0001_step.sql',
      'functions/1_sum.sql',
      'views/shown.sql',
      'policies.sql',
    ]);
    const made = await ask(`select 'shown'::regclass::oid as view`);
    expect(await run([table], [sum, view, policy])).toEqual([]);
    expect(await ask(`select 'shown'::regclass::oid as view`)).toEqual(made);
    const other = text(
      view.name,
      'create view shown with (security_invoker = true) as select n * 10 as n from step',
    );
    expect(await run([table], [sum, other, policy])).toEqual(['views/shown.sql']);
    expect(await ask('select n from shown')).toEqual([{ n: 10 }]);
    expect(await ask(`select has_table_privilege('caseway_app', 'shown', 'select') as reads`)).toEqual([
      { reads: true },
    ]);
  });

  it('block no migration: they are dropped before it, and created again after it', async () => {
    await run([table], [sum, view, policy]);
    const renamed = one(
      2,
      'alter table step rename column n to m; alter table step alter column m type bigint',
    );
    const [other, shown, seen] = [
      text(
        sum.name,
        'create or replace function app_sum(b bigint, c int default 5) returns bigint return b + c',
      ),
      text(view.name, 'create view shown with (security_invoker = true) as select app_sum(m) as n from step'),
      text(policy.name, 'create policy step_all on step using (app_sum(m) > 0)'),
    ];
    await run([table, renamed], [other, shown, seen]);
    expect(await ask('select n::int from shown')).toEqual([{ n: 6 }]);
    expect(await ask(`select pronargs::int as n from pg_proc where proname = 'app_sum'`)).toEqual([{ n: 2 }]);
    expect(await ask(`select count(*)::int as n from pg_policy where polname = 'step_all'`)).toEqual([
      { n: 1 },
    ]);
  });

  it('that no longer fit a table leave the database as it was, and are named', async () => {
    await run([table], [sum, view, policy]);
    await expect(run([table, one(2, 'alter table step rename n to m')], [sum, view, policy])).rejects.toThrow(
      'The file views/shown.sql failed in line 1: column "n" does not exist',
    );
    expect(await ask('select n from shown')).toEqual([{ n: 2 }]);
  });

  it('that are gone from the folder are dropped from the database; others are not ours', async () => {
    await run([table], [sum, view, policy]);
    await ask('create function theirs() returns int return 1; create view theirs as select 1 as n');
    expect(await run([table], [])).toEqual(['functions/1_sum.sql', 'policies.sql', 'views/shown.sql']);
    expect(
      await ask(`select (select array_agg(proname::text) from pg_proc where pronamespace = 'public'::regnamespace) as functions,
        (select array_agg(viewname::text) from pg_views where schemaname = 'public') as views,
        (select array_agg(policyname::text) from pg_policies where schemaname = 'public') as policies`),
    ).toEqual([{ functions: ['theirs'], views: ['theirs'], policies: ['backup_read'] }]);
  });

  it('that a column stores stay', async () => {
    const stored = one(
      1,
      `create function app_twice(a int) returns int immutable return a * 2;
       create table step (n int, m int generated always as (app_twice(n)) stored)`,
    );
    await run([stored], [sum]);
    await run([stored], [text(sum.name, `${sum.sql} + app_twice(1)`)]);
    await run([stored], [text(sum.name, `${sum.sql} + app_twice(2)`)]);
    expect(await ask('select app_sum(1) as n, app_twice(1) as m')).toEqual([{ n: 6, m: 2 }]);
  });

  it('of a newer version are not replaced by an older one', async () => {
    await run([table], [sum, view, policy]);
    await ask(`update schema_text set version = '999.0.0'`);
    await expect(run([table], [sum, policy])).rejects.toThrow(
      'The database was migrated by a newer version of Caseway (999.0.0;',
    );
  });

  it('are the printed list of policies', async () => {
    const printed = await readFile(join(migrationsFolder, policiesFile), 'utf8');
    expect(printed, 'run npm run db:types').toBe(printPolicies());
  });
});

it('every table is closed to everyone until a policy opens it', async () => {
  await run([
    one(
      1,
      'create table step (n int) partition by range (n); create table step_rest partition of step default',
    ),
  ]);
  expect(
    await ask(`select relname as name, relrowsecurity and relforcerowsecurity as closed,
      has_table_privilege('caseway_app', oid, 'select') as reached from pg_class where relname like 'step%' order by 1`),
  ).toEqual([
    { name: 'step', closed: true, reached: true },
    { name: 'step_rest', closed: true, reached: false },
  ]);
});
