import type { GlassAccess } from '@caseway/contract/break-glass';
import {
  addCaseNote,
  type CaseChange,
  type CaseReport,
  changeCaseReport,
  changeCaseReports,
  readCaseReport,
} from '@caseway/contract/case-reports';
import { todayIn } from '@caseway/contract/date-range';
import type { Fault } from '@caseway/contract/error';
import type { Labelled } from '@caseway/contract/label';
import type { Analytics } from '../../platform/analytics/engine.ts';
import { recordChange } from '../../platform/analytics/outbox.ts';
import { hasCome } from '../../platform/auth/memberships.ts';
import type { Tx } from '../../platform/db/database.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError, refuse } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { accessesOf } from '../../platform/policy/break-glass.ts';
import { conditionByCode, familyByCode } from '../reference/catalog.ts';
import {
  addEvent,
  type ChangeableCase,
  type ChangeContext,
  differences,
  faultsOf,
  lockCases,
  makeChange,
} from './change.ts';
import { readCase } from './record.ts';
import { codeGroup, readCaseRows } from './rows.ts';
import { caseReportSource } from './source.ts';

/** Case reports: the grid, its export, one record and its changes. */
export function serveCaseReports(app: App, analytics: Analytics, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);

  serveGrid(app, analytics, {
    source: caseReportSource,
    recordKind: 'case',
    orders: (names, call) => lookups.orders(names, call),
    read: readCaseRows,
    exported: { lookups, words: 'case-reports', codesOf: codeGroup },
  });

  serve(app, readCaseReport, async (call) => {
    const { id } = call.params;
    try {
      return await inItsTenant(call, id, async (tx) => answered(call, await readCase(tx, id)));
    } catch (error) {
      const hidden = error instanceof AppError && error.code === 'not-found';
      const breakGlass = hidden ? await accessTo(call, id) : undefined;
      if (!breakGlass) throw error;
      call.audit({ recordKind: 'case', recordIds: [id], detail: { breakGlass: breakGlass.id } });
      return call.withScope(
        async (tx) => {
          const record = answered(call, await readCase(tx, id));
          const conditionLabel = labelOf(conditionByCode(record.condition));
          const familyLabel = labelOf(familyByCode(record.diseaseFamily));
          return { ...record, breakGlass: { ...breakGlass, conditionLabel, familyLabel } };
        },
        { glass: breakGlass.id },
      );
    }
  });

  /**
   * The valid access to a record that is otherwise hidden. Not in the request's own transaction: it reads no record.
   */
  async function accessTo(call: Call, id: string): Promise<GlassAccess | undefined> {
    const { scope } = call;
    if (!call.may('break-glass/write') || scope.kind !== 'org') return undefined;
    const [access] = await app.database.withScope(scope, (tx) => accessesOf(tx, scope, id), {
      readOnly: true,
    });
    return access;
  }

  serve(
    app,
    changeCaseReport,
    async (call) => {
      const { id } = call.params;
      const match = /^"(\d+)"$/.exec(call.header('if-match') ?? '');
      if (!match)
        throw new AppError('malformed-request', {
          faults: [
            { path: 'If-Match', code: 'required', message: 'the ETag of the case as it was read is missing' },
          ],
        });
      const offered = await lookups.labels('investigators', call);
      return inItsTenant(call, id, async (tx, tenantId) => {
        const current = (await lockCases(tx, [id])).get(id);
        if (!current) return answered(call, null);
        const { undo, followRule, ...asked } = call.body;
        if (followRule && current.ruleSays !== null) asked.classification = current.ruleSays;
        if (current.version !== Number(match[1])) {
          const different = Object.keys(differences(current, asked)).filter((field) => field in asked);
          throw new AppError('conflict', {
            faults: different.map((path) => fault(path, 'changed-meanwhile')),
          });
        }
        const change = differences(current, asked);
        const context = await changeContext(call, tenantId, tx, offered);
        refuse(faultsOfAsked(current, { followRule, ...asked }, context));
        const follows = followRule === true && current.classifiedBy !== 'rule';
        if (Object.keys(change).length > 0 || follows) {
          await makeChange(tx, current, change, context, { undo, followRule: follows });
          await recordChange(tx, tenantId, 'case_report', [id]);
          const fields = [...Object.keys(change), ...(follows ? ['classifiedBy'] : [])];
          call.audit({ action: 'change', detail: { fields } });
        }
        return answered(call, await readCase(tx, id));
      });
    },
    {
      alsoWrong: async (call) => {
        const { id } = call.params;
        const offered = await lookups.labels('investigators', call);
        return inItsTenant(call, id, async (tx, tenantId) => {
          const current = (await lockCases(tx, [id])).get(id);
          if (!current) throw new AppError('not-found');
          return faultsOfAsked(current, call.body, await changeContext(call, tenantId, tx, offered));
        });
      },
    },
  );

  serve(app, addCaseNote, (call) => {
    const { id } = call.params;
    return inItsTenant(call, id, async (tx, tenantId) => {
      if (!(await lockCases(tx, [id])).has(id)) return answered(call, null);
      await addEvent(tx, { tenantId, accountId: call.account.accountId }, id, 'note', {
        text: call.body.text,
      });
      call.audit({ action: 'note' });
      return answered(call, await readCase(tx, id));
    });
  });

  serve(app, changeCaseReports, async (call) => {
    const { changes, dryRun } = call.body;
    const offered = await lookups.labels('investigators', call);
    const done: { id: string; version: number; before: Pick<CaseReport, 'status' | 'investigator'> }[] = [];
    const refused = new Map<string, { id: string; caseId: string | null; code: 'not-found' | RefusalCode }>();
    for (const { id } of changes) refused.set(id, { id, caseId: null, code: 'not-found' });
    for (const tenantId of call.org.tenantIds)
      await call.withScope(
        async (tx) => {
          const context = await changeContext(call, tenantId, tx, offered);
          const cases = await lockCases(
            tx,
            changes.map(({ id }) => id),
          );
          const changed: string[] = [];
          for (const { id, version, undo, ...asked } of changes) {
            const current = cases.get(id);
            if (!current) continue;
            const change = differences(current, asked);
            const [wrong] = faultsOf(current, change, context);
            const code =
              version !== undefined && version !== current.version ? 'changed-meanwhile' : wrong?.code;
            if (code !== undefined) {
              refused.set(id, { id, caseId: current.caseId, code: code as RefusalCode });
              continue;
            }
            refused.delete(id);
            const differs = Object.keys(change).length > 0;
            const now =
              differs && !dryRun ? await makeChange(tx, current, change, context, { undo }) : current.version;
            if (differs && !dryRun) {
              changed.push(id);
              // The same case can be named again.
              cases.set(id, { ...current, ...change, version: now });
            }
            done.push({
              id,
              version: now,
              before: { status: current.status, investigator: current.investigator },
            });
          }
          await recordChange(tx, tenantId, 'case_report', changed);
          call.audit({
            action: dryRun ? 'consider changes' : 'change',
            ...(dryRun && { deed: 'read' as const }),
            recordKind: 'case',
            recordIds: [...cases.keys()],
          });
        },
        { tenantId },
      );
    return { done, failed: [...refused.values()] };
  });

  /** `offered` is looked up before the transaction: one that waits for a second connection could wait for ever. */
  async function changeContext(
    call: Call,
    tenantId: string,
    tx: Tx,
    offered: ReadonlyMap<string, string>,
  ): Promise<ChangeContext> {
    // A person who has left stays in the look-up for their old cases, and gets no new ones.
    const active = await tx.rows<{ id: string }>(
      `select a.id from membership m join account a on a.id = m.account_id
      where m.tenant_id = $1 and m.ended_at is null and a.disabled_at is null and ${hasCome}`,
      [tenantId],
    );
    return {
      tenantId,
      accountId: call.account.accountId,
      may: (permission) => call.may(permission),
      today: todayIn(call.org.timeZone),
      investigators: new Set(active.flatMap(({ id }) => (offered.has(id) ? [id] : []))),
    };
  }
}

const labelOf = (entry: Labelled | undefined): Labelled | null =>
  entry ? { label: entry.label, labelI18N: entry.labelI18N } : null;

type RefusalCode = 'unlawful' | 'investigator-needed' | 'not-an-investigator' | 'changed-meanwhile';

const fault = (path: string, code: string): Fault => ({ path, code, message: faultMessages[code] ?? code });

/** For people who read the API; the screens have their own words, by the code. */
const faultMessages: Readonly<Record<string, string>> = {
  unlawful: 'the case definition of the condition does not know this classification',
  'investigator-needed': 'a case is not assigned without an investigator',
  'not-an-investigator': 'nobody who can be given cases of this tenant',
  'no-rule': 'no case rule has been applied to this case',
  'changed-meanwhile': 'somebody else has changed it since',
  future: 'the day lies in the future',
  'before-1900': 'the day lies before 1900',
  'before-birth': 'the day lies before the birth',
  'after-next': 'the day lies after one that has to follow it',
};

/** All faults of a change of a case. [S5.1] */
function faultsOfAsked(
  current: ChangeableCase,
  { undo: _, followRule, ...asked }: CaseChange & { undo?: boolean; followRule?: boolean },
  context: ChangeContext,
): Fault[] {
  return [
    ...(followRule && current.ruleSays === null ? [fault('followRule', 'no-rule')] : []),
    ...faultsOf(current, differences(current, asked), context).map(({ field, code, ...rest }) => ({
      ...fault(field, code),
      ...rest,
    })),
  ];
}

/** The record as an answer, with its ETag. Throws `not-found` if there is none. */
function answered(call: Call, record: CaseReport | null): CaseReport {
  if (!record) throw new AppError('not-found');
  call.setHeader('etag', `"${record.version}"`);
  return record;
}

/** Runs `work` in the tenant of a case: the reader's own, or the one of a jurisdiction's tenants that has the case. */
export async function inItsTenant<T>(
  call: Call,
  id: string,
  work: (tx: Tx, tenantId: string) => Promise<T>,
): Promise<T> {
  for (const [index, tenantId] of call.org.tenantIds.entries()) {
    call.audit({ recordKind: 'case', recordIds: [id] });
    try {
      return await call.withScope((tx) => work(tx, tenantId), { tenantId });
    } catch (error) {
      const isLast = index === call.org.tenantIds.length - 1;
      if (isLast || !(error instanceof AppError) || error.code !== 'not-found') throw error;
    }
  }
  throw new AppError('not-found');
}
