import type { ImportError } from '@caseway/contract/imports';
import type { ImportRunKind } from '@caseway/contract/inbox';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { publishWith } from '../../../platform/events/hub.ts';
import { tell } from '../../../platform/inbox/tell.ts';
import type { FileFormat, ResumePoint } from '../formats/file-reader.ts';
import type { Sight } from '../sight.ts';

/** The parts of an import that running it needs. */
export interface ImportRow {
  state: string;
  format: FileFormat | null;
  byte_size: number;
  dry_run: boolean;
  facility_id: string | null;
  organization_id: string | null;
  file_read: boolean;
  next_index: number;
  resume_point: ResumePoint | null;
  options: { table?: unknown; condition?: string; looked?: number };
  rerun_total: number;
  rerun_done: number;
  sender: string | null;
  /** Null: the whole tenant. */
  sight: Sight | null;
  created_by: string | null;
}

/** Reads and locks the import's row until the transaction ends. */
export const lockImport = async (
  tx: Tx,
  tenantId: string,
  importId: string,
): Promise<ImportRow | undefined> =>
  (
    await tx.rows<ImportRow>(
      `select i.state, i.format, i.byte_size, i.dry_run, i.facility_id, i.organization_id, i.file_read, i.next_index,
         i.resume_point, i.options, i.rerun_total, i.rerun_done, i.sight, i.created_by, coalesce(f.name, o.name) as sender
       from import i left join facility f on f.tenant_id = i.tenant_id and f.id = i.facility_id
       left join organization o on o.tenant_id = i.tenant_id and o.id = i.organization_id
       where i.tenant_id = $1 and i.id = $2 for update of i`,
      [tenantId, importId],
    )
  )[0];

/** States in which it does not continue automatically. */
const ends: readonly string[] = ['done', 'needs-mapping', 'failed'];

/** What ran: the subject of the message about its end, because one import can run in several ways. */
const runOf = ({
  dry_run,
  file_read,
  rerun_total,
}: Pick<ImportRow, 'dry_run' | 'file_read' | 'rerun_total'>): ImportRunKind =>
  dry_run ? 'import-dry-run' : file_read && rerun_total > 0 ? 'import-rerun' : 'import-run';

/**
 * Tells the screens that show the import to read it again, and notifies its sender of the end. `looked`: the share
 * that was read beforehand.
 */
export async function publishState(
  tx: Tx,
  tenantId: string,
  importId: string,
  row: Pick<
    ImportRow,
    'byte_size' | 'facility_id' | 'organization_id' | 'created_by' | 'dry_run' | 'file_read' | 'rerun_total'
  > & { byte_offset?: number },
  state: string,
  looked?: number,
): Promise<void> {
  const within = { organizationId: row.organization_id, facilityId: row.facility_id };
  const progress = row.byte_size > 0 ? Math.min(1, (row.byte_offset ?? row.byte_size) / row.byte_size) : null;
  await publishWith(
    tx,
    { tenantId, within },
    {
      type: 'import-progress',
      importId,
      state,
      progress,
      ...(looked === undefined ? {} : { looked }),
    },
  );
  if (ends.includes(state) && row.created_by !== null)
    await tell(tx, { tenantId, recordKind: runOf(row), actorId: null }, [
      { kind: 'import-ended', recordId: importId, to: row.created_by },
    ]);
}

/** Ends an import that cannot continue automatically; a person can restart it from where it stopped. */
export async function failImport(
  database: Database,
  tenantId: string,
  importId: string,
  error: ImportError,
): Promise<void> {
  await database.withScope({ kind: 'service', tenantId }, async (tx) => {
    const [row] = await tx.rows<ImportRow>(
      `update import set state = 'failed', error = $3, finished_at = now(), file_read = file_read or $3 = 'file-gone'
       where tenant_id = $1 and id = $2 and state in ('queued', 'running') returning *`,
      [tenantId, importId, error],
    );
    if (row) await publishState(tx, tenantId, importId, row, 'failed');
  });
}

/** Marks an import with a fault as waiting for a retry; people can also start it before that. */
export async function postponeImport(
  database: Database,
  tenantId: string,
  importId: string,
  error: ImportError,
): Promise<void> {
  await database.withScope({ kind: 'service', tenantId }, async (tx) => {
    const [row] = await tx.rows<ImportRow>(
      `update import set state = 'queued', error = $3
       where tenant_id = $1 and id = $2 and state in ('queued', 'running') returning *`,
      [tenantId, importId, error],
    );
    if (row) await publishState(tx, tenantId, importId, row, 'queued');
  });
}
