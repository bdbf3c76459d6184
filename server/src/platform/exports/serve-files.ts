import { Readable } from 'node:stream';
import {
  type ExportedFile,
  filesAtOnce,
  gridFile,
  gridPrepare,
  mostFiles,
  readFiles,
  removeFile,
  retryFile,
} from '@caseway/contract/exported-files';
import type { ExportRequest } from '@caseway/contract/grid';
import type { Tx } from '../db/database.ts';
import { json } from '../db/rows.ts';
import { inTurn, takeTurn } from '../db/try-turn.ts';
import type { App } from '../http/app.ts';
import { AppError } from '../http/app-error.ts';
import { type Call, serve } from '../http/serve.ts';
import { enqueue, withdraw } from '../jobs/jobs.ts';
import { exportJob } from './export-job.ts';
import { type Exporter, exportsIn, seenBy } from './exporters.ts';
import { FileStore } from './file-store.ts';

/** How many files a person's list shows. */
const listed = 100;

const columns = `id, grid, format, at, total, done, byte_size::float8 as size, expires_at as "expiresAt",
  failed_by as "failedBy", case when state = 'ready' and expires_at <= now() then 'expired' else state end as state`;
type Stored = Omit<ExportedFile, 'at' | 'expiresAt'> & { at: Date; expiresAt: Date | null };
const fileOf = ({ at, expiresAt, ...file }: Stored): ExportedFile => ({
  ...file,
  at: at.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
});

/** A file belongs to its owner, in the organization that it was requested for: `$1` to `$4`, and its id. */
const isOwn = 'tenant_id = $1 and account_id = $2 and org_type = $3 and org_id = $4';
const ownOf = (tx: Tx, { account, org }: Pick<Call, 'account' | 'org'>): unknown[] => [
  tx.tenantId,
  account.accountId,
  org.orgType,
  org.id,
];

/**
 * Throws `conflict` if the id belongs to another person. A distributed database refuses these columns in
 * `returning`.
 */
async function ownFile(tx: Tx, call: Call, id: string): Promise<ExportedFile> {
  const [file] = await tx.rows<Stored>(`select ${columns} from exported_file where ${isOwn} and id = $5`, [
    ...ownOf(tx, call),
    id,
  ]);
  if (!file) throw new AppError('conflict');
  return fileOf(file);
}

const keyOf = (tenantId: string, id: string) => `export ${tenantId} ${id}`;
/** A person's files are made one at a time, so that they do not hold up other people's imports and files. */
const begin = (tx: Tx, id: string, { accountId }: { accountId: string }): Promise<void> =>
  enqueue(
    tx,
    exportJob,
    { tenantId: tx.tenantId, file: id },
    { key: keyOf(tx.tenantId, id), queue: `export ${accountId}` },
  );

/** Serves the list of a person's files and the actions on them, for all lists. */
export function serveExportedFiles(app: App, secret: string): void {
  const store = new FileStore(app.database, secret);
  exportsIn(app).store = store;

  serve(app, readFiles, async (call) => {
    const files = await call.withScope(
      (tx) =>
        tx.rows<Stored>(
          `select ${columns} from exported_file where ${isOwn} order by at desc, id limit ${listed}`,
          ownOf(tx, call),
        ),
      { own: true },
    );
    return { files: files.map(fileOf) };
  });

  serve(app, removeFile, async (call) => {
    await call.withScope(
      async (tx) => {
        const { id } = call.params;
        const removed = await tx.run(`delete from exported_file where ${isOwn} and id = $5`, [
          ...ownOf(tx, call),
          id,
        ]);
        if (removed === 0) throw new AppError('not-found');
        await withdraw(tx, keyOf(tx.tenantId, id));
        call.audit({ action: 'export/removed', detail: { file: id } });
      },
      { own: true },
    );
  });

  serve(app, retryFile, (call) =>
    inTurn(() =>
      call.withScope(
        async (tx) => {
          const { id } = call.params;
          await refuseTooMany(tx, call);
          const begun = await tx.run(
            `update exported_file set state = 'preparing', failed_by = null, done = 0, session_id = $6,
               request_id = $7, address = $8, at = $9
             where ${isOwn} and id = $5 and state = 'failed' and request is not null`,
            [...ownOf(tx, call), id, call.account.sessionId, call.requestId, call.address, new Date()],
          );
          if (begun === 0) throw new AppError('not-found');
          await begin(tx, id, call.account);
          call.audit({ action: 'start', detail: { file: id } });
          return ownFile(tx, call, id);
        },
        { own: true },
      ),
    ),
  );
}

/** Serves the making of a list's files in the background, and the files. `count`: the number of matching rows. */
export function serveGridFiles(
  app: App,
  exporter: Exporter,
  count: (call: Call, request: ExportRequest) => Promise<number>,
  detail: (request: ExportRequest) => Record<string, unknown>,
): void {
  const { grid, recordKind } = exporter;
  exportsIn(app).exporters.set(grid.id, exporter);

  serve(app, gridPrepare(grid), async (call) => {
    const { id, ...request } = call.body;
    exporter.refuse(call, request);
    const total = await count(call, request);
    call.audit({ action: 'export', recordKind, detail: { ...detail(request), file: id } });
    return inTurn(() =>
      call.withScope(
        async (tx) => {
          await refuseTooMany(tx, call);
          const begun = await tx.run(
            `insert into exported_file (tenant_id, id, grid, request, format, language, account_id, session_id, org_type,
             org_id, request_id, address, total)
           values ($1, $5, $6, $7, $8, $9, $2, $10, $3, $4, $11, $12, $13) on conflict (tenant_id, id) do nothing`,
            [
              ...ownOf(tx, call),
              id,
              grid.id,
              json(request),
              request.format,
              call.language,
              call.account.sessionId,
              call.requestId,
              call.address,
              total,
            ],
          );
          if (begun > 0) await begin(tx, id, call.account);
          return ownFile(tx, call, id);
        },
        { own: true },
      ),
    );
  });

  serve(app, gridFile(grid), async (call) => {
    // A file has the contents of the list.
    if (!call.may(grid.permission)) throw new AppError('forbidden', { permission: grid.permission });
    const seen = seenBy(call);
    const { tenantId, file } = await call.withScope(
      async (tx) => {
        const [file] = await tx.rows<
          Stored & { run: string; name: string; seen: string; given: Record<string, number> }
        >(
          `select ${columns}, run, name, seen, given from exported_file where ${isOwn} and id = $5 and grid = $6`,
          [...ownOf(tx, call), call.params.file, grid.id],
        );
        if (!file || ['preparing', 'failed'].includes(file.state)) throw new AppError('not-found');
        if (file.state === 'expired') throw new AppError('file-expired');
        if (file.seen !== seen) throw new AppError('file-outdated');
        call.audit(downloaded(file, tx.tenantId));
        return { tenantId: tx.tenantId, file };
      },
      { own: true },
    );
    for (const other of call.org.tenantIds)
      if (other !== tenantId) await call.writeAudit(other, downloaded(file, other));
    for (const [from, rows] of Object.entries(file.given)) call.gaveOut(from, rows);
    call.setHeader('content-type', exporter.named(call, file.format).type);
    call.setHeader('content-disposition', `attachment; filename="${file.name}"`);
    return Readable.from(exportsIn(app).store!.read({ tenantId, id: file.id, run: file.run }, file.size!));
  });

  const downloaded = (
    { id, format, given }: { id: string; format: string; given: Record<string, number> },
    tenantId: string,
  ) => ({
    action: 'export/downloaded' as const,
    recordKind,
    detail: { file: id, format, rows: given[tenantId] ?? 0 },
  });
}

/**
 * Throws `too-many-exports` while as many of the person's files are being made as are allowed at once, and
 * `too-many-files` if as many are stored as are allowed.
 */
async function refuseTooMany(tx: Tx, { account: { accountId } }: Call): Promise<void> {
  // Simultaneous requests are counted one after another.
  await takeTurn(tx, `exported files ${accountId}`);
  const [files] = await tx.rows<{ preparing: number; kept: number }>(
    `select count(*) filter (where state = 'preparing')::int as preparing, count(*)::int as kept
     from exported_file where tenant_id = $1 and account_id = $2 and state in ('preparing', 'ready')`,
    [tx.tenantId, accountId],
  );
  if (files!.preparing >= filesAtOnce) throw new AppError('too-many-exports', { retryAfter: 15 });
  if (files!.kept >= mostFiles) throw new AppError('too-many-files');
}
