import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { PatientClient, watched } from './patience.ts';

export interface ListenOptions {
  /** Connection string. */
  url: string;
  channel: string;
  /** Called with the payload of each notification. */
  heard: (payload: string) => void;
  /** Called when a lost connection is back: messages sent in between are lost. */
  missed?: () => void;
}

/** Milliseconds between checks whether the database is back. */
const lookMs = 500;
/** Milliseconds that a check may take: a network that drops everything must not stop the checks. */
const patienceMs = 5000;

/**
 * Receives the notifications on a channel, on a separate connection that is renewed when it is lost. Resolves once it
 * listens, with a function that ends it; rejects if the first connection fails.
 */
export async function listenTo({ url, channel, heard, missed }: ListenOptions): Promise<() => Promise<void>> {
  const ending = new AbortController();
  let renewing: Promise<void> | undefined;
  let client: pg.Client;
  await connect();

  async function connect(): Promise<void> {
    const attempt = new PatientClient({
      connectionString: url,
      application_name: 'caseway listen',
      patienceMs,
      keepAlive: true,
    });
    client = attempt;
    attempt.on('notification', ({ payload }) => heard(payload ?? ''));
    attempt.on('error', () => {});
    try {
      await attempt.connect();
      await watched(attempt, patienceMs, attempt.query(`listen ${attempt.escapeIdentifier(channel)}`));
    } catch (error) {
      attempt.end().catch(() => {});
      throw error;
    }
    // Not earlier: a failing attempt reports its end too, and would be renewed in addition to the next one.
    attempt.once('end', () => {
      if (!ending.signal.aborted) renewing = renew();
    });
  }

  async function renew(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        await sleep(lookMs, undefined, { signal: ending.signal });
        await connect();
      } catch {
        continue;
      }
      missed?.();
      return;
    }
  }

  return async () => {
    ending.abort();
    // A running attempt fails when its client ends.
    await client.end();
    await renewing;
  };
}
