import { treatmentRecord, treatmentsOfCase } from '@caseway/contract/treatments';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';
import { readRecord } from '../../platform/records/record-sql.ts';
import { readingRecord, servePatientRecord } from '../../platform/records/serve-patient-records.ts';
import { caseServer } from '../case-reports/case-server.ts';
import { readTreatmentRows, treatmentSource } from './records.ts';
import { readTreatmentsOf, treatmentServer } from './treatment-server.ts';

/** Treatments: those of a case, one with its changes, and the list behind numbers with its export. */
export function serveTreatments(app: App, analytics: Analytics, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  const cases = caseServer(lookups);
  servePatientRecord(app, treatmentServer(lookups));

  serve(app, treatmentsOfCase, async (call) => {
    const { id } = call.params;
    const { answer } = await readingRecord(app, cases, call, id, async (tx) => {
      // Readers who cannot see the case learn nothing about it.
      await readRecord(tx, cases, id);
      return readTreatmentsOf(tx, id);
    });
    return { treatments: answer };
  });

  serveGrid(app, analytics, {
    source: treatmentSource,
    recordKind: treatmentRecord.kind,
    orders: (names, call) => lookups.orders(names, call),
    read: readTreatmentRows,
    exported: { lookups, words: 'treatments' },
  });
}
