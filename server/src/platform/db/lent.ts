import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import { watched } from './patience.ts';
import { plannedNear } from './planned-near.ts';
import type { SharedTurns } from './shared-turns.ts';

export interface LentOptions {
  /** Milliseconds without an answer after which the connection is given up; forever by default. */
  silenceMs?: number;
  /** Set on a database with tables on several servers. */
  turns?: SharedTurns;
  /** Throws if a statement must not run here. */
  refuse?: (text: string) => void;
  /** The tenant, if this is the tenant's own server. */
  near?: string;
}

/** The connection of a transaction, for as long as the transaction lasts. */
export class Lent {
  #client: pg.PoolClient | undefined;
  #under: Promise<unknown> | undefined;
  readonly #options: LentOptions;

  constructor(client: pg.PoolClient, options: LentOptions) {
    this.#client = client;
    this.#options = options;
  }

  #watched<T>(client: pg.PoolClient, answer: Promise<T>): Promise<T> {
    const { silenceMs } = this.#options;
    return silenceMs === undefined ? answer : watched(client, silenceMs, answer);
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

  /** The connection, for a copy in or out. */
  copying(text: string): pg.PoolClient {
    this.#options.refuse?.(text);
    return this.#now();
  }

  #now(): pg.PoolClient {
    if (!this.#client) throw new Error('the transaction has ended');
    if (this.#under) throw new Error('a statement is still on its way');
    return this.#client;
  }

  /** Sends a statement while no other is being sent. `text`: its SQL, if it may change something. */
  async ask<T>(question: (client: pg.PoolClient) => Promise<T>, text?: string): Promise<T> {
    if (text !== undefined) await this.#before(text);
    // Another call may have sent one in the meantime.
    while (this.#under) await this.settled();
    const client = this.#now();
    return this.#watched(client, question(client));
  }

  async #before(text: string): Promise<void> {
    this.#options.refuse?.(text);
    const turn = this.#options.turns?.before(text);
    if (turn !== undefined) await this.ask((client) => client.query(turn));
  }

  /** A statement that the connection plans once, under its name. */
  prepared<Row extends object>(
    name: string,
    text: string,
    params: readonly unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const { near } = this.#options;
    return this.ask(
      (client) =>
        client.query<Row>(
          near === undefined
            ? { name, text, values: params as unknown[] }
            : plannedNear(client, near, name, text, params),
        ),
      text,
    );
  }

  async send(statement: pg.QueryConfig): Promise<void> {
    await this.#before(statement.text);
    while (this.#under) await this.settled();
    const client = this.#now();
    this.#under = this.#watched(client, client.query(statement));
    this.#under.catch(() => {});
    // Large values are sent in several turns.
    await turn();
  }

  end(): void {
    this.#client = undefined;
  }
}
