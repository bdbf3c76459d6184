import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { inTransaction } from './in-transaction.ts';

/** A long transaction has a table that a migration needs. */
class TablesInUse extends Error {}

/** The statement took too long, or waited in a circle with someone who has one table and wants the next. */
const inUse = ['57014', '40P01'];

export interface Patience {
  /** Called each time that a long transaction is in the way. */
  waits?: () => void;
  /** Milliseconds for which everyone else may wait behind a migration that itself waits for a table. */
  tryMs?: number;
  /** Milliseconds until it tries again; others work in the meantime. */
  pauseMs?: number;
}

/**
 * Locks every table of this role until the end of the transaction, all at once, before a migration changes the first of
 * them. Without it, a migration would wait for a long reader, such as a backup, with tables in its hands, and everyone
 * would wait behind it for as long. Call it within `withTables`.
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

/** Runs a transaction that takes the tables, and begins it again after a pause as long as a long one uses one of them. */
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
