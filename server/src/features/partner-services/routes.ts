import { partnerServices } from '@caseway/contract/dashboards/partner-services';
import { partnerRecord, partnersOfCase } from '@caseway/contract/partner-services';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { serveDashboard } from '../../platform/dashboards/serve-dashboard.ts';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';
import { readRecord, sourceOf } from '../../platform/records/record-sql.ts';
import { serveBulk } from '../../platform/records/serve-bulk.ts';
import { inItsTenant, servePatientRecord } from '../../platform/records/serve-patient-records.ts';
import { caseServer } from '../case-reports/case-server.ts';
import { partnerFact } from './partner-fact.ts';
import { partnerServer, partners, readPartners, readPartnersOf } from './partner-server.ts';

/** Partner services: their list, its export, the records of a case, and one of them with its changes. */
export function servePartnerServices(app: App, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  const cases = caseServer(lookups);
  const server = partnerServer(lookups);
  const database = askDatabase(app.database);
  const source = sourceOf(partners);
  serveGrid(app, database, {
    source,
    recordKind: partnerRecord.kind,
    orders: (names, call) => lookups.orders(names, call),
    read: readPartners,
    exported: { lookups, words: 'partner-services' },
  });
  servePatientRecord(app, server);
  serveBulk(app, database, server, source);
  serve(app, partnersOfCase, async (call) => {
    const { id } = call.params;
    const records = await inItsTenant(call, 'case', id, async (tx) => {
      // Readers who cannot see the case learn nothing about it.
      await readRecord(tx, cases, id);
      const found = await readPartnersOf(tx, id);
      if (found.length > 0)
        call.audit({ recordKind: partnerRecord.kind, recordIds: found.map((one) => one.id) });
      return found;
    });
    return { records };
  });
}

/** The measures of partner services. */
export const servePartnerAnalytics = (app: App, analytics: Analytics): void =>
  serveDashboard(app, analytics, { dashboard: partnerServices, facts: [partnerFact] });
