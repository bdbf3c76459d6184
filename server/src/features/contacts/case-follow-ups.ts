import {
  type CaseFollowUp,
  caseFollowUpDays,
  caseFollowUpRecord,
  followUpsOfCase,
} from '@caseway/contract/case-follow-ups';
import { todayIn } from '@caseway/contract/date-range';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';
import { readRecord, readRecords, sourceOf } from '../../platform/records/record-sql.ts';
import { serveFollowUp } from '../../platform/records/serve-follow-up.ts';
import { readingRecord, servePatientRecord } from '../../platform/records/serve-patient-records.ts';
import { caseServer } from '../case-reports/case-server.ts';
import { caseFollowUpServer, caseFollowUps, readFollowUps } from './case-follow-up-server.ts';

/**
 * The daily follow-up of cases: the list of who is due, the follow-ups of a case, one with its changes, and its
 * days.
 */
export function serveCaseFollowUps(app: App, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  const cases = caseServer(lookups);
  const server = caseFollowUpServer(lookups);
  serveGrid(app, askDatabase(app.database), {
    source: sourceOf(caseFollowUps),
    recordKind: caseFollowUpRecord.kind,
    orders: (names, call) => lookups.orders(names, call),
    read: (tx, ids) => readRecords(tx, caseFollowUps, ids),
    exported: { lookups, words: 'case-follow-ups' },
  });
  servePatientRecord(app, server);
  serveFollowUp<CaseFollowUp>(app, server, caseFollowUpDays, {
    window: ({ firstOn, lastOn, createdOn }) => ({
      ...{ firstOn, followUntil: lastOn, startedOn: createdOn },
    }),
    isFollowed: ({ status }) => status === 'under-follow-up',
    investigator: ({ investigator }) => investigator,
  });
  serve(app, followUpsOfCase, async (call) => {
    const { id } = call.params;
    const { answer } = await readingRecord(app, cases, call, id, async (tx) => {
      // Readers who cannot see the case learn nothing about it.
      await readRecord(tx, cases, id);
      const found = await readFollowUps(tx, id, todayIn(call.org.timeZone));
      const recordIds = found.followUps.map((one) => one.id);
      if (recordIds.length > 0) call.audit({ recordKind: caseFollowUpRecord.kind, recordIds });
      return found;
    });
    return answer;
  });
}
