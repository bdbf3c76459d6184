import { setImmediate as breath } from 'node:timers/promises';
import { importFault } from '@caseway/contract/import-fault';
import type { Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/rows.ts';
import { asAppError } from '../../../platform/http/app-error.ts';
import type { ImportFault } from '../../reported/report.ts';
import { Batch, type Item } from '../batch/batch.ts';
import type { Incoming } from '../batch/incoming.ts';
import { type ImportRow, publishState } from './import-row.ts';
import { NoLongerOurs, type RunningImport } from './running-import.ts';

/** The longest time of reading before the database's answers are handled. */
const breathMs = 1;

/** Stores the rest of the file. False if it was stopped before its end. */
export async function runFile(run: RunningImport): Promise<boolean> {
  const unreadable = await run.inspect();
  let batch = new Batch();
  let notes: ImportFault[] = [];
  let under: Promise<void> = Promise.resolve();
  const commit = async (items: Item[], isLast: boolean) => {
    // One batch is stored while the next one is read, which takes less time. A third one in memory would only be
    // more work for the garbage collector.
    await under;
    const told = notes;
    notes = [];
    under = commitBatch(run, items, told, isLast);
    under.catch(() => {});
  };
  let breathed = performance.now();
  for await (const piece of run.pieces(unreadable)) {
    // Reading a chunk of the file takes long, and answers of the database must not wait for its end.
    if (performance.now() - breathed > breathMs) {
      await breath();
      breathed = performance.now();
    }
    // Also between rows that do not fill a batch; a file can have millions of them.
    if (run.options.signal?.aborted) {
      await under;
      return false;
    }
    if (piece.kind === 'note') {
      notes.push(piece.fault);
      continue;
    }
    batch.add(run.itemOf(piece.incoming, piece.next));
    if (!batch.isFull(run.batchSize)) continue;
    await commit(batch.items, false);
    batch = new Batch();
  }
  await commit(batch.items, true);
  await under;
  return true;
}

/**
 * Stores a batch in one transaction. If a message in it cannot be stored, the batch is halved until that message is
 * alone, and only that message is refused.
 */
async function commitBatch(
  run: RunningImport,
  items: readonly Item[],
  notes: readonly ImportFault[],
  isLast: boolean,
): Promise<void> {
  try {
    const nextIndex = await run.options.database.withScope(run.scope, async (tx) => {
      const row = await run.own(tx);
      await run.store(tx, items);
      return advance(run, tx, row, items, notes, isLast);
    });
    // Only after the commit.
    run.row = { ...run.row, next_index: nextIndex, file_read: isLast };
  } catch (error) {
    if (error instanceof NoLongerOurs || asAppError(error).passes || items.length === 0) throw error;
    if (items.length > 1) {
      const half = items.length >> 1;
      await commitBatch(run, items.slice(0, half), notes, false);
      await commitBatch(run, items.slice(half), [], isLast);
      return;
    }
    const refused = notStorable(items[0]!);
    if (!refused) throw error;
    await commitBatch(run, [refused], notes, isLast);
    return;
  }
  await run.tell({
    byteOffset: items.at(-1)?.next?.byteOffset ?? run.row.byte_size,
    messages: run.row.next_index,
    rerunDone: run.row.rerun_done,
    rerunTotal: run.row.rerun_total,
  });
}

/** The message as refused because it cannot be stored; undefined if it already was. */
export function notStorable({ incoming, next }: Item): Item | undefined {
  const { content, faults, line } = incoming;
  if (content.kind === 'refused' && content.reason === 'not-storable') return undefined;
  const fault = importFault('error', 'not-storable', 'file', line);
  const refused: Incoming = {
    ...incoming,
    faults: [...faults, fault],
    content: { kind: 'refused', reason: fault.code },
  };
  return { incoming: refused, digest: undefined, next };
}

/** Stores the progress of the import together with what it has stored. */
async function advance(
  run: RunningImport,
  tx: Tx,
  row: ImportRow,
  items: readonly Item[],
  notes: readonly ImportFault[],
  isLast: boolean,
): Promise<number> {
  const { tenantId, importId } = run.options;
  const point = items.at(-1)?.next;
  const nextIndex = point?.index ?? row.next_index;
  await tx.run(
    `update import set next_index = $3, byte_offset = coalesce($4, byte_offset), resume_point = coalesce($5, resume_point),
       notes = notes || $6::jsonb, file_read = $7 where tenant_id = $1 and id = $2`,
    [
      tenantId,
      importId,
      nextIndex,
      isLast ? run.row.byte_size : (point?.byteOffset ?? null),
      point ? json(point) : null,
      json(notes),
      isLast,
    ],
  );
  const byteOffset = isLast ? row.byte_size : point?.byteOffset;
  await publishState(tx, tenantId, importId, { ...row, byte_offset: byteOffset }, 'running');
  return nextIndex;
}
