import { vaccinationRecord, vaccinationsOfPatient } from '@caseway/contract/vaccinations';
import type { Tx } from '../../platform/db/database.ts';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';
import { readRecords, sourceOf } from '../../platform/records/record-sql.ts';
import { inItsTenant, servePatientRecord } from '../../platform/records/serve-patient-records.ts';
import { serveOwnVaccinations } from './own-vaccinations.ts';
import { readVaccinationsOf, vaccinationServer, vaccinations } from './vaccination-server.ts';

/** Vaccinations: their list and its export, those of a person, one with its changes, and patients' own. */
export function serveVaccinations(app: App, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  serveGrid(app, askDatabase(app.database), {
    source: sourceOf(vaccinations),
    recordKind: vaccinationRecord.kind,
    orders: (names, call) => lookups.orders(names, call),
    read: (tx: Tx, ids: readonly string[]) => readRecords(tx, vaccinations, ids),
    exported: {
      lookups,
      words: 'vaccinations',
      codesOf: (field) =>
        ['dose', 'site', 'route'].includes(field) ? `incident-reports:choice.${field}` : `choice.${field}`,
    },
  });
  servePatientRecord(app, vaccinationServer(lookups));

  serve(app, vaccinationsOfPatient, (call) =>
    inItsTenant(call, 'patient', call.params.id, async (tx) => {
      const found = await readVaccinationsOf(tx, call.params.id);
      call.audit({
        recordKind: vaccinationRecord.kind,
        recordIds: [call.params.id, ...found.map(({ id }) => id)],
      });
      return { vaccinations: found };
    }),
  );

  serveOwnVaccinations(app);
}
