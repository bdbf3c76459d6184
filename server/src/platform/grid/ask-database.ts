import type { Answering } from '../analytics/readings.ts';
import type { Database, ScopeOptions } from '../db/database.ts';

/** Queries PostgreSQL for tables that are in no replica. `findRows` and `serveGrid` take it instead of the engine. */
export const askDatabase = (
  database: Database,
  { atCoordinator }: Pick<ScopeOptions, 'atCoordinator'> = {},
): Answering => ({
  answer: ({ scopes, timeoutMs }, reading, args) =>
    database.withScope(
      scopes[0]!,
      (tx) =>
        reading.run(
          ({ with: before, select, params }) => tx.rows(before ? `with ${before} ${select}` : select, params),
          args,
          { scopes, asOf: new Date(), by: 'postgres' },
        ),
      { readOnly: true, statementTimeoutMs: timeoutMs, atCoordinator },
    ),
  // Every process queries the database itself.
  declare() {},
});
