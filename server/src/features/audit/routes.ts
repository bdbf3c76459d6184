import type { Readable } from 'node:stream';
import {
  auditGrid,
  exportAudit,
  findAuditedRecords,
  listAuditArchives,
  readAuditEvent,
  recordsNamed,
  verifyAudit,
} from '@caseway/contract/audit';
import { auditActionKey, auditActions, auditRecordKinds } from '@caseway/contract/audit-action';
import { csvLine } from '@caseway/contract/csv';
import { todayIn } from '@caseway/contract/date-range';
import type { GridQuery } from '@caseway/contract/grid';
import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns/format';
import { validate } from 'uuid';
import { auditList } from '../../platform/audit/audit-list.ts';
import { verifyChain } from '../../platform/audit/verify.ts';
import type { Tx } from '../../platform/db/database.ts';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import { csvFile, inBatches } from '../../platform/grid/csv-file.ts';
import { inExportTurn } from '../../platform/grid/export-turns.ts';
import { filteredBy } from '../../platform/grid/filtered-by.ts';
import { allRowsStatement } from '../../platform/grid/grid-sql.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import type { Scope } from '../../platform/scope.ts';
import { wordsForFile } from '../../platform/words/label-overrides.ts';
import { wordsIn } from '../../platform/words/words.ts';
import { sentencesIn } from './sentences.ts';
import { auditSource, readEvents, rowOf, type StoredEvent } from './source.ts';

const fields = Object.keys(auditGrid.columns) as (keyof typeof auditGrid.columns)[];

/** The audit log: its grid, one event, a file of it, and whether it is intact. [P15] */
export function serveAudit(app: App): void {
  serveGrid(app, askDatabase(app.database), {
    source: auditSource,
    recordKind: 'audit-event',
    orders: async (_, call) => orderedByWords(call),
    read: async (tx, ids) => (await readEvents(tx, ids)).map(rowOf),
  });

  serve(app, readAuditEvent, (call) =>
    call.withScope(async (tx) => {
      const [event] = await tx.rows<
        StoredEvent & {
          detail: Record<string, unknown>;
          record_ids: string[];
          request_id: string | null;
          lane: number | null;
          number: number | null;
          hash: string | null;
        }
      >(
        `select f.*, f.record_ids[1:1000] as record_ids, encode(f.hash, 'hex') as hash from ${auditList('$1')} f where f.id = $2`,
        [tx.tenantId, call.params.id],
      );
      if (!event) throw new AppError('not-found');
      const { lane, number, hash } = event;
      const isPlaced = lane !== null && number !== null && hash !== null;
      return {
        ...rowOf(event),
        detail: event.detail,
        recordIds: event.record_ids,
        requestId: event.request_id,
        // The gaps between a reader's own events would reveal the number of other events. [P24]
        place: isPlaced && readsWhole(call.scope) ? { lane, number, hash } : null,
      };
    }),
  );

  serve(app, findAuditedRecords, (call) =>
    call.withScope(async (tx) => {
      const records = await recordsOf(tx, call.body.text);
      call.audit({ recordKind: 'audit-event', recordIds: records.map(({ id }) => id) });
      return { records };
    }),
  );

  serve(app, listAuditArchives, (call) =>
    call.withScope(async (tx) => ({
      months: await tx.rows<{
        month: string;
        events: number;
        file: string;
        digest: string;
        archivedAt: string;
      }>(
        `select to_char(month, 'YYYY-MM') as month, sum(last - first + 1)::int as events, file, encode(digest, 'hex') as digest,
             to_char(min(archived_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "archivedAt"
           from audit_archive where tenant_id = $1 group by month, file, digest order by 1 desc`,
        [(call.scope as Extract<Scope, { kind: 'org' }>).tenantId],
      ),
    })),
  );

  serve(app, verifyAudit, async (call) => {
    const { scope } = call;
    // A reader who sees only part of the log cannot follow its chain.
    if (!readsWhole(scope)) throw new AppError('forbidden', { permission: 'audit/read' });
    const { events, archived, digest, faults } = await verifyChain(app.database, scope.tenantId);
    call.audit({ action: 'audit/verified', detail: { events, archived, digest, faults: faults.length } });
    return {
      events,
      archived,
      digest,
      checkedAt: new Date().toISOString(),
      faults: faults.map((fault) => ({ ...fault, at: fault.at?.toISOString() ?? null })),
    };
  });

  serve(app, exportAudit, async (call) => {
    const { query } = call.body;
    const { dateRangeValue } = query;
    await call.withScope(async () =>
      call.audit({
        action: 'export',
        recordKind: 'audit-event',
        detail: { dateRangeValue, filteredBy: filteredBy(query) },
      }),
    );
    const file = await inExportTurn(app, call, () => csvOf(app, call, query));
    call.setHeader('content-disposition', `attachment; filename="audit-${todayIn(call.org.timeZone)}.csv"`);
    return file;
  });
}

/** Whether the scope reads the log of a whole tenant, not only of an organization or facility in it. */
const readsWhole = (scope: Scope): scope is Extract<Scope, { kind: 'org' }> =>
  scope.kind === 'org' && (scope.orgType === 'T' || scope.orgType === 'A');

/** The records that a case number, an id or an address names; see the endpoint. */
async function recordsOf(tx: Tx, text: string) {
  if (validate(text)) {
    const [found] = await tx.rows<{ kind: 'case' | 'patient' | 'user' }>(
      `select 'case' as kind from case_report where tenant_id = $1 and id = $2
       union all select 'patient' from patient where tenant_id = $1 and id = $2
       union all select 'user' from account where id = $2`,
      [tx.tenantId, text],
    );
    return [{ id: text.toLowerCase(), kind: found?.kind ?? ('unknown' as const) }];
  }
  const cases = await tx.rows<{ id: string; kind: 'case' | 'patient' | 'user' }>(
    `with named as (select id, patient_id from case_report where tenant_id = $1 and case_id = $2)
     select id, 'case' as kind from case_report where tenant_id = $1 and patient_id in (select patient_id from named)
     union all select patient_id, 'patient' from named
     union all select id, 'user' from account where patient_id is null and (username = $3 or lower(email) = $3)`,
    [tx.tenantId, text, text.toLowerCase()],
  );
  return cases;
}

/** Actions and kinds of records in the order of the reader's words. */
function orderedByWords({ language, org }: Call) {
  const words = wordsIn('audit', language, org.experience);
  const { compare } = new Intl.Collator([language, 'fr', 'en']);
  const sorted = (group: 'action' | 'kind', codes: readonly string[]) =>
    codes.toSorted((a, b) => compare(words(`${group}.${a}`) ?? a, words(`${group}.${b}`) ?? b));
  return { actions: sorted('action', auditActions), recordKinds: sorted('kind', auditRecordKinds) };
}

/** The matching events as CSV, read in one pass while they are sent. */
async function csvOf(app: App, call: Call, query: GridQuery): Promise<Readable> {
  const wordsOf = await wordsForFile(app.database, call);
  const words = wordsOf('audit');
  const { timeZone } = call.org;
  const context = {
    engine: 'postgres',
    tenantId: call.org.tenantIds[0]!,
    timeZone,
    orders: orderedByWords(call),
  } as const;
  const matching = allRowsStatement(auditSource, query, context, ['f.*']);
  const cellOf = (event: StoredEvent, field: (typeof fields)[number]) => {
    const row = rowOf(event);
    if (field === 'at') return format(new TZDate(row.at, timeZone), 'yyyy-MM-dd HH:mm:ss');
    if (field === 'reason' && row.withheld) return words('panel.withheld') ?? '';
    if (field === 'deed') return words(`deed.${row.deed}`) ?? row.deed;
    if (field === 'action')
      return words(`action.${auditActionKey(row.action)}`) ?? words(`deed.${row.deed}`) ?? row.action;
    if (field === 'recordKind') return row.recordKind && (words(`kind.${row.recordKind}`) ?? row.recordKind);
    if (field === 'records') {
      const named = recordsNamed(row);
      if (named === 'withheld') return words('panel.withheld') ?? '';
      return typeof named === 'number' ? named : (words(`records.${named}`) ?? '');
    }
    return row[field];
  };
  const sentence = sentencesIn(call.language, wordsOf);
  const titles = ['sentence', ...fields, 'caseNumber', 'recordedAs', 'recordIds', 'detail'].map(
    (field) => words(`column.${field}`) ?? field,
  );
  return csvFile(titles, call.signal, (send) =>
    app.database.withScope(
      call.scope,
      async (tx) => {
        type Exported = StoredEvent & { record_ids: string[]; detail: unknown };
        for await (const events of inBatches<Exported>(tx, matching)) {
          if (call.signal.aborted) return;
          call.gaveOut(call.org.tenantIds[0]!, events.length);
          await send(
            events.map((event) =>
              csvLine([
                sentence(rowOf(event)),
                ...fields.map((field) => cellOf(event, field)),
                event.case_number,
                event.action,
                event.record_ids.join(' '),
                JSON.stringify(event.detail),
              ]),
            ),
          );
        }
      },
      { readOnly: true },
    ),
  );
}
