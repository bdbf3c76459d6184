import { z } from 'zod';
import { type Connection, connected } from '../db/roles.ts';
import { defineJob, type Work, work } from '../jobs/jobs.ts';

/** How many months ahead partitions are made. */
const monthsAhead = 3;
/** PostgreSQL's code for a lock that was not available in time. */
const lockNotAvailable = '55P03';

/**
 * Makes a partition for this month, the next ones, and every month with events in the default partition; runs as the
 * owner. Other transactions wait only while one is made, for up to five seconds. If a long transaction is reading
 * the log, the month is left for the next run; its events stay in the default partition, and readers see no
 * difference. Returns the months made, as `YYYY-MM-01`.
 */
export async function makeAuditPartitions(client: Connection): Promise<string[]> {
  const { rows: kept } = await client.query(
    `select to_regprocedure('public.app_audit_partition(date)') is not null as kept`,
  );
  // The database is only partly migrated, as in some tests.
  if (!kept[0].kept) return [];
  await client.query('begin read only');
  await client.query(`set local app.scope = 'backup'`);
  const { rows } = await client.query<{ month: string }>(
    `select to_char(month, 'YYYY-MM-DD') as month from (
       select generate_series(date_trunc('month', now() at time zone 'UTC'),
         date_trunc('month', now() at time zone 'UTC') + make_interval(months => $1), interval '1 month') as month
       union select date_trunc('month', at at time zone 'UTC') from audit_event_rest
       union select date_trunc('month', at at time zone 'UTC') from audit_record_rest) wanted
     where to_regclass('public.audit_event' || to_char(month, '_YYYY_MM')) is null
       or to_regclass('public.audit_record' || to_char(month, '_YYYY_MM')) is null
     order by 1`,
    [monthsAhead],
  );
  await client.query('commit');
  const made: string[] = [];
  for (const { month } of rows)
    try {
      await client.query(`begin; set local lock_timeout = '5s'`);
      await client.query('select app_audit_partition($1::date)', [month]);
      await client.query('commit');
      made.push(month);
    } catch (error) {
      await client.query('rollback');
      if ((error as { code?: string }).code !== lockNotAvailable) throw error;
    }
  return made;
}

const partitionsJob = defineJob({
  name: 'audit/partitions',
  payload: z.strictObject({}),
  lane: 'quick',
  attempts: 5,
});

/** Makes partitions for coming months every day, for servers that run for months. */
export const auditPartitionsWork = (ownerUrl: string): Work =>
  work(
    partitionsJob,
    async () => void (await connected(ownerUrl, 'the owner', makeAuditPartitions)),
    '23 2 * * *',
  );
