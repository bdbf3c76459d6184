import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { each } from '../db/every-tenant.ts';
import { asAppError } from '../http/app-error.ts';
import type { Scope } from '../scope.ts';
import { regularly } from '../workers/regularly.ts';
import { sweepMs as usualSweepMs } from './calm-moment.ts';
import { Duck } from './duckdb.ts';
import type { Analytics, AnalyticsOptions } from './engine.ts';
import { isDamage, isHeldElsewhere, isRefusal } from './fault-kind.ts';
import { Follower } from './follower.ts';
import { outboxChannel } from './outbox.ts';
import { Replica } from './replica.ts';
import { RollUpKeeper } from './roll-up-keeper.ts';

/* Opens and follows the replicas of this process, discards damaged ones, and closes them. */

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
  /** It fails because the database does not answer for this tenant, and recovers when the database does. */
  away: boolean;
}

/** Minutes for which rows of the outbox are kept, for other servers that follow. */
const keptMinutes = 60;
const pruneEveryMs = 60_000;
/** How long a question that wants the current state waits for the replica before PostgreSQL answers it. */
const waitMs = 300;
/** A new replica catches up at most this many times before it answers. */
const mostCatchUps = 20;
/** A replica whose state is older than this is not queried: its updates fail, or it has just been opened. */
const staleMs = 60_000;

export interface Tenant {
  replica: Replica;
  follower: Follower;
  keeper: RollUpKeeper;
  opened: Promise<boolean>;
  readers: number;
  failing: boolean;
  away: boolean;
  /**
   * Set once it has everything that was committed. Until then PostgreSQL answers, so a later answer never has an
   * older state.
   */
  caughtUp: boolean;
  /** Set while the file is being discarded and readers must not use it. */
  distrusted: boolean;
}

/** Opens the replicas of this process and keeps following. Resolves once it listens for changes of the database. */
export async function startReplicas(options: AnalyticsOptions) {
  const { database, log, facts, folder, place = '', owns = () => true, sweepMs = usualSweepMs } = options;
  const staging = join(folder, 'staging', place);
  const heard = new Set<(freshness: Freshness) => void>();
  const tenants = new Map<string, Tenant>();
  /** Tenants whose replica is being closed for another process. */
  const leaving = new Set<string>();
  /** Tenants whose replica could not be opened the last time. */
  const unopened = new Set<string>();
  let closed = false;
  let duck: Duck | undefined;
  // Replicas are rebuilt one at a time: two at once would share memory and be slower.
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
      // The next sweep tries again; until then PostgreSQL answers.
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
      // PostgreSQL may already have answered with commits that came while the replica was made. During an import
      // there are always more.
      for (let times = 0; !tenant.caughtUp && times < mostCatchUps && !(await isCurrent(tenant)); times += 1)
        await tenant.follower.follow({ atOnce: true });
      tenant.caughtUp = true;
      return undefined;
    } catch (error) {
      tenant.failing = true;
      tenant.away = asAppError(error).code === 'unavailable';
      if (!closed && tenants.get(tenantId) === tenant) {
        log.error({ err: error, tenantId }, 'an analytics replica cannot follow');
        // A replica that cannot apply changes never will. One that could not be made is not retried immediately.
        if (isDamage(error) || (isMade && isRefusal(error))) await distrust(tenant);
      }
      return error;
    }
  }

  const isCurrent = ({ replica: { tenantId }, follower }: Tenant) =>
    database.withScope({ kind: 'service', tenantId }, (tx) => follower.isCurrent(tx), { readOnly: true });

  /** Deletes a replica whose file is damaged, and rebuilds it. */
  async function distrust(tenant: Tenant): Promise<void> {
    if (tenant.distrusted) return;
    tenant.distrusted = true;
    tenant.caughtUp = false;
    try {
      while (tenant.readers > 0) await sleep(10);
      // Another process has the replica now.
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
  async function readable(scope: Scope, freshness: 'any' | 'current'): Promise<Tenant | undefined> {
    if (!('tenantId' in scope)) return undefined;
    const tenant = tenantOf(scope.tenantId);
    if (!tenant || !(await tenant.opened.catch(() => false))) return undefined;
    if (!tenant.caughtUp || !tenant.replica.position) return undefined;
    if (Date.now() - tenant.replica.position.asOf.getTime() > staleMs) {
      void follow(scope.tenantId);
      return undefined;
    }
    if (freshness === 'current') {
      if (!(await isCurrent(tenant))) {
        await Promise.race([
          tenant.follower.follow().catch(() => {}),
          sleep(waitMs, undefined, { ref: false }),
        ]);
        if (!(await isCurrent(tenant))) return undefined;
      }
    }
    return tenant.distrusted ? undefined : tenant;
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

  const about: Omit<Analytics, 'query' | 'read' | 'answer' | 'declare' | 'ended' | 'close'> = {
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
    take: (tenantId) => void follow(tenantId),
    async letGo(tenantId) {
      const tenant = tenants.get(tenantId);
      if (!tenant) return;
      // New readers no longer find it; current readers finish.
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
      // It is not closed before this reader has its answer.
      tenant.readers += 1;
      try {
        return await tenant.replica.size();
      } finally {
        tenant.readers -= 1;
      }
    },
  };
  return {
    readable,
    distrust,
    about,
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
