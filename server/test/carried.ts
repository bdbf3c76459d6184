import pg from 'pg';
import { carriers, decidingRows, memberships } from '../src/platform/carried/carried.ts';
import { facilitySight, specimenSight } from '../src/platform/carried/seen-at.ts';
import { waitingSight } from '../src/platform/carried/waiting-codes.ts';
import { askedEach } from './cluster.ts';
import { asSuperuser } from './database.ts';
import { onOneServer } from './twin.ts';

/*
 * The columns that rows carry from the row that decides who sees them, over all tenants: for rows that a test has
 * inserted directly, and to check whether a row carries something wrong.
 */

interface Pair {
  table: string;
  /** The deciding rows `p`, and how they are linked to `c`. */
  of: string;
  on: string;
  columns: Readonly<Record<string, string>>;
}

const pairs: Pair[] = [
  // First, because others carry what a specimen carries.
  {
    table: 'specimen',
    of: `(select s.tenant_id, s.id, ${specimenSight('s.tenant_id').seen_at} as seen_at, ${specimenSight('s.tenant_id').told} as told from specimen s)`,
    on: 'p.tenant_id = c.tenant_id and p.id = c.id',
    columns: { seen_at: 'p.seen_at', told: 'p.told' },
  },
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
    // In any order.
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

/** Updates every row to carry what it should. */
export const carryAll = (url: string): Promise<void> =>
  onOneServer(url, async (here, isCopy) => {
    const keys = isCopy ? await keysOf(here, pairs) : [];
    const changed = await askedEach<Record<string, string | null>>(
      here,
      pairs.map((pair, index) => {
        const [carried, due] = lists(pair);
        const sets = Object.entries(pair.columns).map(([name, value]) => `${name} = ${value}`);
        const given = [...(keys[index] ?? []), ...Object.keys(pair.columns)].map((name) => `c.${name}::text`);
        return `update ${pair.table} c set ${sets.join(', ')}
          from ${pair.of} p where ${pair.on} and (${carried}) is distinct from (${due})
          returning ${given.join(', ')}`;
      }),
    );
    for (const [index, own] of keys.entries())
      await putAll(url, pairs[index]!.table, own, Object.keys(pairs[index]!.columns), changed[index]!);
  });

/**
 * Writes values, given as text, into rows of a distributed database: each tenant's rows in few statements, because
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
      // As texts in the statement, because Citus refuses to convert column values in an update.
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

/** Makes one row of a table, which carries something in a column, carry nothing there. */
export async function forgetOne(url: string, table: string, column: string): Promise<void> {
  const [keys = []] = await keysOf(url, [{ table }]);
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

/** The columns of the primary key of each table. */
async function keysOf(url: string, tables: readonly Pick<Pair, 'table'>[]): Promise<string[][]> {
  const keys = await askedEach<{ name: string }>(
    url,
    tables.map(
      ({ table }) =>
        `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
         where i.indisprimary and i.indrelid = ${literal(table)}::regclass`,
    ),
  );
  return keys.map((rows) => rows.map(({ name }) => name));
}

/** The tables with rows that carry something wrong, with their number, and the number of checked rows. */
export const strays = (url: string): Promise<{ astray: string[]; looked: Record<string, number> }> =>
  onOneServer(url, straysOn);

async function straysOn(url: string): Promise<{ astray: string[]; looked: Record<string, number> }> {
  const astray: string[] = [];
  const looked: Record<string, number> = {};
  const counts = await askedEach<{ astray: number; looked: number }>(
    url,
    pairs.map((pair) => {
      const [carried, due] = lists(pair);
      return `select count(*) filter (where (${carried}) is distinct from (${due}))::int as astray, count(*)::int as looked
        from ${pair.table} c join ${pair.of} p on ${pair.on}`;
    }),
  );
  for (const [index, { table }] of pairs.entries()) {
    const [row] = counts[index]!;
    looked[table] = (looked[table] ?? 0) + row!.looked;
    if (row!.astray > 0) astray.push(`${row!.astray} of ${row!.looked} in ${table}`);
  }
  return { astray, looked };
}
