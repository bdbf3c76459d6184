import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { asAppError } from '../http/app-error.ts';
import { watched } from './patience.ts';
import { NoneFree, Pool } from './pool.ts';
import { assertApplicationRole } from './roles.ts';

/** Milliseconds for which a server that could not be reached is left alone. */
const awayMs = 30_000;
/**
 * Milliseconds for which a tenant's place is cached. A tenant that has moved can still be reached through its former
 * server.
 */
const keptMs = 60_000;

/** Milliseconds until a failed look-up is tried again. */
const againMs = 1000;

/** Which server has a tenant; none if it is the coordinator itself, or one that does not know where the others are. */
const placeOfTenant = `
  select n.nodename as host, n.nodeport as port
  from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
  where p.shardid = get_shard_id_for_distribution_column('patient', $1::uuid) and p.groupid <> 0
    and n.noderole = 'primary' and n.isactive and n.hasmetadata and n.metadatasynced`;

/** The identifier of a server, which its standby shares, and whether it is a standby. */
const serverNumber = 'select system_identifier::text as id from pg_control_system()';
const serverHere = `select system_identifier::text as id, pg_is_in_recovery() as follows from pg_control_system()`;

interface Address {
  host: string;
  port: number;
}

/** A transaction that has begun on the tenant's server. */
export interface BegunNear {
  client: pg.PoolClient;
  /** Learns from a statement's error where the next transactions should go. */
  failed(error: unknown): void;
}

export interface TenantServersOptions {
  /** Connection string of the coordinator. */
  url: string;
  coordinator: Pool;
  log: Logger;
  /** Connections to each server at most. */
  size: number;
  /** Milliseconds for which a tenant's server may be silent before the coordinator is asked instead. */
  patienceMs: number;
}

/**
 * The tenants' servers, if their records can be read without the coordinator. Everything else is read through the
 * coordinator: this is only a short cut.
 */
export class TenantServers {
  readonly #options: TenantServersOptions;
  readonly #servers = new Map<string, TenantServer>();
  readonly #places = new Map<string, Place>();

  constructor(options: TenantServersOptions) {
    this.#options = options;
  }

  /**
   * Begins a transaction on a tenant's server; undefined if the coordinator has to be asked. `beginning` does it
   * once there is a connection.
   */
  async begin(
    tenantId: string,
    beginning: () => (client: pg.ClientBase) => Promise<void>,
  ): Promise<BegunNear | undefined> {
    const place = this.#placeOf(tenantId);
    const server = await place.server();
    const client = await server?.lend();
    if (!server || !client) return undefined;
    let begin: ReturnType<typeof beginning>;
    try {
      begin = beginning();
    } catch (error) {
      client.release();
      throw error;
    }
    try {
      await watched(client, this.#options.patienceMs, begin(client));
      return { client, failed: (error) => failed(error, server, place) };
    } catch (error) {
      // Nothing has been read yet, so the coordinator can take over.
      client.release(error as Error);
      // A decision that takes too long is not the connection's fault.
      if ((error as { code?: string }).code !== '57014') server.lose(error);
      place.forget();
      return undefined;
    }
  }

  /** Connections to all servers in use, idle ones, and requests that wait for one. */
  usage(): ReturnType<Pool['usage']>[] {
    return [...this.#servers.values()].map((server) => server.pool.usage());
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  #placeOf(tenantId: string): Place {
    const known = this.#places.get(tenantId) ?? new Place(() => this.#find(tenantId));
    this.#places.set(tenantId, known);
    return known;
  }

  async #find(tenantId: string): Promise<TenantServer | undefined> {
    const [address] = await this.#asked<Address>(placeOfTenant, [tenantId]);
    if (!address) return undefined;
    const { url, log, size, patienceMs } = this.#options;
    const name = `${address.host}:${address.port}`;
    const known = this.#servers.get(name);
    if (known) return known;
    const there = at(url, address);
    const server = new TenantServer({
      name,
      pool: new Pool({ url: there, log, size, patienceMs }),
      log,
      patienceMs,
      identify: async () => {
        const [told] = await this.#asked<{ success: boolean; result: string }>(
          'select success, result from master_run_on_worker(array[$1], array[$2::int], array[$3], false)',
          [address.host, address.port, serverNumber],
        );
        return told?.success ? told.result : undefined;
      },
    });
    this.#servers.set(name, server);
    return server;
  }

  /** Queries the coordinator on a short-lived connection. */
  async #asked<Row extends object>(text: string, params: unknown[]): Promise<Row[]> {
    const { coordinator, patienceMs } = this.#options;
    const client = await coordinator.lend(patienceMs);
    let broken: Error | undefined;
    try {
      return (await watched(client, patienceMs, client.query<Row>(text, params))).rows;
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

function failed(error: unknown, server: TenantServer, place: Place): void {
  // The coordinator cannot reach the server that the tenant has moved to, or is itself gone.
  if (asAppError(error).code === 'unavailable') place.forget();
  // While views are created again, their rights are missing for a moment.
  if ((error as { code?: string }).code === '42501') server.lose(error);
}

/** Where a tenant is, as last known. */
class Place {
  readonly #find: () => Promise<TenantServer | undefined>;
  #server: TenantServer | undefined;
  #isKnown = false;
  #until = 0;
  #finding: Promise<void> | undefined;

  constructor(find: () => Promise<TenantServer | undefined>) {
    this.#find = find;
  }

  /** The last known place is used while it is looked up again. */
  async server(): Promise<TenantServer | undefined> {
    if (performance.now() >= this.#until) this.#finding ??= this.#look();
    if (!this.#isKnown) await this.#finding;
    return this.#server;
  }

  async #look(): Promise<void> {
    try {
      this.#server = await this.#find();
      this.#until = performance.now() + keptMs;
    } catch {
      // The caller then asks the coordinator, which reports the error.
      this.#until = performance.now() + againMs;
    }
    this.#isKnown = true;
    this.#finding = undefined;
  }

  forget(): void {
    this.#isKnown = false;
    this.#until = 0;
  }
}

interface TenantServerOptions {
  /** Its address, for the log. */
  name: string;
  pool: Pool;
  log: Logger;
  patienceMs: number;
  /** The identifier of the server that the coordinator reaches at this address; undefined if it reaches none. */
  identify: () => Promise<string | undefined>;
}

/** A tenants' server, and whether it can be reached from here. */
class TenantServer {
  readonly pool: Pool;
  readonly #options: TenantServerOptions;
  #isReached: boolean | undefined;
  #lostAt = 0;
  #trying: Promise<void> | undefined;
  #closed = false;

  constructor(options: TenantServerOptions) {
    this.#options = options;
    this.pool = options.pool;
  }

  /** A connection to it; undefined if it cannot be reached from here or has none free. */
  async lend(): Promise<pg.PoolClient | undefined> {
    const { patienceMs } = this.#options;
    if (this.#isReached === undefined)
      await Promise.race([this.#try(), sleep(patienceMs, undefined, { ref: false })]);
    // Nobody waits for a server that was away.
    else if (!this.#isReached && performance.now() > this.#lostAt + awayMs) void this.#try();
    if (!this.#isReached || this.pool.isFull) return undefined;
    try {
      return await this.pool.lend(2 * patienceMs);
    } catch (error) {
      if (!(error instanceof NoneFree)) this.lose(error);
      return undefined;
    }
  }

  #try(): Promise<void> {
    this.#trying ??= this.#reach().finally(() => {
      this.#trying = undefined;
    });
    return this.#trying;
  }

  async #reach(): Promise<void> {
    try {
      const { identify, patienceMs } = this.#options;
      const meant = await identify();
      const client = await this.pool.lend(2 * patienceMs);
      let broken: Error | undefined;
      try {
        await watched(client, patienceMs, assertMeant(client, meant));
      } catch (error) {
        broken = error as Error;
        throw error;
      } finally {
        client.release(broken);
      }
      // The usual case, which a command need not print.
      const level = this.#isReached === undefined ? 'debug' : 'info';
      this.#isReached = true;
      this.#options.log[level]({ server: this.#options.name }, 'reads of a tenant go straight to its server');
    } catch (error) {
      this.lose(error);
    }
  }

  /** Leaves it alone for a while after a connection error. */
  lose(error: unknown): void {
    this.#lostAt = performance.now();
    const wasLost = this.#isReached === false;
    this.#isReached = false;
    const { code, message } = error as { code?: string; message?: string };
    if (!wasLost && !this.#closed)
      this.#options.log.warn(
        { server: this.#options.name, reason: code ?? message },
        'a server is not reached from here: reads of its tenants go through the coordinator',
      );
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#trying;
    await this.pool.close();
  }
}

/**
 * Throws if the server is not the one that the coordinator means by its address, such as one on this machine if the
 * address is `localhost`; if it is a standby, which may lag behind; if it lacks rights, perhaps because it was
 * added to the cluster later; or if its role bypasses row-level security.
 */
async function assertMeant(client: pg.ClientBase, meant: string | undefined): Promise<void> {
  const { rows } = await client.query<{ id: string; follows: boolean }>(serverHere);
  if (meant === undefined || rows[0]!.id !== meant)
    throw new Error('it is not the server that the coordinator means');
  if (rows[0]!.follows) throw new Error('it is a standby');
  const { rows: closed } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
       and not has_table_privilege(oid, 'select') limit 1`,
  );
  if (closed[0])
    throw new Error(`the view ${closed[0].name} cannot be read there: run npm run migrate -- --distribute`);
  await assertApplicationRole((text) => client.query(text));
}

/** The connection string of another server of the same cluster. */
function at(url: string, { host, port }: Address): string {
  const there = new URL(url);
  for (const name of ['host', 'port']) there.searchParams.delete(name);
  there.hostname = host.includes(':') ? `[${host}]` : host;
  there.port = String(port);
  const given = there.searchParams.get('options');
  there.searchParams.set('options', `${given ? `${given} ` : ''}-c citus.propagate_set_commands=local`);
  return there.href;
}
