import { type OwnWork, ownWork, workTaskRecord } from '@caseway/contract/work-tasks';
import type { Tx } from '../../platform/db/database.ts';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';
import { readRecords, sourceOf } from '../../platform/records/record-sql.ts';
import { serveBulk } from '../../platform/records/serve-bulk.ts';
import { servePatientRecord } from '../../platform/records/serve-patient-records.ts';
import { workTaskServer, workTasks } from './work-task-server.ts';

/** Follow-up tasks: their list, its export, one of them and its changes. */
export function serveWorkTasks(app: App, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  const server = workTaskServer(lookups);
  const database = askDatabase(app.database);
  const source = sourceOf(workTasks);
  serveGrid(app, database, {
    source,
    recordKind: workTaskRecord.kind,
    orders: (names, call) => lookups.orders(names, call),
    read: (tx, ids) => readRecords(tx, workTasks, ids),
    exported: { lookups, words: 'work-tasks' },
  });
  serve(app, ownWork, async (call) => {
    const sum: OwnWork = { open: 0, dueToday: 0, overdue: 0 };
    for (const tenantId of call.org.tenantIds) {
      const own = await call.withScope((tx) => readOwnWork(tx, call.account.accountId), { tenantId });
      for (const name of ['open', 'dueToday', 'overdue'] as const) sum[name] += own[name];
    }
    return sum;
  });
  servePatientRecord(app, server);
  serveBulk(app, database, server, source);
}

/** Numerator: open tasks given to this account that the reader sees, by the day where the tenant is; no denominator. */
async function readOwnWork(tx: Tx, accountId: string): Promise<OwnWork> {
  const [counts] = await tx.rows<OwnWork>(
    `select cast(count(*) as integer) as open,
       cast(count(*) filter (where k.due_on = d.today) as integer) as "dueToday",
       cast(count(*) filter (where k.due_on < d.today) as integer) as overdue
     from work_task k cross join (select cast(now() at time zone t.time_zone as date) as today from tenant t where t.id = $1) d
     where k.tenant_id = $1 and k.account_id = $2 and k.state = 'open'`,
    [tx.tenantId, accountId],
  );
  return counts!;
}
