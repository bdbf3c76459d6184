import { todayIn } from '@caseway/contract/date-range';
import type { Database } from '../../src/platform/db/database.ts';
import { demoAccounts } from './accounts.ts';
import { seedCaseFollowUps } from './case-follow-ups.ts';
import { seedContacts } from './contacts.ts';
import { seedDocuments } from './documents.ts';
import { seedEarlierYears } from './earlier-years.ts';
import { seedFieldVisits } from './field-visits.ts';
import { seedGuardian } from './guardians.ts';
import { seedHivCare } from './hiv-care.ts';
import { seedInbox } from './inbox.ts';
import { seedIncidents } from './incidents.ts';
import { seedPartnerServices } from './partner-services.ts';
import { seedPopulation } from './population.ts';
import { addPortalResults } from './portal-patient.ts';
import { seedRetests } from './retests.ts';
import { type SeedProgress, seedRecords } from './seed-records.ts';
import { seedDemoTenants } from './seed-tenants.ts';
import { seedShipments } from './shipments.ts';
import { seedStorage } from './storage.ts';
import { seedTeams } from './teams.ts';
import { seedAvailability, seedTelemedicine } from './telemedicine.ts';
import { demoId } from './tenant-parts.ts';
import type { DemoSize } from './tenant-to-fill.ts';
import { demoWorld } from './tenants.ts';
import { seedVaccinations } from './vaccinations.ts';

/** The sizes of the demo's two tenants on the first day. */
const firstDay = {
  demo: { patients: 20_000, results: 60_000, cases: 8_000, earlierYears: true },
  vendor: { patients: 1_500, results: 4_000, cases: 300 },
} as const satisfies Record<'demo' | 'vendor', DemoSize>;

/** How many results of both tenants exist, and how many there will be. */
export type DemoProgress = (progress: SeedProgress) => void;

/**
 * Makes the demo complete: its tenants and accounts, and, only once, their people, results and cases. Continues an
 * interrupted first run, and never removes anything that these tenants have gained since. Returns the number of
 * results made, 0 if the demo already existed.
 */
export async function fillDemo(
  database: Database,
  sizes: Record<'demo' | 'vendor', DemoSize> = firstDay,
  onProgress?: DemoProgress,
): Promise<number> {
  const world = await seedDemoTenants(database);
  let made = 0;
  let before = 0;
  const of = sizes.demo.results + sizes.vendor.results;
  for (const slug of ['demo', 'vendor'] as const) {
    const tenantId = world[slug].id;
    const { patient } = world;
    const isTheirs = patient.tenantId === tenantId;
    const lastYear = new Date().getUTCFullYear() - 1;
    const end = await seedRecords(database, tenantId, sizes[slug], {
      name: 'demo',
      seed: slug,
      onProgress: ({ results }) => onProgress?.({ results: before + results, of }),
      ...(isTheirs && { patient }),
      last: async (tx) => {
        if (isTheirs) await addPortalResults(tx, patient);
        const today = todayIn('America/New_York');
        if (sizes[slug].earlierYears) {
          await seedEarlierYears(tx, today);
          await seedRetests(tx, today);
        }
        await seedHivCare(tx, today);
        if (slug === 'demo') {
          await seedPopulation(tx, '12', [lastYear - 2, lastYear - 1, lastYear]);
          const investigator = demoId('account/investigator@demo.caseway.test');
          await seedIncidents(tx, today, investigator);
          const child = await seedGuardian(tx, today, {
            patientId: patient.patientId,
            by: demoId('account/admin@demo.caseway.test'),
          });
          await seedVaccinations(tx, today, child ? [patient.patientId, child] : [patient.patientId]);
          await seedDocuments(tx, today, investigator);
          await seedContacts(tx, today, investigator, isTheirs ? patient.patientId : undefined);
          await seedCaseFollowUps(tx, today, investigator);
          await seedPartnerServices(tx, today, {
            worker: demoId('account/dis@demo.caseway.test'),
            supervisor: demoId('account/epi@demo.caseway.test'),
          });
          await seedFieldVisits(tx, today, [
            demoId('account/dis@demo.caseway.test'),
            demoId('account/investigator@demo.caseway.test'),
          ]);
          await seedTeams(tx);
          await seedShipments(tx, today);
          await seedStorage(tx, today);
          await seedInbox(tx, today, demoId('account/admin@demo.caseway.test'));
          const clinician = demoId('account/clinician@demo.caseway.test');
          await seedTelemedicine(tx, today, clinician);
          await seedAvailability(tx, today, {
            clinician,
            other: demoId('account/admin@demo.caseway.test'),
          });
        }
      },
    });
    before += sizes[slug].results;
    if (end === 'made') made += sizes[slug].results;
  }
  return made;
}

/** The sign-in names of the demo. */
export const demoUsernames = (): string[] => demoAccounts(demoWorld()).map(({ username }) => username);
