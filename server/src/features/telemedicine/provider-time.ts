import { slotsOf, type TelemedicineVisit } from '@caseway/contract/telemedicine';
import { takingVisits } from '@caseway/contract/telemedicine-flow';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, faultAt } from '../../platform/http/app-error.ts';

/** What decides which of a provider's time a visit takes. */
export type Booking = Pick<TelemedicineVisit, 'status' | 'provider' | 'startsAt' | 'minutes'>;

interface Time {
  provider: string;
  steps: number[];
}

/** The provider's time that a visit takes; null if it takes none. */
export function timeOf({ status, provider, startsAt, minutes }: Booking): Time | null {
  if (!(takingVisits as readonly string[]).includes(status)) return null;
  return provider && startsAt && minutes ? { provider, steps: slotsOf({ startsAt, minutes }) } : null;
}

/** The fault of a time that another visit of the provider takes. */
export const takenFault = () => faultAt('startsAt', 'taken', 'the provider has another visit at this time');

/**
 * Locks providers, so that others who book with them wait until the transaction ends. Otherwise two visits that
 * exchange their times would deadlock.
 */
export async function lockProviders(
  tx: Tx,
  tenantId: string,
  providers: readonly (string | null | undefined)[],
): Promise<void> {
  for (const provider of [...new Set(providers)].filter(Boolean).sort())
    await tx.rows(`select pg_advisory_xact_lock(hashtextextended('provider ' || $1 || ' ' || $2, 0))`, [
      tenantId,
      provider,
    ]);
}

/** Whether another visit takes some of this time. */
export async function isTaken(
  tx: Tx,
  tenantId: string,
  visitId: string,
  { provider, steps }: Time,
): Promise<boolean> {
  const rows = await tx.rows(
    `select from provider_time
     where tenant_id = $1 and account_id = $2 and step = any ($3::integer[]) and visit_id <> $4 limit 1`,
    [tenantId, provider, steps, visitId],
  );
  return rows.length > 0;
}

/** Takes the time of a visit in place of its previous time; refused if some of it is taken. */
export async function takeTime(tx: Tx, tenantId: string, visitId: string, time: Time | null): Promise<void> {
  await tx.run('delete from provider_time where tenant_id = $1 and visit_id = $2', [tenantId, visitId]);
  if (!time) return;
  await tx
    .run(
      // From the visit itself, so that the tenant's server gets one statement.
      `insert into provider_time (tenant_id, account_id, step, visit_id, steps)
       select v.tenant_id, cast($2 as uuid), step, v.id, case when step = $5 then cast($6 as integer) end
       from telemedicine_visit v cross join unnest($3::integer[]) as step
       where v.tenant_id = $1 and v.id = $4 order by step returning 1`,
      [tenantId, time.provider, time.steps, visitId, time.steps[0], time.steps.length],
    )
    .catch((error: { code?: string }) => {
      // The first one gets it, even if the lock of one server does not stop another server.
      throw error.code === '23505' ? new AppError('validation-failed', { faults: [takenFault()] }) : error;
    });
}
