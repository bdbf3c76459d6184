import { carriedBy, type Deciding } from '../carried/carried.ts';
import type { Tx } from './database.ts';
import { few } from './few.ts';
import { fromTenantRow, haveTenantRow } from './tenant-row.ts';

/*
 * Reads and writes rows of the tables that a batch writes to: many in one statement, because COPY does not obey
 * row-level security. New rows are passed as an array for each column: for a table of 46 columns, this takes
 * PostgreSQL less than half as long as the same rows as JSON. The few rows of an update are passed as JSON.
 */

/**
 * Reads rows of tables that a batch writes to. If a table has a layer over it (`overlay.ts`), `keyOf` says which two
 * rows are the same one; the upper one counts unless `join` makes one of both.
 */
export type Read = <Row extends object>(
  text: string,
  params: readonly unknown[],
  keyOf: (row: Row) => string,
  join?: (lower: Row, upper: Row) => Row,
) => Promise<Row[]>;

/** Reads what is stored, without a layer. */
export const readPlainly =
  (tx: Tx): Read =>
  (text, params) =>
    tx.rows(text, params);

/** For `Read`: rows with the same id are the same one. */
export const idOf = ({ id }: { id: string }) => id;

/** Columns with their SQL types. */
export type Columns = Record<string, string>;

/**
 * Inserts rows given as objects; `columns` names each property's column and SQL type. A connection plans each
 * statement once, so the columns and clauses come from the code and not from the rows. `carriedOf`: the rows carry
 * the deciding columns of the row of this table that they belong to. `isShared`: the table is on every server, so no
 * row of the tenant is read with it.
 */
export async function insertRows<Row extends object>(
  tx: Tx,
  tenantId: string,
  table: string,
  columns: Columns,
  rows: readonly Row[],
  {
    conflict = '',
    select = {},
    carriedOf,
    isShared = false,
  }: { conflict?: string; select?: Record<string, string>; carriedOf?: Deciding; isShared?: boolean } = {},
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  const carried = carriedOf && carriedBy(table, carriedOf);
  const arrays = givenArrays(columns, 2);
  const given = carried ? `${few(arrays)} as c ${carried.join}` : `(select * from ${arrays}) as c`;
  const value = (name: string) =>
    select[name] ?? (isArray(columns[name]!) ? `c.${name}::${columns[name]}` : `c.${name}`);
  const values = `${names.map(value).join(', ')}${carried ? `, ${carried.values}` : ''}`;
  const into = `insert into ${table} (tenant_id, ${names.join(', ')}${carried ? `, ${carried.columns}` : ''})`;
  if (!isShared) await haveTenantRow(tx, tenantId);
  const text = isShared
    ? `${into} select $1, ${values} from ${given} ${conflict} returning 1`
    : `${into} select ${fromTenantRow.id}, ${values} from ${fromTenantRow.table} cross join ${given}
         where ${fromTenantRow.is} ${conflict}`;
  await tx.send(
    text,
    [
      tenantId,
      ...names.map((name) => columnOf(rows as readonly Record<string, unknown>[], name, columns[name]!)),
    ],
    nameOf(table, text),
  );
}

/** Statement names so far, by text: two texts of one name would fail on a connection that has both. */
const statementNames = new Map<string, string>();
function nameOf(table: string, text: string): string {
  const name = statementNames.get(text) ?? `insert ${table} ${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}

const isArray = (type: string) => type.endsWith('[]');

/** Array parameters as rows, from this parameter on. An array within a column is passed as text. */
const givenArrays = (columns: Columns, first: number): string => {
  const given = Object.values(columns).map(
    (type, place) => `$${first + place}::${isArray(type) ? 'text' : type}[]`,
  );
  return `unnest(${given.join(', ')}) as given (${Object.keys(columns).join(', ')})`;
};

/** A column of rows as the text of an array; null if the column is empty. */
function columnOf(rows: readonly Record<string, unknown>[], name: string, type: string): string | null {
  let isEmpty = true;
  const values = rows.map((row) => {
    const value = row[name] ?? null;
    if (value === null) return null;
    isEmpty = false;
    if (type === 'jsonb') return json(value);
    return isArray(type) ? asArray(value as readonly unknown[]) : value;
  });
  return isEmpty ? null : asArray(values);
}

/**
 * Values without nested lists, as the text of a PostgreSQL array. It is JSON with other brackets, which the runtime
 * writes faster than a program could, except for characters with an escape: there, a backslash stands for the next
 * character itself.
 */
function asArray(values: readonly unknown[]): string {
  const text = json(values);
  const quoted = /\\[bfnrtu]/.test(text)
    ? text.replaceAll(/\\(?:u([0-9a-f]{4})|(.))/g, (found, code: string | undefined, letter: string) =>
        code ? String.fromCharCode(Number.parseInt(code, 16)) : (controls[letter] ?? found),
      )
    : text;
  return `{${quoted.slice(1, -1)}}`;
}

/** The control characters that JSON writes as letters. */
const controls: Record<string, string | undefined> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The rows of the JSON in a parameter, to be joined to a table by its key. */
export const givenRows = (parameter: string, columns: Columns): string => {
  const typed = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  return few(`json_to_recordset(${parameter}::json) as given (${typed.join(', ')})`);
};

/** JSON without what PostgreSQL text cannot contain: zero bytes and unpaired surrogates. */
export function json(value: unknown): string {
  const text = JSON.stringify(value);
  // Few texts have such an escape, and checking each backslash of the others would take time.
  if (!text.includes('\\u0000') && !text.includes('\\ud')) return text;
  return text.replaceAll(/(\\+)u(0000|d[89a-f][0-9a-f]{2})/g, (found, slashes: string, code: string) =>
    // An even number of backslashes is text that only looks like an escape.
    slashes.length % 2 === 0 ? found : slashes.slice(1) + (code === '0000' ? '' : '\\ufffd'),
  );
}
