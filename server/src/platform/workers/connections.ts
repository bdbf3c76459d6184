import type { Database } from '../db/database.ts';

/**
 * Connections that a process uses besides its pool: for strangers, to listen, and its share of the first process's
 * tasks.
 */
const besides = 5;
const [fewest, most] = [4, 10];

/** The pool size for each of this many processes, so that together they leave some connections to others. */
export async function connectionsFor(database: Database, processes: number): Promise<number> {
  const [limit] = await database.withScope({ kind: 'system' }, (tx) =>
    tx.rows<{ n: number }>(`select current_setting('max_connections')::int as n`),
  );
  // The job queue and imports use a dozen more.
  const each = Math.floor((limit!.n * 0.8 - 12) / processes) - besides;
  return Math.min(most, Math.max(fewest, each));
}
