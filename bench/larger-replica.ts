import path from 'node:path';
import { type Connection, Duck, identifier, quoted } from '../server/src/platform/analytics/duckdb.ts';
import {
  bitsOfWord,
  personBit,
  personWord,
  type StoredFact,
} from '../server/src/platform/analytics/facts.ts';

/**
 * Multiplies every row of a fact in a replica, each time for other persons, because filling a database with ten
 * million results takes an hour. The replica must not be open.
 */
export async function enlarge(
  folder: string,
  tenantId: string,
  fact: StoredFact,
  times: number,
): Promise<void> {
  const duck = await Duck.open(folder, { memory: '6GB' });
  const catalog = `tenant_${tenantId}`;
  const first = await duck.connect();
  await first.run(`attach ${quoted(path.join(folder, `${tenantId}.duckdb`))} as ${identifier(catalog)}`);
  first.close();
  const connection = await duck.connect(catalog);
  try {
    await multiply(connection, catalog, fact, times);
  } finally {
    connection.close();
    duck.close();
  }
}

async function multiply(
  connection: Connection,
  catalog: string,
  { table, columns, sql }: StoredFact,
  times: number,
): Promise<void> {
  const number = columns.find(({ numbers }) => numbers !== undefined)!;
  const stored = await connection.rows<{ name: string; type: string }>(
    `select column_name as name, data_type as type from duckdb_columns()
    where database_name = $1 and table_name = $2 order by column_index`,
    [catalog, table],
  );
  const [persons] = await connection.rows<{ n: number }>(
    `select cast(max(${number.name}) + 1 as integer) as n from ${table}`,
  );
  const other = `(${number.name} + k * ${persons!.n})`;
  const isNarrow = (persons!.n * times) / bitsOfWord < 2 ** 16;
  const again: Record<string, string> = {
    id: 'cast(md5(cast(id as text) || k) as uuid)',
    [number.numbers!]: `cast(md5(cast(${number.numbers} as text) || k) as uuid)`,
    [number.name]: `cast(${other} as integer)`,
    [personWord]: `cast(${other} / ${bitsOfWord} as ${isNarrow ? 'usmallint' : 'uinteger'})`,
    [personBit]: `cast(1 as bigint) << cast(${other} % ${bitsOfWord} as integer)`,
  };
  const selected = stored.map(({ name }) => `${again[name] ?? name} as ${name}`);
  await connection.run(
    `create table larger as select ${selected.join(', ')}
    from ${table}, (select cast(unnest(range(${times})) as integer) as k) order by ${sql.orderedBy}`,
  );
  await connection.run(`drop table ${table}`);
  await connection.run(`alter table larger rename to ${table}`);
  await connection.run('checkpoint');
}
