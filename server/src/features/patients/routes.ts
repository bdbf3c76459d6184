import { alikePatients, mergedPatient } from '@caseway/contract/same-person';
import { patientWork } from '@caseway/contract/work-tasks';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import {
  inItsTenant,
  servePatientRecord,
  tenantToMakeIn,
} from '../../platform/records/serve-patient-records.ts';
import { serveWork } from '../../platform/records/serve-work.ts';
import { alikeShown } from './alike-shown.ts';
import { mergedInto } from './merged-person.ts';
import { patientSource, readPatients } from './patient-rows.ts';
import { readPerson } from './person.ts';
import { personServer } from './person-server.ts';

/** The patient database: the grid of persons, its export, one person, and people whom staff enter and correct. */
export function servePatients(app: App, analytics: Analytics, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  serveGrid(app, analytics, {
    source: patientSource,
    recordKind: 'patient',
    orders: (names, call) => lookups.orders(names, call),
    read: (tx, ids, call) => readPatients(tx, ids, call),
    exported: { lookups, words: 'patients', codesOf: () => 'common:answers' },
  });
  const server = personServer(lookups);
  servePatientRecord(app, server);
  serveWork(app, server, patientWork, 'patient_id');

  serve(app, mergedPatient, (call) =>
    inItsTenant(call, 'patient', call.params.id, async (tx) => {
      const id = await mergedInto(tx, call.params.id);
      const person = id === undefined ? null : await readPerson(tx, id, call);
      if (!person) throw new AppError('not-found');
      call.audit({ recordKind: 'patient', recordIds: [call.params.id, person.id] });
      const { lastName, firstName } = person;
      return { id: person.id, lastName, firstName };
    }),
  );

  serve(app, alikePatients, async (call) => ({
    patients: await alikeShown(app, call, tenantToMakeIn(call), call.body),
  }));
}
