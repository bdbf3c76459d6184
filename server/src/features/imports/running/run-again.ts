import { importFault } from '@caseway/contract/import-fault';
import type { Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/rows.ts';
import { asAppError } from '../../../platform/http/app-error.ts';
import { defaultBatchSize, type Item } from '../batch/batch.ts';
import type { Incoming, MessageState } from '../batch/incoming.ts';
import {
  type FileFormat,
  type ReadingContext,
  readMessage,
  TableReader,
  textOf,
} from '../formats/file-reader.ts';
import { NoLongerOurs, type RunningImport } from './running-import.ts';

/** Runs the requested messages again. False if it was stopped before the last. */
export async function runAgain(run: RunningImport): Promise<boolean> {
  const { database, signal } = run.options;
  const rows = run.table ? new TableReader(run.table, run.reading) : undefined;
  let size = Math.min(run.batchSize, defaultBatchSize);
  for (;;) {
    if (signal?.aborted) return false;
    let done: number;
    try {
      done = await database.withScope(run.scope, (tx) => batchAgain(run, tx, rows, size));
    } catch (error) {
      if (error instanceof NoLongerOurs || asAppError(error).passes) throw error;
      // The message that cannot be stored is isolated, and left as it was.
      if (size === 1) await database.withScope(run.scope, (tx) => passOver(run, tx));
      else size = 1;
      continue;
    }
    if (done === 0) return true;
    run.row.rerun_done += done;
    await run.tell({
      byteOffset: run.row.byte_size,
      messages: run.row.next_index,
      rerunDone: run.row.rerun_done,
      rerunTotal: Math.max(run.row.rerun_total, run.row.rerun_done),
    });
  }
}

async function batchAgain(
  run: RunningImport,
  tx: Tx,
  rows: TableReader | undefined,
  size: number,
): Promise<number> {
  const { tenantId, importId } = run.options;
  await run.own(tx);
  const stored = await tx.rows<StoredRow>(
    `select id, index, line, revision, raw, charset, content_hash, occurrence, state, reason, disease_families,
       waiting_for
     from import_message where tenant_id = $1 and import_id = $2 and rerun order by index, revision limit $3`,
    [tenantId, importId, size],
  );
  if (stored.length === 0) return 0;
  const items: Item[] = [];
  for (const row of stored)
    items.push(run.itemOf(await readAgain(row, importId, run.row.format, rows, run.reading), undefined));
  await run.store(tx, items);
  await tx.run('update import set rerun_done = rerun_done + $3 where tenant_id = $1 and id = $2', [
    tenantId,
    importId,
    stored.length,
  ]);
  return stored.length;
}

async function passOver(run: RunningImport, tx: Tx): Promise<void> {
  const { tenantId, importId } = run.options;
  await run.own(tx);
  const fault = importFault('error', 'not-storable', 'file');
  await tx.run(
    `update import_message set rerun = false, faults = faults || $3::jsonb where tenant_id = $1 and id =
       (select id from import_message where tenant_id = $1 and import_id = $2 and rerun order by index, revision limit 1)`,
    [tenantId, importId, json([fault])],
  );
}

/** A stored message. */
export interface StoredRow {
  id: string;
  index: number;
  line: number;
  revision: number;
  raw: Buffer | null;
  charset: string;
  content_hash: Buffer;
  occurrence: number;
  state: MessageState;
  reason: string | null;
  disease_families: string[];
  waiting_for: string[];
}

/** Reads a stored message again. */
export async function readAgain(
  row: StoredRow,
  importId: string,
  format: FileFormat | null,
  rows: TableReader | undefined,
  reading: ReadingContext,
): Promise<Incoming> {
  const raw = row.raw ?? Buffer.alloc(0);
  const read =
    format === 'csv' && rows
      ? await rows.readText(textOf(raw, row.charset), row)
      : readMessage(raw, row, reading);
  return {
    ...read,
    revision: row.revision,
    // As received: the stored bytes and their hash do not change.
    contentHash: row.content_hash.toString('hex'),
    occurrence: row.occurrence,
    stored: {
      id: row.id,
      importId,
      state: row.state,
      reason: row.reason,
      families: row.disease_families,
      waitingFor: row.waiting_for,
    },
  };
}
