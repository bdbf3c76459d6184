import type { Tx } from '../../../platform/db/database.ts';
import { PieceGone } from '../../../platform/db/file-pieces.ts';
import type { Scope } from '../../../platform/scope.ts';
import { loadTenantContext } from '../../patients/tenant-context.ts';
import { TableReader } from '../formats/file-reader.ts';
import { removeUpload } from '../upload-store.ts';
import { dryRun } from './dry-run.ts';
import { failImport, lockImport, publishState } from './import-row.ts';
import { runAgain } from './run-again.ts';
import { runFile } from './run-file.ts';
import { NoLongerOurs, type RunEnd, RunningImport, type RunOptions } from './running-import.ts';

/**
 * Runs an import to its end: the rest of its file, then the messages to run again. Each batch is one transaction
 * that stores messages, their effects, and the progress of the import. So after a killed process the import
 * continues where it stopped, and nothing is stored twice. [P5]
 */
export async function runImport(options: RunOptions): Promise<RunEnd> {
  const { database, tenantId, importId } = options;
  const scope: Scope = { kind: 'service', tenantId };
  const begun = await database.withScope(scope, async (tx) => {
    const row = await lockImport(tx, tenantId, importId);
    if (!row || (row.state !== 'queued' && row.state !== 'running')) return undefined;
    await tx.run(
      `update import set state = 'running', started_at = least(started_at, now()), error = null
       where tenant_id = $1 and id = $2`,
      [tenantId, importId],
    );
    await publishState(
      tx,
      tenantId,
      importId,
      { ...row, byte_offset: row.resume_point?.byteOffset ?? 0 },
      'running',
    );
    return { row, context: await loadTenantContext(tx, tenantId) };
  });
  if (!begun) return 'not-runnable';
  const run = new RunningImport(options, scope, begun.row, begun.context);
  try {
    return await (begun.row.dry_run ? dryRun(run) : runToEnd(run));
  } catch (error) {
    if (error instanceof NoLongerOurs) return error.end;
    if (error instanceof PieceGone) return withoutFile(run);
    throw error;
  }
}

/** The file is missing: the import was cancelled, or was left for so long that the file was removed. */
async function withoutFile({
  options: { database, tenantId, importId },
  scope,
}: RunningImport): Promise<RunEnd> {
  await failImport(database, tenantId, importId, 'file-gone');
  const [row] = await database.withScope(scope, (tx) =>
    tx.rows<{ state: string }>('select state from import where tenant_id = $1 and id = $2', [
      tenantId,
      importId,
    ]),
  );
  return row?.state === 'cancelled' ? 'cancelled' : 'failed';
}

async function runToEnd(run: RunningImport): Promise<RunEnd> {
  if (!run.row.file_read && !(await runFile(run))) return 'stopped';
  for (;;) {
    if (!(await runAgain(run))) return 'stopped';
    const end = await run.options.database.withScope(run.scope, (tx) => finish(run, tx));
    if (end) return end;
  }
}

/** Closes the import, unless someone has requested more. */
async function finish(run: RunningImport, tx: Tx): Promise<RunEnd | undefined> {
  const { tenantId, importId } = run.options;
  await run.own(tx);
  const [open] = await tx.rows<{ rerun: boolean; waiting: boolean }>(
    `select exists (select from import_message where tenant_id = $1 and import_id = $2 and rerun) as rerun,
       exists (select from import_message where tenant_id = $1 and import_id = $2 and state = 'waiting') as waiting`,
    [tenantId, importId],
  );
  if (open!.rerun) return undefined;
  const undecided =
    run.table && run.row.format === 'csv' && new TableReader(run.table, run.reading).waits.length > 0;
  const end = undecided && open!.waiting ? 'needs-mapping' : 'done';
  await tx.run(
    `update import set state = $3, finished_at = now(), rerun_total = 0, rerun_done = 0 where tenant_id = $1 and id = $2`,
    [tenantId, importId, end],
  );
  await removeUpload(tx, tenantId, importId);
  await publishState(tx, tenantId, importId, run.row, end);
  return end;
}
