import { type Contact, contactFollowUp, contactRecord, contactsOfCase } from '@caseway/contract/contacts';
import { dayAfterExposure } from '@caseway/contract/follow-up';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';
import { readRecord, readRecords, sourceOf } from '../../platform/records/record-sql.ts';
import { serveBulk } from '../../platform/records/serve-bulk.ts';
import { serveFollowUp } from '../../platform/records/serve-follow-up.ts';
import { inItsTenant, servePatientRecord } from '../../platform/records/serve-patient-records.ts';
import { caseServer } from '../case-reports/case-server.ts';
import { contactServer, contacts, readContactsOf } from './contact-server.ts';

/** Contacts: their list, its export, the contacts of a case, one of them with its changes, and its daily follow-up. */
export function serveContacts(app: App, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  const cases = caseServer(lookups);
  const server = contactServer(lookups);
  const database = askDatabase(app.database);
  const source = sourceOf(contacts);
  serveGrid(app, database, {
    source,
    recordKind: contactRecord.kind,
    orders: (names, call) => lookups.orders(names, call),
    read: (tx, ids) => readRecords(tx, contacts, ids),
    exported: { lookups, words: 'contacts' },
  });
  servePatientRecord(app, server);
  serveBulk(app, database, server, source);
  serveFollowUp<Contact>(app, server, contactFollowUp, {
    window: ({ lastExposedOn, followUntil, startedOn }) => ({
      firstOn: dayAfterExposure({ lastExposedOn }),
      followUntil,
      startedOn,
    }),
    isFollowed: ({ status }) => status === 'under-follow-up',
    investigator: ({ investigator }) => investigator,
  });
  serve(app, contactsOfCase, async (call) => {
    const { id } = call.params;
    const contacts = await inItsTenant(call, 'case', id, async (tx) => {
      // Readers who cannot see the case learn nothing about it.
      await readRecord(tx, cases, id);
      const found = await readContactsOf(tx, id);
      if (found.length > 0)
        call.audit({ recordKind: contactRecord.kind, recordIds: found.map((one) => one.id) });
      return found;
    });
    return { contacts };
  });
}
