import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { facts } from '../src/facts.ts';
import { Duck } from '../src/platform/analytics/duckdb.ts';
import { Follower } from '../src/platform/analytics/follower.ts';
import { recordChange } from '../src/platform/analytics/outbox.ts';
import { type Batch, Replica } from '../src/platform/analytics/replica.ts';
import type { Database } from '../src/platform/db/database.ts';
import { insertRows } from '../src/platform/db/rows.ts';
import { asAppError } from '../src/platform/http/app-error.ts';
import { createLog } from '../src/platform/log/log.ts';
import type { Scope } from '../src/platform/scope.ts';
import { makeTenant } from './factories.ts';

/*
 * Writers of several tenants and the followers of their replicas, while the database is disturbed. Records are
 * written, and changes recorded and read, as in the product.
 */

export interface Followed {
  /** Acknowledged transactions. */
  acknowledged: number;
  /** Transactions that ended because the database was away; some may have been committed. */
  unheard: number;
  /** Transactions that their writers rolled back. */
  undone: number;
  /** The changes of all of them. */
  changes: number;
  /** How often changes were read. */
  reads: number;
  /** Records whose change was acknowledged and never read. */
  lost: number;
  /** All faults, in words. */
  faults: string[];
}

/** A replica that remembers what each read brought. */
class Remembering extends Replica {
  loads = 0;
  readonly read: { after: number; to: number; ids: readonly string[]; rows: number }[] = [];

  override async load(...given: Parameters<Replica['load']>): Promise<void> {
    await super.load(...given);
    this.loads++;
  }

  override async apply(batch: Batch): Promise<void> {
    const after = this.position!.cursor;
    await super.apply(batch);
    const ids = batch.again.result_fact!.flatMap(({ column, ids }) => (column === 'id' ? ids : []));
    this.read.push({ after, to: batch.position.cursor, ids, rows: batch.files.result_fact?.rows ?? 0 });
  }
}

const undone = new Error('undone');
const service = (tenantId: string): Scope => ({ kind: 'service', tenantId });

/** Whether it was refused because the database is away; another error is a fault. */
const passes = (error: unknown) => asAppError(error).passes;
const said = (error: unknown) => `${(error as { code?: string }).code ?? ''} ${(error as Error).message}`;

/** A tenant with a person, and the progress of its writers and its follower. */
class Followee {
  readonly id: string;
  readonly #patientId: string;
  readonly #database: Database;
  readonly replica: Remembering;
  readonly follower: Follower;
  /** The records of each acknowledged transaction, by writer, in order. */
  readonly acknowledged: string[][][] = [];
  readonly undone: string[][] = [];
  unheard = 0;
  readonly faults: string[] = [];

  private constructor(database: Database, duck: Duck, folder: string, id: string, patientId: string) {
    this.id = id;
    this.#patientId = patientId;
    this.#database = database;
    this.replica = new Remembering(duck, folder, id, facts.slice(0, 2));
    this.follower = new Follower({
      database,
      replica: this.replica,
      staging: join(folder, 'staging'),
      log: createLog('silent'),
      advanced: () => {},
    });
  }

  static async make(database: Database, duck: Duck, folder: string): Promise<Followee> {
    const { id } = await makeTenant(database);
    // Not announced: what is read is compared with the changes that the writers announced.
    const patientId = randomUUID();
    await database.withScope(service(id), (tx) =>
      tx.run(`insert into patient (tenant_id, id, last_name) values ($1, $2, 'One') returning 1`, [
        id,
        patientId,
      ]),
    );
    const followee = new Followee(database, duck, folder, id, patientId);
    await followee.replica.open(() => {});
    await followee.follower.follow();
    return followee;
  }

  /**
   * One transaction of a writer: some results with their announcement; every fifth is rolled back, every ninth is
   * long.
   */
  async write(writer: number, turn: number): Promise<void> {
    const ids = Array.from({ length: turn % 9 === 8 ? 200 : 1 + (turn % 3) }, () => randomUUID());
    try {
      await this.#database.withScope(service(this.id), async (tx) => {
        await insertRows(
          tx,
          this.id,
          'result',
          {
            id: 'uuid', patient_id: 'uuid', source_key: 'text', content_hash: 'text', test_name: 'text',
            result_category: 'text', status: 'text', created_on: 'date',
          }, // biome-ignore format: a table
          ids.map((id) => ({
            id,
            patient_id: this.#patientId,
            source_key: id,
            content_hash: id,
            test_name: 'Chlamydia trachomatis DNA',
            result_category: 'negative',
            status: 'final',
            created_on: '2026-03-05',
          })),
        );
        await recordChange(tx, this.id, 'result', ids);
        // A later one overtakes it.
        if (turn % 4 === 1) await pause(20);
        if (turn % 5 === 4) throw undone;
      });
      this.acknowledged[writer] ??= [];
      this.acknowledged[writer].push(ids);
    } catch (error) {
      if (error === undone) this.undone.push(ids);
      else {
        this.unheard++;
        if (!passes(error)) this.faults.push(`a writer: ${said(error)}`);
        await pause(20);
      }
    }
  }

  /** Reads what is new. */
  async read(): Promise<void> {
    await this.follower.follow({ atOnce: true }).catch((error) => {
      if (!passes(error)) this.faults.push(`a reader: ${said(error)}`);
    });
    await pause(20);
  }

  get lost(): string[] {
    const read = new Set(this.replica.read.flatMap(({ ids }) => ids));
    return this.acknowledged.flat(2).filter((id) => !read.has(id));
  }

  /** Compares everything with the final state of the database; returns its changes. */
  async compare(): Promise<number> {
    const wrong = (what: string, is: boolean) => is && this.faults.push(what);
    const { rows, stored } = await this.#database.withScope(
      service(this.id),
      async (tx) => ({
        rows: await tx.rows<{ number: number; record_ids: string[] }>(
          'select number, record_ids from outbox where tenant_id = $1 order by number',
          [this.id],
        ),
        stored: await tx.rows<{ id: string }>('select id from result where tenant_id = $1', [this.id]),
      }),
      { snapshot: true },
    );
    const numberOf = new Map(rows.flatMap(({ number, record_ids }) => record_ids.map((id) => [id, number])));
    const records = new Set(stored.map(({ id }) => id));
    const { read, loads } = this.replica;

    wrong('numbers with gaps', !rows.every(({ number }, place) => number === place + 1));
    wrong('a change twice', numberOf.size !== rows.flatMap(({ record_ids }) => record_ids).length);
    wrong(
      'a change without its record',
      [...numberOf.keys()].some((id) => !records.has(id)),
    );
    wrong(
      'a record without its change',
      [...records].some((id) => !numberOf.has(id)),
    );
    wrong(
      'what was rolled back is there',
      this.undone.flat().some((id) => records.has(id) || numberOf.has(id)),
    );
    wrong(`${this.lost.length} acknowledged and never read`, this.lost.length > 0);
    for (const own of this.acknowledged) {
      const numbers = (own ?? []).map(([id]) => numberOf.get(id!) ?? Number.NaN);
      wrong(
        'numbers in another order than commits',
        numbers.some((number, at) => at > 0 && !(number > numbers[at - 1]!)),
      );
    }
    wrong(`read from the beginning ${loads} times`, loads !== 1);
    let cursor = 0;
    for (const { after, to, ids, rows: found } of read) {
      wrong(`read after ${after} instead of ${cursor}`, after !== cursor);
      const expected = rows.flatMap(({ number, record_ids }) =>
        number > after && number <= to ? record_ids : [],
      );
      wrong(`read others than there are from ${after} to ${to}`, ids.join() !== expected.join());
      wrong(`a change was seen before its record, from ${after} to ${to}`, found !== ids.length);
      cursor = to;
    }
    wrong('the last change was not read', cursor !== rows.length);
    wrong('the replica has other records', (await this.replica.size()) !== records.size);
    return rows.length;
  }

  async close(): Promise<void> {
    await this.follower.close();
    await this.replica.close();
  }
}

/**
 * Runs writers and followers from before `disturb` begins until it has ended, then until everything acknowledged has
 * been read, for at most `patienceMs`, and returns the outcome. `disturb` gets a function that waits until this many
 * more transactions are acknowledged.
 */
export async function followWhile(
  database: Database,
  { tenants, writers, patienceMs }: { tenants: number; writers: number; patienceMs: number },
  disturb: (more: (transactions: number) => Promise<void>) => Promise<void>,
): Promise<Followed> {
  const folder = await mkdtemp(join(tmpdir(), 'caseway-following-'));
  const duck = await Duck.open(folder);
  const all: Followee[] = [];
  try {
    for (let made = 0; made < tenants; made++) all.push(await Followee.make(database, duck, folder));
    const acknowledged = () => all.reduce((sum, one) => sum + one.acknowledged.flat().length, 0);
    let writing = true;
    let reading = true;
    const written = Array.from({ length: writers }, async (_, writer) => {
      for (let turn = 0; writing; turn++) await all[(writer + turn) % tenants]!.write(writer, turn);
    });
    const read = all.map(async (one) => {
      while (reading) await one.read();
    });
    try {
      await disturb(async (transactions) => {
        const enough = acknowledged() + transactions;
        const until = performance.now() + patienceMs;
        while (acknowledged() < enough) {
          if (performance.now() > until) throw new Error(`not ${transactions} more within ${patienceMs} ms`);
          await pause(5);
        }
      });
    } finally {
      writing = false;
      await Promise.all(written);
      const until = performance.now() + patienceMs;
      while (all.some(({ lost }) => lost.length > 0) && performance.now() < until) await pause(50);
      reading = false;
      await Promise.all(read);
    }
    await Promise.all(all.map(({ follower }) => follower.follow({ atOnce: true })));
    const changes = await Promise.all(all.map((one) => one.compare()));
    const sum = (count: (one: Followee) => number) => all.reduce((before, one) => before + count(one), 0);
    return {
      acknowledged: acknowledged(),
      unheard: sum(({ unheard }) => unheard),
      undone: sum(({ undone }) => undone.length),
      changes: changes.reduce((before, count) => before + count, 0),
      reads: sum(({ replica }) => replica.read.length),
      lost: sum(({ lost }) => lost.length),
      faults: all.flatMap(({ faults }) => faults),
    };
  } finally {
    await Promise.all(all.map((one) => one.close()));
    await rm(folder, { recursive: true, force: true });
  }
}
