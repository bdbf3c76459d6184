import { fieldVisitRecord, visitsOfCase } from '@caseway/contract/field-visits';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';
import { readRecord, readRecords, sourceOf } from '../../platform/records/record-sql.ts';
import { serveBulk } from '../../platform/records/serve-bulk.ts';
import { inItsTenant, servePatientRecord } from '../../platform/records/serve-patient-records.ts';
import { caseServer } from '../case-reports/case-server.ts';
import { serveAttempts } from './serve-attempts.ts';
import { serveKeptVisits } from './serve-kept-visits.ts';
import { readVisitsOf, visitServer, visits } from './visit-server.ts';

/** Field visits: their list, its export, the visits of a case, one of them with its changes, and its attempts. */
export function serveFieldVisits(app: App, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  const cases = caseServer(lookups);
  const server = visitServer(lookups);
  const database = askDatabase(app.database);
  const source = sourceOf(visits);
  serveGrid(app, database, {
    source,
    recordKind: fieldVisitRecord.kind,
    orders: (names, call) => lookups.orders(names, call),
    read: (tx, ids) => readRecords(tx, visits, ids),
    exported: { lookups, words: 'field-visits' },
  });
  servePatientRecord(app, server);
  serveBulk(app, database, server, source);
  serveAttempts(app, server);
  serveKeptVisits(app);
  serve(app, visitsOfCase, async (call) => {
    const { id } = call.params;
    const visits = await inItsTenant(call, 'case', id, async (tx) => {
      // Readers who cannot see the case learn nothing about it.
      await readRecord(tx, cases, id);
      const found = await readVisitsOf(tx, id);
      if (found.length > 0)
        call.audit({ recordKind: fieldVisitRecord.kind, recordIds: found.map((one) => one.id) });
      return found;
    });
    return { visits };
  });
}
