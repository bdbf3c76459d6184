import type { Tx } from '../db/database.ts';
import type { TableName } from './facts.ts';

/** The channel on which a commit that changed facts is announced; its payload is the tenant's id. */
export const outboxChannel = 'outbox';

/**
 * The table of the changed records. Each fact declares which of its rows change with a record of each table that it
 * reads (`changedBy`). All facts of a changed person are read again, so a change of demographics or a merge (then
 * both persons) needs no list of results.
 */
export type ChangeKind = TableName;

interface Change {
  kind: ChangeKind;
  ids: readonly string[];
}

const idsPerRow = 5000;

/** The changes of each running transaction so far. */
const noted = new WeakMap<Tx, Change[]>();

/**
 * Records, in the transaction that makes the change, which records the analytics replicas have to read again: new,
 * changed and deleted ones, and for a correction also the result that it supersedes. Once the transaction has
 * committed, the replicas follow immediately; if it is rolled back, nothing happens.
 */
export async function recordChange(
  tx: Tx,
  tenantId: string,
  kind: ChangeKind,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const changes = noted.get(tx) ?? [];
  for (let start = 0; start < ids.length; start += idsPerRow)
    changes.push({ kind, ids: ids.slice(start, start + idsPerRow) });
  if (noted.has(tx)) return;
  noted.set(tx, changes);
  tx.atEnd(() => writeChanges(tx, tenantId, changes));
  // PostgreSQL sends the notification after the commit.
  await tx.send('select pg_notify($1, $2)', [outboxChannel, tenantId]);
}

/**
 * Numbers the changes of a transaction. From its first statement on, every other transaction that changes records of
 * the tenant waits until this one has ended, so a number is visible only when all lower ones are.
 */
async function writeChanges(tx: Tx, tenantId: string, changes: readonly Change[]): Promise<void> {
  const [counter] = await tx.prepared<{ last_number: number }>(
    'number changes',
    `insert into change_counter as c (tenant_id, last_number) values ($1, $2)
     on conflict (tenant_id) do update set last_number = c.last_number + excluded.last_number
     returning last_number`,
    [tenantId, changes.length],
  );
  const before = counter!.last_number - changes.length;
  const rows = changes.map((_, i) => `($1, $${3 * i + 2}, $${3 * i + 3}, $${3 * i + 4})`);
  await tx.send(
    `insert into outbox (tenant_id, number, kind, record_ids) values ${rows.join(', ')}`,
    [tenantId, ...changes.flatMap(({ kind, ids }, i) => [before + i + 1, kind, ids])],
    `write ${changes.length} changes`,
  );
}
