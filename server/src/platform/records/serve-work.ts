import type { OpenTask, RunningClock, WorkEndpoint } from '@caseway/contract/work-tasks';
import type { App } from '../http/app.ts';
import { serve } from '../http/serve.ts';
import type { PatientServer } from './patient-record.ts';
import { readRecord } from './record-sql.ts';
import { readingRecord } from './serve-patient-records.ts';

/** Serves the tasks of a record, and its running clocks. `by`: the column of a task with the record. */
export function serveWork(
  app: App,
  server: PatientServer,
  endpoint: WorkEndpoint,
  by: 'record_id' | 'patient_id' = 'record_id',
): void {
  serve(app, endpoint, async (call) => {
    const { id } = call.params;
    const { answer } = await readingRecord(app, server, call, id, async (tx) => {
      await readRecord(tx, server, id);
      const of = [tx.tenantId, id];
      const tasks = await tx.rows<OpenTask>(
        // All of the record first: with the condition on the state, the index of what is open would be read by tenant.
        `with k as materialized (select * from work_task where tenant_id = $1 and ${by} = $2)
         select k.id, k.record_id as "recordId", c.case_id as record, k.version, k.work, k.title, k.note, k.repeat_days as "repeatDays", k.repeat_until as "repeatUntil", k.queue, k.account_id as account,
           nullif(concat_ws(' ', a.first_name, a.last_name), '') as name, k.team_id as team, m.name as "teamName", k.priority, k.due_on as "dueOn",
           coalesce(k.due_on < cast(now() at time zone t.time_zone as date), false) as overdue
         from k join tenant t on t.id = k.tenant_id left join account a on a.id = k.account_id
           left join team m on m.tenant_id = k.tenant_id and m.id = k.team_id
           left join lateral (select case_id from case_report where tenant_id = $1 and id = k.record_id limit 1) c on true
         where k.state = 'open' order by k.due_on nulls last, k.id`,
        of,
      );
      const clocks = await tx.rows<Omit<RunningClock, 'dueAt'> & { dueAt: Date }>(
        `select clock, started_on as "startedOn", due_on as "dueOn", due_at as "dueAt", due_at <= now() as overdue
         from record_clock where tenant_id = $1 and record_id = $2 and stopped_at is null order by due_at, clock`,
        of,
      );
      return { tasks, clocks: clocks.map((clock) => ({ ...clock, dueAt: clock.dueAt.toISOString() })) };
    });
    return answer;
  });
}
