import { telemedicineRecord, telemedicineRoom, telemedicineVersion } from '@caseway/contract/telemedicine';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';
import { readRecord, readRecords, sourceOf } from '../../platform/records/record-sql.ts';
import { serveBulk } from '../../platform/records/serve-bulk.ts';
import {
  inAnyTenant,
  inItsTenant,
  servePatientRecord,
} from '../../platform/records/serve-patient-records.ts';
import { serveAvailability } from './availability-routes.ts';
import { serveOwnVisits } from './own-visits.ts';
import { serveOwnWaiting } from './own-waiting.ts';
import { patientDesk } from './patient-desk.ts';
import { roomOf } from './room.ts';
import { telemedicineServer, visits } from './telemedicine-server.ts';

/** Visits by video: their list, its export, one of them with its changes, and its room. */
export function serveTelemedicine(
  app: App,
  optionsOf: OptionsOf,
  { videoUrl }: { videoUrl?: string | undefined },
): void {
  const lookups = new Lookups(app.database, optionsOf);
  const server = telemedicineServer(lookups);
  const database = askDatabase(app.database);
  const source = sourceOf(visits);
  serveGrid(app, database, {
    source,
    recordKind: telemedicineRecord.kind,
    orders: (names, call) => lookups.orders(names, call),
    read: (tx, ids) => readRecords(tx, visits, ids),
    exported: { lookups, words: 'telemedicine' },
  });
  servePatientRecord(app, server);
  serveAvailability(app, lookups);
  const desk = patientDesk(app, optionsOf);
  serveOwnVisits(app, desk);
  serveOwnWaiting(app, desk, videoUrl);
  serveBulk(app, database, server, source);
  serve(app, telemedicineVersion, (call) =>
    inAnyTenant(call, async (tx) => {
      const { version } = await readRecord(tx, visits, call.params.id);
      return { version };
    }),
  );
  serve(app, telemedicineRoom, (call) => {
    const { id } = call.params;
    return inItsTenant(call, telemedicineRecord.kind, id, async (tx) => {
      const visit = await readRecord(tx, visits, id);
      const [stored] = await tx.rows<{ room: string | null }>(
        'select room from telemedicine_visit where tenant_id = $1 and id = $2',
        [tx.tenantId, id],
      );
      return roomOf(visit, stored!.room, videoUrl, Date.now());
    });
  });
}
