import { createReadStream } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeEvent } from '../../../platform/audit/auditor.ts';
import type { Database } from '../../../platform/db/database.ts';
import { noteRetention } from '../../../platform/operations/retention.ts';
import { removeUpload, storeUpload } from '../upload-store.ts';

/** The tenants that can have imports. */
const tenantsOf = (database: Database) =>
  database.withScope({ kind: 'system' }, (tx) =>
    tx.rows<{ id: string }>('select id from tenant order by id'),
  );

/**
 * Removes unused files: of finished imports, of uploads that a killed server left unfinished an hour ago, and of
 * imports that were only tried or have failed, after the days that their tenant sets.
 */
export async function sweepUploads(database: Database): Promise<void> {
  let deleted = 0;
  for (const { id: tenantId } of await tenantsOf(database))
    await database.withScope({ kind: 'service', tenantId }, async (tx) => {
      // The tenant's rule deletes without anyone asking: the log counts what it deletes.
      const due = await tx.rows<{ id: string; days: number }>(
        `select i.id, kept.days from import i join tenant t on t.id = i.tenant_id
         cross join lateral (select app_kept(t.upload_days, t.id, 'uploadDays') as days) kept
         where i.tenant_id = $1 and i.id in (select import_id from import_upload where tenant_id = $1)
           and (i.state = 'failed' or i.state = 'done' and i.dry_run)
           and i.finished_at < now() - make_interval(days => kept.days)`,
        [tenantId],
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
          detail: { deleted: due.length, days: due[0]!.days },
        });
      deleted += due.length;
      await tx.run(
        `delete from import_upload u where u.tenant_id = $1 and u.import_id in (
           select f.import_id from (
             select import_id, max(created_at) as written_at from import_upload where tenant_id = $1 group by 1) f
           left join import i on i.tenant_id = $1 and i.id = f.import_id
           where i.id is null and f.written_at < now() - interval '1 hour'
             or i.state in ('needs-mapping', 'cancelled') or i.state = 'done' and not i.dry_run)`,
        [tenantId],
      );
    });
  noteRetention('uploads', deleted);
}

/**
 * Moves files that an earlier version kept in the data folder into the database, if they are still needed, and empties
 * that folder. Safe to repeat after a crash half-way.
 */
export async function takeOverFiles(database: Database, dataDir: string): Promise<void> {
  const folder = join(dataDir, 'imports');
  const names = await readdir(folder).catch(() => undefined);
  if (!names) return;
  const tenants = await tenantsOf(database);
  for (const name of names) {
    const path = join(folder, name);
    for (const { id: tenantId } of tenants) {
      const scope = { kind: 'service', tenantId } as const;
      const [wanted] = await database.withScope(scope, (tx) =>
        tx.rows<{ id: string }>(
          `select id from import where tenant_id = $1 and id::text = $2
             and (state in ('queued', 'running', 'failed') or dry_run and state = 'done')`,
          [tenantId, name],
        ),
      );
      if (!wanted) continue;
      await database.withScope(scope, (tx) => removeUpload(tx, tenantId, wanted.id));
      await storeUpload(database, tenantId, wanted.id, createReadStream(path));
    }
    await rm(path, { force: true });
  }
  await rmdir(folder);
}
