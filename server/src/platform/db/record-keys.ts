import { keyCarries, keySights } from '../carried/carried.ts';
import type { Tx } from './database.ts';
import { few } from './few.ts';
import { fromTenantRow, haveTenantRow } from './tenant-row.ts';

/* Tables of search keys: a row for each record and key. */

/** A table of keys, or its part for one kind of records. */
export interface KeyTable {
  name: string;
  /** The column of the record's id. */
  idColumn: string;
  /** The value of `record_kind`, if the table has such a column. */
  recordKind?: 'patient' | 'case';
  /** The kind of record that its rows copy their visibility from. */
  carriedOf?: keyof typeof keySights;
}

/** One record's keys, to be stored. */
export interface KeyedRecord {
  id: string;
  keys: readonly string[];
  /**
   * Its stored keys; looked up if unknown. `new` if this transaction wrote the record for the first time: it cannot
   * have keys.
   */
  before?: readonly string[] | 'new';
  /** Others see it than before, so the keys that stay are written too. */
  seenElsewhere?: boolean;
}

/** Keys of records as two columns. */
interface KeyColumns {
  ids: string[];
  keys: string[];
}

/** The writes that give the records exactly their keys. Most stored keys usually stay. */
function keyChanges(records: readonly KeyedRecord[]): {
  /** Records whose stored keys are removed unless they are in `fresh`. */
  unknown: string[];
  gone: KeyColumns;
  /** Keys of new records. Not looking for existing ones saves part of the insert. */
  first: KeyColumns;
  fresh: KeyColumns;
} {
  const unknown: string[] = [];
  const gone: KeyColumns = { ids: [], keys: [] };
  const first: KeyColumns = { ids: [], keys: [] };
  const fresh: KeyColumns = { ids: [], keys: [] };
  const add = (to: KeyColumns, id: string, keys: Set<string>) => {
    for (const key of keys) {
      to.ids.push(id);
      to.keys.push(key);
    }
  };
  // As PostgreSQL stores them: keys that were cut within a letter can become equal.
  const asStored = (keys: readonly string[]) => new Set(keys.map((key) => key.toWellFormed()));
  for (const { id, keys, before, seenElsewhere = false } of records) {
    const now = asStored(keys);
    if (before === 'new') {
      add(first, id, now);
      continue;
    }
    const then = asStored(before ?? []);
    if (!before) unknown.push(id);
    add(gone, id, then.difference(now));
    add(fresh, id, seenElsewhere ? now : now.difference(then));
  }
  return { unknown, gone, first, fresh };
}

/** Replaces the keys of records. `tenantId` is the tenant of the transaction's scope. */
export async function writeRecordKeys(
  tx: Tx,
  tenantId: string,
  { name, idColumn, recordKind, carriedOf }: KeyTable,
  records: readonly KeyedRecord[],
): Promise<void> {
  const { unknown, gone, first, fresh } = keyChanges(records);
  const given = 'unnest($2::uuid[], $3::text[]) as given (id, key)';
  const ofKind = recordKind ? `and record_kind = '${recordKind}'` : '';
  if (unknown.length > 0)
    await tx.send(
      `delete from ${name} where tenant_id = $1 ${ofKind} and ${idColumn} = any ($4)
         and (${idColumn}, key) not in (select * from ${given})`,
      [tenantId, fresh.ids, fresh.keys, unknown],
    );
  if (gone.ids.length > 0)
    await tx.send(
      `delete from ${name} k using ${few(given)} as gone
         where k.tenant_id = $1 ${ofKind} and k.key = gone.key and k.${idColumn} = gone.id`,
      [tenantId, gone.ids, gone.keys],
    );
  const [kindColumn, kind] = recordKind ? ['record_kind,', `'${recordKind}',`] : ['', ''];
  for (const [which, columns, conflict] of [
    ['new', first, ''],
    ['known', fresh, carriedOf ? asSeenNow(name, idColumn) : 'on conflict do nothing'],
  ] as const) {
    if (columns.ids.length === 0) continue;
    await haveTenantRow(tx, tenantId);
    const to = `${name} of ${which} ${recordKind ?? 'records'}`;
    if (carriedOf)
      await tx.send(
        `insert into ${name} (tenant_id, ${kindColumn} key, ${idColumn}, ${carriedColumns.join(', ')})
         select ${fromTenantRow.id}, ${kind} c.key, p.id, ${Object.values(keyCarries).join(', ')}
         from ${fromTenantRow.table} cross join (${recordsWithSight(idColumn, carriedOf)}) as p
           cross join lateral json_array_elements_text(p.keys) as c (key)
         where ${fromTenantRow.is} order by c.key ${conflict}`,
        [tenantId, JSON.stringify(byRecord(columns))],
        to,
      );
    else
      await tx.send(
        `insert into ${name} (tenant_id, ${kindColumn} key, ${idColumn})
         select ${fromTenantRow.id}, ${kind} given.key, given.id from ${fromTenantRow.table} cross join ${given}
         where ${fromTenantRow.is} order by given.key ${conflict}`,
        [tenantId, columns.ids, columns.keys],
        to,
      );
  }
}

const carriedColumns = Object.keys(keyCarries);
/** An existing key gets the current carried columns. */
const asSeenNow = (table: string, idColumn: string): string =>
  `on conflict (tenant_id, record_kind, key, ${idColumn}) do update
     set ${carriedColumns.map((column) => `${column} = excluded.${column}`).join(', ')}
     where (${carriedColumns.map((column) => `${table}.${column}`).join(', ')})
       is distinct from (${carriedColumns.map((column) => `excluded.${column}`).join(', ')})`;

/** The records of the keys in `$2`, with what each key carries; looked up once for all keys of a record. */
const recordsWithSight = (idColumn: string, of: keyof typeof keySights): string =>
  `select c.${idColumn} as id, c.keys, ${Object.entries(keySights[of])
    .map(([column, value]) => `${value} as ${column}`)
    .join(', ')}
   from ${few(`json_to_recordset($2::json) as given (${idColumn} uuid, keys json)`)} as c
     left join lateral (select * from ${of} p where p.tenant_id = $1 and p.id = c.${idColumn} limit 1) p on true offset 0`;

function byRecord({ ids, keys }: KeyColumns): { record_id: string; keys: string[] }[] {
  const records = new Map<string, string[]>();
  for (const [place, id] of ids.entries()) {
    const known = records.get(id);
    if (known) known.push(keys[place]!);
    else records.set(id, [keys[place]!]);
  }
  return [...records].map(([record_id, all]) => ({ record_id, keys: all }));
}
