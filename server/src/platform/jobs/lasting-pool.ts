import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { asAppError } from '../http/app-error.ts';

/** Milliseconds between checks whether the database is back. */
const lookMs = 500;

/**
 * Connections for the job workers. The workers record how a job ended without waiting for it, and treat almost every
 * error as permanent, so that a database restart at that moment would end the process. Here a caller gets a
 * connection as soon as the database is back, and a lost connection is reported with an error after which they
 * retry. [P6]
 */
export class LastingPool extends pg.Pool {
  #ending = false;

  constructor(config: pg.PoolConfig) {
    super(config);
    this.on('error', () => {});
    this.on('connect', (client) => {
      client.on('error', () => {});
      const query = client.query.bind(client) as (...given: unknown[]) => unknown;
      client.query = ((...given: unknown[]) => {
        const answer = query(...given);
        return answer instanceof Promise ? answer.catch(passingFault) : answer;
      }) as typeof client.query;
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(...given: Parameters<pg.Pool['connect']>): void;
  override connect(...given: Parameters<pg.Pool['connect']> | []): Promise<pg.PoolClient> | undefined {
    if (given.length === 0) return this.#whenThere();
    super.connect(...given);
    return undefined;
  }

  /** From now on nobody waits for the database. */
  override async end(): Promise<void> {
    this.giveUp();
    await super.end();
  }

  /** From now on, a database that does not answer is reported immediately. */
  giveUp(): void {
    this.#ending = true;
  }

  async #whenThere(): Promise<pg.PoolClient> {
    for (;;) {
      try {
        return await super.connect();
      } catch (error) {
        // The next process runs a job that was still being tried when this one ended.
        if (this.#ending) throw Object.assign(error as Error, { code: longPassing });
        if (!asAppError(error).passes) throw error;
      }
      await pause(lookMs);
    }
  }
}

/**
 * After these errors the library retries: immediately, for example after a conflict of two transactions; or slowly,
 * for hours.
 */
const [soonPassing, longPassing] = ['40001', '57P03'];

function passingFault(error: Error & { code?: string }): never {
  if (asAppError(error).passes) error.code = error.code?.startsWith('53') ? longPassing! : soonPassing!;
  throw error;
}
