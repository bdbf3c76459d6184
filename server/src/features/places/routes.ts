import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import type { App } from '../../platform/http/app.ts';
import { serveRecords } from '../../platform/records/serve-records.ts';
import { facilityServer, serveWaiting } from './facilities.ts';
import { jurisdictionServer } from './jurisdictions.ts';
import { locationServer, serveLocationRemoval } from './locations.ts';
import { organizationServer } from './organizations.ts';
import { programServer, serveProgramTypes, taskServer } from './programs.ts';
import { serveReporting } from './reporting.ts';
import { teamServer } from './teams.ts';

/** The organisations and places of a tenant, as its administrator sets them up. */
export function servePlaces(app: App, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  const texts = {
    words: 'places',
    titles: 'field',
    codesOf: (field: string) => (field === 'experience' ? 'common:experience' : `choice.${field}`),
  };
  serveRecords(app, lookups, organizationServer, texts);
  serveRecords(app, lookups, facilityServer, texts);
  serveWaiting(app);
  serveRecords(app, lookups, jurisdictionServer, texts);
  serveReporting(app);
  serveRecords(app, lookups, programServer, texts);
  serveProgramTypes(app);
  serveRecords(app, lookups, taskServer, texts);
  serveRecords(app, lookups, teamServer, texts);
  serveRecords(app, lookups, locationServer, texts);
  serveLocationRemoval(app);
}
