import type { AuditRecordKind } from '@caseway/contract/audit-action';
import { documentRecord, documentsOfCase, documentsOfPatient } from '@caseway/contract/documents';
import type { Tx } from '../../platform/db/database.ts';
import { askDatabase } from '../../platform/grid/ask-database.ts';
import { Lookups, type OptionsOf } from '../../platform/grid/lookups.ts';
import { serveGrid } from '../../platform/grid/serve-grid.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import { openedWithCase } from '../../platform/records/opened.ts';
import { readRecords, sourceOf } from '../../platform/records/record-sql.ts';
import { readingRecord, servePatientRecord } from '../../platform/records/serve-patient-records.ts';
import { serveDocumentFiles } from './document-files.ts';
import { documentServer, documents, readDocumentsOf } from './document-server.ts';

/** What documents hang on, as far as their lists need it. */
const of = (kind: AuditRecordKind, table: 'patient' | 'case_report') => {
  const seen = (tx: Tx, ids: readonly string[]) =>
    tx.rows(`select id from ${table} where tenant_id = $1 and id = any ($2::uuid[])`, [tx.tenantId, ids]);
  return { record: { kind }, opened: openedWithCase(seen), seen };
};
const lists = [
  [documentsOfPatient, of('patient', 'patient'), 'patient_id'],
  [documentsOfCase, of('case', 'case_report'), 'case_report_id'],
] as const;

/** Documents: their list and its export, those of a person or a case, one with its changes, and their files. */
export function serveDocuments(app: App, optionsOf: OptionsOf): void {
  const lookups = new Lookups(app.database, optionsOf);
  const server = documentServer(lookups);
  serveGrid(app, askDatabase(app.database), {
    source: sourceOf(documents),
    recordKind: documentRecord.kind,
    orders: (names, call) => lookups.orders(names, call),
    read: (tx: Tx, ids: readonly string[]) => readRecords(tx, documents, ids),
    exported: { lookups, words: 'documents' },
  });
  servePatientRecord(app, server);
  serveDocumentFiles(app, server);

  for (const [endpoint, holder, by] of lists)
    serve(app, endpoint, async (call) => {
      const { id } = call.params;
      const { answer } = await readingRecord(app, holder, call, id, async (tx) => {
        if ((await holder.seen(tx, [id])).length === 0) throw new AppError('not-found');
        const found = await readDocumentsOf(tx, by, id);
        call.audit({ recordKind: documentRecord.kind, recordIds: [id, ...found.map((one) => one.id)] });
        return { documents: found };
      });
      return answer;
    });
}
