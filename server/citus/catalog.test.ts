import { expect, inject, it, onTestFinished } from 'vitest';
import { makeAuditPartitions } from '../src/platform/audit/partitions.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { assertReachesServers } from '../src/platform/db/distribute.ts';
import { migrate, migrateAndDistribute, readSchema } from '../src/platform/db/migrate.ts';
import { placedTables } from '../src/platform/db/places.ts';
import { connected } from '../src/platform/db/roles.ts';
import { createLog } from '../src/platform/log/log.ts';
import { asked, databaseUrl } from '../test/cluster.ts';
import { asSuperuser, createTestDatabase } from '../test/database.ts';

const { superuserUrl, ownerUrl, appUrl } = await createTestDatabase();
const { servers } = inject('cluster');
const name = new URL(superuserUrl).pathname.slice(1);
const ask = <Row extends object>(text: string) => asSuperuser<Row>(text, [], superuserUrl);

it('has each table in its place: shared ones everywhere, records by tenant, local ones unknown to Citus [P30]', async () => {
  const client = {
    query: async (text: string, params?: unknown[]) => ({ rows: await asked(superuserUrl, text, params) }),
  };
  const tables = await placedTables(client as never);
  expect(tables.length).toBeGreaterThan(50);
  expect(tables.filter(({ place, there }) => (place === 'local' ? there !== null : there !== place))).toEqual(
    [],
  );
  const [spread] = await ask(
    `select count(distinct colocationid) filter (where partmethod = 'h')::int as groups,
       count(*) filter (where partmethod = 'h' and column_to_column_name(logicalrelid, partkey) <> 'tenant_id')::int as otherwise
     from pg_dist_partition`,
  );
  expect(spread).toEqual({ groups: 1, otherwise: 0 });
  // Including the queue.
  expect(
    await ask(`select from pg_dist_partition where logicalrelid::text like 'graphile_worker.%'`),
  ).toEqual([]);
});

it('refuses a role that cannot log in to the other servers, before and after they are used [P30]', async () => {
  await ask('create role caseway_taken_on nologin');
  await ask(`grant caseway_taken_on to ${new URL(appUrl).username}`);
  onTestFinished(() => ask('drop role caseway_taken_on').then(() => {}));
  const url = new URL(appUrl);
  url.searchParams.set('options', '-c role=caseway_taken_on');
  await expect(connected(url.href, 'the test', assertReachesServers)).rejects.toThrow(
    /^The role caseway_taken_on cannot log in from the coordinator to 127\.0\.0\.1:\d+ and 127\.0\.0\.1:\d+\./,
  );
  await connected(superuserUrl, 'the test', assertReachesServers);
  await expect(openDatabase({ url: url.href, log: createLog('fatal') })).rejects.toThrow(
    'The tables are spread over several servers, and the role caseway_taken_on cannot log in to them.',
  );
});

it('guards every shard on every server like the table itself [P2]', async () => {
  // The contents of each policy, its roles and its commands.
  const said = `(select json_agg(json_build_array(p.polname, p.polcmd, p.polpermissive, p.polroles::regrole[]::text,
    pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) order by p.polname)::text
    from pg_policy p where p.polrelid = c.oid)`;
  const guarded = await ask<{ name: string; policies: string }>(
    `select c.relname as name, ${said} as policies
     from pg_class c join pg_dist_partition d on d.logicalrelid = c.oid
     where c.relrowsecurity and c.relforcerowsecurity`,
  );
  const policies = new Map(guarded.map((table) => [table.name, table.policies]));
  const [{ all }] = (await ask(`select count(*)::int as all from pg_dist_partition`)) as [{ all: number }];
  expect(policies.size).toBe(all);
  let shards = 0;
  for (const server of servers!) {
    const url = new URL(databaseUrl(server, name));
    // The catalogue hides shards otherwise.
    url.searchParams.set('options', '-c citus.override_table_visibility=off');
    const rows = await asked<{ table: string; forced: boolean; policies: string; queries: number }>(
      url.href,
      `select regexp_replace(c.relname, '_\\d+$', '') as table, c.relrowsecurity and c.relforcerowsecurity as forced,
         ${said} as policies,
         (select count(*)::int from pg_policy p where p.polrelid = c.oid
           and concat(p.polqual::text, p.polwithcheck::text) like '%{SUBLINK%') as queries
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and c.relname ~ '_1\\d{5}$'`,
    );
    shards += rows.length;
    expect(
      rows.filter((row) => !row.forced || row.queries > 0 || row.policies !== policies.get(row.table)),
    ).toEqual([]);
  }
  expect(shards).toBeGreaterThan(100);
});

it('can be migrated, with new tables in their place and their keys [P30]', async () => {
  const sql = `
    -- A table of records; what refers to other records is a statement of its own.
    create table planted (
      tenant_id uuid not null, id uuid not null, patient_id uuid not null, note text default 'a;b', primary key (tenant_id, id)
    );
    create index planted_patient on planted (tenant_id, patient_id);
    alter table planted add foreign key (tenant_id, patient_id) references patient;
    alter table patient add column planted text;
    create function planted_words(word text) returns text language sql immutable as $$ select word || ';' $$;
    update patient set planted = 'x' where tenant_id = '00000000-0000-4000-8000-000000000001';`;
  const { migrations, texts } = await readSchema();
  const planted = { number: 9998, name: '9998_planted.sql', sql, checksum: 'planted' };
  const policy = `create policy planted_all on planted using (tenant_id = (select app_tenant())
    and (select coalesce(app_org('O'), app_org('F'))) is not null and (select app_account()) is not null);`;
  const view = `create view planted_view with (security_invoker = true) as
    select p.tenant_id, p.id, planted_words(p.note) as note from planted p where (select app_whole_tenant());`;
  const files = {
    migrations: [...migrations, planted],
    texts: [
      ...texts.map((text) =>
        text.name === 'policies.sql' ? { ...text, sql: text.sql + policy, checksum: 'planted' } : text,
      ),
      { name: 'views/planted_view.sql', sql: view, checksum: 'planted' },
    ],
  };
  expect(await migrate(ownerUrl, files)).toEqual([
    '9998_planted.sql',
    'policies.sql',
    'views/planted_view.sql',
  ]);
  expect(await migrate(ownerUrl, files)).toEqual([]);
  expect(
    await ask(
      `select partmethod, (select count(*)::int from pg_policy where polrelid = 'planted'::regclass) as policies,
         (select count(*)::int from pg_constraint where conrelid = 'planted'::regclass and contype = 'f') as keys,
         (select colocationid from pg_dist_partition where logicalrelid = 'patient'::regclass) = colocationid as beside
       from pg_dist_partition where logicalrelid = 'planted'::regclass`,
    ),
  ).toEqual([{ partmethod: 'h', policies: 2, keys: 1, beside: true }]);
  expect(await ask('select planted_words(note) from planted_view')).toEqual([]);
  for (const server of servers!) {
    const there = databaseUrl(appUrl, name).replace(new URL(appUrl).host, new URL(server).host);
    expect(await asked(there, 'select note from planted_view')).toEqual([]);
  }
  const lines: string[] = [];
  await migrateAndDistribute(ownerUrl, (line) => lines.push(line), files);
  expect(lines).toEqual(['Every table is in its place.']);
});

it('gives a month of the log a partition on every server, with its events [P15]', async () => {
  await ask(`insert into audit_event (tenant_id, id, at, action, lane, number, hash)
    select gen_random_uuid(), gen_random_uuid(), timestamptz '2031-05-31T23:30:00Z' + make_interval(hours => n % 2), 'a' || n, 0, n, ''
    from generate_series(1, 20) n`);
  const made = await connected(ownerUrl, 'the owner', makeAuditPartitions);
  expect(made).toEqual(['2031-05-01', '2031-06-01']);
  expect(
    await ask(
      `select count(*)::int as events, min(regexp_replace(tableoid::regclass::text, '_1\\d{5}$', '')) as first from audit_event where at >= '2031-06-01'`,
    ),
  ).toEqual([{ events: 10, first: 'audit_event_2031_06' }]);
  expect(await ask('select count(*)::int as events from audit_event_rest')).toEqual([{ events: 0 }]);
});
