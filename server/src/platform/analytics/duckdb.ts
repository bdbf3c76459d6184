import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDateValue,
  DuckDBInstance,
  DuckDBListValue,
  DuckDBTimestampTZValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
  INTEGER,
  LIST,
  listValue,
  SQLNULL,
  VARCHAR,
} from '@duckdb/node-api';
import type { Param } from './visible-facts.ts';

export type Value = string | number | boolean | null | Date | Value[];
export type Row = Record<string, Value>;

/** DuckDB within this process: all replicas are attached to one instance and share its memory and threads. */
export class Duck {
  readonly #instance: DuckDBInstance;

  private constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  /**
   * Opens DuckDB so that it can reach only the files in `folder`, and so that this can no longer be changed. Where
   * its dialect has a choice, it follows PostgreSQL: integer division, and nulls as the greatest values. `place`
   * names this process among those that share the folder.
   */
  static async open(folder: string, { memory = '1GB', threads = 2, place = '' } = {}): Promise<Duck> {
    const spill = join(folder, 'spill', place);
    await rm(spill, { recursive: true, force: true });
    await mkdir(spill, { recursive: true, mode: 0o700 });
    const instance = await DuckDBInstance.create(':memory:', {
      threads: String(threads),
      memory_limit: memory,
      temp_directory: spill,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      preserve_insertion_order: 'false',
      // Groups of codes and numbers are counted in arrays without hashing up to this many bits of keys: a fifth faster
      // for codes, several times for packs of codes.
      perfect_ht_threshold: '24',
      integer_division: 'true',
      default_null_order: 'nulls_last_on_asc_first_on_desc',
    });
    const connection = await instance.connect();
    try {
      await connection.run("set global TimeZone = 'UTC'");
      await connection.run(`set allowed_directories = [${quoted(`${folder}/`)}]`);
      await connection.run('set enable_external_access = false');
      await connection.run('set lock_configuration = true');
    } finally {
      connection.closeSync();
    }
    return new Duck(instance);
  }

  /** A separate connection, whose statements find a replica's tables without a prefix. The caller closes it. */
  async connect(catalog?: string): Promise<Connection> {
    const connection = await this.#instance.connect();
    try {
      if (catalog) await connection.run(`use ${identifier(catalog)}`);
    } catch (error) {
      connection.closeSync();
      throw error;
    }
    return new Connection(connection);
  }

  close(): void {
    this.#instance.closeSync();
  }
}

export class Connection {
  readonly #connection: DuckDBConnection;

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  async run(text: string, params: readonly Param[] = []): Promise<void> {
    await this.#connection.run(text, params.map(toDuck), params.map(typeOf));
  }

  /** The rows of a statement, with values in the form of PostgreSQL's driver. */
  async rows<R extends object = Row>(text: string, params: readonly Param[] = []): Promise<R[]> {
    const result = await this.#connection.run(text, params.map(toDuck), params.map(typeOf));
    const names = result.deduplicatedColumnNames();
    const types = result.columnTypes();
    const rows: Row[] = [];
    // The whole answer is already in memory. Fetching each piece like a stream would take a turn of the event loop,
    // and an answer with many counts has dozens.
    for (let index = 0; index < result.chunkCount; index++) {
      const chunk = result.getChunk(index);
      const first = rows.length;
      for (let row = 0; row < chunk.rowCount; row++) rows.push({});
      names.forEach((name, column) => {
        const type = types[column]!;
        chunk.visitColumnValues(column, (value, row) => {
          rows[first + row]![name] = fromDuck(value, type);
        });
      });
    }
    return rows as R[];
  }

  /** Runs `work` in one transaction; when it throws, nothing has been changed. */
  async transaction<T>(work: () => Promise<T>, { readOnly = false } = {}): Promise<T> {
    await this.run(readOnly ? 'begin transaction read only' : 'begin transaction');
    try {
      const result = await work();
      await this.run('commit');
      return result;
    } catch (error) {
      // A statement that was interrupted or failed may already have ended the transaction.
      await this.run('rollback').catch(() => {});
      throw error;
    }
  }

  /** Ends the statement that is running; its promise is rejected. */
  interrupt(): void {
    this.#connection.interrupt();
  }

  close(): void {
    this.#connection.closeSync();
  }
}

/** A text as an SQL literal. Only for texts that this program chose, such as the name of a file. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function typeOf(param: Param): DuckDBType {
  if (param === null) return SQLNULL;
  if (typeof param === 'boolean') return BOOLEAN;
  if (typeof param === 'number')
    return Number.isInteger(param) && Math.abs(param) < 2 ** 31 ? INTEGER : DOUBLE;
  return typeof param === 'string' ? VARCHAR : LIST(VARCHAR);
}

const toDuck = (param: Param): DuckDBValue =>
  typeof param === 'object' && param !== null ? listValue(param) : param;

function fromDuck(value: DuckDBValue, type: DuckDBType): Value {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return value;
  if (typeof value === 'bigint') {
    if (type.typeId !== DuckDBTypeId.BIGINT)
      throw new Error('a sum has no type that both engines share: cast it to bigint or double precision');
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new Error('a bigint is too large for a number');
    return number;
  }
  if (value instanceof DuckDBDateValue || type.typeId === DuckDBTypeId.UUID) return value.toString();
  if (value instanceof DuckDBTimestampTZValue) return new Date(Number(value.micros / 1000n));
  if (value instanceof DuckDBListValue) return value.items.map((item) => fromDuck(item, VARCHAR));
  throw new Error(`a value of the type ${type} has no form that both engines share: cast it`);
}
