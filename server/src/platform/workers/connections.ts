import type { Database } from '../db/database.ts';

/** What a process uses besides its pool: for strangers, to listen, and its share of what the first does for all. */
const besides = 5;
const [fewest, most] = [4, 10];

/** How many connections the pool of each of so many processes may have, so that all together leave some to others. */
export async function connectionsFor(database: Database, processes: number): Promise<number> {
  const [limit] = await database.withScope({ kind: 'system' }, (tx) =>
    tx.rows<{ n: number }>(`select current_setting('max_connections')::int as n`),
  );
  // The queue of jobs and imports have a dozen of their own.
  const each = Math.floor((limit!.n * 0.8 - 12) / processes) - besides;
  return Math.min(most, Math.max(fewest, each));
}
