import type { Scope } from '../scope.ts';
import type { Connection } from './duckdb.ts';
import type { Replica } from './replica.ts';
import { cellsTable, countCells, countsTable, forget, keepCells } from './roll-up-tables.ts';
import {
  blockOf,
  daysOfBlock,
  definitionOf,
  type Kept,
  type RolledQuestion,
  type RollUp,
  readersOf,
  rowsToCount,
  sinceFirstDay,
} from './roll-ups.ts';
import { statementFor } from './visible-facts.ts';

/** A roll-up that questions have asked for: for one day, with or without filters, and for one kind of reader. */
interface Wish {
  rollUp: RollUp;
  scope: Scope;
  day: string;
  filtered: boolean;
}

export interface KeeperLimits {
  /** A fact with fewer rows is fast enough to count without roll-ups. */
  rowsFrom: number;
  /** How many rows are counted at a time. */
  rowsAtATime: number;
  /** Milliseconds without a question or a change before it continues. */
  restMs: number;
}
const usualLimits: KeeperLimits = { rowsFrom: 500_000, rowsAtATime: 400_000, restMs: 3000 };
/** The rest after a failure is this many times as long. */
const restsAfterFailure = 100;
/** Blocks older than this many days are counted only when a question needs them. */
const keptDays = 12 * 366;
/** At most this many combinations of reader, day and filter are kept; the least recently requested goes first. */
const mostKept = 36;

/**
 * Makes the roll-ups that questions ask for, while nobody asks or writes, and says which are kept. The replica
 * invalidates changed blocks in the transaction that changes the rows, so a kept block is always true.
 */
export class RollUpKeeper {
  readonly #replica: Replica;
  readonly #limits: KeeperLimits;
  readonly #failed: (error: unknown) => void;
  readonly #isBusy: () => boolean;
  /** By the name of what is kept, the most recently requested last. */
  readonly #wishes = new Map<string, Wish>();
  readonly #seen = new WeakMap<Connection, Map<string, Seen>>();
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Set when a question came during a run. */
  #isAsked = false;
  #closed = false;

  constructor(
    replica: Replica,
    given: { limits?: KeeperLimits; failed: (error: unknown) => void; isBusy: () => boolean },
  ) {
    this.#replica = replica;
    this.#limits = given.limits ?? usualLimits;
    this.#failed = given.failed;
    this.#isBusy = given.isBusy;
  }

  /**
   * What the state that a connection sees has kept for a question; undefined for a reader without roll-ups. All
   * questions of a connection are in one transaction.
   */
  async keptFor(
    connection: Connection,
    scope: Scope,
    { rollUp, day, filter }: RolledQuestion,
  ): Promise<Kept | undefined> {
    const readers = readersOf(scope);
    if (readers === undefined) return undefined;
    const wish: Wish = { rollUp, scope, day, filtered: filter !== undefined };
    const name = nameOf(wish, readers);
    this.#wishes.delete(name);
    this.#wishes.set(name, wish);
    const { table } = rollUp.stored;
    const made = this.#seen.get(connection)?.get(name) ?? (await this.#keptAs(connection, name));
    if (!made) return undefined;
    const filtered = filter === undefined ? undefined : rollUp.filters.indexOf(filter);
    return {
      blocks: made.blocks,
      days: daysOfBlock(filter),
      counts: countsTable(table, made.number, filtered),
      cells: cellsTable(table),
    };
  }

  /** The blocks kept under a name, as a connection sees them. */
  async #keptAs(connection: Connection, name: string): Promise<Seen | undefined> {
    const rows = await connection.rows<{ number: number; block: number | null }>(
      'select r.number, b.block from rolled r left join rolled_block b on b.rolled = r.number where r.name = $1',
      [name],
    );
    if (!rows[0]) return undefined;
    const seen: Seen = {
      number: rows[0].number,
      blocks: new Set(rows.flatMap(({ block }) => (block === null ? [] : [block]))),
    };
    this.#seen.set(connection, new Map(this.#seen.get(connection)).set(name, seen));
    return seen;
  }

  /** Continues soon, because a question came. */
  wake(): void {
    if (this.#running) this.#isAsked = true;
    else if (!this.#timer) this.#sleep(this.#limits.restMs);
  }

  /** Continues when there has been no further change for a moment. */
  rest(): void {
    this.#sleep(this.#limits.restMs);
  }

  #sleep(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#closed || this.#wishes.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.atOnce().catch((error) => {
        this.#failed(error);
        this.#sleep(restsAfterFailure * this.#limits.restMs);
      });
    }, ms);
    this.#timer.unref();
  }

  /**
   * Makes all requested roll-ups. Resolves when they are kept or, unless it is urgent, when someone asks or writes.
   */
  atOnce({ urgent = false } = {}): Promise<void> {
    this.#running ??= this.#makeAll(urgent).finally(() => {
      this.#running = undefined;
      if (this.#isAsked) this.#sleep(this.#limits.restMs);
      this.#isAsked = false;
    });
    return this.#running;
  }

  /** Resolves when it does nothing. */
  idle = (): Promise<unknown> => Promise.resolve(this.#running).catch(() => {});

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.idle();
  }

  async #makeAll(urgent: boolean): Promise<void> {
    for (const [name, wish] of [...this.#wishes].reverse().slice(0, mostKept)) {
      const left = await this.#missing(name, wish);
      for (const run of left) {
        if (this.#closed) return;
        if (!urgent && this.#isBusy()) {
          this.#isAsked = true;
          return;
        }
        await this.#make(name, wish, run);
      }
    }
  }

  /** The missing blocks, the latest first, as many as can be counted at a time. */
  async #missing(name: string, { rollUp, day, filtered }: Wish): Promise<Run[]> {
    const days = daysOfBlock(filtered ? '' : undefined);
    const { table } = rollUp.stored;
    return this.#replica.using(async (connection) => {
      const [size] = await connection.rows<{ n: number }>(`select count(*) as n from ${table}`);
      if (size!.n < this.#limits.rowsFrom) return [];
      const blocks = await connection.rows<{ block: number; n: number }>(
        `select cast(${sinceFirstDay(day)} / ${days} as integer) as block, count(*) as n from ${table}
        where ${day} is not null group by 1 order by 1`,
      );
      const kept = new Set(
        (
          await connection.rows<{ block: number }>(
            'select b.block from rolled r join rolled_block b on b.rolled = r.number where r.name = $1',
            [name],
          )
        ).map(({ block }) => block),
      );
      const latest = blocks.at(-1)?.block ?? 0;
      const first = Math.max(blocks[0]?.block ?? 0, latest - Math.floor(keptDays / days));
      const sizes = new Map(blocks.map(({ block, n }) => [block, n]));
      const runs: Run[] = [];
      for (let block = latest; block >= first && blocks.length > 0; block--) {
        if (kept.has(block)) continue;
        const n = sizes.get(block) ?? 0;
        const run = runs.at(-1);
        if (run && run.from === block + 1 && run.rows + n <= this.#limits.rowsAtATime) {
          run.from = block;
          run.rows += n;
        } else runs.push({ from: block, to: block, rows: n });
      }
      return runs;
    });
  }

  /** Counts some blocks, and keeps them unless they changed during the count. */
  async #make(name: string, wish: Wish, { from, to }: Run): Promise<void> {
    const { rollUp, scope, day, filtered } = wish;
    const { stored } = rollUp;
    const days = daysOfBlock(filtered ? '' : undefined);
    const changed = this.#replica.noteChanges(stored.table, day);
    try {
      await this.#replica.using(async (connection) => {
        await connection.transaction(async () => {
          const codesOf = await this.#replica.codes(connection);
          const asked = rowsToCount(rollUp, day, filtered, { from, to, days });
          const { text, params } = statementFor(this.#replica.facts, scope, asked.question, 'duckdb', {
            asks: 'numbers',
            codesOf,
          });
          await connection.run(`create or replace temp table rolling as ${text}`, params);
          await countCells(connection, rollUp, asked.splits, filtered);
        });
        await this.#replica.alone(async () => {
          const old = new Set(changed.days().map((one) => blockOf(one, days)));
          const blocks = Array.from({ length: to - from + 1 }, (_, index) => from + index).filter(
            (block) => !old.has(block),
          );
          if (blocks.length === 0 || changed.isAll() || this.#closed) return;
          await connection.transaction(async () => {
            const number = await this.#numberOf(connection, name, wish);
            await keepCells(connection, rollUp, number, filtered, blocks);
          });
        });
        for (const table of temporary) await connection.run(`drop table if exists temp.${table}`);
      });
    } finally {
      changed.end();
    }
  }

  /** The number for a name; its tables are made with it. */
  async #numberOf(connection: Connection, name: string, { rollUp, day, filtered }: Wish): Promise<number> {
    const [known] = await connection.rows<{ number: number }>('select number from rolled where name = $1', [
      name,
    ]);
    if (known) return known.number;
    const all = await connection.rows<{ number: number; name: string }>('select number, name from rolled');
    const unasked = all.filter((one) => !this.#wishes.has(one.name));
    if (all.length >= mostKept && unasked[0]) await forget(connection, unasked[0].number);
    const number = Math.max(0, ...all.map((one) => one.number)) + 1;
    const { table } = rollUp.stored;
    await connection.run(
      `create table if not exists ${cellsTable(table)} (number integer, kind integer, text text)`,
    );
    for (const index of filtered ? rollUp.filters.keys() : [undefined])
      await connection.run(
        `create table ${countsTable(table, number, index)} (filter integer, block integer, cell integer, ${rollUp.numbers
          .map((one) => `${one.name} ${one.name === 'n' ? 'integer' : 'bigint'}`)
          .join(', ')})`,
      );
    await connection.run('insert into rolled values ($1, $2, $3, $4, $5)', [
      number,
      name,
      table,
      day,
      daysOfBlock(filtered ? '' : undefined),
    ]);
    return number;
  }
}

/** The kept roll-up of a name. */
interface Seen {
  number: number;
  blocks: ReadonlySet<number>;
}

interface Run {
  from: number;
  to: number;
  rows: number;
}

/** Temporary tables of a step. Each step has its own connection, so they do not clash. */
const temporary = ['rolling', 'rolling_key', 'rolling_cell', 'rolling_count'];

const nameOf = ({ rollUp, day, filtered }: Wish, readers: string): string =>
  JSON.stringify([definitionOf(rollUp), day, filtered, readers]);
