import { type Connection, quoted } from './duckdb.ts';
import {
  bitsOfWord,
  type ColumnKind,
  isPack,
  keptColumns,
  type MadeColumn,
  packTable,
  personWord,
  type StoredColumn,
  type StoredFact,
} from './facts.ts';
import { copiedColumns, rowColumns, sharedOf } from './stored-facts.ts';

/*
 * How rows get from a PostgreSQL file into the table of a fact: staged as they came, numbered, and stored with the
 * columns that are computed from them.
 */

/** A file of rows as `copy` wrote them, and their number. Values that rows share by record are in separate files. */
export interface RowFile {
  path: string;
  rows: number;
  shared?: RowFile[];
}

/**
 * Reads a file into the temporary table `staged`: codes as text or as the given types, everything else in its stored
 * form. Throws if the number of rows differs from the number written.
 */
export async function stageRows(
  connection: Connection,
  fact: StoredFact,
  file: RowFile,
  types?: ReadonlyMap<string, string>,
): Promise<void> {
  const select = copiedColumns(fact).map(
    ({ name, kind }) => `cast(${name} as ${types?.get(name) ?? stagedTypes[kind]}) as ${name}`,
  );
  const [rows, ...shared] = readsOf(fact, file, types);
  const joins = (file.shared ? sharedOf(fact) : []).map(
    ({ key }, index) => ` join ${shared[index]!.from} s${index} on s${index}.${sharedKey} = r.${key}`,
  );
  const [staged] = await connection.rows<{ Count: number }>(
    `create or replace temp table staged as select ${select.join(', ')} from ${rows!.from} r${joins.join('')}`,
  );
  if (staged!.Count !== file.rows)
    throw new Error(`${fact.table}: rows were lost on their way to the replica`);
}

/** All staged rows. */
export const allStaged = (fact: StoredFact): Read => ({ from: 'staged', columns: copiedColumns(fact) });

/**
 * Numbers the staged values that the replica counts by its own numbers. New values get the next numbers; a number is
 * never reused.
 */
export async function numberValues(connection: Connection, fact: StoredFact): Promise<void> {
  const own = (column: string) => column;
  const packs = fact.made.filter(isPack);
  const statements = [
    ...fact.columns.flatMap(({ name, numbers }) => {
      if (numbers === undefined) return [];
      const table = numberTable(fact, name);
      return `insert into ${table}
      select (select count(*) from ${table}) + row_number() over () - 1, key
      from (select distinct ${numbers} as key from staged where ${numbers} is not null) as g
      where not exists (select 1 from ${table} t where t.key = g.key)`;
    }),
    ...packs.map((made) => {
      const table = packTable(fact, made);
      const staged = keptColumns(fact)
        .filter((kept) => kept.made === made)
        .map(({ of }) => {
          const parts = made.of.map((part) => `${of(part)} as ${part}`);
          return `select distinct ${parts.join(', ')} from staged`;
        });
      return `insert into ${table}
      select (select count(*) from ${table}) + row_number() over () - 1, key, text
      from (select ${keyOfPack(made, own)} as key, ${made.sql(own)} as text from (${staged.join(' union ')}) as p) as g
      where not exists (select 1 from ${table} t where t.key = g.key and t.text = g.text)`;
    }),
  ];
  if (statements.length > 0) await connection.run(statements.join(';\n'));
  if (packs.length === 0) return;
  const keys = packs.map((made) => {
    const table = packTable(fact, made);
    return `select ${quoted(table)} as name, count(*) - count(distinct key) as n from ${table}`;
  });
  const same = await connection.rows<{ name: string; n: number }>(keys.join(' union all '));
  for (const { name, n } of same) if (n > 0) throw new Error(`two values of ${name} have the same key`);
}

/** Widens the columns of a fact whose numbers no longer fit in 16 bits to 32. */
export async function widenNumbers(connection: Connection, fact: StoredFact): Promise<void> {
  const narrow = keptColumns(fact).filter(({ made }) => isNarrow(made));
  if (narrow.length === 0) return;
  const greatest = narrow.map(({ made }, index) =>
    isPack(made)
      ? `(select count(*) from ${packTable(fact, made)}) as n${index}`
      : `(select count(*) // ${bitsOfWord} from ${numberTable(fact, made.of[0]!)}) as n${index}`,
  );
  const [numbers] = await connection.rows<Record<string, number>>(`select ${greatest.join(', ')}`);
  const large = narrow.filter((_, index) => numbers![`n${index}`]! >= 2 ** 16);
  if (large.length === 0) return;
  const columns = await connection.rows<{ name: string; type: string }>(
    `select column_name as name, data_type as type from duckdb_columns()
    where database_name = current_database() and table_name = $1`,
    [fact.table],
  );
  const narrowed = new Set(columns.flatMap(({ name, type }) => (type === 'USMALLINT' ? [name] : [])));
  for (const { name } of large)
    if (narrowed.has(name)) await connection.run(`alter table ${fact.table} alter ${name} type uinteger`);
}

/** The staged rows as they are stored, once everything in them has a number. */
export function stagedRows(fact: StoredFact, tenantId: string): string {
  const joins: string[] = [];
  const numberIn = (table: string, key: string) => {
    const as = `n${joins.length}`;
    joins.push(`left join ${table} ${as} on ${as}.key = ${key}`);
    return `${as}.number`;
  };
  const numbers = new Map<string, string>();
  const columns = fact.columns.map(({ name, numbers: value }) => {
    if (value === undefined) return name;
    numbers.set(name, numberIn(numberTable(fact, name), `staged.${value}`));
    return `${numbers.get(name)} as ${name}`;
  });
  const made = keptColumns(fact).map(({ name, made, of }) => {
    const staged = (column: string) => numbers.get(column) ?? `staged.${of(column)}`;
    const kept = isPack(made) ? numberIn(packTable(fact, made), keyOfPack(made, staged)) : made.sql(staged);
    return `${kept} as ${name}`;
  });
  return `select cast(${quoted(tenantId)} as uuid) as tenant_id, ${[...columns, ...made].join(', ')}
    from staged ${joins.join(' ')}`;
}

/** The statements that make the table of a fact, with the types of its codes and numbers. */
export function tablesOf(fact: StoredFact, types: ReadonlyMap<string, string>): string[] {
  const kept = [
    ...fact.columns.map(
      ({ name, kind, numbers }) => `${name} ${types.get(name) ?? (numbers ? 'integer' : keptTypes[kind])}`,
    ),
    ...keptColumns(fact).map(({ name, made }) => `${name} ${isNarrow(made) ? narrow : keptTypes[made.kind]}`),
  ];
  return [
    `create or replace table ${fact.table} (tenant_id uuid, ${kept.join(', ')})`,
    ...fact.columns.flatMap(({ name, numbers }) =>
      numbers === undefined
        ? []
        : [`create or replace table ${numberTable(fact, name)} (number integer, key uuid)`],
    ),
    ...fact.made
      .filter(isPack)
      .map(
        (made) => `create or replace table ${packTable(fact, made)} (number integer, key ubigint, text text)`,
      ),
  ];
}

/**
 * Columns that a question may group by among filtered rows. There DuckDB knows only how many bits a number's type
 * has, and counts in an array for 16.
 */
const isNarrow = (made: MadeColumn): boolean => isPack(made) || made.name === personWord;
const narrow = 'usmallint';

const numberTable = ({ table }: StoredFact, column: string) => `${table}_${column}`;

/** The key to look up a pack by: a hash of its texts, so that they need not be joined. */
const keyOfPack = ({ of }: MadeColumn, staged: (column: string) => string) =>
  `hash(${of.map((column) => `cast(${staged(column)} as text)`).join(', ')})`;

/** Rows as SQL, with their columns. */
export interface Read {
  from: string;
  columns: readonly StoredColumn[];
}

const sharedKey = 'shared_id';

/** The rows of a fact and of their shared values, as SQL. Codes are texts unless types are given. */
export function readsOf(fact: StoredFact, file: RowFile, types?: ReadonlyMap<string, string>): Read[] {
  const shared = file.shared ? sharedOf(fact) : [];
  const read = (path: string, columns: readonly StoredColumn[], key: readonly string[] = []): Read => {
    const typed = [
      ...key.map((name) => `${quoted(name)}: 'uuid'`),
      ...columns.map(({ name, kind }) => `${quoted(name)}: ${quoted(types?.get(name) ?? readTypes[kind])}`),
    ];
    const from = `read_csv(${quoted(path)}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"',
    nullstr = '\\N', allow_quoted_nulls = false, max_line_size = 16000000, columns = {${typed.join(', ')}})`;
    return { from, columns };
  };
  return [
    read(file.path, rowColumns(fact, shared)),
    ...shared.map(({ columns }, index) => read(file.shared![index]!.path, columns, [sharedKey])),
  ];
}

const stagedTypes: Record<ColumnKind, string> = {
  id: 'uuid',
  code: 'text',
  text: 'text',
  label: 'text',
  flag: 'boolean',
  day: 'date',
  integer: 'integer',
  wide: 'bigint',
  instant: 'timestamptz',
  ids: 'text[]',
};
/** A list arrives as a text that is cast. */
const readTypes = { ...stagedTypes, ids: 'text' };
const keptTypes = { ...stagedTypes, text: 'text using compression uncompressed' };
