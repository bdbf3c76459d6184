import { fieldVisitRecord } from '@caseway/contract/field-visits';
import { v5 } from 'uuid';
import { z } from 'zod';
import type { Database, Tx } from '../../platform/db/database.ts';
import { tell } from '../../platform/inbox/tell.ts';
import { defineJob, enqueueEach, type Work, work } from '../../platform/jobs/jobs.ts';
import { membersWhoMay } from '../../platform/policy/who-may.ts';

/** Runs when a person who has set out is expected, and checks whether they are back. */
export const notBack = defineJob({
  name: 'field-visits/not-back',
  payload: z.strictObject({
    tenantId: z.uuid(),
    visitId: z.uuid(),
    /** The expected time. A person who sets out again is expected at another time. */
    expectedBack: z.iso.datetime(),
  }),
  lane: 'quick',
  attempts: 10,
});

/** Queues the check in the transaction in which people set out. */
export async function expectBack(tx: Tx, tenantId: string, visitIds: readonly string[]): Promise<void> {
  if (visitIds.length === 0) return;
  const visits = await tx.rows<{ visitId: string; expectedBack: Date }>(
    `select id as "visitId", expected_back as "expectedBack" from field_visit
     where tenant_id = $1 and id = any ($2::uuid[]) and expected_back is not null`,
    [tenantId, visitIds],
  );
  await enqueueEach(
    tx,
    notBack,
    visits.map(({ visitId, expectedBack }) => ({
      tenantId,
      visitId,
      expectedBack: expectedBack.toISOString(),
    })),
    {
      keyOf: ({ visitId }) => `visit out ${tenantId} ${visitId}`,
      runAtOf: (visit) => new Date(visit.expectedBack),
    },
  );
}

/**
 * Notifies those who assign visits that someone is not back in time. They can read the notification only if they see
 * the visit. [P18]
 */
export const notBackWork = (database: Database): Work =>
  work(notBack, async ({ tenantId, visitId, expectedBack }) => {
    const planners = await database.withScope({ kind: 'identity' }, (tx) =>
      membersWhoMay(tx, tenantId, ['field-visits/assign'], ['T', 'O', 'F', 'PHJ']),
    );
    await database.withScope({ kind: 'service', tenantId }, async (tx) => {
      const [out] = await tx.rows<{ worker: string }>(
        `select worker_id as worker from field_visit
         where tenant_id = $1 and id = $2 and status = 'on-the-way' and expected_back = $3`,
        [tenantId, visitId, expectedBack],
      );
      if (!out) return;
      // The inbox sorts by id, which begins with a time. The same id is stored once.
      const time = Date.parse(expectedBack).toString(16).padStart(12, '0');
      await tell(
        tx,
        { tenantId, recordKind: fieldVisitRecord.kind, actorId: out.worker },
        planners.map(({ accountId: to }) => ({
          kind: 'visit-overdue',
          recordId: visitId,
          to,
          id: `${time.slice(0, 8)}-${time.slice(8)}-7${v5(`${expectedBack} ${to}`, visitId).slice(15)}`,
        })),
      );
    });
  });
