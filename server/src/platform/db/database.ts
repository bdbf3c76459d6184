import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Logger } from 'pino';
import type { Scope } from '../scope.ts';
import { beginning } from './beginning.ts';
import { Lent } from './lent.ts';
import { listenTo } from './listen.ts';
import { watched } from './patience.ts';
import { hasCitus, isDistributed } from './places.ts';
import { Pool } from './pool.ts';
import { refuseLocal, tenantReadNear } from './reads-near.ts';
import { assertApplicationRole, assertLogsIn } from './roles.ts';
import type { Schema } from './schema.ts';
import { setting } from './setting.ts';
import { SharedTurns } from './shared-turns.ts';
import { TenantServers } from './tenant-servers.ts';

export interface ScopeOptions {
  /** The transaction cannot write. */
  readOnly?: boolean;
  /**
   * For data that only the coordinator has if tables are spread over servers: local tables, locks, its own number.
   * All other transactions that only read one tenant go straight to the tenant's server.
   */
  atCoordinator?: boolean;
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
  /**
   * Milliseconds to wait for a free connection; 5 s by default. A fifth of it for one to the tenant's own server,
   * before the coordinator is asked.
   */
  patienceMs?: number;
}

/** The one door to the data: a connection leaves this object only inside a scope. */
export interface Database {
  /**
   * Runs `work` in one transaction on one connection that sees what `scope` may see, and commits when it returns. If
   * it throws, everything is rolled back and the error is passed on. Nothing is retried. Throws an Error with the
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
  /** Connections in use, idle connections, and requests that wait for one; for all servers together. */
  usage(): { total: number; idle: number; waiting: number };
  /**
   * On a database whose tables are spread over servers: transactions since the start that only read one tenant, by
   * whether they went to its own server or through the coordinator.
   */
  reads(): { near: number; through: number };
  /** The maximum number of connections to the database, or to the coordinator. */
  readonly size: number;
  /** Waits for running transactions and closes all connections. */
  close(): Promise<void>;
}

/** How long a statement of a person's request may go without an answer. A hanging database never answers. */
const silenceMs = 30_000;

/** The same for the check whether the database answers. */
const pingMs = 2_000;

/**
 * A transaction: everything Kysely offers, typed by the migrated schema, and statements that Kysely cannot express. It
 * no longer works once `withScope` has returned.
 */
export class Tx extends Transaction<Schema> {
  readonly #lent: Lent;
  readonly #last: (() => Promise<void>)[];
  readonly #tenantId: string | undefined;
  readonly #kind: Scope['kind'];

  constructor(props: KyselyProps, lent: Lent, scope: Scope, last: (() => Promise<void>)[]) {
    super(props);
    this.#lent = lent;
    this.#last = last;
    this.#tenantId = 'tenantId' in scope ? scope.tenantId : undefined;
    this.#kind = scope.kind;
  }

  /** The tenant of the scope, for statements on its records. Throws in a scope without a tenant. */
  get tenantId(): string {
    if (this.#tenantId === undefined) throw new Error('this scope has no tenant');
    return this.#tenantId;
  }

  /**
   * Runs work after all other work of the transaction, right before the commit: for work that takes a lock that
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
    return (await this.#lent.ask((client) => client.query<Row>(text, params as unknown[]), text)).rows;
  }

  /**
   * The same as `rows` for a frequent statement: a connection plans it once, under its `name`, which belongs to this
   * text alone. Planning what row-level security adds takes longer than finding a row.
   */
  async prepared<Row extends object = Record<string, unknown>>(
    name: string,
    text: string,
    params: readonly unknown[] = [],
  ): Promise<Row[]> {
    return (await this.#lent.prepared<Row>(name, text, params)).rows;
  }

  /** The number of rows that a statement given as text inserted, updated or deleted. */
  async run(text: string, params: readonly unknown[] = []): Promise<number> {
    return (await this.#lent.ask((client) => client.query(text, params as unknown[]), text)).rowCount ?? 0;
  }

  /**
   * The same as `run`, for one statement in the scope `identity`, which sees nothing of the tenant but accounts and
   * what belongs to them. For the service, if its change has to reach rows that only that scope may write. If it
   * fails, the transaction has failed, or returns to a savepoint and so to its own scope.
   */
  async runAsIdentity(text: string, params: readonly unknown[] = []): Promise<number> {
    if (this.#kind !== 'service') throw new Error('only the service changes its scope');
    await this.run(setting({ 'app.scope': 'identity' }));
    const changed = await this.run(text, params);
    await this.run(setting({ 'app.scope': this.#kind }));
    return changed;
  }

  /**
   * Sends a statement whose answer nobody needs, and returns while it runs, so that the next one can be prepared.
   * The next statement and the end of the transaction wait for it, and throw its error. With a name, it is planned
   * once per connection, like `prepared`.
   */
  async send(text: string, params: readonly unknown[] = [], name?: string): Promise<void> {
    await this.#lent.send({ name, text, values: params as unknown[] });
  }

  /**
   * Accepts rows for `copy … from stdin`; wait for its `finish` before the next statement. PostgreSQL does not copy
   * into a table with row-level security: copy into a temporary table (`on commit drop`) and insert from there.
   */
  copyFrom(text: string): Writable & { rowCount: number } {
    return this.#lent.copying(text).query(copyFrom(text));
  }

  /** Writes the rows of `copy … to stdout`, and returns their number. */
  async copyTo(text: string, into: Writable): Promise<number> {
    const rows = this.#lent.copying(text).query(copyTo(text));
    await pipeline(rows, into);
    // The number follows the rows, often in its own packet, and is 0 until then. The next statement waits for it.
    await this.rows('select 1');
    return rows.rowCount;
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
  const pool = new Pool({ url, log, size: poolSize, patienceMs });
  let isSpread = false;
  let servers: TenantServers | undefined;
  try {
    await assertApplicationRole((text) => pool.query(text));
    isSpread = await hasCitus(pool);
    if (isSpread) await assertLogsIn((text) => pool.query(text));
    // Half as many connections to each, because the coordinator needs some on them too.
    if (isSpread && (await isDistributed(pool)))
      servers = new TenantServers({
        url,
        coordinator: pool,
        log,
        size: Math.ceil(poolSize / 2),
        patienceMs: patienceMs / 5,
      });
  } catch (error) {
    await pool.close();
    throw error;
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
  const reads = { near: 0, through: 0 };

  async function withScope<T>(
    scope: Scope,
    work: (tx: Tx) => Promise<T>,
    options: ScopeOptions = {},
  ): Promise<T> {
    const tenantId = tenantReadNear(scope, options);
    const near =
      tenantId === undefined
        ? undefined
        : await servers?.begin(tenantId, () => beginning(scope, options, 'tenant server'));
    if (servers && tenantId !== undefined) reads[near ? 'near' : 'through'] += 1;
    const client = near?.client ?? (await pool.lend(patienceMs));
    // Work of the product itself, such as an import or a check of the whole audit log, may take any time.
    const isRequest = scope.kind === 'org' || scope.kind === 'patient' || scope.kind === 'identity';
    const lent = new Lent(client, {
      silenceMs: options.silenceMs ?? (isRequest ? silenceMs : undefined),
      turns: isSpread && !options.readOnly ? new SharedTurns() : undefined,
      refuse: tenantId === undefined ? undefined : refuseLocal,
      near: near && tenantId,
    });
    const connection = {
      async executeQuery<R>(query: { sql: string; parameters: readonly unknown[] }): Promise<QueryResult<R>> {
        const { command, rowCount, rows } = await lent.ask(
          (client) => client.query(query.sql, query.parameters as unknown[]),
          query.sql,
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
      const at = isSpread ? 'coordinator' : 'only server';
      if (!near) await lent.ask((client) => beginning(scope, options, at)(client));
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
      // A sent statement comes before the one that failed here, so its error says more.
      const first = await lent.settled().then(
        () => error,
        (earlier) => earlier,
      );
      lent.end();
      await watched(client, silenceMs, client.query('rollback')).catch((lost: Error) => {
        broken = lost;
      });
      near?.failed(first);
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
      const client = await pool.lend(patienceMs);
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
    size: poolSize,
    usage() {
      const all = [pool.usage(), ...(servers?.usage() ?? [])];
      const sum = (of: 'total' | 'idle' | 'waiting') => all.reduce((so, one) => so + one[of], 0);
      return { total: sum('total'), idle: sum('idle'), waiting: sum('waiting') };
    },
    reads: () => ({ ...reads }),
    async close() {
      await Promise.all([pool.close(), servers?.close(), ...[...listening].map((end) => end())]);
    },
  };
}
