import { caseWork, followCaseRule } from '@caseway/contract/case-record';
import { addCaseNote, type CaseReport, findCaseColleagues } from '@caseway/contract/case-reports';
import { mentionedIn } from '@caseway/contract/mentions';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, refuse } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { tell } from '../../platform/inbox/tell.ts';
import {
  colleaguesAmong,
  faultsOfMentions,
  type Noted,
  peopleNamed,
  type Readers,
  seesRecord,
} from '../../platform/records/mentions.ts';
import { lockedRecord } from '../../platform/records/patient-record.ts';
import { serveBulk } from '../../platform/records/serve-bulk.ts';
import {
  inAnyTenant,
  inItsTenant,
  servePatientRecord,
  writeChange,
} from '../../platform/records/serve-patient-records.ts';
import { serveWork } from '../../platform/records/serve-work.ts';
import { fold } from '../../platform/text/fold.ts';
import { addEvents } from './case-events.ts';
import { caseFault, caseServer } from './case-server.ts';
import { readCase } from './record.ts';
import { cellOf, codeGroup, readCaseRows } from './rows.ts';
import { caseReportSource } from './source.ts';
import type { StoredCase } from './stored-case.ts';

/** Case reports: the grid, its export, one record and its changes. */
export function serveCaseReports(
  app: App,
  analytics: Analytics,
  optionsOf: OptionsOf,
  readers: Readers,
): void {
  const lookups = new Lookups(app.database, optionsOf);
  const server = caseServer(lookups);

  serveGrid(app, analytics, {
    source: caseReportSource,
    recordKind: 'case',
    orders: (names, call) => lookups.orders(names, call),
    read: readCaseRows,
    exported: { lookups, words: 'case-reports', codesOf: codeGroup, value: cellOf },
  });
  servePatientRecord(app, server);
  serveBulk(app, analytics, server, caseReportSource);
  serveWork(app, server, caseWork);

  serve(app, followCaseRule, async (call) => {
    const { version } = call.body;
    const answer = await writeChange(app, server, call, call.params.id, (stored) => {
      const { ruleSays } = stored as unknown as StoredCase;
      refuse(ruleSays === null ? [caseFault('followRule', 'no-rule')] : []);
      return {
        version,
        change: {
          given: { classification: ruleSays },
          also: { classifiedBy: 'rule', reviewReason: null },
        },
      };
    });
    return answer as unknown as CaseReport;
  });

  const notedAt = (tenantId: string, id: string): Noted => ({
    tenantId,
    id,
    table: 'case_report',
    permission: 'case-reports/read',
  });

  serve(app, findCaseColleagues, async (call) => {
    const { id } = call.params;
    const words = fold(call.query.words).split(/\s+/).filter(Boolean);
    const { people, tenantId } = await inAnyTenant(call, async (tx, tenantId) => {
      if (!(await seesRecord(tx, notedAt(tenantId, id)))) throw new AppError('not-found');
      return { people: await peopleNamed(tx, tenantId, words), tenantId };
    });
    return { colleagues: await colleaguesAmong(app.database, readers, notedAt(tenantId, id), people) };
  });

  serve(app, addCaseNote, async (call) => {
    const { id } = call.params;
    const { text } = call.body;
    const mentioned = mentionedIn(text);
    if (mentioned.length > 0) {
      const tenantId = await inAnyTenant(call, async (tx, tenantId) => {
        if (!(await seesRecord(tx, notedAt(tenantId, id)))) throw new AppError('not-found');
        return tenantId;
      });
      refuse(await faultsOfMentions(app.database, readers, notedAt(tenantId, id), mentioned));
    }
    return inItsTenant(call, 'case', id, async (tx, tenantId) => {
      await lockedRecord(tx, server, tenantId, id);
      const { accountId } = call.account;
      await addEvents(tx, { tenantId, accountId }, [{ caseId: id, kind: 'note', detail: { text } }]);
      await tell(
        tx,
        { tenantId, recordKind: 'case', actorId: accountId },
        mentioned.map((to) => ({ kind: 'mentioned', recordId: id, to })),
      );
      call.audit({ action: 'note' });
      return (await readCase(tx, id))!;
    });
  });
}
