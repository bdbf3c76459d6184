import { createHash, randomUUID } from 'node:crypto';
import { chmod, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Connection, type Duck, identifier, quoted } from './duckdb.ts';
import { keptColumns, type StoredFact } from './facts.ts';
import { isHeldElsewhere } from './fault-kind.ts';
import type { CodesOf } from './picks.ts';
import { type Known, knownCodes, typesFor, type Values, valuesAmong } from './replica-codes.ts';
import { forgetBlocks, keepNothing } from './roll-up-tables.ts';
import {
  allStaged,
  numberValues,
  type RowFile,
  readsOf,
  stagedRows,
  stageRows,
  tablesOf,
  widenNumbers,
} from './staged-rows.ts';

/** The position of a replica. */
export interface Position {
  /**
   * The database that the numbers of changes belong to. After a restore elsewhere, or to an earlier time, the numbers
   * mean other changes and a replica has to be rebuilt.
   */
  origin: string;
  /** Every change up to this number is in the replica. */
  cursor: number;
  /** The moment of its state. */
  asOf: Date;
}

/** A change to apply: rows, and what they replace. */
export interface Batch {
  files: Readonly<Record<string, RowFile>>;
  /**
   * The rows that were read again for each table: those with one of these ids in a column. A row that is in no file
   * was deleted.
   */
  again: Readonly<Record<string, readonly ReadAgain[]>>;
  position: Position;
}

export interface ReadAgain {
  column: string;
  ids: readonly string[];
}

/** A batch with at most this many rows is short. */
const shortBatch = 1000;
/**
 * This many types are dropped together. For few rows, writing the log into the file takes longer than everything
 * else.
 */
const namedTypes = 50;

/** Changes whenever a file of an earlier version can no longer be read or followed. */
const layoutOf = (facts: readonly StoredFact[]) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        8,
        facts.map((fact) => [
          fact.table,
          fact.columns.map(({ name, kind, numbers }) => [name, kind, numbers]),
          keptColumns(fact).map(({ name, made, of }) => [name, made.sql(of)]),
          fact.sql.orderedBy,
        ]),
      ]),
    )
    .digest('hex')
    .slice(0, 16);

/**
 * The facts of one tenant in a DuckDB file. Its contents come from PostgreSQL and can be read again: a file that is
 * missing, damaged or of another layout is replaced by an empty one. Only one batch is applied at a time.
 */
export class Replica {
  readonly tenantId: string;
  readonly facts: readonly StoredFact[];
  readonly #layout: string;
  readonly #duck: Duck;
  readonly #file: string;
  readonly #catalog: string;
  /** The codes of its state; undefined until a question needs them. */
  #known: Known | undefined;
  /** Its own connections; readers have others. */
  readonly #atWork = new Set<Connection>();
  #position: Position | undefined;
  #version = randomUUID();
  /** How many column types were made that may still exist by name. */
  #named = 0;
  /** Writers run one at a time: each begins when the one before it has ended. */
  #writing: Promise<unknown> = Promise.resolve();
  readonly #noting = new Set<Noted>();

  constructor(duck: Duck, folder: string, tenantId: string, facts: readonly StoredFact[]) {
    this.tenantId = tenantId;
    this.facts = facts;
    this.#layout = layoutOf(facts);
    this.#duck = duck;
    this.#file = join(folder, `${tenantId}.duckdb`);
    this.#catalog = `tenant_${tenantId}`;
  }

  /** Changes whenever facts have changed, and stays the same otherwise. */
  get version(): string {
    return this.#version;
  }

  /** Undefined until something has been loaded. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** The size of its file; 0 while there is none. */
  async bytes(): Promise<number> {
    return (await stat(this.#file).catch(() => undefined))?.size ?? 0;
  }

  /**
   * Opens the file. Throws if another process has it open; if it is unusable for any other reason, it is deleted and
   * recreated, and `warn` gets the reason.
   */
  async open(warn: (reason: string) => void): Promise<void> {
    try {
      await this.#attach();
    } catch (error) {
      if (isHeldElsewhere(error)) throw error;
      warn((error as Error).message);
      await this.discard();
      await this.#attach();
    }
  }

  async #attach(): Promise<void> {
    const connection = await this.#duck.connect();
    try {
      await connection.run(`attach if not exists ${quoted(this.#file)} as ${identifier(this.#catalog)}`);
    } finally {
      connection.close();
    }
    // The file holds patients' names and numbers, and DuckDB makes it readable for every account of the machine.
    await chmod(this.#file, 0o600);
    await this.using(async (connection) => {
      const tables = await connection.rows<{ name: string }>(
        'select table_name as name from duckdb_tables() where database_name = $1',
        [this.#catalog],
      );
      if (!tables.some(({ name }) => name === 'replica')) return;
      const [stored] = await connection.rows<{
        layout: string;
        origin: string;
        cursor: string;
        as_of: string;
      }>('select layout, origin, cursor, as_of from replica');
      if (stored?.layout !== this.#layout) return;
      this.#position = { origin: stored.origin, cursor: Number(stored.cursor), asOf: new Date(stored.as_of) };
    });
  }

  /** A connection for readers, whose statements find the fact tables by their names. The caller closes it. */
  connect(): Promise<Connection> {
    return this.#duck.connect(this.#catalog);
  }

  /** Runs a write while nothing else writes. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#writing.then(work);
    this.#writing = mine.catch(() => {});
    return mine;
  }

  /** From now on, notes the days of a fact's changed rows. */
  noteChanges(table: string, day: string): NotedChanges {
    const noted: Noted = { table, day, all: false, days: new Set() };
    this.#noting.add(noted);
    return {
      isAll: () => noted.all,
      days: () => [...noted.days],
      end: () => this.#noting.delete(noted),
    };
  }

  async using<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.connect();
    this.#atWork.add(connection);
    try {
      return await work(connection);
    } finally {
      this.#atWork.delete(connection);
      connection.close();
    }
  }

  /** Aborts a running write, which then fails without changing anything. */
  interrupt(): void {
    for (const connection of this.#atWork) connection.interrupt();
  }

  /**
   * Replaces everything by the rows of the files, in one transaction: readers see the old state or the new one.
   * A table without a file becomes empty.
   */
  load(files: Batch['files'], position: Position): Promise<void> {
    return this.alone(() => this.#load(files, position));
  }

  async #load(files: Batch['files'], position: Position): Promise<void> {
    for (const noted of this.#noting) noted.all = true;
    const known: Known = { id: randomUUID(), values: new Map() };
    await this.using(async (connection) => {
      await connection.transaction(async () => {
        await connection.run(
          'create or replace table replica (layout text, origin text, cursor text, as_of text, codes text)',
        );
        await keepNothing(connection, this.facts);
        for (const fact of this.facts) await this.#loadFact(connection, fact, files[fact.table], known);
        await this.#remember(connection, position, known.id);
      });
      this.#known = known;
      this.#position = position;
      this.#version = randomUUID();
    });
    await this.#checkpoint();
  }

  async #loadFact(
    connection: Connection,
    fact: StoredFact,
    file: RowFile | undefined,
    known: Known,
  ): Promise<void> {
    const { table, sql } = fact;
    const isShort = (file?.rows ?? 0) <= shortBatch;
    let found: Values = {};
    if (file && file.rows > 0) {
      if (isShort) await stageRows(connection, fact, file);
      // A long file is read twice: staging its codes as texts takes three times the memory, more than there is.
      found = await valuesAmong(connection, isShort ? [allStaged(fact)] : readsOf(fact, file), isShort);
    }
    const made = typesFor(this.#catalog, fact, found);
    for (const [column, values] of made.values) known.values.set(column, values);
    this.#named += made.statements.length;
    await connection.run([...made.statements, ...tablesOf(fact, made.types)].join(';\n'));
    if (!file || file.rows === 0) return;
    if (!isShort) await stageRows(connection, fact, file, made.types);
    await numberValues(connection, fact);
    await widenNumbers(connection, fact);
    await connection.run(
      `insert into ${table} by name ${stagedRows(fact, this.tenantId)} order by ${sql.orderedBy}`,
    );
    await connection.run('drop table staged');
  }

  /** Applies a batch and moves to its position, in one transaction. */
  apply(batch: Batch): Promise<void> {
    return this.alone(() => this.#apply(batch));
  }

  async #apply({ files, again, position }: Batch): Promise<void> {
    const known = await this.using((connection) =>
      connection.transaction(async () => {
        let known = await this.#knownIn(connection);
        for (const fact of this.facts) {
          const { table } = fact;
          const file = files[table];
          const changed = again[table] ?? [];
          const comes = file !== undefined && file.rows > 0;
          if (!comes && changed.length === 0) continue;
          if (comes) {
            await stageRows(connection, fact, file);
            const isShort = file.rows <= shortBatch;
            const found = await valuesAmong(connection, [allStaged(fact)], isShort);
            const made = typesFor(this.#catalog, fact, found, known.values);
            if (made.types.size > 0) {
              known = { id: randomUUID(), values: new Map([...known.values, ...made.values]) };
              this.#named += made.statements.length;
              const altered = [...made.types].map(
                ([name, type]) =>
                  `alter table ${table} alter ${name} type ${type} using cast(cast(${name} as text) as ${type})`,
              );
              await connection.run([...made.statements, ...altered].join(';\n'));
            }
          }
          const gone = [
            ...(comes ? ['select id from staged'] : []),
            ...changed.map(({ column }, index) => {
              const texts = `select unnest($${index + 1}) as id`;
              const ids = `select cast(id as uuid) as id from (${texts})`;
              if (column === 'id') return ids;
              const isId = fact.columns.some(({ name, kind }) => name === column && kind === 'id');
              return `select id from ${table} where ${isId ? `${column} in (${ids})` : `cast(${column} as text) in (${texts})`}`;
            }),
          ];
          await connection.run(
            `create or replace temp table gone as ${gone.join(' union ')}`,
            changed.map(({ ids }) => ids),
          );
          await this.#delete(connection, fact, comes);
          if (!comes) continue;
          await numberValues(connection, fact);
          await widenNumbers(connection, fact);
          await connection.run(`insert into ${table} by name ${stagedRows(fact, this.tenantId)}`);
        }
        await this.#remember(connection, position, known.id);
        return known;
      }),
    );
    this.#known = known;
    this.#position = position;
    this.#version = randomUUID();
    await this.#checkpoint();
  }

  /** Deletes the rows of `gone`. Roll-up blocks that contain these or the staged new rows are no longer valid. */
  async #delete(connection: Connection, { table }: StoredFact, comes: boolean): Promise<void> {
    const kept = await connection.rows<{ day: string }>('select distinct day from rolled where fact = $1', [
      table,
    ]);
    const days = [...new Set([...kept.map(({ day }) => day), ...this.#daysNoted(table)])];
    if (days.length === 0) {
      await connection.run(`delete from ${table} where id in (select id from gone)`);
      return;
    }
    const named = days.join(', ');
    const gone = await connection.rows<Record<string, string | null>>(
      `delete from ${table} where id in (select id from gone) returning ${named}`,
    );
    const come = comes
      ? await connection.rows<Record<string, string | null>>(`select distinct ${named} from staged`)
      : [];
    const changed = new Map(
      days.map((day) => [day, new Set([...gone, ...come].flatMap((row) => row[day] ?? []))] as const),
    );
    await forgetBlocks(connection, table, changed);
    for (const noted of this.#noting)
      if (noted.table === table) for (const one of changed.get(noted.day) ?? []) noted.days.add(one);
  }

  /** The days to note changes by. */
  #daysNoted(table: string): string[] {
    return [...this.#noting].flatMap((noted) => (noted.table === table ? [noted.day] : []));
  }

  /**
   * Once enough types were given to columns, writes the log into the file and drops them: a column keeps its own
   * values. Not earlier, because the log names the types, and a process that replays it after a crash has to find
   * them. This may fail while there are readers; then the next batch tries again.
   */
  async #checkpoint(): Promise<void> {
    if (this.#named < namedTypes) return;
    await this.using(async (connection) => {
      const written = await connection.run(`checkpoint ${identifier(this.#catalog)}`).then(
        () => true,
        () => false,
      );
      if (!written) return;
      const types = await connection.rows<{ name: string }>(
        `select type_name as name from duckdb_types() where database_name = $1 and logical_type = 'ENUM' and not internal`,
        [this.#catalog],
      );
      await connection.run(types.map(({ name }) => `drop type ${identifier(name)}`).join(';\n'));
      this.#named = 0;
    });
  }

  /** The number of its rows. */
  async size(): Promise<number> {
    const counts = this.facts.map(({ table }) => `(select count(*) from ${table})`);
    const [row] = await this.using((connection) =>
      connection.rows<{ n: number }>(`select ${counts.join(' + ')} as n`),
    );
    return row!.n;
  }

  /**
   * Moves to a position when nothing has changed, without writing. At worst, the same changes are read again after a
   * restart.
   */
  advance(position: Position): void {
    this.#position = position;
  }

  /** Drops everything and deletes the file once readers have closed it. */
  async discard(): Promise<void> {
    this.#position = undefined;
    this.#known = undefined;
    await this.close();
    await rm(this.#file, { force: true });
    await rm(`${this.#file}.wal`, { force: true });
  }

  async close(): Promise<void> {
    const connection = await this.#duck.connect();
    try {
      await connection.run(`detach database if exists ${identifier(this.#catalog)}`);
    } finally {
      connection.close();
    }
  }

  /** The numbers of code values in the state that a connection sees. */
  async codes(connection: Connection): Promise<CodesOf> {
    const { values } = await this.#knownIn(connection);
    return (table, column) => values.get(`${table}.${column}`);
  }

  async #knownIn(connection: Connection): Promise<Known> {
    const [stored] = await connection.rows<{ codes: string }>('select codes from replica');
    const id = stored!.codes;
    if (this.#known?.id === id) return this.#known;
    const known = { id, values: await knownCodes(connection, this.facts) };
    this.#known ??= known;
    return known;
  }

  async #remember(connection: Connection, { origin, cursor, asOf }: Position, codes: string): Promise<void> {
    await connection.run('delete from replica');
    await connection.run('insert into replica values ($1, $2, $3, $4, $5)', [
      this.#layout,
      origin,
      String(cursor),
      asOf.toISOString(),
      codes,
    ]);
  }
}

interface Noted {
  table: string;
  day: string;
  /** Set when everything has been loaded again. */
  all: boolean;
  days: Set<string>;
}

export interface NotedChanges {
  isAll(): boolean;
  days(): string[];
  end(): void;
}
