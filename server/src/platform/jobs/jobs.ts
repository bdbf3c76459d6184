import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Runner, run, runMigrations, type WorkerEvents, Logger as WorkerLog } from 'graphile-worker';
import pg from 'pg';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Tx } from '../db/database.ts';
import { applicationRole, connected } from '../db/roles.ts';
import { asAppError, isOutage } from '../http/app-error.ts';
import { LastingPool } from './lasting-pool.ts';

/**
 * A kind of background work. Its payload has ids and settings, never what a person wrote, because it is in a table
 * without tenants. Everything else is read within a scope when the job runs.
 */
export interface Job<Payload> {
  /** `feature/what-it-does`. */
  name: string;
  payload: z.ZodType<Payload>;
  /** Long work has separate workers, so that no message waits behind it. */
  lane: 'quick' | 'long';
  /**
   * How often it is tried, with growing pauses (e¹, e², … seconds), before a person has to look at it. Attempts that
   * were stopped by an outage of a database server or the end of this server do not count.
   */
  attempts: number;
}

export const defineJob = <Payload>(job: Job<Payload>): Job<Payload> => job;

export interface JobContext {
  log: Logger;
  /** 1 the first time. */
  attempt: number;
  /** Aborted when the server is about to stop; interrupted work is done again from its beginning. */
  signal: AbortSignal;
}

/** A job with its function; made by `work`, which ties their payload types together. */
export interface Work {
  job: Job<unknown>;
  run: (payload: unknown, context: JobContext) => Promise<void>;
  /** Also runs on a schedule: `minute hour day month weekday` in UTC, with an empty payload. */
  schedule?: string;
}
export const work = <Payload>(
  job: Job<Payload>,
  run: (payload: Payload, context: JobContext) => Promise<void>,
  schedule?: string,
): Work => ({ job: job as Job<unknown>, run: run as Work['run'], schedule });

export interface EnqueueOptions {
  /** Among waiting jobs with the same key, only the last runs. */
  key?: string;
  /** Jobs of one queue run one after the other. */
  queue?: string;
  runAt?: Date;
}

/** Adds a job to the transaction: it runs after the commit, and not if the transaction is rolled back. */
export async function enqueue<Payload>(
  tx: Tx,
  job: Job<Payload>,
  payload: Payload,
  { key, queue, runAt }: EnqueueOptions = {},
): Promise<void> {
  await tx.rows(
    `select graphile_worker.add_job($1, $2::json, queue_name := $3, run_at := $4, max_attempts := $5, job_key := $6)`,
    [
      job.name,
      JSON.stringify(job.payload.parse(payload)),
      queue ?? null,
      runAt ?? null,
      job.attempts,
      key ?? null,
    ],
  );
}

/** The same for many jobs of a kind, in one statement. */
export async function enqueueEach<Payload>(
  tx: Tx,
  job: Job<Payload>,
  payloads: readonly Payload[],
  {
    keyOf,
    runAtOf,
    keepsWaiting = false,
  }: {
    keyOf?: (payload: Payload) => string;
    runAtOf?: (payload: Payload) => Date;
    /** An existing job with the same key is kept. */
    keepsWaiting?: boolean;
  } = {},
): Promise<void> {
  await tx.rows(
    `select graphile_worker.add_job($1, payload, run_at := run_at, max_attempts := $3, job_key := key,
       job_key_mode := $6)
     from unnest($2::json[], $4::text[], $5::timestamptz[]) as given (payload, key, run_at)`,
    [
      job.name,
      payloads.map((payload) => JSON.stringify(job.payload.parse(payload))),
      job.attempts,
      payloads.map((payload) => keyOf?.(payload) ?? null),
      payloads.map((payload) => runAtOf?.(payload) ?? null),
      keepsWaiting ? 'unsafe_dedupe' : 'replace',
    ],
  );
}

/** Cancels the waiting job with that key, in the transaction; a running one continues to its end. */
export const withdraw = async (tx: Tx, key: string): Promise<void> =>
  void (await tx.rows('select graphile_worker.remove_job($1)', [key]));

const schema = 'graphile_worker';

/**
 * Migrates the tables of the job queue, as their owner. The application role may use them but owns none of them.
 * They have no tenant's rows, so their policies show that role everything.
 */
export async function migrateJobs(ownerUrl: string): Promise<void> {
  const silent = new WorkerLog(() => () => {});
  await runMigrations({ connectionString: ownerUrl, schema, logger: silent });
  await connected(ownerUrl, 'the owner', async (client) => {
    await client.query(`
      grant usage on schema ${schema} to ${applicationRole};
      grant select, insert, update, delete on all tables in schema ${schema} to ${applicationRole};
      grant usage on all sequences in schema ${schema} to ${applicationRole};
      revoke insert, update, delete on ${schema}.migrations from ${applicationRole};
      alter view ${schema}.jobs set (security_invoker = true);
      do $$
      declare t name;
      begin
        for t in select c.relname from pg_class c
          where c.relnamespace = '${schema}'::regnamespace and c.relkind = 'r' and c.relrowsecurity
            and not exists (select from pg_policy p where p.polrelid = c.oid)
        loop
          execute format('create policy worked_by_application on ${schema}.%I to ${applicationRole} using (true)', t);
        end loop;
      end $$;`);
  });
}

export interface JobsOptions {
  /** Connection string of the application role. */
  url: string;
  log: Logger;
  works: readonly Work[];
  /** Jobs running at the same time, by lane. */
  concurrency?: Partial<Record<Job<unknown>['lane'], number>>;
}

export interface Jobs {
  /**
   * Accepts no more jobs, aborts running ones after five seconds, and leaves those that have not ended after five
   * more seconds for the next start.
   */
  stop(): Promise<void>;
}

/** Milliseconds after which a stop no longer waits. */
const stopsWithinMs = 10_000;

/** Starts running jobs. Jobs of a killed process are run again within seconds. */
export async function startJobs({ url, log, works, concurrency }: JobsOptions): Promise<Jobs> {
  const events: WorkerEvents = new EventEmitter();
  const workers = new Presence(url, log);
  // Queue and worker write each job's error into their table and log, so its text is removed first. [P16]
  events.on('pool:create', ({ workerPool }) => workers.add(workerPool.id));

  const runners: Runner[] = [];
  const pools: LastingPool[] = [];
  const stop = async () => {
    for (const pool of pools) pool.giveUp();
    const stopped = Promise.allSettled(runners.map((runner) => runner.stop()));
    // While the database is away, the library keeps asking it for jobs, for hours.
    await Promise.race([stopped, sleep(stopsWithinMs, undefined, { ref: false })]);
    await Promise.all([workers.stop(), ...pools.map((pool) => pool.end())]);
  };
  try {
    for (const lane of ['quick', 'long'] as const) {
      const own = works.filter(({ job }) => job.lane === lane);
      if (own.length === 0) continue;
      const slots = concurrency?.[lane] ?? 2;
      const pool = new LastingPool({
        connectionString: url,
        application_name: 'caseway jobs',
        keepAlive: true,
        max: slots + 1,
      });
      pools.push(pool);
      const runner = await run({
        pgPool: pool,
        schema,
        events,
        logger: workerLog(log),
        noHandleSignals: true,
        concurrency: slots,
        pollInterval: 1000,
        crontab: crontabOf(own),
        taskList: Object.fromEntries(own.map((one) => [one.job.name, task(one, log)])),
      });
      // Jobs handle their own errors; this is a fault of the library.
      runner.promise.catch((error) => log.error({ err: error }, 'the job workers stopped'));
      runners.push(runner);
    }
    await workers.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** At most one run of a scheduled job waits: after an outage of hours there are not twelve of them. */
export const crontabOf = (works: readonly Work[]): string =>
  works
    .filter(({ schedule }) => schedule !== undefined)
    .map(({ job: { name, attempts }, schedule }) => `${schedule} ${name} ?max=${attempts}&jobKey=${name}`)
    .join('\n');

/** Stored as the error of a job that waits for a database server. */
export const outage = 'DatabaseAway';

/**
 * Seconds until a job that was stopped by an outage is tried again: the first time, later times, and for a scheduled
 * job, which nobody waits for.
 */
const pausesOfOutage = { first: 2, next: 20, scheduled: 300 };

interface TaskHelpers {
  job: { id: string; key: string | null; attempts: number; last_error: string | null };
  abortSignal: AbortSignal;
  query(text: string, values: unknown[]): Promise<unknown>;
}

/**
 * Puts back a job that was stopped by an outage or the end of the server: its attempt does not count, and the next
 * one is due in `pause` seconds. A job that was replaced by another has lost its key, and stays as it is.
 */
async function putBack(
  { job: { id, key, attempts }, query, abortSignal }: TaskHelpers,
  pause: number,
): Promise<void> {
  for (;;)
    try {
      await query(
        `update ${schema}._private_jobs set attempts = $2::int - 1, run_at = now() + make_interval(secs => $3)
         where id = $1 and attempts = $2 and key is not distinct from $4`,
        [id, attempts, pause, key],
      );
      return;
    } catch (error) {
      // The queue's own database is away.
      if (abortSignal.aborted || !asAppError(error).passes) throw error;
      await sleep(putBackEveryMs);
    }
}
const putBackEveryMs = 500;

function task({ job, run, schedule }: Work, log: Logger) {
  return async (given: unknown, helpers: TaskHelpers) => {
    const { job: stored, abortSignal } = helpers;
    const { id, attempts, last_error: before } = stored;
    const jobLog = log.child({ job: job.name, jobId: id });
    try {
      // A scheduled job gets its schedule as payload.
      const payload = given !== null && typeof given === 'object' && '_cron' in given ? {} : given;
      await run(job.payload.parse(payload), { log: jobLog, attempt: attempts, signal: abortSignal });
    } catch (error) {
      jobLog.warn({ err: error, attempt: attempts }, 'a job failed');
      const isAway = isOutage(error);
      if (isAway || abortSignal.aborted) {
        const next = schedule ? pausesOfOutage.scheduled : pausesOfOutage.next;
        const pause = !isAway ? 0 : before === outage ? next : pausesOfOutage.first;
        // The library adds its own pause, which grows with the counted attempts.
        await putBack(helpers, pause);
      }
      if (isAway) throw new Error(outage);
      throw new Error(
        error instanceof Error ? `${error.name} ${(error as { code?: string }).code ?? ''}`.trim() : 'failed',
      );
    }
  };
}

/** Errors of the library itself; we log each job ourselves, above. */
function workerLog(log: Logger): WorkerLog {
  return new WorkerLog(() => (level, message) => {
    if (level === 'error' && !message.startsWith('Failed task'))
      log.warn({ reason: message }, 'a job worker complains');
  });
}

const presence = (worker: string) => `hashtextextended('caseway worker ' || ${worker}, 0)`;

/**
 * A running job is locked by its pool of workers, and would stay locked for hours after a kill -9. So each pool
 * holds an advisory lock as long as its process lives, and jobs of a pool without one are released.
 */
class Presence {
  readonly #url: string;
  readonly #log: Logger;
  readonly #ids: string[] = [];
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #round: Promise<void> = Promise.resolve();

  constructor(url: string, log: Logger) {
    this.#url = url;
    this.#log = log;
  }

  add(id: string): void {
    this.#ids.push(id);
  }

  async start(): Promise<void> {
    this.#round = this.#tend();
    await this.#round;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
    await this.#client?.end().catch(() => {});
  }

  async #tend(): Promise<void> {
    try {
      this.#client ??= await this.#connect();
      await this.#freeAbandoned(this.#client);
    } catch (error) {
      this.#log.warn({ err: error }, 'abandoned jobs could not be looked for');
    }
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#round = this.#tend();
    }, 5000);
    this.#timer.unref();
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'caseway workers',
      keepAlive: true,
    });
    client.on('error', () => {});
    client.on('end', () => {
      if (this.#client === client) this.#client = undefined;
    });
    await client.connect();
    await client.query(`select pg_advisory_lock_shared(${presence('id')}) from unnest($1::text[]) id`, [
      this.#ids,
    ]);
    return client;
  }

  async #freeAbandoned(client: pg.Client): Promise<void> {
    // A new pool may not hold its lock yet.
    const { rows } = await client.query<{ worker: string }>(
      `select distinct locked_by as worker from ${schema}.jobs
       where locked_at < now() - interval '5 seconds' and locked_by <> all ($1)`,
      [this.#ids],
    );
    for (const { worker } of rows) {
      await client.query('begin');
      const { rows: free } = await client.query(
        `select pg_try_advisory_xact_lock(${presence('$1')}) as free`,
        [worker],
      );
      if (free[0].free) {
        await client.query(`select ${schema}.force_unlock_workers(array[$1])`, [worker]);
        this.#log.info({ pool: worker }, 'took up the jobs of a process that has ended');
      }
      await client.query('commit');
    }
  }
}
