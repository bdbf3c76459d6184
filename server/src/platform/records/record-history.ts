import { type HistoryEntry, historyPage } from '@caseway/contract/record';
import type { Tx } from '../db/database.ts';
import type { AnyServer, Values } from './record-server.ts';

/** What a version changed, field by field; of a new record only `to`. */
export type Changes = Record<string, { from?: unknown; to: unknown }>;
export const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The differences between two states of a record. */
export const changesOf = (before: Values, after: Values): Changes =>
  Object.fromEntries(
    Object.keys(after).flatMap((name) =>
      same(before[name], after[name]) ? [] : [[name, { from: before[name], to: after[name] }]],
    ),
  );

export interface Version {
  version: number;
  accountId: string;
  changes: Changes;
  undoes?: number;
}

/** Keeps what a version changed, in the transaction that made it. The key refuses a second writer of a version. */
export async function keepVersion(
  tx: Tx,
  { record }: Pick<AnyServer, 'record'>,
  tenantId: string,
  id: string,
  { version, accountId, changes, undoes }: Version,
): Promise<void> {
  await tx.run(
    `insert into record_history (tenant_id, kind, record_id, version, account_id, changes, undoes)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [tenantId, record.kind, id, version, accountId, JSON.stringify(changes), undoes ?? null],
  );
}

/** Without disease families that the reader may not see; a field in which nothing else changed is left out. [P18] */
function visible({ record }: AnyServer, changes: Changes, hiddenFamilies: readonly string[]): Changes {
  const seen = (value: unknown) =>
    Array.isArray(value) ? value.filter((family) => !hiddenFamilies.includes(family)) : value;
  return Object.fromEntries(
    Object.entries(changes).flatMap(([name, { from, to }]) => {
      if (record.fields[name]?.kind !== 'families') return [[name, { from, to }]];
      return same(seen(from), seen(to)) ? [] : [[name, { from: seen(from), to: seen(to) }]];
    }),
  );
}

/** The newest versions of a record, or those before one; a version of which the reader sees no change is left out. */
export async function readHistory(
  tx: Tx,
  server: AnyServer,
  id: string,
  { before, hiddenFamilies }: { before?: number | undefined; hiddenFamilies: readonly string[] },
): Promise<{ entries: HistoryEntry[]; more: boolean }> {
  const rows = await tx.rows<{
    version: number;
    at: Date;
    byId: string | null;
    byName: string | null;
    changes: Changes;
    undoes: number | null;
  }>(
    `select h.version, h.at, h.account_id as "byId", nullif(concat_ws(' ', a.first_name, a.last_name), '') as "byName",
       h.changes, h.undoes
     from record_history h left join account a on a.id = h.account_id
     where h.tenant_id = $1 and h.kind = $2 and h.record_id = $3 and ($4::int is null or h.version < $4)
     order by h.version desc limit ${historyPage + 1}`,
    [tx.tenantId, server.record.kind, id, before ?? null],
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

/** What one version changed, as the reader sees it; undefined where there is no such version. */
export async function readChanges(
  tx: Tx,
  server: AnyServer,
  id: string,
  version: number,
  hiddenFamilies: readonly string[],
): Promise<{ accountId: string | null; changes: Changes } | undefined> {
  const [row] = await tx.rows<{ accountId: string | null; changes: Changes }>(
    `select account_id as "accountId", changes from record_history
     where tenant_id = $1 and kind = $2 and record_id = $3 and version = $4`,
    [tx.tenantId, server.record.kind, id, version],
  );
  return row && { ...row, changes: visible(server, row.changes, hiddenFamilies) };
}

/**
 * The fields that have changed since a version; undefined where that is not known, because the record was written in
 * another way in between, for example by an import.
 */
export async function changedSince(
  tx: Tx,
  server: AnyServer,
  id: string,
  {
    version,
    current,
    hiddenFamilies,
  }: { version: number; current: number; hiddenFamilies: readonly string[] },
): Promise<ReadonlySet<string> | undefined> {
  if (version > current) return undefined;
  const rows = await tx.rows<{ changes: Changes }>(
    `select changes from record_history
     where tenant_id = $1 and kind = $2 and record_id = $3 and version > $4 and version <= $5`,
    [tx.tenantId, server.record.kind, id, version, current],
  );
  if (rows.length < current - version) return undefined;
  return new Set(rows.flatMap(({ changes }) => Object.keys(visible(server, changes, hiddenFamilies))));
}
