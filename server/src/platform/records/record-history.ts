import type { AnyRecord } from '@caseway/contract/record';
import { type HistoryEntry, historyPage } from '@caseway/contract/record-history';
import type { Tx } from '../db/database.ts';
import type { Values } from './record-server.ts';

/** What a version changed, by field; only `to` for a new record. */
export type Changes = Record<string, { from?: unknown; to: unknown }>;
/** PostgreSQL stores the names in a JSON object in another order than they were sent. */
const inOrder = (_: string, value: unknown) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
export const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null, inOrder) === JSON.stringify(other ?? null, inOrder);

/** The differences between two states of a record. */
export const changesOf = (before: Values, after: Values): Changes =>
  Object.fromEntries(
    Object.keys(after).flatMap((name) =>
      same(before[name], after[name]) ? [] : [[name, { from: before[name], to: after[name] }]],
    ),
  );

/** What its history needs to know about a record. */
export interface Versioned {
  record: Pick<AnyRecord, 'kind' | 'fields' | 'workflow'>;
  history?: string;
}
export interface Version {
  version: number;
  accountId: string | null;
  changes: Changes;
  undoes?: number;
}
/** Who reads a version, by columns of a separate history table. */
type Readers = Readonly<Record<string, unknown>>;

const notDone = 'null::text as transition, null::text as reason';

/** The table of a kind's versions; `only` is a condition that begins with `and`. */
const keptIn = ({ record, history }: Versioned) =>
  history === undefined
    ? {
        table: 'record_history',
        own: { kind: record.kind },
        only: `and h.kind = '${record.kind}'`,
        done: notDone,
      }
    : { table: history, own: {}, only: '', done: record.workflow ? 'h.transition, h.reason' : notDone };

/** Stores what versions changed, in the transaction that made them. The key refuses a second writer of a version. */
export async function keepVersions(
  tx: Tx,
  reading: Versioned,
  tenantId: string,
  versions: readonly (Version & { id: string; readers?: Readers })[],
): Promise<void> {
  if (versions.length === 0) return;
  const { table, own } = keptIn(reading);
  const params: unknown[] = [];
  const rows = versions.map(({ id, version, accountId, changes, undoes, readers = {} }) => ({
    tenant_id: tenantId,
    ...own,
    record_id: id,
    version,
    account_id: accountId,
    changes: JSON.stringify(changes),
    undoes: undoes ?? null,
    ...readers,
  }));
  const values = rows.map(
    (row) =>
      `(${Object.values(row)
        .map((value) => `$${params.push(value)}`)
        .join(', ')})`,
  );
  await tx.run(
    `insert into ${table} (${Object.keys(rows[0]!).join(', ')}) values ${values.join(', ')}`,
    params,
  );
}

export const keepVersion = (
  tx: Tx,
  reading: Versioned,
  tenantId: string,
  id: string,
  version: Version & { readers?: Readers },
): Promise<void> => keepVersions(tx, reading, tenantId, [{ ...version, id }]);

/** Without disease families that the reader may not see. A field in which nothing else changed is left out. [P18] */
function visible({ record }: Versioned, changes: Changes, hiddenFamilies: readonly string[]): Changes {
  const seen = (value: unknown) =>
    Array.isArray(value) ? value.filter((family) => !hiddenFamilies.includes(family)) : value;
  return Object.fromEntries(
    Object.entries(changes).flatMap(([name, { from, to }]) => {
      if (record.fields[name]?.kind !== 'families') return [[name, { from, to }]];
      return same(seen(from), seen(to)) ? [] : [[name, { from: seen(from), to: seen(to) }]];
    }),
  );
}

/**
 * The newest versions of a record, or those before one. A version is left out if the reader sees none of its
 * changes.
 */
export async function readHistory(
  tx: Tx,
  server: Versioned,
  id: string,
  { before, hiddenFamilies }: { before?: number | undefined; hiddenFamilies: readonly string[] },
): Promise<{ entries: HistoryEntry[]; more: boolean }> {
  const { table, only, done } = keptIn(server);
  const rows = await tx.rows<{
    version: number;
    at: Date;
    byId: string | null;
    byName: string | null;
    changes: Changes;
    undoes: number | null;
    transition: string | null;
    reason: string | null;
  }>(
    `select h.version, h.at, h.account_id as "byId", nullif(concat_ws(' ', a.first_name, a.last_name), '') as "byName",
       h.changes, h.undoes, ${done}
     from ${table} h left join account a on a.id = h.account_id
     where h.tenant_id = $1 ${only} and h.record_id = $2 and ($3::int is null or h.version < $3)
     order by h.version desc limit ${historyPage + 1}`,
    [tx.tenantId, id, before ?? null],
  );
  const entries = rows.slice(0, historyPage).flatMap(({ at, byId, byName, changes, ...row }) => {
    const shown = visible(server, changes, hiddenFamilies);
    if (Object.keys(shown).length === 0) return [];
    return [
      {
        ...row,
        at: at.toISOString(),
        by: byId === null ? null : { id: byId, name: byName ?? '' },
        changes: shown as HistoryEntry['changes'],
      },
    ];
  });
  return { entries, more: rows.length > historyPage };
}

/** What one version changed, as the reader sees it; undefined if there is no such version. */
export async function readChanges(
  tx: Tx,
  server: Versioned,
  id: string,
  version: number,
  hiddenFamilies: readonly string[],
): Promise<{ accountId: string | null; changes: Changes; transition: string | null } | undefined> {
  const { table, only, done } = keptIn(server);
  const [row] = await tx.rows<{ accountId: string | null; changes: Changes; transition: string | null }>(
    `select account_id as "accountId", changes, ${done} from ${table} h
     where h.tenant_id = $1 ${only} and h.record_id = $2 and h.version = $3`,
    [tx.tenantId, id, version],
  );
  return row && { ...row, changes: visible(server, row.changes, hiddenFamilies) };
}

/**
 * The fields that have changed since a version; undefined if that is not known, because the record was also written
 * in another way, for example by an import.
 */
export async function changedSince(
  tx: Tx,
  server: Versioned,
  tenantId: string,
  id: string,
  {
    version,
    current,
    hiddenFamilies,
  }: { version: number; current: number; hiddenFamilies: readonly string[] },
): Promise<ReadonlySet<string> | undefined> {
  if (version > current) return undefined;
  const { table, only } = keptIn(server);
  const rows = await tx.rows<{ changes: Changes }>(
    `select h.changes from ${table} h
     where h.tenant_id = $1 ${only} and h.record_id = $2 and h.version > $3 and h.version <= $4`,
    [tenantId, id, version, current],
  );
  if (rows.length < current - version) return undefined;
  return new Set(rows.flatMap(({ changes }) => Object.keys(visible(server, changes, hiddenFamilies))));
}
