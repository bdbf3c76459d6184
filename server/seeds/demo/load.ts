import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { facts } from '../../src/facts.ts';
import type { TableName } from '../../src/platform/analytics/facts.ts';
import { recordChange } from '../../src/platform/analytics/outbox.ts';
import { carriedBy, type Deciding } from '../../src/platform/carried/carried.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { checkSign } from '../../src/platform/records/record-number.ts';

/** The tables whose rows replicas read on their own, not along with those of another table. */
const followed = new Set<string>(
  facts.flatMap(({ sql: { changedBy } }) =>
    Object.entries(changedBy).flatMap(([table, how]) => ('with' in how ? [] : [table])),
  ),
);

type Value = string | number | boolean | null | readonly string[];

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const escaped = (text: string) => text.replace(/[\\\n\r\t]/g, (character) => escapes[character]!);

function field(value: Value): string {
  if (value === null) return '\\N';
  if (typeof value === 'object')
    return escaped(`{${value.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`);
  return typeof value === 'string' ? escaped(value) : String(value);
}

/**
 * Inserts many rows of one table: streamed into a temporary table and inserted from there, because PostgreSQL allows
 * no COPY into a table with row-level security. The columns are those of the first row, and the columns that the
 * rows carry of their record. Records the change for replicas. Returns the number of new rows.
 */
export async function loadRows(
  tx: Tx,
  table: string,
  rows: readonly object[],
  carriedOf?: Deciding,
): Promise<number> {
  const first = rows[0];
  if (!first) return 0;
  const columns = Object.keys(first);
  const list = columns.join(', ');
  const temporary = `load_${table}`;
  await tx.run(
    `create temporary table if not exists ${temporary} on commit drop as select ${list} from ${table} limit 0`,
  );
  const lines = function* () {
    for (let start = 0; start < rows.length; start += 500)
      yield rows
        .slice(start, start + 500)
        .map(
          (row) =>
            `${columns.map((column) => field((row as Record<string, Value>)[column] ?? null)).join('\t')}\n`,
        )
        .join('');
  };
  await pipeline(Readable.from(lines()), tx.copyFrom(`copy ${temporary} (${list}) from stdin`));
  const carried = carriedOf && carriedBy(table, carriedOf);
  const inserted = await tx.run(
    `insert into ${table} (${list}${carried ? `, ${carried.columns}` : ''})
     select ${columns.map((column) => `c.${column}`).join(', ')}${carried ? `, ${carried.values}` : ''}
     from ${temporary} c ${carried?.join ?? ''} returning 1`,
    carried ? [tx.tenantId] : [],
  );
  await tx.run(`truncate ${temporary}`);
  if (followed.has(table)) {
    const made = rows as readonly { id: string }[];
    await recordChange(
      tx,
      tx.tenantId,
      table as TableName,
      made.map(({ id }) => id),
    );
  }
  return inserted;
}

const signs = 'BCDFGHJKMNPQRSTVWXZ';
/** The number of a demo record: each place has its own six characters, which look random. */
export function numberAt(kind: string, today: string, place: number): string {
  const drawn = 27_182_818 + place * 4_999_999;
  const random = Array.from(
    { length: 6 },
    (_, at) => signs[Math.floor(drawn / signs.length ** at) % signs.length],
  ).join('');
  return `${kind}-${today.slice(2, 4)}-${random}${checkSign(random)}`;
}
