import type { Analytics } from '../analytics/engine.ts';
import type { Database } from '../db/database.ts';

/** Queries PostgreSQL for tables that are in no replica: `findRows` and `serveGrid` take it instead of the engine. */
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
