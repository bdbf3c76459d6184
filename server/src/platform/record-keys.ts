import type { Tx } from './db/database.ts';
import { few } from './db/few.ts';

/* Tables of search keys: a row for each record and key. */

/** A table of keys, or its part for one kind of records. */
export interface KeyTable {
  name: string;
  /** The column of the record's id. */
  idColumn: string;
  /** The value of `record_kind`, if the table has such a column. */
  recordKind?: 'patient' | 'case';
}

/** One record's keys, to be stored. */
export interface KeyedRecord {
  id: string;
  keys: readonly string[];
  /**
   * Its stored keys; if unknown, they are looked up. `new` if the record was written for the first time in this
   * transaction: it cannot have keys.
   */
  before?: readonly string[] | 'new';
}

/** Keys of records as two columns. */
interface KeyColumns {
  ids: string[];
  keys: string[];
}

/** The writes that give the records exactly their keys: most stored keys usually stay. */
function keyChanges(records: readonly KeyedRecord[]): {
  /** Records whose stored keys are removed unless they are in `fresh`. */
  unknown: string[];
  gone: KeyColumns;
  /** Keys of new records: not looking for existing ones saves part of the insert. */
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
  // In the form that PostgreSQL gets: keys that were cut within a letter can become equal.
  const asStored = (keys: readonly string[]) => new Set(keys.map((key) => key.toWellFormed()));
  for (const { id, keys, before } of records) {
    const now = asStored(keys);
    if (before === 'new') {
      add(first, id, now);
      continue;
    }
    const then = asStored(before ?? []);
    if (!before) unknown.push(id);
    add(gone, id, then.difference(now));
    add(fresh, id, now.difference(then));
  }
  return { unknown, gone, first, fresh };
}

/** Replaces the keys of records. `tenantId` is that of the transaction's scope. */
export async function writeRecordKeys(
  tx: Tx,
  tenantId: string,
  { name, idColumn, recordKind }: KeyTable,
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
  for (const [which, { ids, keys }, conflict] of [
    ['new', first, ''],
    ['known', fresh, 'on conflict do nothing'],
  ] as const)
    if (ids.length > 0)
      await tx.send(
        `with written as (
           insert into ${name} (tenant_id, ${kindColumn} key, ${idColumn})
           select $1, ${kind} given.key, given.id from ${given} order by given.key ${conflict} returning 1)
         select count(*) from written`,
        [tenantId, ids, keys],
        `${name} of ${which} ${recordKind ?? 'records'}`,
      );
}
