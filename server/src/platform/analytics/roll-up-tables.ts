import type { Connection } from './duckdb.ts';
import type { StoredFact } from './facts.ts';
import { blockOf, kindOfFilter, kindOfSplit, type RollUp, textOfCell } from './roll-ups.ts';

/*
 * The roll-up tables of a replica: `rolled` lists what is kept, `rolled_block` its valid blocks. Each fact has one
 * table with the texts of cells, and each roll-up has one with its counts, or one for each filter.
 */

export const cellsTable = (table: string): string => `${table}_rolled`;
export const countsTable = (table: string, number: number, filter: number | undefined): string =>
  `${table}_rolled_${number}_${filter ?? 'all'}`;

/** Drops the roll-up with this number. */
export async function forget(connection: Connection, number: number): Promise<void> {
  const tables = await connection.rows<{ name: string }>(
    'select table_name as name from duckdb_tables() where database_name = current_database() and regexp_matches(table_name, $1)',
    [`_rolled_${number}_[a-z0-9]+$`],
  );
  for (const { name } of tables) await connection.run(`drop table ${name}`);
  await connection.run('delete from rolled_block where rolled = $1', [number]);
  await connection.run('delete from rolled where number = $1', [number]);
}

/** Makes the tables that list what is kept for which facts. Earlier roll-ups of the replica are dropped. */
export async function keepNothing(connection: Connection, facts: readonly StoredFact[]): Promise<void> {
  const tables = await connection.rows<{ name: string }>(
    'select table_name as name from duckdb_tables() where database_name = current_database()',
  );
  for (const { name } of tables)
    if (facts.some(({ table }) => name.startsWith(`${table}_rolled`)))
      await connection.run(`drop table ${name}`);
  await connection.run(
    'create or replace table rolled (number integer, name text, fact text, day text, days integer)',
  );
  await connection.run('create or replace table rolled_block (rolled integer, block integer)');
}

/** Invalidates the blocks of a fact that contain rows with these days. */
export async function forgetBlocks(
  connection: Connection,
  table: string,
  changed: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  const kept = await connection.rows<{ number: number; day: string; days: number }>(
    'select number, day, days from rolled where fact = $1',
    [table],
  );
  for (const { number, day, days } of kept) {
    const blocks = new Set([...(changed.get(day) ?? [])].map((one) => blockOf(one, days)));
    if (blocks.size > 0)
      await connection.run(
        `delete from rolled_block where rolled = $1 and block in (${[...blocks].join(', ')})`,
        [number],
      );
  }
}

/** Counts the cells of the rows in `rolling` into `rolling_count`, by temporary numbers that are in `rolling_key`. */
export async function countCells(
  connection: Connection,
  { splits, filters, numbers, numbersOf }: RollUp,
  places: readonly (readonly number[])[],
  filtered: boolean,
): Promise<void> {
  const keys = splits.map((split, index) => {
    const own = new Set(places[index]);
    const columns = [...own].map((place) => `p${place}`).join(', ');
    return `select ${kindOfSplit(index)} as kind, ${textOfCell(split, places[index]!)} as text, ${columns}
      from (select distinct ${columns} from rolling) as g`;
  });
  await connection.run(
    `create or replace temp table rolling_key as
    select cast(row_number() over () as integer) as cell, * from (${keys.join(' union all by name ')}) as k`,
  );
  const joins = splits.map((_, index) => {
    const same = [...new Set(places[index])].map(
      (place) => `k${index}.p${place} is not distinct from r.p${place}`,
    );
    return `join rolling_key k${index} on k${index}.kind = ${kindOfSplit(index)} and ${same.join(' and ')}`;
  });
  const cells = splits.map((_, index) => `k${index}.cell as c${index}`);
  const others = [...(filtered ? filters.map((_, index) => `f${index}`) : []), ...numbersOf];
  await connection.run(
    `create or replace temp table rolling_cell as select block, ${[...others, ...cells].join(', ')}
    from rolling r ${joins.join(' ')}`,
  );
  const counted = numbers.map(({ name, sql }) => `${sql} as ${name}`).join(', ');
  const counts = (filtered ? [...filters.keys()] : [undefined]).flatMap((index) => {
    const [value, by] =
      index === undefined ? ["''", ''] : [`coalesce(cast(f${index} as text), '')`, `f${index}, `];
    return splits.map(
      (_, split) => `select ${index ?? 0} as filter, ${value} as value, block, c${split} as cell, ${counted}
        from rolling_cell group by ${by}block, c${split}`,
    );
  });
  await connection.run(`create or replace temp table rolling_count as ${counts.join(' union all ')}`);
}

/** Keeps the counted blocks, with the replica's own numbers for cells. */
export async function keepCells(
  connection: Connection,
  { stored, filters, numbers }: RollUp,
  number: number,
  filtered: boolean,
  blocks: readonly number[],
): Promise<void> {
  const cells = cellsTable(stored.table);
  const listed = blocks.join(', ');
  const values = `select distinct filter + ${kindOfFilter(0)} as kind, value as text from rolling_count`;
  await connection.run(
    `insert into ${cells} select (select coalesce(max(number), 0) from ${cells}) + row_number() over (), kind, text
    from (select kind, text from rolling_key union ${values}) as g
    where not exists (select 1 from ${cells} c where c.kind = g.kind and c.text = g.text)`,
  );
  const names = numbers.map(({ name }) => `r.${name}`).join(', ');
  for (const index of filtered ? filters.keys() : [undefined]) {
    const table = countsTable(stored.table, number, index);
    await connection.run(`delete from ${table} where block in (${listed})`);
    await connection.run(
      `insert into ${table} select v.number, r.block, c.number, ${names}
      from rolling_count r join rolling_key k on k.cell = r.cell
      join ${cells} c on c.kind = k.kind and c.text = k.text
      join ${cells} v on v.kind = ${kindOfFilter(index ?? 0)} and v.text = r.value
      where r.filter = ${index ?? 0} and r.block in (${listed}) order by 1, 3`,
    );
  }
  await connection.run(`delete from rolled_block where rolled = ${number} and block in (${listed})`);
  await connection.run(`insert into rolled_block select ${number}, unnest([${listed}])`);
}
