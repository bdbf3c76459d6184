import { lateAuditWork } from '../src/platform/auth/late-audit.ts';
import { createLog } from '../src/platform/log/log.ts';
import { asSuperuser, type TestDatabase } from './database.ts';

/** Writes the events of wrong codes, which wait as jobs, if nothing runs in the background; returns their number. */
export async function writeLateEvents({
  database,
  superuserUrl,
}: Pick<TestDatabase, 'database' | 'superuserUrl'>): Promise<number> {
  const { job, run } = lateAuditWork(database);
  const waiting = await asSuperuser<{ payload: unknown }>(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
     where t.id = j.task_id and t.identifier = $1 returning j.payload`,
    [job.name],
    superuserUrl,
  );
  for (const { payload } of waiting)
    await run(job.payload.parse(payload), {
      log: createLog('silent'),
      attempt: 1,
      signal: new AbortController().signal,
    });
  return waiting.length;
}
