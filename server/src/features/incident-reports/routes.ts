import { incidentRecord, incidentWork } from '@caseway/contract/incident-reports';
import type { Tx } from '../../platform/db/database.ts';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { readRecords, sourceOf } from '../../platform/records/record-sql.ts';
import { serveBulk } from '../../platform/records/serve-bulk.ts';
import { servePatientRecord } from '../../platform/records/serve-patient-records.ts';
import { serveWork } from '../../platform/records/serve-work.ts';
import { incidentServer, incidents } from './incident-server.ts';
import { serveOwnReports } from './own-reports.ts';
import { serveVaers } from './vaers/take-vaers.ts';
import { reportedBy, vaersFile } from './vaers/vaers-files.ts';

/** Reports of incidents: their list, its export, one of them with its changes, and its tasks. */
export function serveIncidentReports(app: App, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  const server = incidentServer(lookups);
  const database = askDatabase(app.database);
  const source = sourceOf(incidents);
  const read = (tx: Tx, ids: readonly string[]) => readRecords(tx, incidents, ids);
  const reported = reportedBy(read);
  serveGrid(app, database, {
    source,
    recordKind: incidentRecord.kind,
    orders: (names, call) => lookups.orders(names, call),
    read,
    exported: {
      lookups,
      words: 'incident-reports',
      files: {
        'vaers-1': vaersFile('1', reported),
        'vaers-2': vaersFile('2', reported),
      },
      codesOf: (field) => `choice.${field === 'vaccineGroups' ? 'vaccine' : field}`,
    },
  });
  servePatientRecord(app, server);
  serveBulk(app, database, server, source);
  serveWork(app, server, incidentWork);
  serveVaers(app, reported);
  serveOwnReports(app);
}
