import { expect, it } from 'vitest';
import { asSuperuser, createTestDatabase } from '../../../test/database.ts';
import { constrainsAtOnce, makesKeysAtOnce, statementsOf, withoutQueries } from './distribute.ts';
import { readMigrations } from './migrate.ts';
import { places } from './places.ts';

const { superuserUrl } = await createTestDatabase();

interface Fault {
  fault: string;
  table: string;
  name: string;
}

/** Finds every property that a spread table may not have. $1 and $2: the local and the shared tables. */
const faults = `
  with recursive placed as (
    select c.oid, c.relname as name, case
      when c.relname = any ($1::text[]) then 'local'
      when c.relname = any ($2::text[]) then 'shared'
      when exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnotnull)
        then 'record' end as place
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  ), reading as ( -- functions that read a table, or could: nobody can look into a text that is more than one expression
    select f.oid, f.proname from pg_proc f where f.pronamespace = 'public'::regnamespace
      and (f.prosqlbody is null and (f.prosrc !~ '^\\s*begin\\s+return [^;]*;\\s*end\\s*$' or f.prosrc ~* '\\m(select|table)\\M')
        or exists (select from pg_depend b where b.classid = 'pg_proc'::regclass and b.objid = f.oid
          and b.refclassid = 'pg_class'::regclass))
    union
    select f.oid, f.proname from reading r join pg_proc f on f.pronamespace = 'public'::regnamespace
      and (f.prosqlbody is null and f.prosrc ~ ('\\m' || r.proname || '\\M')
        or exists (select from pg_depend b where b.classid = 'pg_proc'::regclass and b.objid = f.oid
          and b.refclassid = 'pg_proc'::regclass and b.refobjid = r.oid))
  ), used as (
    select p.oid, p.polrelid, p.polname, d.refobjid::regclass::text as what
    from pg_policy p join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid
      and d.refclassid = 'pg_class'::regclass and d.refobjid <> p.polrelid
    union
    select p.oid, p.polrelid, p.polname, d.refobjid::regproc::text
    from pg_policy p join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid
      and d.refclassid = 'pg_proc'::regclass join reading r on r.oid = d.refobjid
  )
  select 'table without a place' as fault, name as "table", '' as name from placed where place is null
  union all
  select 'policy reads a table', t.name, u.polname || ' reads ' || u.what
  from used u join placed t on t.oid = u.polrelid and t.place <> 'local'
  union all
  select 'restrictive policy', t.name, p.polname
  from pg_policy p join placed t on t.oid = p.polrelid where not p.polpermissive
  union all
  select 'foreign key between places', t.name, k.conname from pg_constraint k
  join placed t on t.oid = k.conrelid join placed r on r.oid = k.confrelid
  where k.contype = 'f'
    and ((t.place = 'local') <> (r.place = 'local') or t.place = 'shared' and r.place = 'record')
  union all
  select 'foreign key without tenant_id', t.name, k.conname from pg_constraint k
  join placed t on t.oid = k.conrelid join placed r on r.oid = k.confrelid
  where k.contype = 'f' and t.place = 'record' and r.place = 'record'
    and not exists (select from unnest(k.conkey, k.confkey) u (a, b)
      join pg_attribute x on x.attrelid = k.conrelid and x.attnum = u.a and x.attname = 'tenant_id'
      join pg_attribute y on y.attrelid = k.confrelid and y.attnum = u.b and y.attname = 'tenant_id')
  union all
  select 'unique index not led by tenant_id', t.name, i.indexrelid::regclass::text
  from pg_index i join placed t on t.oid = i.indrelid and t.place = 'record'
  where i.indisunique and not exists (select from pg_attribute a
    where a.attrelid = t.oid and a.attnum = i.indkey[0] and a.attname = 'tenant_id')
  union all
  select 'no primary key', name, '' from placed t where place <> 'local'
    and not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary)
  union all
  select 'sequence or identity', t.name, a.attname
  from placed t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0
  left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
  where place <> 'local' and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval%')
  union all
  select 'default asks for a transaction number', t.name, a.attname
  from placed t join pg_attribute a on a.attrelid = t.oid
  join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
  where place <> 'local' and pg_get_expr(d.adbin, d.adrelid) ~ 'xact|txid|snapshot|xmin'
  union all
  select 'trigger, exclusion or inheritance', t.name, x.name from placed t
  join (select tgrelid as oid, tgname::text as name from pg_trigger where not tgisinternal
    union all select conrelid, conname from pg_constraint where contype = 'x'
    union all select inhrelid, 'inherits' from pg_inherits) x on x.oid = t.oid
  where place <> 'local'
  union all
  select 'view reads local tables and records', v.relname, string_agg(distinct t.name, ' ' order by t.name)
  from pg_class v join pg_rewrite w on w.ev_class = v.oid
  join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid and d.refclassid = 'pg_class'::regclass
  join placed t on t.oid = d.refobjid
  where v.relkind = 'v' group by v.relname having bool_or(place = 'local') and bool_or(place = 'record')
  union all
  select 'materialised view', relname, '' from pg_class
  where relkind = 'm' and relnamespace = 'public'::regnamespace
  union all
  -- A function of the row's own columns is not a join with other rows.
  select 'view with a lateral join', relname, '' from pg_class
  where relkind = 'v' and relnamespace = 'public'::regnamespace and pg_get_viewdef(oid) ~* '\\mlateral\\s*\\('
  order by 1, 2, 3`;

const found = (url = superuserUrl): Promise<Fault[]> =>
  asSuperuser<Fault>(faults, [places.local, places.shared], url);

const counted = (all: readonly Fault[]): Record<string, number> => {
  const numbers: Record<string, number> = {};
  for (const { fault } of all) numbers[fault] = (numbers[fault] ?? 0) + 1;
  return numbers;
};

it('has nothing that prevents spreading tables over several servers by tenant [P30]', async () => {
  expect((await found()).map(({ fault, table, name }) => `${fault}: ${table} ${name}`)).toEqual([]);
});

it('creates tables without foreign keys in migrations that distributed databases run too [P30]', async () => {
  const migrations = await readMigrations();
  const faulty = (from: number, to: number) =>
    migrations
      .filter(({ number }) => number >= from && number <= to)
      .filter(({ sql }) => statementsOf(sql).some(makesKeysAtOnce))
      .map(({ name }) => name);
  // The tables of the first release are distributed once all exist.
  expect(faulty(1, 12).length).toBeGreaterThan(5);
  expect(faulty(13, Number.POSITIVE_INFINITY)).toEqual([]);
});

it('adds columns without constraints, which follow by themselves [P30]', async () => {
  const migrations = await readMigrations();
  expect(
    migrations.filter(({ sql }) => statementsOf(sql).some(constrainsAtOnce)).map(({ name }) => name),
  ).toEqual([]);
  const column = 'alter table tenant add column age integer not null default 13';
  expect(constrainsAtOnce(column)).toBe(false);
  expect(constrainsAtOnce(`${column}, add column name text default coalesce('a', 'b')`)).toBe(false);
  for (const constraint of ['check (age in (1, 2))', 'unique', 'references tenant', 'PRIMARY KEY'])
    expect(constrainsAtOnce(`${column}, add column other integer ${constraint}`)).toBe(true);
});

it('changes no storage of a column, which a distributed table refuses [P30]', async () => {
  // The first migrations run before a database is distributed.
  const later = (await readMigrations()).filter(({ name }) => name > '0014');
  expect(
    later
      .filter(({ sql }) => statementsOf(sql).some((one) => /^alter\s+table\b.*\bset\s+storage\b/is.test(one)))
      .map(({ name }) => name),
  ).toEqual([]);
});

it('writes each policy without queries for tables that are spread [P30]', async () => {
  const policies = await asSuperuser<{ name: string; text: string }>(
    `select polrelid::regclass || ' ' || polname as name,
       concat_ws(' ', pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) as text
     from pg_policy where polrelid::regclass::text <> all ($1)`,
    [places.local],
    superuserUrl,
  );
  expect(policies.length).toBeGreaterThan(150);
  expect(
    policies.filter(({ text }) => /\bselect\b/i.test(withoutQueries(text))).map(({ name }) => name),
  ).toEqual([]);
  expect(
    withoutQueries(
      `((select app_scope()) = 'a (select b' or ( SELECT COALESCE(app_org('O)'::text), app_a()) AS "coalesce") = x)`,
    ),
  ).toBe(`((app_scope()) = 'a (select b' or (COALESCE(app_org('O)'::text), app_a())) = x)`);
});

it('finds each kind of fault [P30]', async () => {
  const before = await found();
  await asSuperuser(
    `create sequence planted_number;
     create function planted_text() returns uuid language sql stable as 'select null::uuid';
     create function planted_reader() returns boolean language sql stable return exists (select from patient);
     create function planted_caller() returns boolean language sql stable return planted_reader();
     create function planted_block() returns boolean language plpgsql stable as
       'begin return exists (select from patient); end';
     create function planted_block_caller() returns boolean language plpgsql stable as
       'begin return planted_caller(); end';
     create function planted_expression() returns boolean language plpgsql stable as 'begin return app_service(); end';
     create table planted_nowhere (id uuid primary key);
     create table planted (tenant_id uuid not null, id uuid not null unique, number integer default nextval('planted_number'),
       xid xid8 default pg_current_xact_id(), during tstzrange, other uuid references session,
       patient_tenant uuid, patient_id uuid,
       foreign key (patient_tenant, patient_id) references patient, exclude using gist (during with &&));
     alter table planted enable row level security;
     create policy planted_table on planted using (exists (select from session));
     create policy planted_function on planted using (planted_caller());
     create policy planted_block on planted using (planted_block());
     create policy planted_block_caller on planted using (planted_block_caller());
     create policy planted_expression on planted using (planted_expression());
     create policy planted_restrictive on planted as restrictive using (true);
     create policy planted_text on planted using (tenant_id = planted_text());
     create function planted_touch() returns trigger language plpgsql as 'begin return null; end';
     create trigger planted_touch after insert on planted for each row execute function planted_touch();
     create view planted_view as select s.id from session s join planted p on p.other = s.id;
     create view planted_lateral as select p.id, l.n from planted p, lateral (select count(*) as n from patient) l;
     create materialized view planted_kept as select 1 as one`,
    [],
    superuserUrl,
  );
  const there = new Set(before.map((fault) => JSON.stringify(fault)));
  const planted = (await found()).filter((fault) => !there.has(JSON.stringify(fault)));
  expect(counted(planted)).toEqual({
    'default asks for a transaction number': 1,
    'foreign key between places': 1,
    'foreign key without tenant_id': 1,
    'materialised view': 1,
    'no primary key': 1,
    'policy reads a table': 5,
    'restrictive policy': 1,
    'sequence or identity': 1,
    'table without a place': 1,
    'trigger, exclusion or inheritance': 2,
    'unique index not led by tenant_id': 1,
    'view reads local tables and records': 1,
    'view with a lateral join': 1,
  });
});
