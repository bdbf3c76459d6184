import type { AvailabilityPlan } from '@caseway/contract/availability';
import type { Tx } from '../../platform/db/database.ts';

/** The stored availability of a provider. */
export interface StoredPlan {
  provider: string;
  version: number;
  plan: AvailabilityPlan;
}

const columns: Readonly<Record<keyof AvailabilityPlan, string>> = {
  facility: 'facility_id',
  timeZone: 'time_zone',
  languages: 'languages',
  bufferMinutes: 'buffer_minutes',
  leadHours: 'lead_hours',
  horizonDays: 'horizon_days',
  dailyLimit: 'daily_limit',
  patients: 'patients',
  rules: 'rules',
  exceptions: 'exceptions',
};
const entries = Object.entries(columns) as [keyof AvailabilityPlan, string][];

/** The plans of some providers, or of all. */
export async function readPlans(
  tx: Tx,
  tenantId: string,
  providers: readonly string[] | null = null,
): Promise<StoredPlan[]> {
  const rows = await tx.rows<AvailabilityPlan & { provider: string; version: number }>(
    `select account_id as provider, version, ${entries.map(([name, column]) => `${column} as "${name}"`).join(', ')}
     from provider_availability
     where tenant_id = $1 and ($2::uuid[] is null or account_id = any ($2)) order by account_id`,
    [tenantId, providers],
  );
  return rows.map(({ provider, version, ...plan }) => ({ provider, version, plan }));
}

const storedAs = (name: keyof AvailabilityPlan, plan: AvailabilityPlan): unknown =>
  // The driver would send a list as a PostgreSQL array.
  name === 'rules' || name === 'exceptions' ? JSON.stringify(plan[name]) : plan[name];

/** Replaces a version of a plan; false if it is not the current one. */
export async function writePlan(
  tx: Tx,
  tenantId: string,
  provider: string,
  version: number,
  plan: AvailabilityPlan,
): Promise<boolean> {
  const values = entries.map(([name]) => storedAs(name, plan));
  const key = [tenantId, provider];
  const written =
    version === 0
      ? await tx.run(
          `insert into provider_availability (tenant_id, account_id, ${entries.map(([, column]) => column).join(', ')})
           values ($1, $2, ${entries.map((_, place) => `$${place + 3}`).join(', ')}) on conflict do nothing`,
          [...key, ...values],
        )
      : await tx.run(
          `update provider_availability set version = version + 1, updated_at = now(),
             ${entries.map(([, column], place) => `${column} = $${place + 4}`).join(', ')}
           where tenant_id = $1 and account_id = $2 and version = $3`,
          [...key, version, ...values],
        );
  return written === 1;
}
