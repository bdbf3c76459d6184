import pg from 'pg';
import type { Logger } from 'pino';
import { columnTypes } from './column-types.ts';
import { afterSilence, PatientClient, type PatientConfig } from './patience.ts';

/** No connection was returned in time. */
export class NoneFree extends Error {
  constructor() {
    super('timeout exceeded when trying to connect');
  }
}

export interface PoolOptions {
  /** Connection string. */
  url: string;
  log: Logger;
  /** Connections at most. */
  size: number;
  /** Milliseconds for which the server may be silent before it accepts a connection. */
  patienceMs: number;
}

/** The connections of one role to one server. */
export class Pool {
  readonly #pool: pg.Pool;
  readonly #size: number;
  #closed = false;

  constructor({ url, log, size, patienceMs }: PoolOptions) {
    this.#size = size;
    const settings: pg.PoolConfig & PatientConfig = {
      connectionString: url,
      application_name: 'caseway',
      max: size,
      Client: PatientClient,
      patienceMs,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      types: columnTypes,
    };
    this.#pool = new pg.Pool(settings);
    this.#pool.on('connect', (client) => {
      // A connection that breaks while it is lent fails its statement; without a listener it would end the process.
      client.on('error', () => {});
    });
    this.#pool.on('error', (error) => {
      const { code } = error as { code?: string };
      if (!this.#closed) log.warn({ code }, 'an idle database connection was lost');
    });
  }

  /** A statement outside a scope, which sees no row of a tenant. */
  query(text: string, params?: unknown[]): Promise<pg.QueryResult> {
    return this.#pool.query(text, params);
  }

  /**
   * A connection as soon as one is free. Throws `NoneFree` after `withinMs`, or the error that prevents a
   * connection.
   */
  async lend(withinMs: number): Promise<pg.PoolClient> {
    const lent = this.#pool.connect();
    let heard = () => {};
    const late = new Promise<never>((_, reject) => {
      heard = afterSilence(withinMs, () => {
        reject(new NoneFree());
        // A connection that comes too late goes to the next request.
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

  /** Whether all connections are in use and no more may be opened. */
  get isFull(): boolean {
    const { idle, total, waiting } = this.usage();
    return waiting > 0 || (idle === 0 && total >= this.#size);
  }

  /** Connections in use, idle connections, and requests that wait for one. */
  usage(): { total: number; idle: number; waiting: number } {
    return { total: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#pool.waitingCount };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool.end();
  }
}
