import { todayIn } from '@caseway/contract/date-range';
import { writeComparisonKeys } from '../../src/features/imports/comparison-keys.ts';
import { blockKeys, prepare } from '../../src/features/imports/matching.ts';
import { recordChange } from '../../src/platform/analytics/outbox.ts';
import type { Database, Tx } from '../../src/platform/db/database.ts';
import { keysOfCase, keysOfPatient, writeSearchKeys } from '../../src/platform/search-keys.ts';
import { loadRows } from './load.ts';
import { demoRecords } from './records.ts';
import type { CaseRow, DemoChunk, PatientRow } from './rows.ts';
import type { DemoSize, TenantToFill } from './tenant-to-fill.ts';

export interface SeedProgress {
  results: number;
  of: number;
}

/** What the generator needs of a tenant, read from its tables. Throws if it has no place to test people at. */
export async function readTenantToFill(tx: Tx, tenantId: string): Promise<TenantToFill> {
  const tenant = await tx
    .selectFrom('tenant')
    .select(['id', 'time_zone'])
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  const facilities = await tx
    .selectFrom('facility')
    .select(['id', 'organization_id', 'county_fips', 'city', 'postal_code', 'facility_type', 'clia'])
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
  const jurisdictions = await tx
    .selectFrom('jurisdiction_county')
    .innerJoin('jurisdiction', 'jurisdiction.id', 'jurisdiction_county.jurisdiction_id')
    .innerJoin('tenant_reporting', 'tenant_reporting.jurisdiction_id', 'jurisdiction.id')
    .where('tenant_reporting.tenant_id', '=', tenantId)
    .where('tenant_reporting.ended_at', 'is', null)
    .select(['jurisdiction.id', 'jurisdiction_county.county_fips'])
    .orderBy('jurisdiction.name')
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
    jurisdictionOfCounty: new Map(jurisdictions.map((each) => [each.county_fips, each.id])),
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

/**
 * Fills a tenant with people, specimens, results and cases. The same seed, size and day make the same records; what
 * is there already stays. Each chunk is a transaction of its own, so an interrupted run leaves whole people.
 */
export async function seedRecords(
  database: Database,
  tenantId: string,
  size: DemoSize,
  {
    seed = 'caseway',
    now = Date.now(),
    patient,
    onProgress,
  }: {
    seed?: string;
    now?: number;
    /** Who the first person is; whoever signs in as a patient. */
    patient?: TenantToFill['patient'];
    onProgress?: (progress: SeedProgress) => void;
  } = {},
): Promise<void> {
  const scope = { kind: 'service', tenantId } as const;
  const tenant = await database.withScope(scope, async (tx) => ({
    ...(await readTenantToFill(tx, tenantId)),
    patient,
  }));
  const records = demoRecords(tenant, size, todayIn(tenant.timeZone, new Date(now)), now, seed);
  let results = 0;
  const write = async (chunk: DemoChunk): Promise<void> => {
    await database.withScope(scope, async (tx) => {
      await loadRows(tx, 'patient', chunk.patients);
      await loadRows(tx, 'patient_identifier', chunk.identifiers);
      await loadRows(tx, 'specimen', chunk.specimens);
      await loadRows(tx, 'result', chunk.results);
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
      // So that messages about them find them.
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
      await recordChange(
        tx,
        tenantId,
        'result',
        chunk.results.map((result) => result.id),
      );
    });
    results += chunk.results.length;
    onProgress?.({ results, of: size.results });
  };
  // While the database writes two chunks, the next is made.
  const writing = new Set<Promise<void>>();
  let step = records.next();
  for (; !step.done; step = records.next()) {
    const task: Promise<void> = write(step.value).finally(() => writing.delete(task));
    writing.add(task);
    if (writing.size >= 2) await Promise.race(writing);
  }
  await Promise.all(writing);

  const { cases, caseResults, events } = step.value;
  const perTransaction = 4000;
  const linksOf = Map.groupBy(caseResults, (link) => link.case_report_id);
  const eventsOf = Map.groupBy(events, (event) => event.case_report_id);
  const offsets = await database.withScope(scope, (tx) => takeCaseNumbers(tx, tenantId, cases));
  for (const row of cases) row.case_id = renumbered(row.case_id, offsets);
  for (let start = 0; start < cases.length; start += perTransaction) {
    const slice = cases.slice(start, start + perTransaction);
    await database.withScope(scope, async (tx) => {
      await loadRows(tx, 'case_report', slice);
      await loadRows(
        tx,
        'case_result',
        slice.flatMap((row) => linksOf.get(row.id) ?? []),
      );
      await loadRows(
        tx,
        'case_event',
        slice.flatMap((row) => eventsOf.get(row.id) ?? []),
      );
      await writeSearchKeys(
        tx,
        tenantId,
        'case',
        slice.map((row) => ({
          id: row.id,
          keys: keysOfCase({ caseId: row.case_id, externalId: null }),
          before: [],
        })),
      );
      await recordChange(
        tx,
        tenantId,
        'case',
        slice.map((row) => row.id),
      );
    });
  }
}

/** Reserves as many case numbers per year as the cases need; returns the number before the first of each year. */
async function takeCaseNumbers(
  tx: Tx,
  tenantId: string,
  cases: readonly CaseRow[],
): Promise<Map<string, number>> {
  const offsets = new Map<string, number>();
  for (const [year, list] of Map.groupBy(cases, (row) => row.case_id.slice(0, 4))) {
    const { last_number } = await tx
      .insertInto('case_counter')
      .values({ tenant_id: tenantId, year: Number(year), last_number: list.length })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'year'])
          .doUpdateSet((eb) => ({ last_number: eb('case_counter.last_number', '+', list.length) })),
      )
      .returning('last_number')
      .executeTakeFirstOrThrow();
    offsets.set(year, last_number - list.length);
  }
  return offsets;
}

function renumbered(caseId: string, offsets: ReadonlyMap<string, number>): string {
  const [year, number] = caseId.split('-') as [string, string];
  return `${year}-${String(Number(number) + (offsets.get(year) ?? 0)).padStart(7, '0')}`;
}
