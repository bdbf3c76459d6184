import type { Grid } from '@caseway/contract/grid';
import { columnFor, type Field } from '@caseway/contract/record';
import type { Tx } from '../db/database.ts';
import type { Field as GridField, GridSource } from '../grid/grid-sql.ts';
import { AppError } from '../http/app-error.ts';
import type { AnyReading, AnyRow } from './record-server.ts';

/** A list of disease families without those that the reader may not see. [P18] */
const visibleFamilies = (column: string) =>
  `array(select family from unnest(${column}) as family
    where family <> all (coalesce((select app_hidden_families()), '{}')))`;

export const endedColumnOf = ({ endedColumn }: AnyReading<unknown>): string =>
  endedColumn ?? 'deactivated_at';

function sqlOf(reading: AnyReading<unknown>, name: string, field: Field, tenant: string): string {
  const given = reading.sql[name];
  if (typeof given === 'function') return given(tenant);
  if (given !== undefined) return given;
  if (field.in === 'elsewhere')
    return `case when r.${endedColumnOf(reading)} is null then 'active' else 'inactive' end`;
  const column = `r.${columnFor(name, field)}`;
  return field.kind === 'families' ? visibleFamilies(column) : column;
}

export const tenantColumnOf = ({ tenantColumn }: AnyReading<unknown>): string => tenantColumn ?? 'tenant_id';

/** All records, or those of one list, as a table expression whose columns are the fields. */
function tableOf(server: AnyReading<unknown>, tenant: string, list?: string): string {
  const { record, joined = '', only, more = {} } = server;
  const conditions = [only, list].filter((one) => one !== undefined).map((one) => `(${one})`);
  const columns = [
    ...Object.entries(record.fields).map(([name, field]) => [name, sqlOf(server, name, field, tenant)]),
    ...Object.entries(more),
  ].map(([name, sql]) => `${sql} as "${name}"`);
  return `(select r.${tenantColumnOf(server)} as tenant_id, r.id, r.version,
      r.${endedColumnOf(server)} is null as active, ${columns.join(', ')}
    from ${record.table} r ${joined} ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`})`;
}

/** How a list sorts and filters a field. */
function gridField(
  name: string,
  { kind, options = [] }: Field,
  order: readonly string[] | undefined,
): GridField {
  const sql = `f."${name}"`;
  switch (kind) {
    case 'choice':
      return { kind: 'choice', sql, order: order ?? options };
    case 'reference':
      return { kind: 'choice', sql, ids: true, order: options };
    case 'references':
      return { kind: 'choice', sql, ids: true, many: true, order: [] };
    case 'choices':
    case 'families':
      return { kind: 'choice', sql, many: true, order: typeof options === 'string' ? [] : options };
    case 'count':
      return { kind: 'number', sql };
    case 'instant':
      return { kind: 'instant', sql };
    case 'day':
      return { kind: 'day', sql };
    case 'flag':
      throw new Error(`a list has no column of the kind of ${name}`);
    default:
      return { kind: 'text', sql };
  }
}

/** Words of columns in the form for search: folded, without punctuation, with a blank before each. */
const wordsOf = (columns: readonly string[]): string =>
  columns
    .map((name) => `' ' || translate(app_fold(coalesce(f."${name}", '')), '-/.,()&''’', '       ')`)
    .join(' || ');

/** The grid source for the rows of a record's list. */
export function sourceOf(server: AnyReading<unknown>, grid: Grid = server.record.grid): GridSource {
  const { sql, lists, columns, orders, filters = {}, searched, searchBy, behind, record } = server;
  const list = lists?.[grid.id];
  if (grid.counted && !behind)
    throw new Error(`${grid.id} lists what dashboards count, and nothing finds the rows behind a number`);
  const field = (name: string) => columns?.[name] ?? gridField(name, record.fields[name]!, orders?.[name]);
  const narrowing = Object.entries(grid.narrows ?? {}).map(([filter, name]) => {
    const found = field(name);
    if (found.kind !== 'choice') throw new Error(`${filter} of ${grid.id} narrows no column with choices`);
    return [filter, found] as const;
  });
  return {
    grid,
    // A function only if it uses the tenant, because PostgreSQL refuses a parameter that the statement does not use.
    table: Object.values(sql).some((one) => typeof one === 'function')
      ? (tenant) => tableOf(server, tenant, list)
      : tableOf(server, '', list),
    fields: Object.fromEntries(
      Object.keys(grid.columns).map((name) => [name, field(name)]),
    ) as GridSource['fields'],
    filters: { ...Object.fromEntries(narrowing), ...filters } as GridSource['filters'],
    ...(behind && { behind }),
    ...(searchBy && { searchBy }),
    ...(searched && { searchText: typeof searched === 'string' ? searched : wordsOf(searched) }),
  };
}

/** Records of the tenant by their ids, as the reader sees them. */
export async function readRecords<Row = AnyRow>(
  tx: Tx,
  server: AnyReading<Row>,
  ids: readonly string[],
): Promise<Row[]> {
  if (server.read) return (await server.read(tx, ids)) as Row[];
  const names = Object.keys(server.record.fields);
  const rows = await tx.rows<AnyRow>(
    `select f.id, f.version, f.active, ${names.map((name) => `f."${name}"`).join(', ')}
     from ${tableOf(server, '$1')} f where f.tenant_id = $1 and f.id = any ($2::uuid[])`,
    [tx.tenantId, ids],
  );
  for (const row of rows)
    for (const name of names) {
      const value = row[name];
      if (value instanceof Date) row[name] = value.toISOString();
    }
  return (server.complete ? await server.complete(tx, rows) : rows) as Row[];
}

/** The record with this id; `not-found` if the reader does not see it. */
export async function readRecord<Row = AnyRow>(tx: Tx, server: AnyReading<Row>, id: string): Promise<Row> {
  const [stored] = await readRecords(tx, server, [id]);
  if (stored === undefined) throw new AppError('not-found');
  return stored;
}

/** The same for an action on one version; `conflict` if it has changed since. */
export async function readVersion<Row extends { version: number } = AnyRow>(
  tx: Tx,
  server: AnyReading<Row>,
  id: string,
  version: number,
): Promise<Row> {
  const stored = await readRecord(tx, server, id);
  if (stored.version !== version) throw new AppError('conflict');
  return stored;
}

/** Records by the ids that a statement finds, in its order, without those that the reader does not see. */
export async function readInOrder<Row extends { id: string }>(
  tx: Tx,
  read: (tx: Tx, ids: readonly string[]) => Promise<Row[]>,
  sql: string,
  params: readonly unknown[],
): Promise<Row[]> {
  const ids = (await tx.rows<{ id: string }>(sql, params)).map(({ id }) => id);
  const found = new Map((await read(tx, ids)).map((one) => [one.id, one]));
  return ids.flatMap((id) => found.get(id) ?? []);
}
