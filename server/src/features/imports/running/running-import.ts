import type { Database, Tx } from '../../../platform/db/database.ts';
import { PieceGone } from '../../../platform/db/file-pieces.ts';
import { lockTenant } from '../../../platform/db/record-lock.ts';
import { json } from '../../../platform/db/rows.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { TenantContext } from '../../patients/tenant-context.ts';
import { defaultBatchSize, type Item, planBatch } from '../batch/batch.ts';
import { digestOf, type Incoming } from '../batch/incoming.ts';
import type { Overlay } from '../batch/overlay.ts';
import { writePlan } from '../batch/write-plan.ts';
import type { Plan, PlanContext } from '../batch-state.ts';
import {
  decideTable,
  type FilePiece,
  inspectFile,
  type ReadingContext,
  type ResumePoint,
  readPieces,
  remembered,
  type TableOptions,
  tableFromJson,
  tableToJson,
  unreadableFile,
} from '../formats/file-reader.ts';
import { wholeTenant } from '../sight.ts';
import { findUpload, type ImportSource } from '../upload-store.ts';
import { type ImportRow, lockImport, publishState } from './import-row.ts';

/** The progress of an import. */
export interface ImportProgress {
  byteOffset: number;
  byteSize: number;
  messages: number;
  rerunDone: number;
  rerunTotal: number;
  /** The share of the file that has been read to find its format and contents, while nothing of it is stored yet. */
  looked?: number;
}

export interface RunOptions {
  database: Database;
  tenantId: string;
  importId: string;
  /** Aborted when the process stops: the import stops after the current batch and can be continued. */
  signal?: AbortSignal;
  /** Called after each committed batch; the next one waits for it. */
  onProgress?: (progress: ImportProgress) => void | Promise<void>;
  /** Messages per transaction. */
  batchSize?: number;
  /** Milliseconds between reports of how much of the file has been read beforehand. */
  lookPause?: number;
}

/** How a run ended. `stopped`: the process is ending, and the import continues later. */
export type RunEnd = 'done' | 'needs-mapping' | 'cancelled' | 'failed' | 'stopped' | 'not-runnable';

/** Thrown when an import must stop here: cancelled, taken over by another process, or the process is ending. */
export class NoLongerOurs extends Error {
  readonly end: RunEnd;
  constructor(end: RunEnd) {
    super(`the import is ${end}`);
    this.end = end;
  }
}

/** A running import, with what all ways of running it share. */
export class RunningImport {
  readonly options: RunOptions;
  readonly scope: Scope;
  readonly tenant: TenantContext;
  readonly reading: ReadingContext;
  row: ImportRow;
  table: TableOptions | undefined;
  #file: ImportSource | undefined;

  constructor(options: RunOptions, scope: Scope, row: ImportRow, tenant: TenantContext) {
    this.options = options;
    this.scope = scope;
    this.row = row;
    this.tenant = tenant;
    this.table = tableFromJson(row.options.table);
    this.reading = {
      clock: { timeZone: tenant.timeZone },
      sender: row.sender ?? '',
      place: row.facility_id ?? row.organization_id,
    };
  }

  get batchSize(): number {
    return this.options.batchSize ?? defaultBatchSize;
  }

  /** The rest of the file, once `inspect` has found its format; starts with the piece that it returned, if any. */
  pieces(unreadable: Incoming | undefined): AsyncIterable<FilePiece> {
    if (unreadable) return only(unreadable);
    return readPieces(
      this.#file!,
      this.row.format!,
      this.table,
      this.row.resume_point ?? undefined,
      this.reading,
    );
  }

  /** Finds the format of the file, once. Returns the file as one piece if it is unreadable. */
  async inspect(): Promise<Incoming | undefined> {
    const { tenantId, importId, database } = this.options;
    this.#file = await findUpload(database, tenantId, importId, this.row.byte_size);
    if (!this.#file) throw new PieceGone();
    if (this.row.format === 'hl7' || (this.row.format && this.table)) return undefined;
    const found = await inspectFile(this.#file, this.row.format ?? undefined, {
      tell: (share) => this.#looked(share),
      pause: this.options.lookPause,
    });
    if (!('format' in found)) return unreadableFile(this.#file, found);
    await database.withScope(this.scope, async (tx) => {
      if (found.table) {
        const [known] = await tx.rows<{ mapping: unknown; options: unknown }>(
          'select mapping, options from csv_mapping where tenant_id = $1 and signature = $2',
          [tenantId, found.table.signature],
        );
        const decided = known ? remembered.safeParse(known) : undefined;
        this.table = decideTable(found.table, decided?.data, this.row.options.condition);
      }
      this.row.format = found.format;
      await tx.run(
        `update import set format = $3, notes = notes || $4::jsonb,
           options = (options - 'looked') || jsonb_strip_nulls(jsonb_build_object('table', $5::jsonb)) where tenant_id = $1 and id = $2`,
        [
          tenantId,
          importId,
          found.format,
          json(found.notes),
          this.table ? json(tableToJson(this.table)) : null,
        ],
      );
    });
    return undefined;
  }

  /**
   * Stores and reports how much of the file has been read; ends the import if it was cancelled, or the process is
   * ending.
   */
  async #looked(share: number): Promise<void> {
    const { tenantId, importId, database, signal } = this.options;
    if (signal?.aborted) throw new NoLongerOurs('stopped');
    await database.withScope(this.scope, async (tx) => {
      const row = await this.own(tx);
      await tx.run(
        `update import set options = options || jsonb_build_object('looked', $3::float8) where tenant_id = $1 and id = $2`,
        [tenantId, importId, share],
      );
      await publishState(tx, tenantId, importId, { ...row, byte_offset: 0 }, 'running', share);
    });
    await this.tell({
      byteOffset: 0,
      messages: this.row.next_index,
      rerunDone: this.row.rerun_done,
      rerunTotal: this.row.rerun_total,
      looked: share,
    });
  }

  /** Reports the progress of the import to the caller. */
  async tell(progress: Omit<ImportProgress, 'byteSize'>): Promise<void> {
    await this.options.onProgress?.({ ...progress, byteSize: this.row.byte_size });
  }

  /** A message as part of a batch. */
  itemOf(incoming: Incoming, next: ResumePoint | undefined): Item {
    return { incoming, digest: digestOf(incoming, this.tenant.facts), next };
  }

  /** The import's row, locked, if it is still this process's to run. */
  async own(tx: Tx): Promise<ImportRow> {
    const { tenantId, importId } = this.options;
    await lockTenant(tx, tenantId);
    const row = await lockImport(tx, tenantId, importId);
    if (row?.state === 'cancelled') throw new NoLongerOurs('cancelled');
    if (row?.state !== 'running' || row.next_index !== this.row.next_index)
      throw new NoLongerOurs('not-runnable');
    return row;
  }

  /** Writes the effects of messages; to the overlay if there is one. */
  async store(tx: Tx, items: readonly Item[], overlay?: Overlay): Promise<Plan> {
    const { tenantId, importId } = this.options;
    const today = this.tenant.today();
    const context: PlanContext = {
      importId,
      facilityId: this.row.facility_id,
      organizationId: this.row.organization_id,
      format: this.row.format === 'csv' ? 'csv' : 'hl7',
      condition: this.table?.options.condition ?? null,
      today,
      facts: this.tenant.facts,
      sight: this.row.sight ?? wholeTenant,
      restrictedFamilies: this.tenant.restrictedFamilies,
      testSenders: this.tenant.testSenders,
    };
    const plan = await planBatch(tx, tenantId, context, items, overlay);
    if (overlay) await overlay.write(importId, plan, context);
    else await writePlan(tx, tenantId, importId, plan, context);
    return plan;
  }
}

async function* only(incoming: Incoming): AsyncGenerator<FilePiece> {
  yield { kind: 'message', incoming, next: { index: 1, byteOffset: 0 } };
}
