import type { Tx } from '../../platform/db/database.ts';
import { few } from '../../platform/db/few.ts';

/*
 * How rows get out of the tables that a batch writes to, and into them: many in one statement, as JSON, since COPY does
 * not obey row-level security.
 */

/**
 * Reads rows of tables that a batch writes to. `keyOf` says which two are the same one, where a table has a layer over
 * it (`overlay.ts`); the upper one counts unless `join` makes one of both.
 */
export type Read = <Row extends object>(
  text: string,
  params: readonly unknown[],
  keyOf: (row: Row) => string,
  join?: (lower: Row, upper: Row) => Row,
) => Promise<Row[]>;

/** Reads what is stored, with nothing over it. */
export const readPlainly =
  (tx: Tx): Read =>
  (text, params) =>
    tx.rows(text, params);

/** For `Read`: rows with one id are the same one. */
export const idOf = ({ id }: { id: string }) => id;

/** Columns with their SQL types. */
export type Columns = Record<string, string>;

/**
 * Inserts rows given as objects; `columns` names each property's column and SQL type. A property that is null is taken
 * from its row: there are many, and PostgreSQL need not read that they are. A table's statement is planned once for a
 * connection, so it is always called with the same columns and clauses for it; another fails.
 */
export async function insertRows<Row extends object>(
  tx: Tx,
  tenantId: string,
  table: string,
  columns: Columns,
  rows: readonly Row[],
  { conflict = '', select = {} }: { conflict?: string; select?: Record<string, string> } = {},
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  for (const row of rows as readonly Record<string, unknown>[])
    for (const name of names) if (row[name] === null) row[name] = undefined;
  await tx.send(
    `with written as (
       insert into ${table} (tenant_id, ${names.join(', ')})
       select $1, ${names.map((name) => select[name] ?? `r.${name}`).join(', ')}
       from json_to_recordset($2::json) as r (${typed(columns)}) ${conflict} returning 1)
     select count(*) from written`,
    [tenantId, json(rows)],
    `insert ${table}`,
  );
}

const typed = (columns: Columns) =>
  Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ');

/** The rows of the JSON in a parameter, to be joined to a table by its key. */
export const givenRows = (parameter: string, columns: Columns): string =>
  few(`json_to_recordset(${parameter}::json) as given (${typed(columns)})`);

/** JSON without what PostgreSQL text cannot contain: zero bytes and halves of a character. */
export function json(value: unknown): string {
  const text = JSON.stringify(value);
  // Few texts have an escape of that kind, and checking each backslash of the others would take time.
  if (!text.includes('\\u0000') && !text.includes('\\ud')) return text;
  return text.replaceAll(/(\\+)u(0000|d[89a-f][0-9a-f]{2})/g, (found, slashes: string, code: string) =>
    // An even number of backslashes is text that only looks like an escape.
    slashes.length % 2 === 0 ? found : slashes.slice(1) + (code === '0000' ? '' : '\\ufffd'),
  );
}
