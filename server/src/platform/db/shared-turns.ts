import { places } from './places.ts';

/** Imports write these. All other shared tables are written by administrators. */
const facilities: readonly string[] = ['facility', 'facility_alias'];
const name = `(public\\.)?"?(${places.shared.join('|')})\\b`;
const written = new RegExp(`\\b(?:insert\\s+into|update|delete\\s+from)\\s+${name}`, 'gi');
const read = new RegExp(`\\b(?:from|join)\\s+${name}"?(?:\\s+(?:as\\s+)?(\\w+))?`, 'gi');
const locked = /\bfor\s+(?:no\s+key\s+)?update\b(?:\s+of\s+(\w+))?/i;

/** A dry run covers the stored tables with temporary ones of the same names. */
const covers = /\bset\s+local\s+search_path\s*=\s*pg_temp\b/i;

/**
 * The shared tables that a statement writes to or locks rows of. `covered`: names without a schema are temporary
 * tables.
 */
function changedBy(text: string, covered: boolean): string[] {
  const isStored = (schema: string | undefined) => schema !== undefined || !covered;
  const names: string[] = [];
  for (const [, schema, table] of text.matchAll(written))
    if (isStored(schema)) names.push(table!.toLowerCase());
  const lock = locked.exec(text);
  if (lock)
    for (const [, schema, table, alias] of text.matchAll(read))
      if (isStored(schema) && (lock[1] === undefined || lock[1] === alias || lock[1] === table))
        names.push(table!.toLowerCase());
  return names;
}

/**
 * Takes turns for transactions that write to shared tables.
 *
 * Citus locks a shared table as a whole until the transaction ends, for all tenants: an insert allows other inserts,
 * an update allows nothing. So unrelated transactions would deadlock: two that have both inserted and then want to
 * update, or two that write to two tables in different orders. PostgreSQL ends one of them (40P01). Instead, one
 * transaction at a time writes to facilities, and one to all other shared tables. A transaction that writes to both
 * begins with the others. [P30]
 */
export class SharedTurns {
  readonly #taken = new Set<string>();
  #covered = false;

  /** The statement to send before this one; undefined if none is needed. */
  before(text: string): string | undefined {
    // Locks since the savepoint are released.
    if (/^\s*rollback\s+to\b/i.test(text)) this.#taken.clear();
    if (covers.test(text)) this.#covered = true;
    const turns = new Set(
      changedBy(text, this.#covered).map((table) =>
        facilities.includes(table) ? 'facilities' : 'administration',
      ),
    );
    const missing = [...turns].filter((turn) => !this.#taken.has(turn)).sort();
    if (missing.length === 0) return undefined;
    for (const turn of missing) this.#taken.add(turn);
    return missing
      .map((turn) => `select pg_advisory_xact_lock(hashtextextended('writes ${turn}', 0));`)
      .join('');
  }
}
