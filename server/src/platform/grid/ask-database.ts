import type { Analytics } from '../analytics/engine.ts';
import type { Database } from '../db/database.ts';

/** What is in no replica is asked of PostgreSQL: `findRows` and `serveGrid` take it in the engine's place. */
export const askDatabase = (database: Database): Pick<Analytics, 'read'> => ({
  read: ({ scopes, timeoutMs }, work) =>
    database.withScope(
      scopes[0]!,
      (tx) =>
        work(
          ({ with: before, select, params }) => tx.rows(before ? `with ${before} ${select}` : select, params),
          new Date(),
          'postgres',
        ),
      { readOnly: true, statementTimeoutMs: timeoutMs },
    ),
});
