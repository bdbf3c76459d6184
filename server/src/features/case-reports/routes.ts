import { followCaseRule } from '@caseway/contract/case-record';
import {
  addCaseNote,
  type CaseReport,
  type ChangeRefusal,
  changeCaseReports,
  changeRefusals,
} from '@caseway/contract/case-reports';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, refuse } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import {
  changePatientRecord,
  considerChange,
  lockedRecord,
  undoOfVersion,
} from '../../platform/records/patient-record.ts';
import {
  inItsTenant,
  patientWriter,
  servePatientRecord,
  writeChange,
} from '../../platform/records/serve-patient-records.ts';
import { addEvents } from './case-events.ts';
import { caseFault, caseServer } from './case-server.ts';
import { readCase } from './record.ts';
import { codeGroup, readCaseRows } from './rows.ts';
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
    exported: { lookups, words: 'case-reports', codesOf: codeGroup },
  });
  servePatientRecord(app, server);

  serve(app, followCaseRule, async (call) => {
    const { version } = call.body;
    const answer = await writeChange(server, call, call.params.id, (stored) => {
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
      await addEvents(tx, { tenantId, accountId }, id, [['note', { text: call.body.text }]]);
      call.audit({ action: 'note' });
      return (await readCase(tx, id))!;
    });
  });

  serve(app, changeCaseReports, async (call) => {
    const { changes, dryRun } = call.body;
    const context = await server.context(call);
    const done: { id: string; version: number; before: Pick<CaseReport, 'status' | 'investigator'> }[] = [];
    const refused = new Map<string, { id: string; caseId: string | null; code: ChangeRefusal }>();
    for (const { id } of changes) refused.set(id, { id, caseId: null, code: 'not-found' });
    for (const tenantId of call.org.tenantIds)
      await call.withScope(
        async (tx) => {
          const writer = patientWriter(call, tenantId, context);
          const ids = [...new Set(changes.map(({ id }) => id))];
          await server.lock(tx, tenantId, ids);
          const found = (await server.read(tx, ids)).map(({ id }) => id);
          for (const { id, version, undo, ...given } of changes) {
            if (!found.includes(id)) continue;
            const [stored] = (await server.read(tx, [id])) as unknown as StoredCase[];
            const { caseId, status, investigator } = stored!;
            try {
              if (version !== undefined && version !== stored!.version) throw new AppError('conflict');
              const { change } = undo
                ? await undoOfVersion(tx, server, stored!, stored!.version)
                : { change: { given } };
              const asked = [tx, server, writer, stored!, stored!.version, change] as const;
              if (dryRun) await considerChange(...asked);
              else await changePatientRecord(...asked);
              const [now] = (await server.read(tx, [id])) as unknown as [StoredCase];
              refused.delete(id);
              done.push({ id, version: now.version, before: { status, investigator } });
            } catch (error) {
              refused.set(id, { id, caseId, code: codeOf(error) });
            }
          }
          call.audit({
            action: dryRun ? 'consider changes' : 'change',
            ...(dryRun && { deed: 'read' as const }),
            recordKind: 'case',
            recordIds: found,
          });
        },
        { tenantId },
      );
    return { done, failed: [...refused.values()] };
  });
}

/** Why a case stays as it is. */
function codeOf(error: unknown): ChangeRefusal {
  if (!(error instanceof AppError)) throw error;
  if (error.code === 'conflict') return 'changed-meanwhile';
  const [fault] = error.details.faults ?? [];
  const code = changeRefusals.find((one) => one === fault?.code);
  if (code === undefined) throw error;
  return code;
}
