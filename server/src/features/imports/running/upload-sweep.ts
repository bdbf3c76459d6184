import { createReadStream } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeEvent } from '../../../platform/audit/auditor.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { forEveryTenant } from '../../../platform/db/every-tenant.ts';
import { isOutage } from '../../../platform/http/app-error.ts';
import { noteDeleted, noteRun } from '../../../platform/operations/retention.ts';
import { removeUpload, storeUpload } from '../upload-store.ts';

/**
 * Removes unused files: of finished imports, of uploads that a killed server left unfinished an hour ago, and of
 * imports that were only tried or have failed, after the days that their tenant sets.
 */
export async function sweepUploads(database: Database): Promise<void> {
  await forEveryTenant(database, async (tenantId) =>
    noteDeleted(
      'uploads',
      await database.withScope({ kind: 'service', tenantId }, (tx) => sweep(tx, tenantId)),
    ),
  );
  noteRun('uploads');
}

/** The number of files that the tenant's rule has removed. */
async function sweep(tx: Tx, tenantId: string): Promise<number> {
  // The tenant's rule deletes without a request, so the log counts what it deletes.
  const [rule] = await tx.rows<{ days: number | null }>(
    `select app_kept(upload_days, id, 'uploadDays') as days from tenant where id = $1`,
    [tenantId],
  );
  const days = rule?.days ?? null;
  const due =
    days === null
      ? []
      : await tx.rows<{ id: string }>(
          `select i.id from import i
           where i.tenant_id = $1 and i.id in (select import_id from import_upload where tenant_id = $1)
             and (i.state = 'failed' or i.state = 'done' and i.dry_run)
             and i.finished_at < now() - make_interval(days => $2)`,
          [tenantId, days],
        );
  for (const { id } of due) await removeUpload(tx, tenantId, id);
  if (due.length > 0)
    await writeEvent(tx, {
      tenantId,
      accountId: null,
      orgType: null,
      orgId: null,
      action: 'retention/uploads-deleted',
      deed: 'administration',
      recordKind: 'import',
      recordIds: due.map(({ id }) => id),
      detail: { deleted: due.length, days },
    });
  await tx.run(
    `delete from import_upload u where u.tenant_id = $1 and u.import_id in (
       select f.import_id from (
         select import_id, max(created_at) as written_at from import_upload where tenant_id = $1 group by 1) f
       left join import i on i.tenant_id = $1 and i.id = f.import_id
       where i.id is null and f.written_at < now() - interval '1 hour'
         or i.state in ('needs-mapping', 'cancelled') or i.state = 'done' and not i.dry_run)`,
    [tenantId],
  );
  return due.length;
}

/**
 * Moves files that an earlier version stored in the data folder into the database, if they are still needed, and
 * empties that folder. Safe to repeat after a crash half-way.
 */
export async function takeOverFiles(database: Database, dataDir: string): Promise<void> {
  const folder = join(dataDir, 'imports');
  const names = await readdir(folder).catch(() => undefined);
  if (!names) return;
  let isWhole = true;
  for (const name of names) {
    const path = join(folder, name);
    try {
      await forEveryTenant(database, (tenantId) => takeOver(database, tenantId, { name, path }));
      await rm(path, { force: true });
    } catch (error) {
      // Other tenants need the server, so it starts, and the file waits for the next start.
      if (!isOutage(error)) throw error;
      isWhole = false;
    }
  }
  if (isWhole) await rmdir(folder);
}

/** Moves a file if an import of this tenant needs it. */
async function takeOver(
  database: Database,
  tenantId: string,
  { name, path }: { name: string; path: string },
): Promise<void> {
  const scope = { kind: 'service', tenantId } as const;
  const [wanted] = await database.withScope(scope, (tx) =>
    tx.rows<{ id: string }>(
      `select id from import where tenant_id = $1 and id::text = $2
         and (state in ('queued', 'running', 'failed') or dry_run and state = 'done')`,
      [tenantId, name],
    ),
  );
  if (!wanted) return;
  await database.withScope(scope, (tx) => removeUpload(tx, tenantId, wanted.id));
  await storeUpload(database, tenantId, wanted.id, createReadStream(path));
}
