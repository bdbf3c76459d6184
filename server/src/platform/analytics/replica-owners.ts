import type { Logger } from 'pino';
import type { Database, Tx } from '../db/database.ts';
import { regularly } from '../workers/regularly.ts';

/** A process that owns the replica of a tenant. */
export interface Owner {
  tenantId: string;
  server: string;
  /** Host and port for the other processes. */
  address: string;
  /** How many facts the replica holds; null while it is being made. */
  size: number | null;
  /** Whether its lease has ended and no process has taken over yet. */
  isOver: boolean;
}

export interface OwnersOptions {
  database: Database;
  log: Logger;
  /** The servers that share replicas. */
  fleet: string;
  /** The id of this process. */
  server: string;
  address: string;
  /** How many processes start together. Each takes only its share at first. */
  processes?: number;
  /** The number of facts of a tenant in this process. */
  size(tenantId: string): Promise<number | undefined>;
  taken(tenantId: string): void;
  /** Called when another process is or becomes the owner. */
  lost(tenantId: string): Promise<void>;
  /** Asks another process to hand over a tenant to this one. */
  askForOne(owner: Owner, wish: Wish): Promise<unknown>;
  times?: Partial<LeaseTimes>;
}

/** A process that has fewer tenants than another one, and their number. */
export interface Wish {
  server: string;
  address: string;
  held: number;
}

/** From this many facts on, PostgreSQL answers too slowly while a replica is being made. */
export const tooManyForPostgres = 1_000_000;

/** Milliseconds. A killed owner is replaced after at most one `lease` and one `look`: together less than 15 s. */
export interface LeaseTimes {
  lease: number;
  renew: number;
  look: number;
  /** How often a process with too few tenants asks for one. */
  even: number;
}
const usualTimes: LeaseTimes = { lease: 12_000, renew: 4000, look: 1000, even: 30_000 };

/** Processes whose clocks differ by half a minute refuse each other's questions, so a warning comes well before. */
const clockSeconds = 10;

/** How often a process looks before it takes more than its share. */
const sharedLooks = 5;

interface Row {
  tenant_id: string;
  server: string;
  address: string;
  until: Date;
  size: number | null;
}

/**
 * Shares the tenants' replicas among processes. Each process leases some and knows who leases the others; a lease
 * that is not renewed is taken over. All times come from the database, so that server clocks do not matter.
 */
export class ReplicaOwners {
  readonly #options: OwnersOptions;
  readonly #times: LeaseTimes;
  #known = new Map<string, Owner>();
  /** The leases of this process and when each ends for it, by `performance.now()`. */
  readonly #mine = new Map<string, number>();
  readonly #sizes = new Map<string, number>();
  /** Owners whose answer a caller waits for. */
  readonly #awaited = new Set<readonly [Owner, () => void]>();
  #looking: Promise<void> | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #evenedAt = performance.now();
  /** Set while a request for a tenant has no answer yet. */
  #asks = false;
  #clockDiffers = false;
  /** The tenants that this process is handing over. */
  readonly #giving = new Set<string>();
  #looks = 0;
  #stop: (() => Promise<void>) | undefined;
  #closed = false;

  constructor(options: OwnersOptions) {
    this.#options = options;
    this.#times = { ...usualTimes, ...options.times };
  }

  /** Takes the first leases, and keeps them. */
  async start(): Promise<void> {
    await this.look();
    this.#stop = regularly(this.#times.look, () =>
      this.look().catch((error) => {
        this.#options.log.warn({ err: error }, 'the owners of the analytics replicas cannot be read');
      }),
    );
  }

  /** Whether this process owns a tenant's replica. Without the database, its leases end too. */
  isMine(tenantId: string): boolean {
    return performance.now() < (this.#mine.get(tenantId) ?? 0);
  }

  /** The owner as last seen; undefined if no process has taken the tenant yet. */
  ownerOf(tenantId: string): Owner | undefined {
    return this.#known.get(tenantId);
  }

  /** Calls `left` when an owner no longer has its tenant, until the returned function is called. */
  whenLeft(owner: Owner, left: () => void): () => void {
    const awaited = [owner, left] as const;
    this.#awaited.add(awaited);
    return () => void this.#awaited.delete(awaited);
  }

  /** Reads the owners of all replicas, renews this process's leases, and takes free tenants. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    if (this.#closed) return;
    const { database, server, taken } = this.#options;
    const began = performance.now();
    const renews = began - this.#renewedAt >= this.#times.renew;
    const { now, rows } = await database.withScope({ kind: 'system' }, (tx) => this.#share(tx, renews));
    if (renews) this.#renewedAt = began;
    this.#compareClocks(now);
    this.#looks += 1;
    this.#known = new Map(
      rows.map(({ tenant_id, server, address, until, size }) => [
        tenant_id,
        { tenantId: tenant_id, server, address, size, isOver: until.getTime() < now.getTime() },
      ]),
    );
    for (const [{ tenantId, server }, left] of this.#awaited) {
      const owner = this.#known.get(tenantId);
      if (owner?.server !== server || owner.isOver) left();
    }
    const mine = new Map(
      rows
        .filter((row) => row.server === server && row.until > now && !this.#giving.has(row.tenant_id))
        .map(({ tenant_id, until }) => [tenant_id, began + (until.getTime() - now.getTime())]),
    );
    const former = [...this.#mine.keys()];
    this.#mine.clear();
    for (const [tenantId, until] of mine) this.#mine.set(tenantId, until);
    for (const tenantId of former) if (!mine.has(tenantId)) this.#leave(tenantId);
    for (const tenantId of mine.keys()) {
      if (!former.includes(tenantId)) taken(tenantId);
      // For the next renewal: a lease does not wait for a busy replica.
      if (renews) this.#measure(tenantId);
    }
    if (!this.#asks && began - this.#evenedAt >= this.#times.even) {
      this.#evenedAt = began;
      this.#even();
    }
  }

  /**
   * Asks the process with the most tenants for one, if it has at least two more. So a restarted server gets its
   * share back, one tenant after the other.
   */
  #even(): void {
    const { server, address, askForOne, log } = this.#options;
    const counts = new Map<string, number>();
    for (const owner of this.#known.values())
      if (!owner.isOver) counts.set(owner.server, (counts.get(owner.server) ?? 0) + 1);
    const [fullest] = [...this.#known.values()]
      .filter(({ isOver }) => !isOver)
      .sort((a, b) => counts.get(b.server)! - counts.get(a.server)!);
    const held = this.#mine.size;
    if (!fullest || fullest.server === server || counts.get(fullest.server)! - held < 2) return;
    this.#asks = true;
    askForOne(fullest, { server, address, held })
      .then(() => this.look())
      .catch((error) => log.debug({ err: error }, 'another process hands no analytics replica over'))
      .finally(() => {
        this.#asks = false;
      });
  }

  /**
   * Hands the tenant with the smallest replica to a process that has at least two tenants fewer. PostgreSQL answers
   * until the new owner has made the replica, so a tenant that is too large for PostgreSQL stays.
   */
  async give(wish: Wish): Promise<void> {
    const { database, fleet, server, lost } = this.#options;
    if (this.#closed || this.#mine.size - wish.held < 2) return;
    const [smallest] = [...this.#mine.keys()]
      .flatMap((tenantId) => {
        const size = this.#known.get(tenantId)?.size;
        return size !== undefined && size !== null && size < tooManyForPostgres ? [{ tenantId, size }] : [];
      })
      .sort((a, b) => a.size - b.size);
    if (!smallest) return;
    const { tenantId } = smallest;
    this.#giving.add(tenantId);
    this.#mine.delete(tenantId);
    this.#sizes.delete(tenantId);
    try {
      // Close the file before the other process opens it.
      await lost(tenantId);
      await database.withScope({ kind: 'system' }, (tx) =>
        tx.run(
          `update replica_owner set server = $4, address = $5, size = null,
             until = clock_timestamp() + make_interval(secs => $6::numeric / 1000)
           where tenant_id = $1 and fleet = $2 and server = $3`,
          [tenantId, fleet, server, wish.server, wish.address, this.#times.lease],
        ),
      );
    } finally {
      this.#giving.delete(tenantId);
    }
    await this.look();
  }

  /** Warns once about a clock that is so far off that other processes will soon refuse this one's questions. */
  #compareClocks(now: Date): void {
    const seconds = Math.round((Date.now() - now.getTime()) / 1000);
    const differs = Math.abs(seconds) > clockSeconds;
    if (differs && !this.#clockDiffers)
      this.#options.log.warn({ seconds }, 'the clock of this server differs from that of the database');
    this.#clockDiffers = differs;
  }

  #leave(tenantId: string): void {
    this.#sizes.delete(tenantId);
    this.#options.lost(tenantId).catch((error) => {
      this.#options.log.error({ err: error, tenantId }, 'an analytics replica could not be closed');
    });
  }

  #measure(tenantId: string): void {
    this.#options.size(tenantId).then(
      (size) => size !== undefined && this.#sizes.set(tenantId, size),
      // The replica is being replaced; its former size is near enough.
      () => {},
    );
  }

  async #share(tx: Tx, renews: boolean) {
    const { fleet, server, address } = this.#options;
    const [moment] = await tx.rows<{ now: Date }>('select clock_timestamp() as now');
    const now = moment!.now;
    const until = new Date(now.getTime() + this.#times.lease);
    const mine = [...this.#mine.keys()];
    if (renews && mine.length > 0)
      // Includes an ended lease, as long as nobody has taken it.
      await tx.run(
        `update replica_owner o set until = $3, size = s.size
         from unnest($4::uuid[], $5::bigint[]) as s (tenant_id, size)
         where o.fleet = $1 and o.server = $2 and o.tenant_id = s.tenant_id`,
        [fleet, server, until, mine, mine.map((tenantId) => this.#sizes.get(tenantId) ?? null)],
      );
    const tenants = (await tx.rows<{ id: string }>('select id from tenant order by id')).map(({ id }) => id);
    const read = () =>
      tx.rows<Row>(
        'select tenant_id, server, address, until, size from replica_owner where fleet = $1 order by tenant_id',
        [fleet],
      );
    const rows = await read();
    const wanted = this.#toTake(tenants, rows, now);
    if (wanted.length === 0) return { now, rows };
    // Two processes that want the same tenant meet in this statement, and the second finds the lease of the first.
    // The order by id avoids a deadlock.
    await tx.run(
      `insert into replica_owner as o (tenant_id, fleet, server, address, until)
       select id, $2::uuid, $3::uuid, $4, $5::timestamptz from unnest($1::uuid[]) as id
       on conflict (tenant_id, fleet) do update
         set server = excluded.server, address = excluded.address, until = excluded.until, size = null
         where o.until < $6::timestamptz`,
      [wanted, fleet, server, address, until, now],
    );
    return { now, rows: await read() };
  }

  /**
   * The tenants that this process takes now. Tenants without any owner yet are shared among processes that start
   * together: each takes its share at first, and after a few seconds what is left.
   */
  #toTake(tenants: readonly string[], rows: readonly Row[], now: Date): string[] {
    const known = new Set(rows.map(({ tenant_id }) => tenant_id));
    const over = rows.filter(({ until }) => until < now).map(({ tenant_id }) => tenant_id);
    const fresh = tenants.filter((id) => !known.has(id));
    const share = Math.ceil(tenants.length / (this.#options.processes ?? 1)) - this.#mine.size;
    return [...over, ...(this.#looks < sharedLooks ? fresh.slice(0, Math.max(0, share)) : fresh)].sort();
  }

  /** Another process has certainly ended, so its leases need not run out. */
  ended(process: string): void {
    this.#free(process)
      .then(() => this.look())
      .catch((error) => {
        this.#options.log.warn(
          { err: error },
          'the leases of a process that has ended run out by themselves',
        );
      });
  }

  #free(process: string): Promise<number> {
    return this.#options.database.withScope({ kind: 'system' }, (tx) =>
      tx.run('delete from replica_owner where fleet = $1 and server = $2', [this.#options.fleet, process]),
    );
  }

  /** Stops taking and renewing leases. Call `release` when the replicas are closed. */
  async stop(): Promise<void> {
    this.#closed = true;
    await this.#stop?.();
    await this.#looking?.catch(() => {});
  }

  /** Lets others take the leases of this process at once. */
  async release(): Promise<void> {
    await this.#free(this.#options.server);
  }
}
