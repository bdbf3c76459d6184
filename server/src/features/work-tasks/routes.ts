import { workTaskRecord } from '@caseway/contract/work-tasks';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
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
  servePatientRecord(app, server);
  serveBulk(app, database, server, source);
}
