import type { Asker } from '@caseway/contract/fact';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { isLimited, type Scope } from '../scope.ts';
import { NoTurn, Turns } from '../workers/turns.ts';
import { calmMoment } from './calm-moment.ts';
import type { StoredFact } from './facts.ts';
import { isDamage, isExhaustion } from './fault-kind.ts';
import type { FollowerLimits } from './follower.ts';
import { AnalyticsBusy, AnalyticsTimeout, accountOf, inTurn, limited } from './limits.ts';
import type { CodesOf } from './picks.ts';
import type { Answering } from './readings.ts';
import type { KeeperLimits } from './roll-up-keeper.ts';
import { type Freshness, type ReplicaLag, startReplicas, type Tenant } from './tenant-replicas.ts';
import { type Question, statementFor } from './visible-facts.ts';

export interface AnalyticsOptions {
  database: Database;
  log: Logger;
  /** The facts that can be queried. */
  facts: readonly StoredFact[];
  /** The folder of the replicas, one file per tenant. Processes that share it each have their own tenants. */
  folder: string;
  /** Names this process among those that share the folder, for its temporary files. */
  place?: string;
  /** Whether this process owns a tenant's replica; always by default. */
  owns?: (tenantId: string) => boolean;
  /** For a reading over several tenants: the share of a tenant whose replica another process owns. */
  elsewhere?: Elsewhere;
  /** `postgres`: no replicas, PostgreSQL answers everything. */
  engine: 'duckdb' | 'postgres';
  /** Memory limit for DuckDB, for example `1GB`. */
  memory?: string;
  threads?: number;
  /** Milliseconds between checks of the outbox without an announcement. */
  sweepMs?: number;
  limits?: FollowerLimits;
  /** When roll-ups are made. */
  keeping?: KeeperLimits;
}

export interface Request {
  /**
   * The reader's scopes. A jurisdiction has several, one per tenant that reports to it: each tenant answers from its
   * own facts, and an answer has the rows of all of them. The caller then adds up counts of the same key, which is
   * right for persons too, because a person's record belongs to one tenant.
   */
  scopes: readonly Scope[];
  /**
   * `current`: what was committed before the call is in the answer. `any`: the replica as it is, usually less than
   * a second behind.
   */
  freshness: 'any' | 'current';
  /** Aborting it ends the running statement. */
  signal?: AbortSignal;
  /** Milliseconds for all queries, including the wait for a turn; 10 s by default. */
  timeoutMs?: number;
  /**
   * Lists go before charts, because someone is looking at them. One account may load two charts at the same time.
   * [P27]
   */
  urgency?: 'list' | 'chart';
  /** The columns that may be named; absent: every column that the scope sees, for tests and benches. */
  asks?: Asker;
}

export type Ask = <Row extends object>(question: Question) => Promise<Row[]>;

/** Which engine answers a request; `both` if each answers for some of its scopes. */
export type AnsweredBy = 'duckdb' | 'postgres' | 'both';

export type Work<T> = (ask: Ask, asOf: Date, by: AnsweredBy, version?: string) => Promise<T>;

/** One scope's share of a request. */
interface Part {
  ask: Ask;
  asOf: Date;
  by: 'duckdb' | 'postgres';
  version?: string;
}

/** A share that another process answers by running the same reading. */
export interface PartElsewhere extends Part {
  /** Passes on the rows of all shares for its last question. */
  merged(rows: readonly object[]): void;
  close(): void;
}

/** A share that another process answers; undefined if PostgreSQL has to answer. */
export type Elsewhere = (
  asked: { reading: string; args: unknown; scope: Scope } & Pick<Request, 'freshness' | 'signal' | 'urgency'>,
  deadline: number,
) => Promise<PartElsewhere | undefined>;

export interface Analytics extends Answering {
  /**
   * Answers one query. `asOf` is the moment up to which commits are in the answer. Throws AnalyticsTimeout,
   * AnalyticsBusy, or the signal's reason.
   */
  query<Row extends object>(request: Request & Question): Promise<{ rows: Row[]; asOf: Date }>;
  /**
   * Answers several queries from one state of the facts. As long as `version` is the same, so are the facts; it is
   * undefined if that is not known.
   */
  read<T>(request: Request, work: Work<T>): Promise<T>;
  /** Calls `heard` whenever a tenant's replica has been updated. Returns a function that stops it. */
  onFreshness(heard: (freshness: Freshness) => void): () => void;
  /**
   * Seconds since the state of each tenant's replica, null if PostgreSQL answers instead; and whether the last
   * update failed.
   */
  lag(): ReplicaLag[];
  /** The same, with the size of each replica's file. */
  replicas(): Promise<(ReplicaLag & { bytes: number })[]>;
  /**
   * Resolves when the tenant's replica has everything that was committed before the call. For imports, tests, benches.
   */
  caughtUp(tenantId: string): Promise<void>;
  /** Makes the roll-ups that questions have asked for since the start; resolves when they are kept. For tests, benches. */
  rolledUp(tenantId: string): Promise<void>;
  /** Opens the replica of a tenant that this process now owns. */
  take(tenantId: string): void;
  /** Closes the replica of a tenant that another process will own. */
  letGo(tenantId: string): Promise<void>;
  /** Another process of this server has ended: its replicas are free. */
  ended(process: string): void;
  /** How many facts a tenant's replica holds; undefined if there is none. */
  size(tenantId: string): Promise<number | undefined>;
  close(): Promise<void>;
}

const defaultTimeoutMs = 10_000;
/** How long a chart waits for its account's earlier ones before it is refused. */
const chartWaitMs = 5_000;
type LookElsewhere = (scope: Scope, deadline: number) => Promise<PartElsewhere | undefined>;

/** Starts the analytics engine: opens the replicas and keeps following. Resolves once it can answer. */
export async function startAnalytics(options: AnalyticsOptions): Promise<Analytics> {
  const { database, log, facts } = options;
  const replicas = await startReplicas(options);
  const charts = new Turns({ places: Number.POSITIVE_INFINITY, perKey: 2, waiting: 1000 });
  // Each statement uses all of DuckDB's threads, so more at the same time are no faster. Each also occupies one of
  // libuv's threads, which files and hashes need too.
  const statements = new Turns({ places: 3, keptForFirst: 1, perKey: 1 });
  // A chart on PostgreSQL occupies a connection of the pool for as long as it takes.
  const places = Math.max(2, Math.floor(database.size * 0.4));
  const lent = new Turns({ places, keptForFirst: Math.floor(places / 2) });
  async function read<T>(request: Request, work: Work<T>, lookElsewhere?: LookElsewhere): Promise<T> {
    const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
    const deadline = performance.now() + timeoutMs;
    if (request.urgency === 'list') return readBy(deadline, request, work, lookElsewhere);
    const turn = {
      key: accountOf(request.scopes[0]),
      withinMs: Math.min(chartWaitMs, timeoutMs),
      signal: request.signal,
    };
    const end = await charts.take(turn).catch((error) => {
      throw error instanceof NoTurn ? new AnalyticsBusy() : error;
    });
    try {
      return await readBy(deadline, request, work, lookElsewhere);
    } finally {
      end();
    }
  }

  async function readBy<T>(
    deadline: number,
    request: Request,
    work: Work<T>,
    lookElsewhere?: LookElsewhere,
  ): Promise<T> {
    const parts: (Part & Partial<PartElsewhere>)[] = [];
    const ask: Ask = async <Row extends object>(question: Question) => {
      const rows: Row[] = [];
      for (const part of parts) for (const row of await part.ask<Row>(question)) rows.push(row);
      for (const part of parts) part.merged?.(rows);
      return rows;
    };
    // One turn for all tenants of a question. A question that held some turns and waited for more could deadlock
    // with another.
    let hasTurn = false;
    const postgres = (scope: Scope, withPart: (part: Part) => Promise<T>): Promise<T> => {
      const answer = () => inDatabase(scope, request, deadline, withPart);
      if (hasTurn || request.urgency === 'list') return answer();
      hasTurn = true;
      return inTurn(lent, undefined, request, deadline, answer);
    };
    const open = async (index: number): Promise<T> => {
      const scope = request.scopes[index];
      if (!scope) {
        const now = request.scopes.some(isLimited) ? calmMoment().getTime() : Date.now();
        const asOf = new Date(Math.min(now, ...parts.map((part) => part.asOf.getTime())));
        const engines = new Set(parts.map((part) => part.by));
        const versions = parts.map((part) => part.version);
        const version = versions.includes(undefined) ? undefined : versions.join();
        return work(ask, asOf, engines.size === 1 ? parts[0]!.by : 'both', version);
      }
      const tenant = await replicas.readable(scope, request.freshness);
      const withPart = (part: Part) => {
        parts[index] = part;
        return open(index + 1);
      };
      const other = tenant ? undefined : await lookElsewhere?.(scope, deadline);
      if (other) return withPart(other).finally(() => other.close());
      if (!tenant) return postgres(scope, withPart);
      try {
        return await askDuck(tenant, scope, request, deadline, withPart);
      } catch (error) {
        if (!isDamage(error) && !isExhaustion(error)) throw error;
        log.error({ err: error, tenantId: tenant.replica.tenantId }, 'an analytics replica could not answer');
        if (isDamage(error)) void replicas.distrust(tenant);
        return postgres(scope, withPart);
      }
    };
    return open(0);
  }

  async function askDuck<T>(
    tenant: Tenant,
    scope: Scope,
    request: Request,
    deadline: number,
    withPart: (part: Part) => Promise<T>,
  ): Promise<T> {
    tenant.readers += 1;
    try {
      const connection = await tenant.replica.connect();
      try {
        // The position is at most that of the last batch when the transaction begins to read.
        const { asOf } = tenant.replica.position!;
        const { version } = tenant.replica;
        let codesOf: CodesOf | undefined;
        const ask: Ask = async <Row extends object>(given: Question) => {
          codesOf ??= await tenant.replica.codes(connection);
          const kept = given.rolled && (await tenant.keeper.keptFor(connection, scope, given.rolled));
          const question = (kept && given.rolled?.from(kept)) || given;
          const { asks } = request;
          const { text, params } = statementFor(facts, scope, question, 'duckdb', { asks, codesOf });
          return inTurn(statements, scope, request, deadline, () =>
            limited(connection, request.signal, deadline, () => connection.rows<Row>(text, params)),
          );
        };
        return await connection.transaction(() => withPart({ ask, asOf, by: 'duckdb', version }), {
          readOnly: true,
        });
      } finally {
        connection.close();
      }
    } finally {
      tenant.readers -= 1;
      tenant.keeper.wake();
    }
  }

  function inDatabase<T>(
    scope: Scope,
    request: Request,
    deadline: number,
    withPart: (part: Part) => Promise<T>,
  ): Promise<T> {
    return database.withScope(
      scope,
      async (tx) => {
        const [moment] = await tx.rows<{ now: Date }>('select clock_timestamp() as now');
        const ask: Ask = async <Row extends object>(question: Question) => {
          const { text, params } = statementFor(facts, scope, question, 'postgres', {
            asks: request.asks,
          });
          request.signal?.throwIfAborted();
          const left = Math.floor(deadline - performance.now());
          if (left <= 0) throw new AnalyticsTimeout();
          await tx.run(`set local statement_timeout = ${left}`);
          try {
            return await tx.rows<Row>(text, params);
          } catch (error) {
            if ((error as { code?: string }).code === '57014') throw new AnalyticsTimeout();
            throw error;
          }
        };
        return withPart({ ask, asOf: moment!.now, by: 'postgres' });
      },
      { readOnly: true, snapshot: true },
    );
  }

  return {
    read: (request, work) => read(request, work),
    answer(request, reading, args) {
      const { freshness, signal, urgency } = request;
      const asked = { reading: reading.name, args, freshness, signal, urgency };
      return read(
        { ...request, asks: reading.asks },
        (ask, asOf, by, version) => reading.run(ask, args, { scopes: request.scopes, asOf, by, version }),
        options.elsewhere && ((scope, deadline) => options.elsewhere!({ ...asked, scope }, deadline)),
      );
    },
    declare() {},
    query: ({ with: further, select, params, ...request }) =>
      read(request, async (ask, asOf) => ({ rows: await ask({ with: further, select, params }), asOf })),
    ...replicas.about,
    ended() {},
    close: replicas.close,
  };
}
