import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type DocumentType,
  documentLimit,
  documentRecord,
  downloadDocument,
  uploadDocument,
} from '@caseway/contract/documents';
import { z } from 'zod';
import type { Database } from '../../platform/db/database.ts';
import { forEveryTenant } from '../../platform/db/every-tenant.ts';
import { filePieces } from '../../platform/db/file-pieces.ts';
import type { App } from '../../platform/http/app.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { type Call, serve } from '../../platform/http/serve.ts';
import { defineJob, type Work, work } from '../../platform/jobs/jobs.ts';
import { seePerson } from '../../platform/records/about-person.ts';
import type { PatientServer } from '../../platform/records/patient-record.ts';
import { readingRecord } from '../../platform/records/serve-patient-records.ts';
import { attachment } from '../../platform/text/file-name.ts';
import { read, sameFile } from './document-server.ts';
import { TypedFile } from './file-type.ts';

const pieces = filePieces('document_piece', 'file_id');
const { kind } = documentRecord;

const kinds: Readonly<Record<DocumentType, { type: string; ending: string }>> = {
  pdf: { type: 'application/pdf', ending: '.pdf' },
  png: { type: 'image/png', ending: '.png' },
  jpeg: { type: 'image/jpeg', ending: '.jpg' },
  text: { type: 'text/plain; charset=utf-8', ending: '.txt' },
};

/** The tenant of a person whom the writer sees. Read before the upload, which no transaction waits for. */
async function tenantOf(database: Database, call: Call, patient: string): Promise<string> {
  for (const tenantId of call.org.tenantIds) {
    try {
      await database.withScope(call.scopeIn(tenantId), (tx) => seePerson(tx, patient), { readOnly: true });
      return tenantId;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
    }
  }
  throw new AppError('not-found');
}

/** Stores a file, for a document to be made of it. */
async function store(
  database: Database,
  tenantId: string,
  id: string,
  source: AsyncIterable<Uint8Array>,
): Promise<{ type: DocumentType; size: number; sha256: string }> {
  const file = new TypedFile();
  const { byteSize, sha256 } = await pieces.store(database, tenantId, id, file.pass(source));
  return { type: file.type!, size: byteSize, sha256 };
}

/** Uploads and downloads of the files of documents. */
export function serveDocumentFiles(app: App, server: PatientServer): void {
  const { database } = app;
  serve(
    app,
    uploadDocument,
    async (call) => {
      const patient = call.params.id;
      const tenantId = await tenantOf(database, call, patient);
      const id = randomUUID();
      const { type, size, sha256 } = await store(database, tenantId, id, call.upload);
      try {
        return await call.withScope(
          async (tx) => {
            await seePerson(tx, patient);
            await tx.run(
              `insert into document_file (tenant_id, id, account_id, file_type, byte_size, sha256)
               values ($1, $2, $3, $4, $5, $6)`,
              [tenantId, id, call.account.accountId, type, size, sha256],
            );
            const same = await sameFile(tx, patient, sha256);
            call.audit({
              recordKind: kind,
              recordIds: [patient, ...(same === undefined ? [] : [same])],
              detail: { byteSize: size },
            });
            return { id, type, size, earlier: (same && (await read(tx, [same]))[0]) || null };
          },
          { tenantId },
        );
      } catch (error) {
        await database
          .withScope({ kind: 'service', tenantId }, (tx) => pieces.remove(tx, tenantId, id))
          .catch(() => {});
        throw error;
      }
    },
    { uploadLimit: documentLimit },
  );

  serve(app, downloadDocument, async (call) => {
    const { id } = call.params;
    const { answer: file } = await readingRecord(app, server, call, id, async (tx) => {
      const [found] = await tx.rows<{
        file: string;
        patient: string;
        title: string;
        type: DocumentType;
        size: number;
      }>(
        `select file_id as file, patient_id as patient, title, file_type as type, byte_size as size from document
         where tenant_id = $1 and id = $2 and state = 'filed'`,
        [tx.tenantId, id],
      );
      if (!found) throw new AppError('not-found');
      call.audit({ recordKind: kind, recordIds: [id, found.patient] });
      return { ...found, tenantId: tx.tenantId };
    });
    const { type, ending } = kinds[file.type];
    call.setHeader('content-type', type);
    call.setHeader('content-disposition', attachment(`${file.title}${ending}`));
    return Readable.from(pieces.read(database, file.tenantId, file.file, file.size));
  });
}

const sweepJob = defineJob({
  name: 'documents/sweep',
  payload: z.strictObject({}),
  lane: 'quick',
  attempts: 1,
});

/** Deletes uploaded files of which no document was made within a day, and pieces of uploads that broke off. */
export const documentWork = (database: Database): Work =>
  work(
    sweepJob,
    (_, { signal }) =>
      forEveryTenant(
        database,
        async (tenantId) => {
          await database.withScope({ kind: 'service', tenantId }, async (tx) => {
            await tx.run(
              `delete from document_file
               where tenant_id = $1 and document_id is null and created_at < now() - interval '1 day'`,
              [tenantId],
            );
            await tx.run(
              `delete from document_piece p where p.tenant_id = $1 and p.created_at < now() - interval '1 day'
                 and not exists (select from document_file f where f.tenant_id = $1 and f.id = p.file_id)`,
              [tenantId],
            );
          });
        },
        signal,
      ),
    '41 * * * *',
  );
