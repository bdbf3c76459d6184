import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { inTransaction } from './in-transaction.ts';

/** A long transaction uses a table that a migration needs. */
class TablesInUse extends Error {}

/** The statement took too long, or met a deadlock. */
const inUse = ['57014', '40P01'];

export interface Patience {
  /** Called each time a long transaction is in the way. */
  waits?: () => void;
  /** Milliseconds for which everyone else may wait behind a migration that itself waits for a table. */
  tryMs?: number;
  /** Milliseconds until the next try; others work in the meantime. */
  pauseMs?: number;
}

/**
 * Locks every table of this role until the end of the transaction, all at once, before a migration changes the first
 * of them. Otherwise a migration would hold some tables while it waits for a long reader, such as a backup, and
 * everyone would wait behind it for as long. Call it within `withTables`.
 */
export async function takeTables(client: pg.Client, { tryMs = 3000 }: Patience): Promise<void> {
  const { rows } = await client.query<{ all: string | null }>(
    `select string_agg(oid::regclass::text, ', ' order by oid) as all from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and pg_has_role(relowner, 'usage')
       and not exists (select from pg_depend d where d.objid = pg_class.oid and d.deptype = 'e')`,
  );
  if (rows[0]!.all === null) return;
  await client.query(`set local statement_timeout = ${tryMs}`);
  await client.query(`lock table ${rows[0]!.all} in access exclusive mode`).catch((error) => {
    throw inUse.includes(error.code) ? new TablesInUse() : error;
  });
  await client.query('set local statement_timeout to default');
}

/**
 * Runs a transaction that takes the tables, and repeats it after a pause while a long transaction uses one of them.
 */
export async function withTables<Result>(
  client: pg.Client,
  { waits, pauseMs = 5000 }: Patience,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await inTransaction(client, work);
    } catch (error) {
      if (!(error instanceof TablesInUse)) throw error;
    }
    waits?.();
    await pause(pauseMs);
  }
}
