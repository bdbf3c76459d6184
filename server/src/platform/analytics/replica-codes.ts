import { randomUUID } from 'node:crypto';
import { type Connection, identifier } from './duckdb.ts';
import type { StoredFact } from './facts.ts';

/* The codes of a replica: each column has an ENUM of the values that it has had. */

/**
 * The values of each `code` column that its ENUM knows, with their numbers, by table and column; and which ones they are.
 * A reader whose state has others reads those.
 */
export interface Known {
  id: string;
  values: Map<string, ReadonlyMap<string, number>>;
}

const codesOf = ({ columns }: StoredFact) =>
  columns.flatMap(({ name, kind }) => (kind === 'code' ? [name] : []));

/**
 * Makes new ENUM types for the `code` columns of a table that have unknown values among some rows, in the order of the
 * texts, so that sorting by them sorts by text. Each includes the empty text, because DuckDB cannot sort by an ENUM
 * without values; and each includes the values of the former one, used or not, because a column is also rewritten in
 * rows that have been deleted and are still in the file. Names of the new types by column. `known`: absent where the table
 * is made. `isShort`: there are few rows, so that to find the different values takes longer than to list all.
 */
export async function makeTypes(
  connection: Connection,
  fact: StoredFact,
  rows: string,
  known: Known | undefined,
  isShort = false,
): Promise<Map<string, string>> {
  const { table } = fact;
  const codes = codesOf(fact);
  const made = new Map<string, string>();
  const [catalog] = await connection.rows<{ name: string }>('select current_database() as name');
  const listOf = (name: string) => (isShort ? `list(${name})` : `list(distinct ${name})`);
  await connection.run(
    `create or replace temp table dictionary as
    select ${codes.map((name) => `${listOf(name)} as ${name}`).join(', ')} from ${rows}`,
  );
  const [lists] = await connection.rows<Record<string, (string | null)[] | null>>('select * from dictionary');
  for (const name of codes) {
    const values = known?.values.get(`${table}.${name}`);
    if (known && (lists![name] ?? []).every((value) => value === null || values?.has(value))) continue;
    // A new name, because a former one may still exist.
    const type = `${table}_${name}_${randomUUID().slice(0, 8)}`;
    const former = known ? `union select unnest(enum_range(first(${name}))) from ${table}` : '';
    await connection.run(
      `create type ${type} as enum (
        select value from (select '' as value union select unnest(${name}) from dictionary ${former})
        where value is not null order by value)`,
    );
    // With its place, which is not looked for while a log is replayed.
    made.set(name, `${identifier(catalog!.name)}.main.${type}`);
  }
  return made;
}

/** What codes are known in the state that a connection sees. */
export async function knownCodes(connection: Connection, facts: readonly StoredFact[]): Promise<Known> {
  const values: Known['values'] = new Map();
  for (const fact of facts) {
    const { table } = fact;
    const codes = codesOf(fact);
    const [lists] = await connection.rows<Record<string, string[] | null>>(
      `select ${codes.map((name) => `enum_range(${name}) as ${name}`).join(', ')}
      from (select 1) left join (select * from ${table} limit 1) on true`,
    );
    for (const name of codes)
      values.set(`${table}.${name}`, new Map((lists![name] ?? []).map((value, number) => [value, number])));
  }
  const [stored] = await connection.rows<{ codes: string }>('select codes from replica');
  return { id: stored!.codes, values };
}
