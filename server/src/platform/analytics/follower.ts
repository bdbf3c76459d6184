import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Database, Tx } from '../db/database.ts';
import { literal } from '../db/setting.ts';
import type { StoredFact } from './facts.ts';
import type { ChangeKind } from './outbox.ts';
import type { Position, ReadAgain, Replica } from './replica.ts';
import type { RowFile } from './staged-rows.ts';
import { copiedFacts, sharedFacts, sharedOf, wholeFacts } from './stored-facts.ts';

export interface FollowerOptions {
  database: Database;
  replica: Replica;
  /** Where files of rows are kept between PostgreSQL and DuckDB. */
  staging: string;
  log: Logger;
  limits?: FollowerLimits;
  /** Called whenever the replica has a later state, and whether facts in it changed. */
  advanced: (position: Position, changed: boolean) => void;
}

/** The numbers of changed records that decide how they are handled. */
export interface FollowerLimits {
  /** If at least this many records changed, and they are a large part of all, reading everything again is faster. */
  rebuildFrom: number;
  /** The number of records to read at a time; the rest comes in further pulls. */
  recordsPerPull: number;
}
const usualLimits: FollowerLimits = { rebuildFrom: 100_000, recordsPerPull: 200_000 };
const rebuildShare = 1 / 3;

/**
 * Milliseconds for which changes are collected before they are applied, so that an import does not keep the replica
 * busy.
 */
const restMs = 80;

interface OutboxRow {
  number: number;
  kind: ChangeKind;
  record_ids: string[];
}

type Files = Record<string, RowFile>;

interface Moment {
  origin: string;
  as_of: Date;
}

/** The number of a tenant's last change, and the number up to which changes may have been deleted. */
interface Counter {
  last: number;
  deletedTo: number;
}

/**
 * Brings a replica up to date with PostgreSQL, and keeps it there.
 *
 * The changes of a commit are in the outbox, numbered in the order of the tenant's commits: if a number is visible, all
 * lower ones are, and one cursor shows what the replica has. Every pull reads the outbox and the records' present state
 * from one snapshot, so reading a record once too often does no harm.
 */
export class Follower {
  readonly #database: Database;
  readonly #replica: Replica;
  readonly #staging: string;
  readonly #log: Logger;
  readonly #limits: FollowerLimits;
  readonly #advanced: FollowerOptions['advanced'];
  /** Requests that arrived after the last pull began, and wait for the next one. */
  #next: PromiseWithResolvers<void> | undefined;
  #running: Promise<void> | undefined;
  #isRunning = false;
  #closed = false;
  /** The backend that is reading rows now. */
  #reading: number | undefined;
  #urgent = false;
  #endRest: () => void = () => {};

  constructor({ database, replica, staging, log, limits = usualLimits, advanced }: FollowerOptions) {
    this.#database = database;
    this.#replica = replica;
    this.#staging = staging;
    this.#log = log;
    this.#limits = limits;
    this.#advanced = advanced;
  }

  /**
   * Applies changes, soon or immediately. Resolves when everything committed before the call has been applied; rejects
   * if that failed.
   */
  follow({ atOnce = false } = {}): Promise<void> {
    this.#next ??= Promise.withResolvers<void>();
    const { promise } = this.#next;
    if (atOnce) {
      this.#urgent = true;
      this.#endRest();
    }
    if (!this.#isRunning) this.#running = this.#run();
    return promise;
  }

  /** Pulls for the callers so far, and again for those who called during the pull, until there are none. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#next) {
      const asked = this.#next;
      this.#next = undefined;
      this.#urgent = false;
      const began = performance.now();
      if (this.#closed) asked.reject(new Error('the replica is no longer followed'));
      else await this.#pullAll().then(asked.resolve, asked.reject);
      const left = restMs - (performance.now() - began);
      if (this.#next && !this.#urgent && !this.#closed && left > 0)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          this.#endRest = () => {
            clearTimeout(timer);
            resolve();
          };
        });
    }
    // Set in the same turn that found nobody waiting, so the next caller begins a new run.
    this.#isRunning = false;
  }

  /** Aborts a running pull, which leaves the replica as it was. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#endRest();
    this.#replica.interrupt();
    const reading = this.#reading;
    if (reading !== undefined)
      await this.#database
        .withScope({ kind: 'system' }, (tx) => tx.rows('select pg_cancel_backend($1)', [reading]))
        .catch((error) =>
          this.#log.warn({ err: error }, 'what is being read for a replica could not be cancelled'),
        );
    await this.#running;
  }

  /** Whether the replica has everything that is committed and visible to a transaction of its tenant. */
  async isCurrent(tx: Tx): Promise<boolean> {
    const position = this.#replica.position;
    if (!position) return false;
    return position.cursor >= (await this.#counter(tx)).last;
  }

  /** Pulls until it has everything that was committed when it began. */
  async #pullAll(): Promise<void> {
    let complete = false;
    while (!complete && !this.#closed) complete = await this.#pull();
  }

  /** One pull. False if there is more: the rest of many changes, or commits during a long pull. */
  async #pull(): Promise<boolean> {
    const files: Files = {};
    try {
      const { tenantId } = this.#replica;
      const pulled = await this.#database.withScope(
        { kind: 'service', tenantId },
        (tx) => this.#read(tx, files),
        // The position names the database by its number, and a read is cancelled by the connection's backend number.
        { readOnly: true, snapshot: true, atCoordinator: true },
      );
      if (this.#closed) return true;
      const { position, changed, complete } = pulled;
      if (!pulled.batch) await this.#replica.load(files, position);
      else if (changed) await this.#replica.apply({ ...pulled.batch, files, position });
      else this.#replica.advance(position);
      this.#advanced(position, changed);
      return complete;
    } finally {
      const written = Object.values(files).flatMap((file) => [file, ...(file.shared ?? [])]);
      await Promise.all(written.map(({ path }) => rm(path, { force: true })));
    }
  }

  /** Reads the rows that the replica lacks from one snapshot, into files. */
  async #read(tx: Tx, files: Files) {
    await tx.run("set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'");
    const { tenantId } = this.#replica;
    const [moment] = await tx.rows<Moment>(momentOf(this.#replica.facts), [
      this.#replica.facts.map((fact) => copiedFacts(fact, '', '')).join(),
    ]);
    const counter = await this.#counter(tx);
    const position: Position = { origin: moment!.origin, cursor: counter.last, asOf: moment!.as_of };
    const held = this.#replica.position;

    const reason = reasonToRebuild(held, position, counter);
    if (reason) {
      this.#log.info({ tenantId, reason }, 'the analytics replica is being rebuilt');
      return this.#readAll(tx, files, position);
    }

    const pending = await tx.rows<OutboxRow>(
      'select number, kind, record_ids from outbox where tenant_id = $1 and number > $2 order by number',
      [tenantId, held!.cursor],
    );
    const size = pending.reduce((sum, { record_ids }) => sum + record_ids.length, 0);
    if (size >= this.#limits.rebuildFrom && size >= rebuildShare * (await this.#replica.size()))
      return this.#readAll(tx, files, position);

    let taken = 0;
    const fresh = pending.filter(({ record_ids }) => {
      const fits = taken < this.#limits.recordsPerPull;
      if (fits) taken += record_ids.length;
      return fits;
    });
    const ids = new Map<ChangeKind, Set<string>>();
    for (const { kind, record_ids } of fresh) {
      const known = ids.get(kind) ?? new Set();
      ids.set(kind, known);
      for (const id of record_ids) known.add(id);
    }
    const again: Record<string, ReadAgain[]> = {};
    for (const fact of this.#replica.facts) {
      const changed = await this.#changesOf(tx, fact, ids);
      if (changed.length === 0) continue;
      again[fact.table] = changed;
      const conditions = changed.map(({ column, ids }) => `c.${column} = any (${uuids(ids)})`);
      files[fact.table] = await this.#copy(tx, copiedFacts(fact, this.#tenant, conditions.join(' or ')));
    }
    const complete = fresh.length === pending.length;
    return {
      // With only some of the changes, it is no later than before.
      position: complete ? position : { ...position, cursor: fresh.at(-1)!.number, asOf: held!.asOf },
      changed: fresh.length > 0,
      complete,
      batch: { again },
    };
  }

  /** The rows of a fact that the changed records affect. */
  async #changesOf(
    tx: Tx,
    { sql }: StoredFact,
    changed: ReadonlyMap<ChangeKind, ReadonlySet<string>>,
  ): Promise<ReadAgain[]> {
    const byColumn = new Map<string, Set<string>>();
    const add = (column: string, ids: Iterable<string>) => {
      const known = byColumn.get(column) ?? new Set();
      for (const id of ids) known.add(id);
      if (known.size > 0) byColumn.set(column, known);
    };
    for (const [table, how] of Object.entries(sql.changedBy)) {
      const ids = changed.get(table as ChangeKind);
      if (!ids) continue;
      if ('by' in how) add(how.by, ids);
      if ('rows' in how) {
        const rows = await tx.rows<{ id: string }>(how.rows(uuids([...ids]), this.#tenant));
        add(
          'id',
          rows.map(({ id }) => id),
        );
      }
    }
    return [...byColumn].map(([column, ids]) => ({ column, ids: [...ids] }));
  }

  async #counter(tx: Tx): Promise<Counter> {
    const [counter] = await tx.rows<Counter>(
      'select last_number as last, deleted_to as "deletedTo" from change_counter where tenant_id = $1',
      [this.#replica.tenantId],
    );
    return counter ?? { last: 0, deletedTo: 0 };
  }

  async #readAll(tx: Tx, files: Files, position: Position) {
    for (const fact of this.#replica.facts) {
      // PostgreSQL believes that policy conditions select few rows, and would look up each person's rows by index.
      // Values from other tables do need a lookup for each row.
      const nested = fact.sql.beside ? 'on' : 'off';
      await tx.run(`set local enable_nestloop = ${nested}; set local work_mem = '64MB'`);
      const file = await this.#copy(tx, wholeFacts(fact, this.#tenant));
      files[fact.table] = file;
      if (file.rows === 0) continue;
      for (const shared of sharedOf(fact)) {
        const [all] = await tx.rows<{ n: number }>(
          `select cast(count(*) as integer) as n from ${shared.table} where tenant_id = ${this.#tenant}`,
        );
        const query = sharedFacts(fact, shared, this.#tenant, all!.n <= file.rows);
        file.shared = [...(file.shared ?? []), await this.#copy(tx, query)];
      }
    }
    return {
      position,
      changed: true,
      complete: false,
      batch: undefined,
    };
  }

  get #tenant(): string {
    return `cast(${literal(this.#replica.tenantId)} as uuid)`;
  }

  async #copy(tx: Tx, query: string): Promise<RowFile> {
    await mkdir(this.#staging, { recursive: true, mode: 0o700 });
    const path = join(this.#staging, `${randomUUID()}.csv`);
    const [backend] = await tx.rows<{ pid: number }>('select pg_backend_pid() as pid');
    if (this.#closed) throw new Error('the replica is no longer followed');
    this.#reading = backend!.pid;
    try {
      const file = createWriteStream(path, { mode: 0o600 });
      return { path, rows: await tx.copyTo(`copy (${query}) to stdout (format csv, null '\\N')`, file) };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      this.#reading = undefined;
    }
  }
}

function reasonToRebuild(
  held: Position | undefined,
  present: Position,
  { last, deletedTo }: Counter,
): string | undefined {
  if (!held) return 'nothing has been loaded';
  if (held.origin !== present.origin)
    return 'it followed another database, or facts that were defined otherwise';
  if (held.cursor > last) return 'the database has been set back to an earlier state';
  if (held.cursor < deletedTo) return 'changes since then are no longer in the outbox';
  return undefined;
}

/**
 * The database that the numbers of changes belong to. A cluster restored elsewhere has another identifier, one reset to
 * an earlier moment another time line, and a database restored from a backup another outbox; and if the facts are
 * redefined, earlier reads no longer match.
 */
const momentOf = (facts: readonly StoredFact[]) => `
  select concat_ws('/', s.system_identifier, c.timeline_id,
      (select oid from pg_database where datname = current_database()), 'outbox'::regclass::oid,
      md5(${facts.map(({ table }) => `pg_get_viewdef('${table}'::regclass)`).join(' || ')} || $1)) as origin,
    clock_timestamp() as as_of
  from pg_control_system() s, pg_control_checkpoint() c`;

/** A list of UUIDs as a literal, because COPY takes no parameters. Throws if one is not a UUID. */
function uuids(ids: readonly string[]): string {
  for (const id of ids) if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error('an id in the outbox is no uuid');
  return `'{${ids.join(',')}}'::uuid[]`;
}
