import { z } from 'zod';
import { writeEvent } from '../../../platform/audit/auditor.ts';
import type { Database } from '../../../platform/db/database.ts';
import { forEveryTenant } from '../../../platform/db/every-tenant.ts';
import { defineJob, type Work, work } from '../../../platform/jobs/jobs.ts';
import { noteDeleted, noteRun } from '../../../platform/operations/retention.ts';

/** How many texts one transaction deletes, so that none blocks others for long. */
const batchSize = 1000;

const retentionJob = defineJob({
  name: 'imports/delete-raw-messages',
  payload: z.strictObject({}),
  lane: 'long',
  attempts: 3,
});

/** Deletes every night the message texts whose retention time is over. */
export const rawRetentionWork = (database: Database): Work =>
  work(retentionJob, (_, { signal }) => deleteRawMessages(database, { signal }), '41 3 * * *');

/**
 * Deletes the text of each message that is older than its tenant's retention time and needs no more work: it was
 * accepted, or a corrected text replaced it. A message that waits, or was refused and not corrected, keeps its text
 * however old it is. The rest of the message stays, with the day on which its text was deleted. The tenant's audit
 * log has the number of deleted texts.
 */
export async function deleteRawMessages(
  database: Database,
  { signal, atOnce = batchSize }: { signal?: AbortSignal; atOnce?: number } = {},
): Promise<void> {
  const deleteIn = async (tenantId: string) =>
    noteDeleted('raw-messages', await deleteOf(database, tenantId, { signal, atOnce }));
  await forEveryTenant(database, deleteIn, signal);
  if (!signal?.aborted) noteRun('raw-messages');
}

async function deleteOf(
  database: Database,
  tenantId: string,
  { signal, atOnce }: { signal: AbortSignal | undefined; atOnce: number },
): Promise<number> {
  const scope = { kind: 'service', tenantId } as const;
  const [rule] = await database.withScope(scope, (tx) =>
    tx.rows<{ months: number | null; before: Date }>(
      `select months, now() - make_interval(months => months) as before from (
         select app_kept(raw_message_months, id, 'rawMessageMonths') as months from tenant where id = $1) kept`,
      [tenantId],
    ),
  );
  if (!rule || rule.months === null) return 0;
  const { months, before } = rule;
  let deleted = 0;
  // Imports with remaining texts, the oldest first, each once a night.
  let after: { at: string; id: string } | undefined;
  while (!signal?.aborted) {
    const [next] = await database.withScope(scope, (tx) =>
      tx.rows<{ id: string; at: string }>(
        // As text, because a Date has no microseconds.
        `select id, created_at::text as at from import
         where tenant_id = $1 and raw_deleted_at is null and created_at < $2 and state in ('done', 'failed', 'cancelled')
           and ($3::timestamptz is null or (created_at, id) > ($3, $4::uuid))
         order by created_at, id limit 1`,
        [tenantId, before, after?.at ?? null, after?.id ?? null],
      ),
    );
    if (!next) break;
    after = next;
    for (let more = true; more && !signal?.aborted; ) {
      const found = await database.withScope(scope, async (tx) => {
        const count = await tx.run(
          `update import_message set raw = null, raw_deleted_at = now()
           where tenant_id = $1 and id in (
             select id from import_message where tenant_id = $1 and import_id = $2 and raw is not null and created_at < $3
               and not rerun and (state = 'taken' or corrected_by is not null)
             limit ${Math.floor(atOnce)} for update skip locked)`,
          [tenantId, next.id, before],
        );
        if (count > 0)
          await writeEvent(tx, {
            tenantId,
            accountId: null,
            orgType: null,
            orgId: null,
            action: 'retention/raw-messages-deleted',
            deed: 'administration',
            recordKind: 'import',
            recordIds: [next.id],
            detail: { deleted: count, months, receivedBefore: before.toISOString() },
          });
        else
          await tx.run(
            `update import set raw_deleted_at = now() where tenant_id = $1 and id = $2
               and not exists (select from import_message m where m.tenant_id = $1 and m.import_id = $2 and m.raw is not null)`,
            [tenantId, next.id],
          );
        return count;
      });
      deleted += found;
      more = found > 0;
    }
  }
  return deleted;
}
