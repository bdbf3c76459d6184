import type { Readable, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import {
  DefaultQueryExecutor,
  DummyDriver,
  type Kysely,
  type KyselyProps,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  Transaction,
} from 'kysely';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Logger } from 'pino';
import { beginningOf, keepDecided, type Scope } from '../scope.ts';
import { columnTypes } from './column-types.ts';
import { listenTo } from './listen.ts';
import { afterSilence, PatientClient, type PatientConfig, watched } from './patience.ts';
import { assertApplicationRole } from './roles.ts';
import type { Schema } from './schema.ts';

export interface ScopeOptions {
  /** The transaction cannot write. */
  readOnly?: boolean;
  /** Every statement sees the same state. */
  snapshot?: boolean;
  /** Milliseconds any single statement may take; then it fails with SQLSTATE 57014. */
  statementTimeoutMs?: number;
  /** Milliseconds without an answer after which the connection is given up; 30 s for a request by default. */
  silenceMs?: number;
}

export interface DatabaseOptions {
  /** Connection string of the application role. */
  url: string;
  log: Logger;
  /** Connections at most; 10 by default. */
  poolSize?: number;
  /** Milliseconds for which somebody waits for a connection; 5 s by default. */
  patienceMs?: number;
}

/** The one door to the data: a connection leaves this object only inside a scope. */
export interface Database {
  /**
   * Runs `work` in one transaction on one connection that sees what `scope` may see, and commits when it returns. If it
   * throws, everything is rolled back and the error is passed on. Nothing is tried again. Throws an Error with the
   * message `the transaction was aborted` if `work` swallowed a failed statement.
   */
  withScope<T>(scope: Scope, work: (tx: Tx) => Promise<T>, options?: ScopeOptions): Promise<T>;
  /**
   * Calls `heard` with the payload of each notification on a channel. The connection is renewed when it is lost;
   * `missed` is called then, because messages sent in between are lost.
   */
  listen(
    channel: string,
    heard: (payload: string) => void,
    missed?: () => void,
  ): Promise<() => Promise<void>>;
  /** Resolves when the database answers; rejects with its error otherwise. */
  ping(): Promise<void>;
  /** Connections in use, at rest, and requests that wait for one. */
  usage(): { total: number; idle: number; waiting: number };
  /** Waits for running transactions and closes all connections. */
  close(): Promise<void>;
}

/** How long a statement of someone's request may go without an answer. A database that hangs gives none, ever. */
const silenceMs = 30_000;

/** The same for the check whether the database is there. */
const pingMs = 2_000;

/** The connection of a transaction, as long as the transaction lasts. */
class Lent {
  #client: pg.PoolClient | undefined;
  #under: Promise<unknown> | undefined;
  readonly #silenceMs: number | undefined;

  constructor(client: pg.PoolClient, silenceMs: number | undefined) {
    this.#client = client;
    this.#silenceMs = silenceMs;
  }

  #watched<T>(client: pg.PoolClient, answer: Promise<T>): Promise<T> {
    return this.#silenceMs === undefined ? answer : watched(client, this.#silenceMs, answer);
  }

  /** Waits for the running statement, and throws its error. */
  async settled(): Promise<void> {
    while (this.#under) {
      const under = this.#under;
      try {
        await under;
      } finally {
        if (this.#under === under) this.#under = undefined;
      }
    }
  }

  now(): pg.PoolClient {
    if (!this.#client) throw new Error('the transaction has ended');
    if (this.#under) throw new Error('a statement is still on its way');
    return this.#client;
  }

  /** Sends a statement while nothing else is being sent. */
  async ask<T>(question: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    // Another call may have sent one since.
    while (this.#under) await this.settled();
    const client = this.now();
    return this.#watched(client, question(client));
  }

  async send(statement: pg.QueryConfig): Promise<void> {
    while (this.#under) await this.settled();
    const client = this.now();
    this.#under = this.#watched(client, client.query(statement));
    this.#under.catch(() => {});
    // Large values are sent in several turns.
    await turn();
  }

  end(): void {
    this.#client = undefined;
  }
}

/**
 * A transaction: everything Kysely offers, typed by the migrated schema, and statements that Kysely cannot express. It
 * no longer works once `withScope` has returned.
 */
export class Tx extends Transaction<Schema> {
  readonly #lent: Lent;
  readonly #last: (() => Promise<void>)[];
  readonly #tenantId: string | undefined;

  constructor(props: KyselyProps, lent: Lent, scope: Scope, last: (() => Promise<void>)[]) {
    super(props);
    this.#lent = lent;
    this.#last = last;
    this.#tenantId = 'tenantId' in scope ? scope.tenantId : undefined;
  }

  /** The tenant of the scope, which every statement on its records names. Throws in a scope without one. */
  get tenantId(): string {
    if (this.#tenantId === undefined) throw new Error('this scope has no tenant');
    return this.#tenantId;
  }

  /**
   * Runs something after all other work of the transaction, right before the commit: for work that takes a lock that
   * others wait for. It is skipped if the transaction is rolled back.
   */
  atEnd(work: () => Promise<void>): void {
    this.#last.push(work);
  }

  /** The rows of a statement given as text with `$1` placeholders. */
  async rows<Row extends object = Record<string, unknown>>(
    text: string,
    params: readonly unknown[] = [],
  ): Promise<Row[]> {
    return (await this.#lent.ask((client) => client.query<Row>(text, params as unknown[]))).rows;
  }

  /**
   * The same as `rows` for a frequent statement: a connection plans it once, by its `name`, which belongs to this one
   * text. Planning what row-level security adds takes longer than finding a row.
   */
  async prepared<Row extends object = Record<string, unknown>>(
    name: string,
    text: string,
    params: readonly unknown[] = [],
  ): Promise<Row[]> {
    return (await this.#lent.ask((client) => client.query<Row>({ name, text, values: params as unknown[] })))
      .rows;
  }

  /** How many rows a statement given as text inserted, updated or deleted. */
  async run(text: string, params: readonly unknown[] = []): Promise<number> {
    return (await this.#lent.ask((client) => client.query(text, params as unknown[]))).rowCount ?? 0;
  }

  /**
   * Sends a statement whose answer nobody needs, and returns while it runs, so that the next one can be prepared. The
   * next statement and the end of the transaction wait for it, and throw its error. With a name it is planned once per
   * connection, as by `prepared`.
   */
  async send(text: string, params: readonly unknown[] = [], name?: string): Promise<void> {
    await this.#lent.send({ name, text, values: params as unknown[] });
  }

  /**
   * Takes rows for `copy … from stdin`; wait for its `finish` before the next statement. PostgreSQL does not copy into
   * a table with row-level security: copy into a temporary table (`on commit drop`) and insert from there.
   */
  copyFrom(text: string): Writable & { rowCount: number } {
    return this.#lent.now().query(copyFrom(text));
  }

  /** Gives the rows of `copy … to stdout`; read it to its end before the next statement. */
  copyTo(text: string): Readable & { rowCount: number } {
    return this.#lent.now().query(copyTo(text));
  }
}

/**
 * Opens the pool of the application role. Throws one clear sentence when the database cannot be reached or when its
 * role could see past row-level security. [P3]
 */
export async function openDatabase({
  url,
  log,
  poolSize = 10,
  patienceMs = 5000,
}: DatabaseOptions): Promise<Database> {
  const poolSettings: pg.PoolConfig & PatientConfig = {
    connectionString: url,
    application_name: 'caseway',
    max: poolSize,
    Client: PatientClient,
    patienceMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: columnTypes,
  };
  const pool = new pg.Pool(poolSettings);
  pool.on('connect', (client) => {
    // A connection that breaks while it is lent fails its statement; without a listener it would end the process.
    client.on('error', () => {});
  });
  let closed = false;
  pool.on('error', (error) => {
    const { code } = error as { code?: string };
    if (!closed) log.warn({ code }, 'an idle database connection was lost');
  });

  let propagation = '';
  try {
    await assertApplicationRole((text) => pool.query(text));
    const { rows } = await pool.query("select from pg_extension where extname = 'citus'");
    // On Citus the settings below reach the workers' shards only with this setting.
    if (rows.length > 0) propagation = "set local citus.propagate_set_commands = 'local';";
  } catch (error) {
    await pool.end();
    throw error;
  }

  /** A connection of the pool, as soon as one is free. */
  async function lend(): Promise<pg.PoolClient> {
    const lent = pool.connect();
    let heard = () => {};
    const late = new Promise<never>((_, reject) => {
      heard = afterSilence(patienceMs, () => {
        reject(new Error('timeout exceeded when trying to connect'));
        // One that comes after all is for the next.
        lent.then(
          (client) => client.release(),
          () => {},
        );
      });
    });
    try {
      return await Promise.race([lent, late]);
    } finally {
      heard();
    }
  }

  const compiler = new PostgresQueryCompiler();
  const adapter = new PostgresAdapter();
  const driver = new DummyDriver();
  const dialect = {
    createAdapter: () => adapter,
    createDriver: () => driver,
    createIntrospector: (kysely: Kysely<unknown>) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => compiler,
  };
  const listening = new Set<() => Promise<void>>();

  function opening(
    settings: Record<string, string>,
    { readOnly, snapshot, statementTimeoutMs }: ScopeOptions,
  ): string {
    if (statementTimeoutMs !== undefined) settings.statement_timeout = String(Math.ceil(statementTimeoutMs));
    const isolation = snapshot ? 'repeatable read' : 'read committed';
    return `begin isolation level ${isolation}${readOnly ? ' read only' : ''};${propagation}${setting(settings)}`;
  }

  /** The decisions that each connection has planned. */
  const planned = new WeakMap<pg.PoolClient, Set<string>>();

  /** Begins a transaction that sees what a scope may see. */
  async function begin(client: pg.PoolClient, scope: Scope, options: ScopeOptions): Promise<void> {
    const { settings, decisions } = beginningOf(scope);
    const known = planned.get(client) ?? new Set();
    planned.set(client, known);
    for (const { name, text } of decisions) {
      if (known.has(name)) continue;
      await client.query(`prepare ${name} as ${text}`);
      known.add(name);
    }
    // All of it in one round trip, whose last answers are those of the decisions.
    const asked = decisions.map(({ name }) => `execute ${name};`).join('');
    const answers = (await client.query(opening(settings, options) + asked)) as unknown as pg.QueryResult[];
    keepDecided(
      scope,
      decisions,
      decisions.map((_, index) => answers.at(index - decisions.length)!.rows[0]),
    );
  }

  async function withScope<T>(
    scope: Scope,
    work: (tx: Tx) => Promise<T>,
    options: ScopeOptions = {},
  ): Promise<T> {
    const client = await lend();
    // Work of the product itself, such as an import or a check of the whole audit log, may take any time.
    const isRequest = scope.kind === 'org' || scope.kind === 'patient' || scope.kind === 'identity';
    const lent = new Lent(client, options.silenceMs ?? (isRequest ? silenceMs : undefined));
    const connection = {
      async executeQuery<R>(query: { sql: string; parameters: readonly unknown[] }): Promise<QueryResult<R>> {
        const { command, rowCount, rows } = await lent.ask((client) =>
          client.query(query.sql, query.parameters as unknown[]),
        );
        const changed =
          command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
        return { rows: rows as R[], ...(changed && { numAffectedRows: BigInt(rowCount ?? 0) }) };
      },
      // biome-ignore lint/correctness/useYield: the interface asks for a generator
      async *streamQuery(): AsyncIterableIterator<never> {
        throw new Error('rows are streamed with copyTo');
      },
    };
    const executor = new DefaultQueryExecutor(compiler, adapter, {
      provideConnection: (consumer) => consumer(connection),
    });
    let broken: Error | undefined;
    try {
      await lent.ask(() => begin(client, scope, options));
      const last: (() => Promise<void>)[] = [];
      const result = await work(
        new Tx({ config: { dialect }, driver, dialect, executor }, lent, scope, last),
      );
      for (const end of last) await end();
      await lent.settled();
      const { command } = await lent.ask(() => {
        lent.end();
        return client.query('commit');
      });
      // PostgreSQL answers COMMIT with ROLLBACK if a statement failed before; nothing was stored.
      if (command === 'ROLLBACK') throw new Error('the transaction was aborted');
      return result;
    } catch (error) {
      // What was sent comes before the statement that failed here, so its error says more.
      const first = await lent.settled().then(
        () => error,
        (earlier) => earlier,
      );
      lent.end();
      await watched(client, silenceMs, client.query('rollback')).catch((lost: Error) => {
        broken = lost;
      });
      throw first;
    } finally {
      client.release(broken);
    }
  }

  async function listen(
    channel: string,
    heard: (payload: string) => void,
    missed?: () => void,
  ): Promise<() => Promise<void>> {
    const end = await listenTo({ url, channel, heard, missed });
    listening.add(end);
    return () => {
      listening.delete(end);
      return end();
    };
  }

  return {
    withScope,
    listen,
    async ping() {
      const client = await lend();
      let broken: Error | undefined;
      try {
        await watched(client, pingMs, client.query('select 1'));
      } catch (error) {
        broken = error as Error;
        throw error;
      } finally {
        client.release(broken);
      }
    },
    usage: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      closed = true;
      await Promise.all([pool.end(), ...[...listening].map((end) => end())]);
    },
  };
}

/** Sets values until the end of the transaction. */
const setting = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set local ${name} = ${literal(value)};`)
    .join('');

/** A string as an SQL literal. SET takes no parameters, and a zero byte would end the text for the server. */
function literal(value: string): string {
  if (value.includes('\0')) throw new Error('a setting holds a zero byte');
  return pg.escapeLiteral(value);
}
