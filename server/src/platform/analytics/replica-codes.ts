import { randomUUID } from 'node:crypto';
import { type Connection, identifier, quoted } from './duckdb.ts';
import type { StoredFact } from './facts.ts';
import type { Read } from './staged-rows.ts';

/* The codes of a replica: each column has an ENUM of the values that have occurred in it. */

/** The values of each `code` column that its ENUM knows, with their numbers, by table and column. */
export type KnownValues = Map<string, ReadonlyMap<string, number>>;

/** The known values, and the replica state that they belong to. A reader in a later state reads them again. */
export interface Known {
  id: string;
  values: KnownValues;
}

/** The distinct values of each `code` column in some rows. A column without values may be left out. */
export type Values = Readonly<Record<string, readonly (string | null)[] | null>>;

export const codesOf = ({ columns }: StoredFact): string[] =>
  columns.flatMap(({ name, kind }) => (kind === 'code' ? [name] : []));

/** `isShort`: there are so few rows that listing all values is faster than finding the distinct ones. */
export async function valuesAmong(
  connection: Connection,
  reads: readonly Read[],
  isShort: boolean,
): Promise<Values> {
  const listOf = (name: string) => (isShort ? `list(${name})` : `list(distinct ${name})`);
  const found: Record<string, readonly (string | null)[] | null> = {};
  for (const { from, columns } of reads) {
    const lists = columns.flatMap(({ name, kind }) =>
      kind === 'code' ? [`${listOf(name)} as ${name}`] : [],
    );
    if (lists.length === 0) continue;
    const [listed] = await connection.rows<Values>(`select ${lists.join(', ')} from ${from}`);
    Object.assign(found, listed);
  }
  return found;
}

/**
 * New ENUM types: the statements that make them, the type of each column that gets one, and the values of each type.
 */
export interface NewTypes {
  statements: string[];
  types: Map<string, string>;
  values: KnownValues;
}

/**
 * ENUM types for the `code` columns of a table that have unknown values. Values are in text order, so that sorting
 * by the type sorts by text, and columns with the same values share a type. Each type includes the empty text,
 * because DuckDB cannot sort by an ENUM without values. Each also includes the values of the former type, because a
 * column is rewritten in deleted rows that are still in the file. `known`: absent when the table is made.
 */
export function typesFor(catalog: string, fact: StoredFact, found: Values, known?: KnownValues): NewTypes {
  const made: NewTypes = { statements: [], types: new Map(), values: new Map() };
  const byValues = new Map<string, string>();
  for (const name of codesOf(fact)) {
    const column = `${fact.table}.${name}`;
    const former = known?.get(column);
    const all = new Set(['', ...(former?.keys() ?? [])]);
    for (const value of found[name] ?? []) if (value !== null) all.add(value);
    if (former && all.size === former.size) continue;
    const values = [...all].sort(byCodePoints);
    const listed = values.map(quoted).join(', ');
    let type = byValues.get(listed);
    if (type === undefined) {
      // A new name, because a former type may still exist. It includes the catalog and schema, because replaying a
      // log does not look them up.
      type = `${identifier(catalog)}.main.${fact.table}_${name}_${randomUUID().slice(0, 8)}`;
      byValues.set(listed, type);
      made.statements.push(`create type ${type} as enum (${listed})`);
    }
    made.types.set(name, type);
    made.values.set(column, new Map(values.map((value, number) => [value, number])));
  }
  return made;
}

const byCodePoints = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** The codes that are known in the state that a connection sees. */
export async function knownCodes(connection: Connection, facts: readonly StoredFact[]): Promise<KnownValues> {
  const values: KnownValues = new Map();
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
  return values;
}
