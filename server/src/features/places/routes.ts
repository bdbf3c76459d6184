import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import type { App } from '../../platform/http/app.ts';
import { facilityKind, serveWaiting } from './facilities.ts';
import { jurisdictionKind } from './jurisdictions.ts';
import { locationKind, serveLocationRemoval } from './locations.ts';
import { organizationKind } from './organizations.ts';
import { programKind, serveProgramTypes, taskKind } from './programs.ts';
import { serveRecords } from './records.ts';
import { serveReporting } from './reporting.ts';

/** The organisations and places of a tenant, as its administrator sets them up. */
export function servePlaces(app: App, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  serveRecords(app, lookups, organizationKind);
  serveRecords(app, lookups, facilityKind);
  serveWaiting(app);
  serveRecords(app, lookups, jurisdictionKind);
  serveReporting(app);
  serveRecords(app, lookups, programKind);
  serveProgramTypes(app);
  serveRecords(app, lookups, taskKind);
  serveRecords(app, lookups, locationKind);
  serveLocationRemoval(app);
}
