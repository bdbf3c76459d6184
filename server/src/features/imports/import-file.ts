import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ImportFaultCode, importFaultMessage } from '@caseway/contract/import-fault';
import type { ImportDetail, ImportFormat, MessageFault, MessageState } from '@caseway/contract/imports';
import { v7 } from 'uuid';
import { writeEvent } from '../../platform/audit/auditor.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { asAppError } from '../../platform/http/app-error.ts';
import type { Scope } from '../../platform/scope.ts';
import { nameOfFile } from '../../platform/text/file-name.ts';
import { matchName } from '../../platform/text/fold.ts';
import { conditionByCode } from '../reference/catalog.ts';
import { listMessages, readDetail } from './queries.ts';
import { enqueueImport, withdrawImport } from './running/import-job.ts';
import { failImport } from './running/import-row.ts';
import type { ImportProgress, RunEnd, RunOptions } from './running/running-import.ts';
import { removeUpload, storeUpload } from './upload-store.ts';

/* Imports a local file for `npm run import`: the same as for an upload, without the server. */

export interface FileImportOptions {
  database: Database;
  tenantId: string;
  /** Absolute. */
  path: string;
  format?: ImportFormat;
  facility?: ImportPlace;
  condition?: string;
  dryRun: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: ImportProgress) => void;
  /** Runs the import, as `runImport` and `ImportThreads` do. */
  run: (
    request: { tenantId: string; importId: string },
    hooks: Pick<RunOptions, 'signal' | 'onProgress'>,
  ) => Promise<RunEnd>;
}

export interface ImportPlace {
  facilityId: string;
  organizationId: string | null;
}

export interface FileImport {
  end: RunEnd;
  detail: ImportDetail;
  /** Why messages wait or were refused, the most frequent first, each with the first such message. */
  reasons: {
    state: MessageState;
    reason: string;
    n: number;
    /** The English sentence, of the first such message if there is one. */
    why: string;
    first?: { index: number; line: number; fault?: MessageFault };
  }[];
}

/** After this time without a sign of life from its process, a running server takes over an import. */
const silence = 60_000;

/**
 * Imports a file. A file with the same bytes as an interrupted import continues where that one stopped. Throws what
 * reading the file throws.
 */
export async function importFile(options: FileImportOptions): Promise<FileImport> {
  const { database, tenantId, signal } = options;
  const scope: Scope = { kind: 'service', tenantId };
  const importId = await take(options, scope);
  const again = () => new Date(Date.now() + silence);
  const alive = setInterval(() => {
    // If the database is away, the import itself fails.
    database.withScope(scope, (tx) => enqueueImport(tx, tenantId, importId, again())).catch(() => {});
  }, silence / 3);
  let end: RunEnd;
  try {
    end = await toItsEnd(options, scope, importId);
  } catch (error) {
    if (!asAppError(error).passes && !signal?.aborted)
      await failImport(database, tenantId, importId, 'internal');
    throw error;
  } finally {
    clearInterval(alive);
  }
  return database.withScope(scope, async (tx) => {
    const [row] = await tx.rows<{ state: string }>(
      'select state from import where tenant_id = $1 and id = $2 for update',
      [tenantId, importId],
    );
    if (row!.state !== 'queued' && row!.state !== 'running') await withdrawImport(tx, importId);
    else await enqueueImport(tx, tenantId, importId);
    return describe(tx, importId, end);
  });
}

/** Stores the file, and returns its import: an interrupted one, or a new one. */
async function take(
  { database, tenantId, path, format, facility, condition, dryRun }: FileImportOptions,
  scope: Scope,
): Promise<string> {
  const id = v7();
  const { byteSize, sha256 } = await storeUpload(database, tenantId, id, createReadStream(path));
  return database
    .withScope(scope, async (tx) => {
      const options = JSON.stringify(condition === undefined ? {} : { condition });
      const [cut] = await tx.rows<{ id: string }>(
        `select id from import where tenant_id = $1 and sha256 = $2 and byte_size = $3 and created_by is null
           and dry_run = $4 and facility_id is not distinct from $5 and options->'condition' is not distinct from $6::jsonb->'condition'
           and state in ('queued', 'running') order by created_at limit 1`,
        [tenantId, sha256, byteSize, dryRun, facility?.facilityId ?? null, options],
      );
      if (cut) {
        await removeUpload(tx, tenantId, id);
        return cut.id;
      }
      await tx.run(
        `insert into import (tenant_id, id, file_name, format, byte_size, sha256, state, dry_run, facility_id,
           organization_id, options) values ($1, $2, $3, $4, $5, $6, 'queued', $7, $8, $9, $10)`,
        [
          tenantId,
          id,
          nameOfFile(basename(path)),
          format ?? null,
          byteSize,
          sha256,
          dryRun,
          facility?.facilityId ?? null,
          facility?.organizationId ?? null,
          options,
        ],
      );
      await writeEvent(tx, {
        tenantId,
        accountId: null,
        orgType: null,
        orgId: null,
        action: 'upload',
        deed: 'change',
        recordKind: 'import',
        recordIds: [id],
        detail: { byteSize, dryRun, from: 'command line' },
      });
      await enqueueImport(tx, tenantId, id, new Date(Date.now() + silence));
      return id;
    })
    .catch(async (error) => {
      await database.withScope(scope, (tx) => removeUpload(tx, tenantId, id)).catch(() => {});
      throw error;
    });
}

/** How long another process with the same import may be silent, in rounds of half a second. */
const patience = 20;

/** Runs the import, or waits for another process that does. */
async function toItsEnd(options: FileImportOptions, scope: Scope, importId: string): Promise<RunEnd> {
  const { database, tenantId, signal, onProgress } = options;
  for (;;) {
    const end = await options.run({ tenantId, importId }, { signal, onProgress });
    if (end !== 'not-runnable') return end;
    let last = '';
    for (let unchanged = 0; unchanged < patience; unchanged++) {
      const [row] = await database.withScope(scope, (tx) =>
        tx.rows<{ state: string; progress: string }>(
          `select state, next_index || ' ' || rerun_done as progress from import where tenant_id = $1 and id = $2`,
          [tenantId, importId],
        ),
      );
      if (row!.state !== 'queued' && row!.state !== 'running') return row!.state as RunEnd;
      if (signal?.aborted) return 'stopped';
      if (row!.progress !== last) unchanged = 0;
      last = row!.progress;
      await sleep(500);
    }
  }
}

/** A message that waits for a code has no fault of its own: the code is in the queue of codes. */
const unmapped: Record<string, string> = {
  'test-unknown': 'Which test its code stands for has to be said first, among the codes of imports.',
  'value-unknown': 'Which result its value stands for has to be said first, among the codes of imports.',
};

async function describe(tx: Tx, importId: string, end: RunEnd): Promise<FileImport> {
  const detail = await readDetail(tx, importId);
  const reasons: FileImport['reasons'] = [];
  for (const { state, reason, n } of detail.reasons) {
    const { rows } = detail.preview
      ? { rows: detail.preview.filter((message) => message.state === state && message.reason === reason) }
      : await listMessages(tx, importId, { state, reason, page: 0 });
    const [first] = rows;
    const ofReason = first?.faults.filter(({ code }) => code === reason) ?? [];
    // A warning can have the same code as the reason for refusing the message.
    const fault = ofReason.find(({ severity }) => severity !== 'warning') ?? ofReason[0];
    const why = fault?.message ?? unmapped[reason] ?? importFaultMessage(reason as ImportFaultCode);
    // An import by command shows all of the file.
    const at = first && first.index !== null && first.line !== null ? first : undefined;
    reasons.push({
      state,
      reason,
      n,
      why,
      first: at && { index: at.index!, line: at.line!, fault },
    });
  }
  return { end, detail, reasons };
}

/** The facility with that id or name; throws an Error in words if there is none, or more than one. */
export async function findPlace(tx: Tx, asked: string): Promise<ImportPlace> {
  const found = await tx.rows<{ id: string; organization_id: string | null }>(
    `select id, organization_id from facility where registered and (id::text = lower($1) or match_name = $2) order by id`,
    [asked, matchName(asked)],
  );
  if (found.length > 1)
    throw new Error(
      `There are ${found.length} facilities of the name ${asked}; give the id of one: ${found.map(({ id }) => id).join(', ')}.`,
    );
  if (!found[0]) throw new Error(`There is no facility ${asked} in this tenant.`);
  return { facilityId: found[0].id, organizationId: found[0].organization_id };
}

/** Throws an Error in words if it is not the code of a condition. */
export function assertCondition(code: string): void {
  if (!conditionByCode(code)) throw new Error(`There is no condition ${code}.`);
}
