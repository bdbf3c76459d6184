import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asker } from '@caseway/contract/fact';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { each } from '../db/every-tenant.ts';
import { asAppError } from '../http/app-error.ts';
import { isLimited, type Scope } from '../scope.ts';
import { regularly } from '../workers/regularly.ts';
import { NoTurn, Turns } from '../workers/turns.ts';
import { calmMoment, sweepMs as usualSweepMs } from './calm-moment.ts';
import { Duck } from './duckdb.ts';
import type { StoredFact } from './facts.ts';
import { faultKind } from './fault-kind.ts';
import { Follower, type FollowerLimits } from './follower.ts';
import { AnalyticsBusy, AnalyticsTimeout, accountOf, inTurn, limited } from './limits.ts';
import { outboxChannel } from './outbox.ts';
import type { CodesOf } from './picks.ts';
import type { Answering } from './readings.ts';
import { isHeldElsewhere, Replica } from './replica.ts';
import { type KeeperLimits, RollUpKeeper } from './roll-up-keeper.ts';
import { type Question, statementFor } from './visible-facts.ts';

export interface AnalyticsOptions {
  database: Database;
  log: Logger;
  /** What can be asked about. */
  facts: readonly StoredFact[];
  /** Where the replicas are kept, one file per tenant. Processes that share it each have tenants of their own. */
  folder: string;
  /** Names this process among those that share the folder, for its temporary files. */
  place?: string;
  /** Whether this process is the one with a tenant's replica; always by default. */
  owns?: (tenantId: string) => boolean;
  /** For a reading over several tenants: the share of one whose replica another process has. */
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
  /** A list that someone is looking at goes before charts. One account may load two charts at the same time. [P27] */
  urgency?: 'list' | 'chart';
  /** Which columns may be named; absent: every column that the scope sees, for tests and benches. */
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

/** A share that another process answers, which runs the same reading. */
export interface PartElsewhere extends Part {
  /** Gives it the rows of all shares for its last question. */
  merged(rows: readonly object[]): void;
  close(): void;
}

/** A share that another process answers; undefined if PostgreSQL has to answer. */
export type Elsewhere = (
  asked: { reading: string; args: unknown; scope: Scope } & Pick<Request, 'freshness' | 'signal' | 'urgency'>,
  deadline: number,
) => Promise<PartElsewhere | undefined>;

export interface Freshness {
  tenantId: string;
  /** The moment of the state in the replica. */
  asOf: Date;
  /** Whether facts changed since the last time. */
  changed: boolean;
}

export interface ReplicaLag {
  tenantId: string;
  seconds: number | null;
  failing: boolean;
  /** It fails because the database does not answer for this tenant, and goes on by itself when it does. */
  away: boolean;
}

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
   * Seconds since the state that each tenant's replica holds, null if PostgreSQL answers in its place; and whether
   * its last update failed.
   */
  lag(): ReplicaLag[];
  /** The same with how large each replica's file is. */
  replicas(): Promise<(ReplicaLag & { bytes: number })[]>;
  /**
   * Resolves when the tenant's replica has everything that was committed before the call. For imports, tests, benches.
   */
  caughtUp(tenantId: string): Promise<void>;
  /** Makes the roll-ups that questions have asked for since the start; resolves when they are kept. For tests, benches. */
  rolledUp(tenantId: string): Promise<void>;
  /** Opens the replica of a tenant that this process has come to own. */
  take(tenantId: string): void;
  /** Closes the replica of a tenant that another process is to own. */
  letGo(tenantId: string): Promise<void>;
  /** Another process of this server has ended: its replicas are free. */
  ended(process: string): void;
  /** How many facts a tenant's replica holds; undefined if there is none. */
  size(tenantId: string): Promise<number | undefined>;
  close(): Promise<void>;
}

/** How long rows of the outbox are kept, for other servers that follow. */
const keptMinutes = 60;
const pruneEveryMs = 60_000;
/** How long a question that wants the current state waits for the replica before PostgreSQL answers it. */
const waitMs = 300;
const defaultTimeoutMs = 10_000;
/** How long a chart waits for its account's earlier ones before it is refused. */
const chartWaitMs = 5_000;
/** A replica whose state is older than this is not queried: its updates fail, or it has just been opened. */
const staleMs = 60_000;

type LookElsewhere = (scope: Scope, deadline: number) => Promise<PartElsewhere | undefined>;

interface Tenant {
  replica: Replica;
  follower: Follower;
  keeper: RollUpKeeper;
  opened: Promise<boolean>;
  readers: number;
  failing: boolean;
  away: boolean;
  /** Set once it has had all that was committed: until then PostgreSQL answers, and a later answer is never an older one. */
  caughtUp: boolean;
  /** Set while readers must keep away because the file is being thrown away. */
  distrusted: boolean;
}

/** Starts the analytics engine: opens the replicas and keeps following. Resolves once it can answer. */
export async function startAnalytics(options: AnalyticsOptions): Promise<Analytics> {
  const { database, log, facts, folder, place = '', owns = () => true, sweepMs = usualSweepMs } = options;
  const staging = join(folder, 'staging', place);
  const heard = new Set<(freshness: Freshness) => void>();
  const tenants = new Map<string, Tenant>();
  /** Those whose replica is being closed for another process. */
  const leaving = new Set<string>();
  /** The tenants whose replica could not be opened the last time. */
  const unopened = new Set<string>();
  let closed = false;
  let duck: Duck | undefined;
  const charts = new Turns({ places: Number.POSITIVE_INFINITY, perKey: 2, waiting: 1000 });
  // Each statement uses all of DuckDB's threads, so more at the same time are no faster. Each also occupies one of
  // libuv's threads, which files and hashes need too.
  const statements = new Turns({ places: 3, keptForFirst: 1, perKey: 1 });
  // A chart on PostgreSQL occupies a connection of the pool for as long as it takes.
  const places = Math.max(2, Math.floor(database.size * 0.4));
  const lent = new Turns({ places, keptForFirst: Math.floor(places / 2) });
  // Replicas are rebuilt one after the other: two at the same time would share memory and be slower.
  let turn: Promise<unknown> = Promise.resolve();

  if (options.engine === 'duckdb') {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rm(staging, { recursive: true, force: true });
    duck = await Duck.open(folder, { memory: options.memory, threads: options.threads, place });
  }

  function tenantOf(tenantId: string): Tenant | undefined {
    // The id names a file, and anyone who may connect to the database can send notifications.
    if (!duck || closed || !owns(tenantId) || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(tenantId))
      return undefined;
    const known = tenants.get(tenantId);
    if (known) return known;
    if (leaving.has(tenantId)) return undefined;
    const replica = new Replica(duck, folder, tenantId, facts);
    const advanced = (position: { asOf: Date }, changed: boolean) => {
      for (const tell of heard) tell({ tenantId, asOf: position.asOf, changed });
      if (changed) keeper.rest();
    };
    const keeper = new RollUpKeeper(replica, {
      limits: options.keeping,
      isBusy: () => tenants.get(tenantId) !== tenant || tenant.distrusted || tenant.readers > 0,
      failed: (error) => {
        if (!closed) log.error({ err: error, tenantId }, 'roll-ups of an analytics replica cannot be made');
      },
    });
    const follower = new Follower({ database, replica, staging, log, limits: options.limits, advanced });
    const opened = replica
      .open((reason) => log.warn({ tenantId, reason }, 'an analytics replica cannot be read and is rebuilt'))
      .then(() => {
        unopened.delete(tenantId);
        return true;
      });
    const tenant: Tenant = {
      replica,
      follower,
      keeper,
      opened,
      readers: 0,
      failing: false,
      away: false,
      caughtUp: false,
      distrusted: false,
    };
    opened.catch((error) => {
      // Tried again with the next sweep; until then PostgreSQL answers.
      tenants.delete(tenantId);
      if (!closed) unopened.add(tenantId);
      log.error(
        { err: error, tenantId, heldElsewhere: isHeldElsewhere(error) },
        'an analytics replica cannot be opened',
      );
    });
    tenants.set(tenantId, tenant);
    return tenant;
  }

  /** Brings a tenant's replica up to date. A failure is logged and returned; the next sweep tries again. */
  async function follow(tenantId: string, given?: { atOnce: boolean }): Promise<unknown> {
    const tenant = tenantOf(tenantId);
    if (!tenant) return undefined;
    let isMade = false;
    try {
      await tenant.opened;
      isMade = tenant.replica.position !== undefined;
      if (isMade) await tenant.follower.follow(given);
      else {
        const mine = turn.then(() => tenant.follower.follow());
        turn = mine.catch(() => {});
        await mine;
      }
      tenant.failing = false;
      tenant.caughtUp = true;
      return undefined;
    } catch (error) {
      tenant.failing = true;
      tenant.away = asAppError(error).code === 'unavailable';
      if (!closed && tenants.get(tenantId) === tenant) {
        log.error({ err: error, tenantId }, 'an analytics replica cannot follow');
        // A replica that cannot apply changes never will; one that could not be made is not tried again immediately.
        if (isDamage(error) || (isMade && isRefusal(error))) await distrust(tenant);
      }
      return error;
    }
  }

  /** Deletes a replica whose file is damaged, and rebuilds it. */
  async function distrust(tenant: Tenant): Promise<void> {
    if (tenant.distrusted) return;
    tenant.distrusted = true;
    tenant.caughtUp = false;
    try {
      while (tenant.readers > 0) await sleep(10);
      // Another process has it now.
      if (tenants.get(tenant.replica.tenantId) !== tenant) return;
      await tenant.keeper.idle();
      await tenant.replica.discard();
      await tenant.replica.open(() => {});
    } catch (error) {
      tenants.delete(tenant.replica.tenantId);
      log.error(
        { err: error, tenantId: tenant.replica.tenantId },
        'a damaged analytics replica cannot be replaced',
      );
    } finally {
      tenant.distrusted = false;
    }
    void follow(tenant.replica.tenantId);
  }

  const tenantIds = () =>
    database.withScope(
      { kind: 'system' },
      (tx) => tx.rows<{ id: string }>('select id from tenant order by id'),
      {
        readOnly: true,
      },
    );

  let prunedAt = Number.NEGATIVE_INFINITY;

  /** Visits every tenant: applies changes that nobody announced, and removes old rows from the outbox. */
  const sweep = () =>
    lookAfterAll().catch((error) => {
      if (!closed) log.error({ err: error }, 'the outbox cannot be looked after');
    });

  async function lookAfterAll(): Promise<void> {
    const pruning = performance.now() - prunedAt > pruneEveryMs;
    if (pruning) prunedAt = performance.now();
    await each(await tenantIds(), async ({ id }) => {
      if (closed || (duck && !owns(id))) return;
      if (duck) await follow(id);
      const position = tenants.get(id)?.replica.position;
      if (!pruning || (duck && !position)) return;
      await database.withScope({ kind: 'service', tenantId: id }, (tx) =>
        tx.run(pruneOutbox, [id, position?.cursor ?? null, `${keptMinutes} minutes`]),
      );
    });
  }

  const stopListening =
    duck &&
    (await database.listen(
      outboxChannel,
      (tenantId) => void follow(tenantId),
      () => void sweep(),
    ));
  const stopSweeping = regularly(sweepMs, sweep);

  /** The tenant whose replica may answer; if undefined, PostgreSQL answers. */
  async function readable(scope: Scope, request: Request): Promise<Tenant | undefined> {
    if (!('tenantId' in scope)) return undefined;
    const tenant = tenantOf(scope.tenantId);
    if (!tenant || !(await tenant.opened.catch(() => false))) return undefined;
    if (!tenant.caughtUp || !tenant.replica.position) return undefined;
    if (Date.now() - tenant.replica.position.asOf.getTime() > staleMs) {
      void follow(scope.tenantId);
      return undefined;
    }
    if (request.freshness === 'current') {
      const service: Scope = { kind: 'service', tenantId: scope.tenantId };
      const isCurrent = () =>
        database.withScope(service, (tx) => tenant.follower.isCurrent(tx), { readOnly: true });
      if (!(await isCurrent())) {
        await Promise.race([
          tenant.follower.follow().catch(() => {}),
          sleep(waitMs, undefined, { ref: false }),
        ]);
        if (!(await isCurrent())) return undefined;
      }
    }
    return tenant.distrusted ? undefined : tenant;
  }

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
    // One turn for all tenants of a question: one that held some and waited for more could wait for another like it.
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
      const tenant = await readable(scope, request);
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
        if (isDamage(error)) void distrust(tenant);
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
        // The position is that of the last batch at the latest when the transaction begins to read.
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

  const lag = (): ReplicaLag[] => [
    ...[...tenants.values()].map(({ replica, failing, away, caughtUp }) => ({
      tenantId: replica.tenantId,
      failing: failing || unopened.has(replica.tenantId),
      away: failing && away,
      seconds: caughtUp && replica.position ? (Date.now() - replica.position.asOf.getTime()) / 1000 : null,
    })),
    ...[...unopened]
      .filter((tenantId) => !tenants.has(tenantId))
      .map((tenantId) => ({ tenantId, failing: true, away: false, seconds: null })),
  ];

  async function shut({ follower, keeper, replica, opened }: Tenant): Promise<void> {
    await Promise.all([keeper.close(), follower.close()]);
    if (await opened.catch(() => false)) await replica.close();
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
    onFreshness(tell) {
      heard.add(tell);
      return () => heard.delete(tell);
    },
    lag,
    replicas: () =>
      Promise.all(
        lag().map(async (one) => ({
          ...one,
          bytes: (await tenants.get(one.tenantId)?.replica.bytes()) ?? 0,
        })),
      ),
    async caughtUp(tenantId) {
      const failure = await follow(tenantId, { atOnce: true });
      if (failure) throw new Error('the analytics replica cannot follow', { cause: failure });
    },
    rolledUp: async (tenantId) => tenants.get(tenantId)?.keeper.atOnce({ urgent: true }),
    ended() {},
    take: (tenantId) => void follow(tenantId),
    async letGo(tenantId) {
      const tenant = tenants.get(tenantId);
      if (!tenant) return;
      // Nobody finds it any more; those who read it finish.
      tenants.delete(tenantId);
      unopened.delete(tenantId);
      leaving.add(tenantId);
      try {
        while (tenant.readers > 0) await sleep(10);
        await shut(tenant);
      } finally {
        leaving.delete(tenantId);
      }
    },
    async size(tenantId) {
      const tenant = tenants.get(tenantId);
      if (!tenant?.replica.position || tenant.distrusted) return undefined;
      // It is not closed before it has answered.
      tenant.readers += 1;
      try {
        return await tenant.replica.size();
      } finally {
        tenant.readers -= 1;
      }
    },
    async close() {
      closed = true;
      await stopListening?.();
      await stopSweeping();
      for (const tenant of tenants.values()) await shut(tenant);
      duck?.close();
      if (duck) await rm(staging, { recursive: true, force: true });
    },
  };
}

/** Deletes old rows that have been followed, and stores up to which number. $2 is null if nobody follows. */
const pruneOutbox = `
  with gone as (
    delete from outbox
    where tenant_id = $1 and created_at < now() - $3::interval and ($2::bigint is null or number <= $2)
    returning number)
  update change_counter set deleted_to = last.number from (select max(number) as number from gone) as last
  where tenant_id = $1 and deleted_to < last.number`;

/**
 * Whether an error means that a replica's file is unusable, rather than that a query was wrong, or that another process
 * has the file open and so owns it.
 */
const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  /^(IO|INTERNAL|FATAL|Serialization)\b/.test(error.message) &&
  !isHeldElsewhere(error);

/** Whether DuckDB refused a statement for a reason other than its resources. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  faultKind(error) !== undefined &&
  !/^INTERRUPT\b/.test(error.message) &&
  !isExhaustion(error) &&
  !isHeldElsewhere(error);

/** Whether DuckDB had not enough memory, or not enough room to spill. */
const isExhaustion = (error: unknown): boolean =>
  error instanceof Error && /^Out of Memory\b/.test(error.message);
