import { access } from 'node:fs/promises';
import { setImmediate as breath } from 'node:timers/promises';
import { importFault } from '@caseway/contract/import-fault';
import type { Database, Tx } from '../../platform/db/database.ts';
import { publishWith } from '../../platform/events/hub.ts';
import { asAppError } from '../../platform/http/app-error.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Plan, PlanContext } from './batch-state.ts';
import {
  decideTable,
  type FileFormat,
  type FilePiece,
  inspectFile,
  type ReadingContext,
  type ResumePoint,
  readMessage,
  readPieces,
  remembered,
  type TableOptions,
  TableReader,
  tableFromJson,
  tableToJson,
  textOf,
  unreadableFile,
} from './file-reader.ts';
import { type Digest, digestOf, type Incoming, type MessageState } from './incoming.ts';
import { Overlay } from './overlay.ts';
import { Planner } from './plan.ts';
import type { ImportFault } from './report.ts';
import { removeSpool, spoolPath } from './spool.ts';
import { json, loadState, lockTenant, writePlan } from './store.ts';
import { loadTenantContext, type TenantContext } from './tenant-context.ts';

/** How far an import has come. */
export interface ImportProgress {
  byteOffset: number;
  byteSize: number;
  messages: number;
  rerunDone: number;
  rerunTotal: number;
}

export interface RunOptions {
  database: Database;
  dataDir: string;
  tenantId: string;
  importId: string;
  /** Aborted when the process is to end: the import stops after the batch under way and can be gone on with. */
  signal?: AbortSignal;
  /** Told after each committed batch. */
  onProgress?: (progress: ImportProgress) => void;
  /** Messages per transaction. */
  batchSize?: number;
}

/** How a run ended. `stopped`: the process is to end, the import goes on later. */
export type RunEnd = 'done' | 'needs-mapping' | 'cancelled' | 'failed' | 'stopped' | 'not-runnable';

const defaultBatchSize = 600;
/** Reading goes on for so long at most before the database's answers are looked at. */
const breathMs = 1;
/** Bytes of messages per transaction, so that memory stays flat however large each is. */
const batchBytes = 8 * 1024 * 1024;

interface ImportRow {
  state: string;
  format: FileFormat | null;
  byte_size: number;
  dry_run: boolean;
  facility_id: string | null;
  organization_id: string | null;
  file_read: boolean;
  next_index: number;
  resume_point: ResumePoint | null;
  options: { table?: unknown; condition?: string };
  rerun_total: number;
  rerun_done: number;
  sender: string | null;
}

/** An import that is no longer to be run: cancelled, or taken over by another process. */
class NoLongerOurs extends Error {
  readonly end: RunEnd;
  constructor(end: RunEnd) {
    super(`the import is ${end}`);
    this.end = end;
  }
}

/**
 * Runs an import to its end: what is left of its file, then the messages that are to be run again. Each batch is one
 * transaction that stores messages, what they do, and how far the import has come, so that a killed process leaves
 * an import that goes on where it stopped, and nothing is stored twice. [P5]
 */
export async function runImport(options: RunOptions): Promise<RunEnd> {
  const { database, tenantId, importId } = options;
  const scope: Scope = { kind: 'service', tenantId };
  const begun = await database.withScope(scope, async (tx) => {
    const row = await lockImport(tx, tenantId, importId);
    if (!row || (row.state !== 'queued' && row.state !== 'running')) return undefined;
    await tx.run(
      `update import set state = 'running', started_at = coalesce(started_at, now()), error = null
       where tenant_id = $1 and id = $2`,
      [tenantId, importId],
    );
    await publish(
      tx,
      tenantId,
      importId,
      { ...row, byte_offset: row.resume_point?.byteOffset ?? 0 },
      'running',
    );
    return { row, context: await loadTenantContext(tx, tenantId) };
  });
  if (!begun) return 'not-runnable';
  const run = new Run(options, scope, begun.row, begun.context);
  try {
    return await (begun.row.dry_run ? run.dry() : run.toEnd());
  } catch (error) {
    if (error instanceof NoLongerOurs) {
      if (error.end === 'cancelled') await removeSpool(options.dataDir, importId);
      return error.end;
    }
    throw error;
  }
}

/** Ends an import that cannot go on by itself; somebody can start it again from where it stopped. */
export async function failImport(
  database: Database,
  tenantId: string,
  importId: string,
  error: string,
): Promise<void> {
  await database.withScope({ kind: 'service', tenantId }, async (tx) => {
    const [row] = await tx.rows<ImportRow>(
      `update import set state = 'failed', error = $3, finished_at = now(), file_read = file_read or $3 = 'file-gone'
       where tenant_id = $1 and id = $2 and state in ('queued', 'running') returning *`,
      [tenantId, importId, error],
    );
    if (row) await publish(tx, tenantId, importId, row, 'failed');
  });
}

/** Tells the screens that show the import to read it again. */
async function publish(
  tx: Tx,
  tenantId: string,
  importId: string,
  row: Pick<ImportRow, 'byte_size' | 'facility_id' | 'organization_id'> & { byte_offset?: number },
  state: string,
): Promise<void> {
  const within = { organizationId: row.organization_id, facilityId: row.facility_id };
  const progress = row.byte_size > 0 ? Math.min(1, (row.byte_offset ?? row.byte_size) / row.byte_size) : null;
  await publishWith(tx, { tenantId, within }, { type: 'import-progress', importId, state, progress });
}

const lockImport = async (tx: Tx, tenantId: string, importId: string): Promise<ImportRow | undefined> =>
  (
    await tx.rows<ImportRow>(
      `select i.state, i.format, i.byte_size, i.dry_run, i.facility_id, i.organization_id, i.file_read, i.next_index,
         i.resume_point, i.options, i.rerun_total, i.rerun_done, coalesce(f.name, o.name) as sender
       from import i left join facility f on f.tenant_id = i.tenant_id and f.id = i.facility_id
       left join organization o on o.tenant_id = i.tenant_id and o.id = i.organization_id
       where i.tenant_id = $1 and i.id = $2 for update of i`,
      [tenantId, importId],
    )
  )[0];

interface Item {
  incoming: Incoming;
  digest: Digest | undefined;
  next: ResumePoint | undefined;
}

class Run {
  readonly #options: RunOptions;
  readonly #scope: Scope;
  readonly #tenant: TenantContext;
  readonly #reading: ReadingContext;
  #row: ImportRow;
  #table: TableOptions | undefined;
  #notes: ImportFault[] = [];

  constructor(options: RunOptions, scope: Scope, row: ImportRow, tenant: TenantContext) {
    this.#options = options;
    this.#scope = scope;
    this.#row = row;
    this.#tenant = tenant;
    this.#table = tableFromJson(row.options.table);
    this.#reading = {
      clock: { timeZone: tenant.timeZone },
      sender: row.sender ?? '',
      place: row.facility_id ?? row.organization_id,
    };
  }

  get #path(): string {
    return spoolPath(this.#options.dataDir, this.#options.importId);
  }

  async toEnd(): Promise<RunEnd> {
    if (!this.#row.file_read) {
      const unreadable = await this.#inspect();
      const pieces = unreadable ? only(unreadable) : this.#pieces();
      if (!(await this.#file(pieces))) return 'stopped';
    }
    for (;;) {
      if (!(await this.#again())) return 'stopped';
      const end = await this.#finish();
      if (end) {
        await removeSpool(this.#options.dataDir, this.#options.importId);
        return end;
      }
    }
  }

  #pieces() {
    return readPieces(
      this.#path,
      this.#row.format!,
      this.#table,
      this.#row.resume_point ?? undefined,
      this.#reading,
    );
  }

  /** Finds out what the file is, once. Answers the piece it is when it can be read as nothing. */
  async #inspect(): Promise<Incoming | undefined> {
    const { tenantId, importId, database } = this.#options;
    await access(this.#path).catch(async () => {
      await failImport(database, tenantId, importId, 'file-gone');
      throw new NoLongerOurs('failed');
    });
    if (this.#row.format === 'hl7' || (this.#row.format && this.#table)) return undefined;
    const found = await inspectFile(this.#path, this.#row.format ?? undefined);
    if (!('format' in found)) return unreadableFile(this.#path, found);
    await database.withScope(this.#scope, async (tx) => {
      if (found.table) {
        const [known] = await tx.rows<{ mapping: unknown; options: unknown }>(
          'select mapping, options from csv_mapping where tenant_id = $1 and signature = $2',
          [tenantId, found.table.signature],
        );
        const decided = known ? remembered.safeParse(known) : undefined;
        this.#table = decideTable(found.table, decided?.data, this.#row.options.condition);
      }
      this.#row.format = found.format;
      await tx.run(
        `update import set format = $3, notes = notes || $4::jsonb,
           options = options || jsonb_strip_nulls(jsonb_build_object('table', $5::jsonb)) where tenant_id = $1 and id = $2`,
        [
          tenantId,
          importId,
          found.format,
          json(found.notes),
          this.#table ? json(tableToJson(this.#table)) : null,
        ],
      );
    });
    return undefined;
  }

  /** Stores what is left of the file. False when it was stopped before its end. */
  async #file(pieces: AsyncIterable<FilePiece>): Promise<boolean> {
    let batch = new Batch();
    let [before, under]: Promise<void>[] = [Promise.resolve(), Promise.resolve()];
    const commit = async (items: Item[], isLast: boolean) => {
      // One batch is stored and one waits for it while the next one is read: neither side ever stands still.
      await before;
      const notes = this.#notes;
      this.#notes = [];
      before = under;
      under = under!.then(() => this.#commit(items, notes, isLast));
      under.catch(() => {});
    };
    let breathed = performance.now();
    for await (const piece of pieces) {
      // Reading a chunk of the file takes long; what the database answers meanwhile must not wait for its end.
      if (performance.now() - breathed > breathMs) {
        await breath();
        breathed = performance.now();
      }
      if (piece.kind === 'note') {
        this.#notes.push(piece.fault);
        continue;
      }
      batch.add({
        incoming: piece.incoming,
        digest: digestOf(piece.incoming, this.#tenant.facts),
        next: piece.next,
      });
      if (!batch.isFull(this.#options.batchSize ?? defaultBatchSize)) continue;
      await commit(batch.items, false);
      batch = new Batch();
      if (this.#options.signal?.aborted) {
        await under;
        return false;
      }
    }
    await commit(batch.items, true);
    await under;
    return true;
  }

  /**
   * Stores a batch in one transaction. When a message in it cannot be stored the batch is halved until that message
   * stands alone; it is then refused, and nothing else is lost by it.
   */
  async #commit(items: readonly Item[], notes: readonly ImportFault[], isLast: boolean): Promise<void> {
    try {
      const nextIndex = await this.#options.database.withScope(this.#scope, async (tx) => {
        const row = await this.#own(tx);
        await this.#store(tx, items);
        return this.#advance(tx, row, items, notes, isLast);
      });
      // Only now that it is committed.
      this.#row = { ...this.#row, next_index: nextIndex, file_read: isLast };
    } catch (error) {
      if (error instanceof NoLongerOurs || asAppError(error).code === 'unavailable' || items.length === 0)
        throw error;
      if (items.length > 1) {
        const half = items.length >> 1;
        await this.#commit(items.slice(0, half), notes, false);
        await this.#commit(items.slice(half), [], isLast);
        return;
      }
      const [item] = items;
      if (item!.incoming.content.kind === 'refused' && item!.incoming.content.reason === 'not-storable')
        throw error;
      const fault = importFault('error', 'not-storable', 'file', item!.incoming.line);
      const incoming: Incoming = {
        ...item!.incoming,
        faults: [...item!.incoming.faults, fault],
        content: { kind: 'refused', reason: fault.code },
      };
      await this.#commit([{ incoming, digest: undefined, next: item!.next }], notes, isLast);
      return;
    }
    const last = items.at(-1)?.next;
    this.#options.onProgress?.({
      byteOffset: last?.byteOffset ?? this.#row.byte_size,
      byteSize: this.#row.byte_size,
      messages: this.#row.next_index,
      rerunDone: this.#row.rerun_done,
      rerunTotal: this.#row.rerun_total,
    });
  }

  /** The import's row, locked and still ours to run. */
  async #own(tx: Tx): Promise<ImportRow> {
    const { tenantId, importId } = this.#options;
    await lockTenant(tx, tenantId);
    const row = await lockImport(tx, tenantId, importId);
    if (row?.state === 'cancelled') throw new NoLongerOurs('cancelled');
    if (row?.state !== 'running' || row.next_index !== this.#row.next_index)
      throw new NoLongerOurs('not-runnable');
    return row;
  }

  async #store(tx: Tx, items: readonly Item[], overlay?: Overlay): Promise<Plan> {
    const { tenantId, importId } = this.#options;
    const today = this.#tenant.today();
    const context: PlanContext = {
      importId,
      facilityId: this.#row.facility_id,
      organizationId: this.#row.organization_id,
      format: this.#row.format === 'csv' ? 'csv' : 'hl7',
      condition: this.#table?.options.condition ?? null,
      today,
      facts: this.#tenant.facts,
    };
    const plan = await planBatch(tx, tenantId, context, items, overlay);
    if (overlay) await overlay.write(importId, plan, { today });
    else await writePlan(tx, tenantId, importId, plan, { today });
    return plan;
  }

  async #advance(
    tx: Tx,
    row: ImportRow,
    items: readonly Item[],
    notes: readonly ImportFault[],
    isLast: boolean,
  ): Promise<number> {
    const { tenantId, importId } = this.#options;
    const point = items.at(-1)?.next;
    const nextIndex = point?.index ?? row.next_index;
    await tx.run(
      `update import set next_index = $3, byte_offset = coalesce($4, byte_offset), resume_point = coalesce($5, resume_point),
         notes = notes || $6::jsonb, file_read = $7 where tenant_id = $1 and id = $2`,
      [
        tenantId,
        importId,
        nextIndex,
        isLast ? this.#row.byte_size : (point?.byteOffset ?? null),
        point ? json(point) : null,
        json(notes),
        isLast,
      ],
    );
    const byteOffset = isLast ? row.byte_size : point?.byteOffset;
    await publish(tx, tenantId, importId, { ...row, byte_offset: byteOffset }, 'running');
    return nextIndex;
  }

  /** Runs the messages again that were asked for. False when it was stopped before the last. */
  async #again(): Promise<boolean> {
    const rows = this.#table ? new TableReader(this.#table, this.#reading) : undefined;
    let size = Math.min(this.#options.batchSize ?? defaultBatchSize, defaultBatchSize);
    for (;;) {
      if (this.#options.signal?.aborted) return false;
      let done: number;
      try {
        done = await this.#options.database.withScope(this.#scope, (tx) => this.#batchAgain(tx, rows, size));
      } catch (error) {
        if (error instanceof NoLongerOurs || asAppError(error).code === 'unavailable') throw error;
        // The message that cannot be stored is found by itself, and left as it was.
        if (size === 1) await this.#options.database.withScope(this.#scope, (tx) => this.#passOver(tx));
        else size = 1;
        continue;
      }
      if (done === 0) return true;
      this.#row.rerun_done += done;
      this.#options.onProgress?.({
        byteOffset: this.#row.byte_size,
        byteSize: this.#row.byte_size,
        messages: this.#row.next_index,
        rerunDone: this.#row.rerun_done,
        rerunTotal: Math.max(this.#row.rerun_total, this.#row.rerun_done),
      });
    }
  }

  async #batchAgain(tx: Tx, rows: TableReader | undefined, size: number): Promise<number> {
    const { tenantId, importId } = this.#options;
    await this.#own(tx);
    const stored = await tx.rows<StoredRow>(
      `select id, index, line, revision, raw, charset, content_hash, occurrence, state, reason, disease_families
       from import_message where tenant_id = $1 and import_id = $2 and rerun order by index, revision limit $3`,
      [tenantId, importId, size],
    );
    if (stored.length === 0) return 0;
    const items: Item[] = [];
    for (const row of stored) {
      const incoming = await readAgain(row, importId, this.#row.format, rows, this.#reading);
      items.push({ incoming, digest: digestOf(incoming, this.#tenant.facts), next: undefined });
    }
    await this.#store(tx, items);
    await tx.run('update import set rerun_done = rerun_done + $3 where tenant_id = $1 and id = $2', [
      tenantId,
      importId,
      stored.length,
    ]);
    return stored.length;
  }

  async #passOver(tx: Tx): Promise<void> {
    const { tenantId, importId } = this.#options;
    await this.#own(tx);
    const fault = importFault('error', 'not-storable', 'file');
    await tx.run(
      `update import_message set rerun = false, faults = faults || $3::jsonb where tenant_id = $1 and id =
         (select id from import_message where tenant_id = $1 and import_id = $2 and rerun order by index, revision limit 1)`,
      [tenantId, importId, json([fault])],
    );
  }

  /** Closes the import, unless somebody asked for more in the meantime. */
  async #finish(): Promise<RunEnd | undefined> {
    const { tenantId, importId, database } = this.#options;
    return database.withScope(this.#scope, async (tx) => {
      await this.#own(tx);
      const [open] = await tx.rows<{ rerun: boolean; waiting: boolean }>(
        `select exists (select from import_message where tenant_id = $1 and import_id = $2 and rerun) as rerun,
           exists (select from import_message where tenant_id = $1 and import_id = $2 and state = 'waiting') as waiting`,
        [tenantId, importId],
      );
      if (open!.rerun) return undefined;
      const undecided =
        this.#table &&
        this.#row.format === 'csv' &&
        new TableReader(this.#table, this.#reading).waits.length > 0;
      const end = undecided && open!.waiting ? 'needs-mapping' : 'done';
      await tx.run(
        `update import set state = $3, finished_at = now(), rerun_total = 0, rerun_done = 0 where tenant_id = $1 and id = $2`,
        [tenantId, importId, end],
      );
      await publish(tx, tenantId, importId, this.#row, end);
      return end;
    });
  }

  /**
   * Does everything that a run would do, over what is stored, in one transaction that is rolled back, and keeps only
   * what it came to. Other imports of the tenant go on meanwhile; what they store is met by the batches that follow.
   */
  async dry(): Promise<RunEnd> {
    const { tenantId, importId, database, signal } = this.#options;
    const unreadable = await this.#inspect();
    const found = new Map<string, { kind: string; key: string; families: string[]; n: number }>();
    const examples: PreviewMessage[] = [];
    const notes: ImportFault[] = [];
    let stopped = false;
    const rolledBack = new Error('a dry run is rolled back');
    await database
      .withScope(this.#scope, async (tx) => {
        const overlay = await Overlay.over(tx, tenantId);
        let batch = new Batch();
        const flush = async () => {
          const plan = await this.#store(tx, batch.items, overlay);
          for (const tally of plan.tallies) {
            const place = JSON.stringify([tally.kind, tally.key, tally.families]);
            const known = found.get(place);
            if (known) known.n += tally.n;
            else found.set(place, { ...tally });
          }
          for (const { incoming, state, reason, faults, families } of plan.messages)
            if (examples.length < previewMessages && (state === 'refused' || state === 'waiting'))
              examples.push({
                index: incoming.index,
                line: incoming.line,
                state,
                reason,
                faults: [...faults],
                families,
              });
          const last = batch.items.at(-1);
          this.#options.onProgress?.({
            byteOffset: last?.next?.byteOffset ?? this.#row.byte_size,
            byteSize: this.#row.byte_size,
            messages: (last?.incoming.index ?? -1) + 1,
            rerunDone: 0,
            rerunTotal: 0,
          });
          batch = new Batch();
        };
        for await (const piece of unreadable ? only(unreadable) : this.#pieces()) {
          if (piece.kind === 'note') {
            notes.push(piece.fault);
            continue;
          }
          batch.add({
            incoming: piece.incoming,
            digest: digestOf(piece.incoming, this.#tenant.facts),
            next: piece.next,
          });
          if (!batch.isFull(this.#options.batchSize ?? defaultBatchSize)) continue;
          await flush();
          stopped = signal?.aborted === true || (await this.#isCancelled());
          if (stopped) break;
        }
        if (!stopped && batch.items.length > 0) await flush();
        throw rolledBack;
      })
      .catch((error) => {
        if (error !== rolledBack) throw error;
      });
    if (stopped) return signal?.aborted ? 'stopped' : 'cancelled';
    return database.withScope(this.#scope, async (tx) => {
      await this.#own(tx);
      await tx.run('delete from import_tally where tenant_id = $1 and import_id = $2', [tenantId, importId]);
      await tx.run(
        `insert into import_tally (tenant_id, import_id, kind, key, families, n)
         select $1, $2, kind, key, families, n
         from json_to_recordset($3::json) as r (kind text, key text, families text[], n integer) where n <> 0`,
        [tenantId, importId, json([...found.values()])],
      );
      await tx.run(
        `update import set state = 'done', finished_at = now(), preview = $3, notes = notes || $4::jsonb
         where tenant_id = $1 and id = $2`,
        [tenantId, importId, json(examples), json(notes)],
      );
      await publish(tx, tenantId, importId, this.#row, 'done');
      return 'done' as const;
    });
  }

  async #isCancelled(): Promise<boolean> {
    const { tenantId, importId, database } = this.#options;
    const [row] = await database.withScope(this.#scope, (tx) =>
      tx.rows<{ state: string }>('select state from import where tenant_id = $1 and id = $2', [
        tenantId,
        importId,
      ]),
    );
    return row?.state === 'cancelled';
  }
}

/** Messages of a dry run of which is kept why they would wait or be refused. */
const previewMessages = 200;

export interface PreviewMessage {
  index: number;
  line: number;
  state: MessageState;
  reason: string | null;
  faults: ImportFault[];
  families: string[] | null;
}

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
  disease_families: string[] | null;
}

/** A stored message, read again. */
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
    // As it was received: the stored bytes and their hash stay.
    contentHash: row.content_hash.toString('hex'),
    occurrence: row.occurrence,
    stored: { id: row.id, importId, state: row.state, reason: row.reason, families: row.disease_families },
  };
}

/** What a batch does, from what is stored. */
export async function planBatch(
  tx: Tx,
  tenantId: string,
  context: PlanContext,
  items: readonly Pick<Item, 'incoming' | 'digest'>[],
  overlay?: Overlay,
): Promise<Plan> {
  const state = await loadState(
    tx,
    tenantId,
    items.map(({ incoming }) => incoming),
    items.map(({ digest }) => digest),
    context,
    overlay?.read,
  );
  const planner = new Planner(overlay ? overlay.settle(state) : state, context);
  for (const { incoming, digest } of items) planner.add(incoming, digest);
  return planner.finish();
}

class Batch {
  readonly items: Item[] = [];
  #bytes = 0;

  add(item: Item): void {
    this.items.push(item);
    this.#bytes += item.incoming.raw?.length ?? 0;
  }

  isFull(size: number): boolean {
    return this.items.length >= size || this.#bytes >= batchBytes;
  }
}

async function* only(incoming: Incoming): AsyncGenerator<FilePiece> {
  yield { kind: 'message', incoming, next: { index: 1, byteOffset: 0 } };
}
