import { todayIn } from '@caseway/contract/date-range';
import { loadJurisdictions } from '../../src/features/case-reports/stored-cases.ts';
import { writeComparisonKeys } from '../../src/features/patients/comparison-keys.ts';
import { blockKeys, prepare } from '../../src/features/patients/matching.ts';
import { keysOfPatient, writeSearchKeys } from '../../src/features/patients/search-keys.ts';
import { alwaysRestricted } from '../../src/features/reference/catalog.ts';
import { noteRestrictedPlaces } from '../../src/platform/carried/restricted-places.ts';
import { noteFacilities, noteSpecimens } from '../../src/platform/carried/seen-at.ts';
import type { Database, Tx } from '../../src/platform/db/database.ts';
import {
  beginSeeding,
  findSeeding,
  fingerprintOf,
  finishSeeding,
  notePart,
  seedingAlone,
} from './continue-seeding.ts';
import { loadRows } from './load.ts';
import { demoRecords } from './records.ts';
import type { CaseEventRow, CaseResultRow, CaseRow, DemoChunk, PatientRow } from './rows.ts';
import { numbersOf, storeCases } from './store-cases.ts';
import type { DemoSize, TenantToFill } from './tenant-to-fill.ts';

export interface SeedProgress {
  results: number;
  of: number;
}

/**
 * The parts of a tenant that the generator needs, read from its tables. Throws if the tenant has no place to test
 * people at.
 */
export async function readTenantToFill(tx: Tx, tenantId: string): Promise<TenantToFill> {
  const tenant = await tx
    .selectFrom('tenant')
    .select(['id', 'time_zone'])
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  const facilities = await tx
    .selectFrom('facility')
    .select(['id', 'organization_id', 'county_fips', 'city', 'postal_code', 'facility_type', 'clia', 'name'])
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .execute();
  const programs = await tx
    .selectFrom('program')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .execute();
  const tasks = await tx
    .selectFrom('task')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .execute();
  const investigators = await tx
    .selectFrom('membership')
    .innerJoin('membership_role', (join) =>
      join
        .onRef('membership_role.tenant_id', '=', 'membership.tenant_id')
        .onRef('membership_role.membership_id', '=', 'membership.id'),
    )
    .innerJoin('role', (join) =>
      join
        .onRef('role.tenant_id', '=', 'membership_role.tenant_id')
        .onRef('role.id', '=', 'membership_role.role_id'),
    )
    .where('membership.tenant_id', '=', tenantId)
    .where('membership.org_type', '=', 'T')
    .where('role.code', 'in', ['case-investigator', 'disease-intervention-specialist'])
    .select('membership.account_id')
    .orderBy('membership.account_id')
    .execute();

  const places = facilities.flatMap((facility) =>
    facility.county_fips && facility.facility_type !== 'laboratory'
      ? [
          {
            id: facility.id,
            name: facility.name,
            facilityType: facility.facility_type,
            organizationId: facility.organization_id,
            countyFips: facility.county_fips,
            city: facility.city ?? '',
            postalCode: facility.postal_code ?? '',
          },
        ]
      : [],
  );
  const laboratories = facilities.filter(
    (facility) => facility.facility_type === 'laboratory' || facility.clia !== null,
  );
  if (places.length === 0 || laboratories.length === 0)
    throw new Error('the tenant has no facilities to test people at');
  const taskOf = (programId: string, category: string) =>
    (
      tasks.find((task) => task.program_id === programId && task.task_category === category) ??
      tasks.find((task) => task.program_id === programId)
    )?.id ?? null;
  return {
    tenantId,
    timeZone: tenant.time_zone,
    facilities: places,
    laboratories,
    programs: programs.map((program) => ({
      id: program.id,
      programTypeId: program.program_type_id,
      organizationId: program.organization_id,
      families: program.disease_families,
      testingTaskId: taskOf(program.id, 'testing'),
      investigationTaskId: taskOf(program.id, 'case-investigation'),
    })),
    investigators: [...new Set(investigators.map((investigator) => investigator.account_id))],
    jurisdictionOfCounty: await loadJurisdictions(tx, tenantId),
  };
}

const patientKeys = (row: PatientRow, identifiers: readonly { value: string }[]) =>
  keysOfPatient({
    lastName: row.last_name,
    firstName: row.first_name,
    middleName: row.middle_name,
    birthDate: row.birth_date,
    phones: row.phones,
    emails: row.emails,
    identifiers,
  });

/** Options of a seeding other than its size. */
export interface SeedOptions {
  seed?: string;
  /** The name of the seeding, so that it can be continued; its seed by default. */
  name?: string;
  now?: number;
  /** The first person: the one who signs in as a patient. */
  patient?: TenantToFill['patient'];
  onProgress?: (progress: SeedProgress) => void;
  /** Runs in the transaction that ends the seeding. */
  last?: (tx: Tx) => Promise<void>;
}

/** The outcome of a seeding: `other-version` if it was begun by a version that makes other records. */
export type SeedEnd = 'made' | 'was-made' | 'other-version';

/**
 * Fills a tenant with people, specimens, results and cases. The same seed, size and moment make the same records;
 * existing records stay. Each part is stored and marked in its own transaction, so the next call with its name
 * continues an interrupted seeding from its original plan.
 */
export async function seedRecords(
  database: Database,
  tenantId: string,
  size: DemoSize,
  { seed = 'caseway', name = seed, now = Date.now(), patient, onProgress, last }: SeedOptions = {},
): Promise<SeedEnd> {
  return seedingAlone(database, tenantId, async () => {
    const scope = { kind: 'service', tenantId } as const;
    const begun = await database.withScope(scope, (tx) => findSeeding(tx, tenantId, name));
    if (begun?.finished) return 'was-made';
    const plan = begun?.plan ?? {
      size,
      seed,
      now,
      tenant: { ...(await database.withScope(scope, (tx) => readTenantToFill(tx, tenantId))), patient },
    };
    const today = todayIn(plan.tenant.timeZone, new Date(plan.now));
    const records = demoRecords(plan.tenant, plan.size, today, plan.now, plan.seed);
    const first = records.next();
    const fingerprint = first.done ? '' : fingerprintOf(first.value);
    if (!begun)
      await database.withScope(scope, (tx) => beginSeeding(tx, tenantId, name, { ...plan, fingerprint }));
    else if (begun.plan.fingerprint !== fingerprint) {
      await database.withScope(scope, (tx) => finishSeeding(tx, tenantId, name));
      return 'other-version';
    }
    const stored = new Set(begun?.parts);
    let results = 0;
    const write = async (part: number, chunk: DemoChunk): Promise<void> => {
      if (!stored.has(part))
        await database.withScope(scope, async (tx) => {
          await writeChunk(tx, tenantId, chunk);
          await notePart(tx, tenantId, name, part);
        });
      results += chunk.results.length;
      onProgress?.({ results, of: plan.size.results });
    };
    // While the database writes two chunks, the next is made.
    const writing = new Set<Promise<void>>();
    let step = first;
    try {
      for (let part = 0; !step.done; step = records.next(), part++) {
        const task: Promise<void> = write(part, step.value).finally(() => writing.delete(task));
        writing.add(task);
        if (writing.size >= 2) await Promise.race(writing);
      }
      await Promise.all(writing);
    } finally {
      // Nothing may be written after the next seeding may begin.
      await Promise.allSettled(writing);
    }
    await writeCases(database, tenantId, {
      name,
      stored,
      today,
      taken: begun?.caseNumbers,
      made: step.value,
    });
    await database.withScope(scope, async (tx) => {
      await last?.(tx);
      await noteRestrictedPlaces(tx, tenantId, alwaysRestricted, 'all');
      await noteFacilities(tx, tenantId, 'all');
      await finishSeeding(tx, tenantId, name);
    });
    return 'made';
  });
}

/** People with their specimens and results, and their search and comparison keys. */
async function writeChunk(tx: Tx, tenantId: string, chunk: DemoChunk): Promise<void> {
  await loadRows(tx, 'patient', chunk.patients);
  await loadRows(tx, 'patient_identifier', chunk.identifiers, 'patient');
  await loadRows(tx, 'specimen', chunk.specimens);
  await loadRows(tx, 'result', chunk.results);
  await noteSpecimens(
    tx,
    tenantId,
    chunk.results.map(({ id }) => id),
  );
  const identifiers = Map.groupBy(chunk.identifiers, (identifier) => identifier.patient_id);
  await writeSearchKeys(
    tx,
    tenantId,
    'patient',
    chunk.patients.map((patient) => ({
      id: patient.id,
      keys: patientKeys(patient, identifiers.get(patient.id) ?? []),
      before: [],
    })),
  );
  // So that messages about these people find them.
  await writeComparisonKeys(
    tx,
    tenantId,
    chunk.patients.map((patient) => ({
      id: patient.id,
      before: [],
      keys: blockKeys(
        prepare({
          names: [{ last: patient.last_name, first: patient.first_name, middle: patient.middle_name }],
          birthDate: patient.birth_date,
          sex: patient.sex_at_birth,
          phones: patient.phones,
          postalCode: patient.postal_code,
          identifiers: identifiers.get(patient.id) ?? [],
        }),
      ),
    })),
  );
}

/** The case reports in slices, numbered once; slice n is the part −1 − n of the seeding. */
async function writeCases(
  database: Database,
  tenantId: string,
  {
    name,
    stored,
    today,
    taken,
    made: { cases, caseResults, events },
  }: {
    name: string;
    stored: ReadonlySet<number>;
    today: string;
    /** The numbers of the cases by id, once they are taken. */
    taken: Map<string, string> | undefined;
    made: { cases: CaseRow[]; caseResults: CaseResultRow[]; events: CaseEventRow[] };
  },
): Promise<void> {
  const scope = { kind: 'service', tenantId } as const;
  const perTransaction = 4000;
  const linksOf = Map.groupBy(caseResults, (link) => link.case_report_id);
  const eventsOf = Map.groupBy(events, (event) => event.case_report_id);
  const numbers =
    taken ??
    (await database.withScope(scope, async (tx) => {
      const made = await numbersOf(tx, cases);
      await tx.run('update seeding set case_offsets = $3 where tenant_id = $1 and name = $2', [
        tenantId,
        name,
        JSON.stringify(Object.fromEntries(made)),
      ]);
      return made;
    }));
  for (const row of cases) row.case_id = numbers.get(row.id)!;
  for (let slice = 0; slice * perTransaction < cases.length; slice++) {
    if (stored.has(-1 - slice)) continue;
    const rows = cases.slice(slice * perTransaction, (slice + 1) * perTransaction);
    await database.withScope(scope, async (tx) => {
      await storeCases(tx, {
        cases: rows,
        caseResults: rows.flatMap((row) => linksOf.get(row.id) ?? []),
        events: rows.flatMap((row) => eventsOf.get(row.id) ?? []),
        today,
      });
      await notePart(tx, tenantId, name, -1 - slice);
    });
  }
}
