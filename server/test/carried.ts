import pg from 'pg';
import { carriers, decidingRows, memberships } from '../src/platform/carried/carried.ts';
import { facilitySight, specimenSight } from '../src/platform/carried/seen-at.ts';
import { waitingSight } from '../src/platform/carried/waiting-codes.ts';
import { asSuperuser } from './database.ts';
import { onOneServer } from './twin.ts';

/*
 * What rows carry of the row that decides who sees them, over all tenants: for rows that a test has put there past
 * everything that writes them, and to look whether a row carries something else.
 */

interface Pair {
  table: string;
  /** The rows `p` that decide, and how they belong to `c`. */
  of: string;
  on: string;
  columns: Readonly<Record<string, string>>;
}

const pairs: Pair[] = [
  ...Object.entries(carriers).flatMap(([of, all]) =>
    all.map(({ table, by, only = 'true', once = {}, columns }) => ({
      table,
      of: `(${decidingRows(of, once, 'true')})`,
      on: `p.tenant_id = c.tenant_id and p.id = c.${by} and ${only}`,
      columns,
    })),
  ),
  {
    table: 'jurisdiction',
    of: `(select j.id, array(select r.tenant_id from tenant_reporting r where r.jurisdiction_id = j.id order by 1) as tenants
      from jurisdiction j)`,
    on: 'p.id = c.id',
    // In whatever order.
    columns: {
      reported_by:
        'case when c.reported_by @> p.tenants and c.reported_by <@ p.tenants then c.reported_by else p.tenants end',
    },
  },
  {
    table: 'jurisdiction_county',
    of: 'jurisdiction',
    on: 'p.id = c.jurisdiction_id',
    columns: { managed_by_tenant_id: 'p.managed_by_tenant_id', reported_by: 'p.reported_by' },
  },
  {
    table: 'specimen',
    of: `(select s.tenant_id, s.id, ${specimenSight('s.tenant_id').seen_at} as seen_at, ${specimenSight('s.tenant_id').told} as told from specimen s)`,
    on: 'p.tenant_id = c.tenant_id and p.id = c.id',
    columns: { seen_at: 'p.seen_at', told: 'p.told' },
  },
  {
    table: 'facility',
    of: `(select f.tenant_id, f.id, ${facilitySight('f.tenant_id')} as seen_at from facility f)`,
    on: 'p.tenant_id = c.tenant_id and p.id = c.id',
    columns: { seen_at: 'p.seen_at' },
  },
  {
    table: 'code_mapping',
    of: `(select q.tenant_id, q.id, ${waitingSight('q.tenant_id')} as waiting_at from code_mapping q)`,
    on: 'p.tenant_id = c.tenant_id and p.id = c.id',
    columns: { waiting_at: 'p.waiting_at' },
  },
  {
    table: 'account',
    of: `(select a.id, ${memberships} as places from account a)`,
    on: 'p.id = c.id',
    columns: { member_of: 'p.places' },
  },
  {
    table: 'account_state',
    of: 'account',
    on: 'p.id = c.account_id',
    columns: { member_of: 'p.member_of' },
  },
];

const lists = ({ columns }: Pair) =>
  [
    Object.keys(columns)
      .map((name) => `c.${name}`)
      .join(', '),
    Object.values(columns).join(', '),
  ] as const;

/** Has every row carry what it has to. */
export const carryAll = (url: string): Promise<void> =>
  onOneServer(url, async (here, isCopy) => {
    for (const pair of pairs) {
      const [carried, due] = lists(pair);
      const names = Object.keys(pair.columns);
      const keys = await keysOf(here, pair.table);
      const changed = await asSuperuser<Record<string, string | null>>(
        `update ${pair.table} c set ${Object.entries(pair.columns)
          .map(([name, value]) => `${name} = ${value}`)
          .join(', ')}
         from ${pair.of} p where ${pair.on} and (${carried}) is distinct from (${due})
         returning ${[...keys, ...names].map((name) => `c.${name}::text`).join(', ')}`,
        [],
        here,
      );
      if (isCopy) await putAll(url, pair.table, keys, names, changed);
    }
  });

/**
 * Writes values, given as text, into rows of a distributed database: the rows of each tenant in few statements, because
 * each is for one server.
 */
async function putAll(
  url: string,
  table: string,
  keys: readonly string[],
  names: readonly string[],
  rows: readonly Record<string, string | null>[],
): Promise<void> {
  const all = [...keys, ...names];
  const types = await typesOf(url, table);
  const isOfTenant = keys.includes('tenant_id');
  for (const [tenantId, own] of Map.groupBy(rows, (row) => (isOfTenant ? row.tenant_id : null)))
    for (let from = 0; from < own.length; from += 1000) {
      // As texts of the statement: Citus refuses to convert values of columns in an update.
      const values = own
        .slice(from, from + 1000)
        .map((row) => `(${all.map((name) => `${literal(row[name])}::${types[name]}`).join(', ')})`);
      await asSuperuser(
        `update ${table} c set ${names.map((name) => `${name} = d.${name}`).join(', ')}
         from (values ${values.join(', ')}) d (${all.join(', ')})
         where ${keys.map((name) => (name === 'tenant_id' ? `c.tenant_id = ${literal(tenantId)}` : `c.${name} = d.${name}`)).join(' and ')}`,
        [],
        url,
      );
    }
}

/** Has one row of a table that carries something in a column carry nothing there. */
export async function forgetOne(url: string, table: string, column: string): Promise<void> {
  const keys = await keysOf(url, table);
  const [row] = await asSuperuser<Record<string, string>>(
    `select ${keys.map((name) => `${name}::text`).join(', ')} from ${table} where ${column} is not null limit 1`,
    [],
    url,
  );
  await asSuperuser(`update ${table} set ${column} = null where ${equal(row!, keys).join(' and ')}`, [], url);
}

const equal = (row: Record<string, string | null>, names: readonly string[]) =>
  names.map((name) => `${name} = ${literal(row[name])}`);

const literal = (value: string | null | undefined) => (value == null ? 'null' : pg.escapeLiteral(value));

/** The types of a table's columns, by name. */
async function typesOf(url: string, table: string): Promise<Record<string, string>> {
  const rows = await asSuperuser<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
    url,
  );
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]));
}

/** The columns of a table's primary key. */
async function keysOf(url: string, table: string): Promise<string[]> {
  const rows = await asSuperuser<{ name: string }>(
    `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
     where i.indisprimary and i.indrelid = $1::regclass`,
    [table],
    url,
  );
  return rows.map(({ name }) => name);
}

/** The tables with rows that carry something else than they have to, and how many; and how many were looked at. */
export const strays = (url: string): Promise<{ astray: string[]; looked: Record<string, number> }> =>
  onOneServer(url, straysOn);

async function straysOn(url: string): Promise<{ astray: string[]; looked: Record<string, number> }> {
  const astray: string[] = [];
  const looked: Record<string, number> = {};
  for (const pair of pairs) {
    const [carried, due] = lists(pair);
    const [row] = await asSuperuser<{ astray: number; looked: number }>(
      `select count(*) filter (where (${carried}) is distinct from (${due}))::int as astray, count(*)::int as looked
       from ${pair.table} c join ${pair.of} p on ${pair.on}`,
      [],
      url,
    );
    looked[pair.table] = (looked[pair.table] ?? 0) + row!.looked;
    if (row!.astray > 0) astray.push(`${row!.astray} of ${row!.looked} in ${pair.table}`);
  }
  return { astray, looked };
}
