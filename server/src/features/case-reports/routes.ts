import { caseWork, followCaseRule } from '@caseway/contract/case-record';
import { addCaseNote, type CaseReport } from '@caseway/contract/case-reports';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { refuse } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { lockedRecord } from '../../platform/records/patient-record.ts';
import { serveBulk } from '../../platform/records/serve-bulk.ts';
import {
  inItsTenant,
  servePatientRecord,
  writeChange,
} from '../../platform/records/serve-patient-records.ts';
import { serveWork } from '../../platform/records/serve-work.ts';
import { addEvents } from './case-events.ts';
import { caseFault, caseServer } from './case-server.ts';
import { readCase } from './record.ts';
import { cellOf, codeGroup, readCaseRows } from './rows.ts';
import { caseReportSource } from './source.ts';
import type { StoredCase } from './stored-case.ts';

/** Case reports: the grid, its export, one record and its changes. */
export function serveCaseReports(app: App, analytics: Analytics, optionsOf: OptionsOf): void {
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

  serve(app, addCaseNote, (call) => {
    const { id } = call.params;
    return inItsTenant(call, 'case', id, async (tx, tenantId) => {
      await lockedRecord(tx, server, tenantId, id);
      const { accountId } = call.account;
      await addEvents(tx, { tenantId, accountId }, [
        { caseId: id, kind: 'note', detail: { text: call.body.text } },
      ]);
      call.audit({ action: 'note' });
      return (await readCase(tx, id))!;
    });
  });
}
