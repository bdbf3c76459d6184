import type { Database } from '../../src/platform/db/database.ts';
import { demoAccounts } from './accounts.ts';
import { addPortalResults } from './portal-patient.ts';
import { seedRecords } from './seed-records.ts';
import { seedDemoTenants } from './seed-tenants.ts';
import type { DemoSize } from './tenant-to-fill.ts';
import { demoWorld } from './tenants.ts';

/** How much the demo's two tenants hold on the first day. */
const sizes = {
  demo: { patients: 20_000, results: 60_000, cases: 8_000 },
  vendor: { patients: 1_500, results: 4_000, cases: 300 },
} as const satisfies Record<string, DemoSize>;

/**
 * Makes the demo complete: its tenants and accounts, and on the first run their people, results and cases. A first run
 * that was interrupted left people without cases; what it left is removed and made again.
 * Returns the number of results made, 0 when the demo was there.
 */
export async function fillDemo(database: Database): Promise<number> {
  const world = await seedDemoTenants(database);
  let made = 0;
  for (const slug of ['demo', 'vendor'] as const) {
    const tenantId = world[slug].id;
    const filled = await database.withScope({ kind: 'service', tenantId }, async (tx) => {
      const found = await tx.selectFrom('case_report').select('id').limit(1).executeTakeFirst();
      if (found) return true;
      for (const table of [
        'outbox',
        'search_key',
        'patient_block',
        'result',
        'specimen',
        'patient_identifier',
        'patient',
      ] as const)
        await tx.deleteFrom(table).where('tenant_id', '=', tenantId).execute();
      return false;
    });
    if (filled) continue;
    await seedRecords(database, tenantId, sizes[slug], {
      seed: slug,
      ...(world.patient.tenantId === tenantId ? { patient: world.patient } : {}),
    });
    if (world.patient.tenantId === tenantId)
      await database.withScope({ kind: 'service', tenantId }, (tx) => addPortalResults(tx, world.patient));
    made += sizes[slug].results;
  }
  return made;
}

/** The names with which one can sign in to the demo. */
export const demoUsernames = (): string[] => demoAccounts(demoWorld()).map(({ username }) => username);
