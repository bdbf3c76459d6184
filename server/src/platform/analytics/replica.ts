import { createHash, randomUUID } from 'node:crypto';
import { chmod, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Connection, type Duck, identifier, quoted } from './duckdb.ts';
import {
  bitsOfWord,
  type ColumnKind,
  isPack,
  keptColumns,
  type MadeColumn,
  packTable,
  personWord,
  type StoredFact,
} from './facts.ts';
import type { CodesOf } from './picks.ts';
import { forgetBlocks, keepNothing } from './roll-up-tables.ts';
import { copiedColumns } from './stored-facts.ts';

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

/** A file of rows as `copy` wrote them, and how many it wrote. */
export interface RowFile {
  path: string;
  rows: number;
}

/** A change to apply: rows, and what they replace. */
export interface Batch {
  files: Readonly<Record<string, RowFile>>;
  /**
   * The rows that were read again, for each table: those with one of these ids in a column. A row that is in no file was
   * deleted.
   */
  again: Readonly<Record<string, readonly ReadAgain[]>>;
  position: Position;
}

export interface ReadAgain {
  column: string;
  ids: readonly string[];
}

/** Its number is another one whenever a file of an earlier version can no longer be read or followed. */
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
  /**
   * The values of each `code` column that its ENUM knows, with their numbers, by table and column; and which ones they
   * are. A reader whose state has others reads those.
   */
  #known: Known = { id: '', values: new Map() };
  /** Its own connections; readers have theirs. */
  readonly #atWork = new Set<Connection>();
  #position: Position | undefined;
  #version = randomUUID();
  /** Types of columns that still exist by name. */
  #named = false;
  /** What writes is alone: it begins when what was before it has ended. */
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

  /** Another one whenever facts have changed; the same only while none has. */
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
    // It has names and numbers of patients; DuckDB makes it readable for every account of the machine.
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
      await this.#readKnown(connection);
      this.#position = { origin: stored.origin, cursor: Number(stored.cursor), asOf: new Date(stored.as_of) };
    });
  }

  /** A connection for readers, whose statements find the fact tables by their names. The caller closes it. */
  connect(): Promise<Connection> {
    return this.#duck.connect(this.#catalog);
  }

  /** Runs something that writes while nothing else does. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#writing.then(work);
    this.#writing = mine.catch(() => {});
    return mine;
  }

  /** Notes from now on which days the rows of a fact have that are changed. */
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

  /** Aborts a running write, which then fails and changes nothing. */
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
    await this.using(async (connection) => {
      await connection.transaction(async () => {
        await connection.run(
          'create or replace table replica (layout text, origin text, cursor text, as_of text, codes text)',
        );
        await keepNothing(connection, this.facts);
        for (const fact of this.facts) {
          const { table, columns, sql } = fact;
          await connection.run(`drop table if exists ${table}`);
          // Read twice: texts of all rows take more memory than there is, and codes a third of it.
          const types = await this.#makeTypes(connection, fact, rowsOf(fact, files[table]), {
            fromScratch: true,
          });
          await this.#stage(connection, fact, files[table], types);
          const kept = [
            ...columns.map(
              ({ name, kind, numbers }) =>
                `${name} ${types.get(name) ?? (numbers ? 'integer' : keptTypes[kind])}`,
            ),
            ...keptColumns(fact).map(
              ({ name, made }) => `${name} ${isNarrow(made) ? narrow : keptTypes[made.kind]}`,
            ),
          ];
          await connection.run(`create table ${table} (tenant_id uuid, ${kept.join(', ')})`);
          await this.#number(connection, fact, { fromScratch: true });
          await this.#widen(connection, fact);
          await connection.run(
            `insert into ${table} by name ${this.#staged(fact)} order by ${sql.orderedBy}`,
          );
          await connection.run('drop table staged');
        }
        await this.#remember(connection, position, randomUUID());
      });
      await this.#readKnown(connection);
      this.#position = position;
      this.#version = randomUUID();
    });
    this.#named = true;
    await this.#checkpoint();
  }

  /** Applies a batch and moves to its position, in one transaction. */
  apply(batch: Batch): Promise<void> {
    return this.alone(() => this.#apply(batch));
  }

  async #apply({ files, again, position }: Batch): Promise<void> {
    const extended = await this.using((connection) =>
      connection.transaction(async () => {
        let extended = false;
        for (const fact of this.facts) {
          const { table } = fact;
          const file = files[table];
          const changed = again[table] ?? [];
          if (!file && changed.length === 0) continue;
          await this.#stage(connection, fact, file);
          const types = await this.#makeTypes(connection, fact, 'staged', { fromScratch: false });
          if (types.size > 0) extended = true;
          for (const [name, type] of types)
            await connection.run(
              `alter table ${table} alter ${name} type ${type} using cast(cast(${name} as text) as ${type})`,
            );
          const gone = changed.map(({ column }, index) =>
            column === 'id'
              ? `union select cast(unnest($${index + 1}) as uuid)`
              : `union select id from ${table} where list_contains($${index + 1}, cast(${column} as text))`,
          );
          await connection.run(
            `create or replace temp table gone as select id from staged ${gone.join(' ')}`,
            changed.map(({ ids }) => ids),
          );
          await this.#delete(connection, fact);
          await this.#number(connection, fact, { fromScratch: false });
          await this.#widen(connection, fact);
          await connection.run(`insert into ${table} by name ${this.#staged(fact)}`);
        }
        await this.#remember(connection, position, extended ? randomUUID() : this.#known.id);
        return extended;
      }),
    );
    if (extended) await this.using((connection) => this.#readKnown(connection));
    this.#position = position;
    this.#version = randomUUID();
    if (extended) this.#named = true;
    if (this.#named) await this.#checkpoint();
  }

  /** Deletes the rows of `gone`; blocks of roll-ups with these or the staged ones are not true any more. */
  async #delete(connection: Connection, { table }: StoredFact): Promise<void> {
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
    const come = await connection.rows<Record<string, string | null>>(`select distinct ${named} from staged`);
    const changed = new Map(
      days.map((day) => [day, new Set([...gone, ...come].flatMap((row) => row[day] ?? []))] as const),
    );
    await forgetBlocks(connection, table, changed);
    for (const noted of this.#noting)
      if (noted.table === table) for (const one of changed.get(noted.day) ?? []) noted.days.add(one);
  }

  /** The days of which changes are noted. */
  #daysNoted(table: string): string[] {
    return [...this.#noting].flatMap((noted) => (noted.table === table ? [noted.day] : []));
  }

  /**
   * Writes the log into the file, and drops the types that columns were given: they are no longer needed, because a
   * column keeps its own values. Not earlier: the log names them, and a process that replays it after a crash has to
   * find them. While there are readers this may fail; then the next batch tries again.
   */
  async #checkpoint(): Promise<void> {
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
      for (const { name } of types) await connection.run(`drop type ${identifier(name)}`);
      this.#named = false;
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

  /** Moves to a position when nothing has changed, without writing: at worst the same is read again after a restart. */
  advance(position: Position): void {
    this.#position = position;
  }

  /** Drops everything and deletes the file, once readers have closed it. */
  async discard(): Promise<void> {
    this.#position = undefined;
    this.#known = { id: '', values: new Map() };
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

  /**
   * Reads a file into the temporary table `staged`: codes as text, or of their types where these are given, everything
   * else in its stored form. Throws if the number of rows differs from those written.
   */
  async #stage(
    connection: Connection,
    fact: StoredFact,
    file: RowFile | undefined,
    types?: ReadonlyMap<string, string>,
  ): Promise<void> {
    const select = copiedColumns(fact).map(
      ({ name, kind }) => `cast(${name} as ${types?.get(name) ?? stagedTypes[kind]}) as ${name}`,
    );
    await connection.run(
      `create or replace temp table staged as select ${select.join(', ')} from ${rowsOf(fact, file, types)}`,
    );
    const [staged] = await connection.rows<{ rows: number }>('select count(*) as rows from staged');
    if (staged!.rows !== (file?.rows ?? 0))
      throw new Error(`${fact.table}: rows were lost on their way to the replica`);
  }

  /**
   * Numbers the values of the staged rows that are counted by numbers of the replica's own: those that have none yet get
   * the next ones. A number is never given to another value.
   */
  async #number(
    connection: Connection,
    fact: StoredFact,
    { fromScratch }: { fromScratch: boolean },
  ): Promise<void> {
    for (const { name, numbers } of fact.columns) {
      if (numbers === undefined) continue;
      const table = numberTable(fact, name);
      if (fromScratch) await connection.run(`create or replace table ${table} (number integer, key uuid)`);
      await connection.run(
        `insert into ${table}
        select (select count(*) from ${table}) + row_number() over () - 1, key
        from (select distinct ${numbers} as key from staged where ${numbers} is not null) as g
        where not exists (select 1 from ${table} t where t.key = g.key)`,
      );
    }
    for (const made of fact.made.filter(isPack)) {
      const table = packTable(fact, made);
      if (fromScratch)
        await connection.run(`create or replace table ${table} (number integer, key ubigint, text text)`);
      const staged = keptColumns(fact)
        .filter((kept) => kept.made === made)
        .map(({ of }) => {
          const parts = made.of.map((part) => `${of(part)} as ${part}`);
          return `select distinct ${parts.join(', ')} from staged`;
        });
      const own = (column: string) => column;
      await connection.run(
        `insert into ${table}
        select (select count(*) from ${table}) + row_number() over () - 1, key, text
        from (select ${keyOfPack(made, own)} as key, ${made.sql(own)} as text from (${staged.join(' union ')}) as p) as g
        where not exists (select 1 from ${table} t where t.key = g.key and t.text = g.text)`,
      );
      const [same] = await connection.rows<{ n: number }>(
        `select count(*) - count(distinct key) as n from ${table}`,
      );
      if (same!.n > 0) throw new Error(`two values of ${table} have the same key`);
    }
  }

  /** Gives the columns of a fact whose numbers no longer fit in 16 bits 32 of them. */
  async #widen(connection: Connection, fact: StoredFact): Promise<void> {
    for (const { name, made } of keptColumns(fact).filter((kept) => isNarrow(kept.made))) {
      const numbered = isPack(made) ? packTable(fact, made) : numberTable(fact, made.of[0]!);
      const [column] = await connection.rows<{ type: string; n: number }>(
        `select data_type as type, (select count(*) from ${numbered}) as n from duckdb_columns()
        where database_name = $1 and table_name = $2 and column_name = $3`,
        [this.#catalog, fact.table, name],
      );
      const greatest = isPack(made) ? column!.n : column!.n / bitsOfWord;
      if (column!.type === 'USMALLINT' && greatest >= 2 ** 16)
        await connection.run(`alter table ${fact.table} alter ${name} type uinteger`);
    }
  }

  /** The staged rows as they are kept, once everything in them has a number. */
  #staged(fact: StoredFact): string {
    const joins: string[] = [];
    const numberIn = (table: string, key: string) => {
      const as = `n${joins.length}`;
      joins.push(`left join ${table} ${as} on ${as}.key = ${key}`);
      return `${as}.number`;
    };
    const numbers = new Map<string, string>();
    const columns = fact.columns.map(({ name, numbers: value }) => {
      if (value === undefined) return name;
      numbers.set(name, numberIn(numberTable(fact, name), `staged.${value}`));
      return `${numbers.get(name)} as ${name}`;
    });
    const made = keptColumns(fact).map(({ name, made, of }) => {
      const staged = (column: string) => numbers.get(column) ?? `staged.${of(column)}`;
      const kept = isPack(made) ? numberIn(packTable(fact, made), keyOfPack(made, staged)) : made.sql(staged);
      return `${kept} as ${name}`;
    });
    return `select cast(${quoted(this.tenantId)} as uuid) as tenant_id, ${[...columns, ...made].join(', ')}
      from staged ${joins.join(' ')}`;
  }

  /**
   * Makes new ENUM types for the `code` columns of a table that have unknown values among some rows, in the order of the
   * texts, so that sorting by them sorts by text. Each includes the empty text, because DuckDB cannot sort by an ENUM
   * without values; and each includes the values of the former one, used or not, because a column is also rewritten in
   * rows that have been deleted and are still in the file. Names of the new types by column.
   */
  async #makeTypes(
    connection: Connection,
    fact: StoredFact,
    rows: string,
    { fromScratch }: { fromScratch: boolean },
  ): Promise<Map<string, string>> {
    const { table } = fact;
    const codes = codesOf(fact);
    const made = new Map<string, string>();
    await connection.run(
      `create or replace temp table dictionary as
      select ${codes.map((name) => `list(distinct ${name}) as ${name}`).join(', ')} from ${rows}`,
    );
    const [lists] =
      await connection.rows<Record<string, (string | null)[] | null>>('select * from dictionary');
    for (const name of codes) {
      const known = this.#known.values.get(`${table}.${name}`);
      if (!fromScratch && (lists![name] ?? []).every((value) => value === null || known?.has(value)))
        continue;
      // A new name, because a former one may still exist.
      const type = `${table}_${name}_${randomUUID().slice(0, 8)}`;
      const former = fromScratch ? '' : `union select unnest(enum_range(first(${name}))) from ${table}`;
      await connection.run(
        `create type ${type} as enum (
          select value from (select '' as value union select unnest(${name}) from dictionary ${former})
          where value is not null order by value)`,
      );
      // With its place, which is not looked for while a log is replayed.
      made.set(name, `${identifier(this.#catalog)}.main.${type}`);
    }
    return made;
  }

  async #readKnown(connection: Connection): Promise<void> {
    this.#known = await this.#knownIn(connection);
  }

  /** What codes are known in the state that a connection sees. */
  async #knownIn(connection: Connection): Promise<Known> {
    const values: Known['values'] = new Map();
    for (const fact of this.facts) {
      const { table } = fact;
      const codes = codesOf(fact);
      const [lists] = await connection.rows<Record<string, string[] | null>>(
        `select ${codes.map((name) => `enum_range(${name}) as ${name}`).join(', ')}
        from (select 1) left join (select * from ${table} limit 1) on true`,
      );
      for (const name of codes)
        values.set(`${table}.${name}`, new Map((lists![name] ?? []).map((value, number) => [value, number])));
    }
    const [stored] = await connection.rows<{ codes: string }>('select codes from replica');
    return { id: stored!.codes, values };
  }

  /** How values of codes are numbered in the state that a connection sees. */
  async codes(connection: Connection): Promise<CodesOf> {
    const [stored] = await connection.rows<{ codes: string }>('select codes from replica');
    const { values } = stored!.codes === this.#known.id ? this.#known : await this.#knownIn(connection);
    return (table, column) => values.get(`${table}.${column}`);
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
  /** Everything has been loaded again. */
  all: boolean;
  days: Set<string>;
}

export interface NotedChanges {
  isAll(): boolean;
  days(): string[];
  end(): void;
}

interface Known {
  id: string;
  values: Map<string, ReadonlyMap<string, number>>;
}

const codesOf = ({ columns }: StoredFact) =>
  columns.flatMap(({ name, kind }) => (kind === 'code' ? [name] : []));

/**
 * What a question may group by among rows that it has filtered. There DuckDB knows of a number only how many bits its
 * type has, and counts in an array for 16.
 */
const isNarrow = (made: MadeColumn): boolean => isPack(made) || made.name === personWord;
const narrow = 'usmallint';

const numberTable = ({ table }: StoredFact, column: string) => `${table}_${column}`;

/** What a pack is looked up by: a hash of its texts, for which they need not be joined. */
const keyOfPack = ({ of }: MadeColumn, staged: (column: string) => string) =>
  `hash(${of.map((column) => `cast(${staged(column)} as text)`).join(', ')})`;

/** The rows of a file, as SQL: codes are texts unless they have types. */
function rowsOf(fact: StoredFact, file: RowFile | undefined, types?: ReadonlyMap<string, string>): string {
  const columns = copiedColumns(fact);
  if (!file)
    return `(select ${columns.map(({ name }) => `cast(null as text) as ${name}`).join(', ')} where false)`;
  const typed = columns.map(
    ({ name, kind }) => `${quoted(name)}: ${quoted(types?.get(name) ?? readTypes[kind])}`,
  );
  return `read_csv(${quoted(file.path)}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"',
    nullstr = '\\N', allow_quoted_nulls = false, max_line_size = 16000000, columns = {${typed.join(', ')}})`;
}

const stagedTypes: Record<ColumnKind, string> = {
  id: 'uuid',
  code: 'text',
  text: 'text',
  label: 'text',
  flag: 'boolean',
  day: 'date',
  integer: 'integer',
  wide: 'bigint',
  instant: 'timestamptz',
  ids: 'text[]',
};
/** A list comes as a text that is cast. */
const readTypes = { ...stagedTypes, ids: 'text' };
const keptTypes = { ...stagedTypes, text: 'text using compression uncompressed' };

/** Whether a file cannot be opened because another process has it open. */
export const isHeldElsewhere = (error: unknown): boolean =>
  error instanceof Error && /Conflicting lock is held|Could not set lock/.test(error.message);
