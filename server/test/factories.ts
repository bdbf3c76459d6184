import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { facts } from '../src/facts.ts';
import { type ChangeKind, recordChange } from '../src/platform/analytics/outbox.ts';
import { noteMemberships, passOn } from '../src/platform/carried/carried.ts';
import { noteSeen, noteSpecimens, type SeenRecord } from '../src/platform/carried/seen-at.ts';
import type { Database } from '../src/platform/db/database.ts';
import type { Schema } from '../src/platform/db/schema.ts';
import type { Scope } from '../src/platform/scope.ts';

// Each factory writes one plausible record and returns its row: a test gives only what matters to it, and the rest
// has defaults. Ids are new each time, names are the record's kind with a number.

type Given<Table extends keyof Schema> = Partial<Insertable<Schema[Table]>>;
type Row<Table extends keyof Schema> = Insertable<Schema[Table]>;

let counted = 0;
const next = () => ++counted;

/** The tables that facts read. */
const told = new Set(facts.flatMap(({ sql }) => Object.keys(sql.changedBy)));

/**
 * Inserts a row as the service of its tenant, like the importer, so that a replica that is being loaded at that
 * moment is notified.
 */
async function insert<Table extends keyof Schema>(
  database: Database,
  table: Table,
  row: Row<Table> & { tenant_id?: string },
  scope: Scope = { kind: 'service', tenantId: row.tenant_id! },
): Promise<Row<Table>> {
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  const text = `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`;
  await database.withScope(scope, async (tx) => {
    await tx.run(text, Object.values(row));
    if (told.has(table) && 'id' in row && 'tenantId' in scope)
      await recordChange(tx, scope.tenantId, table as ChangeKind, [row.id as string]);
  });
  return row;
}

export async function makeTenant(database: Database, given: Given<'tenant'> = {}) {
  const number = next();
  const row = { id: randomUUID() as string, name: `Tenant ${number}`, slug: `tenant-${number}`, ...given };
  await insert(database, 'tenant', row, { kind: 'system' });
  await insert(database, 'policy_version', { tenant_id: row.id });
  return row;
}

export async function makeOrganization(
  database: Database,
  given: Given<'organization'> & { tenant_id: string },
) {
  const row = { id: randomUUID() as string, name: `Organization ${next()}`, ...given };
  await insert(database, 'organization', row);
  return row;
}

export async function makeFacility(database: Database, given: Given<'facility'> & { tenant_id: string }) {
  const name = `Facility ${next()}`;
  const row = { id: randomUUID() as string, name, match_name: name.toLowerCase(), ...given };
  await insert(database, 'facility', row);
  return row;
}

/** A jurisdiction of some counties, to which its managing tenant reports. */
export async function makeJurisdiction(
  database: Database,
  {
    counties = ['13121'],
    ...given
  }: Given<'jurisdiction'> & { managed_by_tenant_id: string; counties?: string[] },
) {
  const row = {
    id: randomUUID() as string,
    name: `Jurisdiction ${next()}`,
    reported_by: [given.managed_by_tenant_id],
    ...given,
  };
  const scope: Scope = { kind: 'service', tenantId: row.managed_by_tenant_id };
  await insert(database, 'jurisdiction', row, scope);
  for (const county_fips of counties)
    await insert(
      database,
      'jurisdiction_county',
      {
        jurisdiction_id: row.id,
        county_fips,
        managed_by_tenant_id: row.managed_by_tenant_id,
        reported_by: row.reported_by,
      },
      scope,
    );
  await insert(database, 'tenant_reporting', {
    tenant_id: row.managed_by_tenant_id,
    jurisdiction_id: row.id,
  });
  return { ...row, counties };
}

/** An account that belongs to one organisation, its tenant's own by default. */
export async function makeMember(
  database: Database,
  {
    tenant_id,
    org_type = 'T',
    org_id = tenant_id,
    ...given
  }: Given<'account'> & {
    tenant_id: string;
    org_type?: 'T' | 'O' | 'F' | 'PHJ';
    org_id?: string;
  },
) {
  const number = next();
  const username = `member-${number}@example.test`;
  const account = {
    id: randomUUID() as string,
    username,
    email: username,
    first_name: 'Member',
    last_name: String(number),
    phone_confirmed: given.phone != null,
    ...given,
  };
  await insert(database, 'account', account, { kind: 'identity' });
  const membership = { tenant_id, id: randomUUID() as string, account_id: account.id, org_type, org_id };
  await insert(database, 'membership', membership);
  await database.withScope({ kind: 'identity' }, (tx) => noteMemberships(tx, [account.id]));
  return { account, membership };
}

export async function makePatient(database: Database, given: Given<'patient'> & { tenant_id: string }) {
  const row = {
    id: randomUUID() as string,
    last_name: `Patient${next()}`,
    first_name: 'Robin',
    birth_date: '1980-05-17',
    birth_date_precision: 'day',
    sex_at_birth: 'F',
    county_fips: '13121',
    ...given,
  };
  await insert(database, 'patient', row);
  return row;
}

/** The place that decides which readers see a record. */
export interface At {
  facility_id?: string;
  organization_id?: string;
  county_fips?: string;
}

/** A person who is known at a place. */
export const makePersonAt = (
  database: Database,
  tenant_id: string,
  { facility_id, organization_id, county_fips = '13121' }: At = {},
  more: Given<'patient'> = {},
) =>
  makePatient(database, {
    tenant_id,
    birth_date: '1990-05-06',
    county_fips,
    facility_ids: facility_id ? [facility_id] : [],
    organization_ids: organization_id ? [organization_id] : [],
    ...more,
  });

/** Stores a record's family with its person, like the importer. */
const recorded = (
  database: Database,
  row: { tenant_id: string; patient_id: string; disease_family?: string | null },
): Promise<void> =>
  database.withScope({ kind: 'service', tenantId: row.tenant_id }, async (tx) => {
    await tx.run(
      `update patient set disease_families = disease_families || $3
       where tenant_id = $1 and id = $2 and not $3 <@ disease_families`,
      [row.tenant_id, row.patient_id, [row.disease_family ?? '-']],
    );
    await passOn(tx, row.tenant_id, 'patient', [row.patient_id]);
    await recordChange(tx, row.tenant_id, 'patient', [row.patient_id]);
  });

/** A record in the form that makes its facilities visible. */
const seenAs = (row: Partial<Given<'result'>>): SeenRecord => ({
  facilityId: row.facility_id ?? null,
  performingFacilityId: row.performing_facility_id ?? null,
  organizationId: row.organization_id ?? null,
  countyFips: row.county_fips ?? null,
  family: row.disease_family ?? null,
});

/** A negative chlamydia test of a patient, collected, received, resulted and reported on one day each. */
export async function makeResult(
  database: Database,
  given: Given<'result'> & { tenant_id: string; patient_id: string },
) {
  const number = next();
  const row = {
    id: randomUUID() as string,
    source_key: `source-${number}`,
    content_hash: `content-${number}`,
    test_loinc: '21613-5',
    test_name: 'Chlamydia trachomatis DNA',
    condition_code: 'chlamydia',
    disease_family: 'sti',
    result_category: 'negative',
    status: 'final',
    county_fips: '13121',
    collected_at: '2026-03-02T15:00:00Z',
    received_at: '2026-03-03T15:00:00Z',
    resulted_at: '2026-03-04T15:00:00Z',
    reported_at: '2026-03-05T15:00:00Z',
    collected_on: '2026-03-02',
    received_on: '2026-03-03',
    resulted_on: '2026-03-04',
    reported_on: '2026-03-05',
    created_on: '2026-03-05',
    ...given,
  };
  await insert(database, 'result', row);
  await recorded(database, row);
  await database.withScope({ kind: 'service', tenantId: row.tenant_id }, async (tx) => {
    await noteSpecimens(tx, row.tenant_id, [row.id]);
    await noteSeen(tx, row.tenant_id, [seenAs(row)]);
  });
  return row;
}

/** A confirmed, new case of a patient. */
export async function makeCaseReport(
  database: Database,
  given: Given<'case_report'> & { tenant_id: string; patient_id: string },
) {
  const number = next();
  const row = {
    id: randomUUID() as string,
    case_id: `2026-${String(number).padStart(7, '0')}`,
    condition_code: 'chlamydia',
    disease_family: 'sti',
    disease_category: 'std',
    classification: 'confirmed',
    source: 'elr',
    county_fips: '13121',
    created_on: '2026-03-05',
    ...given,
  };
  await insert(database, 'case_report', row);
  await recorded(database, row);
  await database.withScope({ kind: 'service', tenantId: row.tenant_id }, (tx) =>
    noteSeen(tx, row.tenant_id, [seenAs(row)]),
  );
  return row;
}

/** A treatment of a case, on the day it was created; visible with the case, like the service writes it. */
export async function makeTreatment(
  database: Database,
  of: Pick<
    Row<'case_report'>,
    'tenant_id' | 'id' | 'patient_id' | 'disease_family' | 'organization_id' | 'facility_id' | 'county_fips'
  >,
  given: Given<'treatment'> = {},
) {
  const {
    tenant_id,
    id: case_report_id,
    patient_id,
    disease_family,
    organization_id,
    facility_id,
    county_fips,
  } = of;
  const row = {
    tenant_id,
    id: randomUUID() as string,
    case_report_id,
    patient_id,
    disease_family,
    organization_id,
    facility_id,
    county_fips,
    drug: 'doxycycline-7-days',
    started_on: '2026-03-05',
    source: 'manual',
    created_on: '2026-03-06',
    ...given,
  };
  await insert(database, 'treatment', row);
  await database.withScope({ kind: 'service', tenantId: tenant_id }, (tx) =>
    passOn(tx, tenant_id, 'case_report', [case_report_id], ['treatment']),
  );
  return row;
}

/** A vaccination that a person was given here. */
export async function makeVaccination(
  database: Database,
  given: Given<'vaccination'> & Pick<Row<'vaccination'>, 'tenant_id' | 'patient_id'>,
) {
  const row = {
    id: randomUUID() as string,
    vaccine: '03',
    given_on: '2026-03-06',
    source: 'here',
    created_on: '2026-03-06',
    ...given,
  };
  await insert(database, 'vaccination', row);
  return row;
}

/** A document about a person, whose file has no bytes. */
export async function makeDocument(
  database: Database,
  given: Given<'document'> & Pick<Row<'document'>, 'tenant_id' | 'patient_id'>,
) {
  const id = randomUUID() as string;
  const file = { file_type: 'pdf', byte_size: 1, sha256: id };
  const row = {
    id,
    file_id: id,
    category: 'letter',
    title: `Letter ${next()}`,
    created_on: '2026-03-06',
    ...file,
    ...given,
  };
  const owner = { tenant_id: row.tenant_id, id: row.file_id, account_id: id, document_id: row.id };
  await insert(database, 'document_file', { ...owner, ...file });
  await insert(database, 'document', row);
  return row;
}

/** A report of an incident that is about nobody. */
export async function makeIncident(
  database: Database,
  given: Given<'incident'> & Pick<Row<'incident'>, 'tenant_id'>,
) {
  const id = randomUUID() as string;
  const row = {
    id,
    number: `IR-${id.slice(0, 8)}`,
    kind: 'other-incident',
    category: 'specimen',
    event: 'incident',
    received_on: '2026-03-06',
    narrative: 'A tube broke.',
    created_on: '2026-03-06',
    ...given,
  };
  await insert(database, 'incident', row);
  return row;
}

/** A requested visit by video. */
export async function makeTelemedicineVisit(
  database: Database,
  given: Given<'telemedicine_visit'> & Pick<Row<'telemedicine_visit'>, 'tenant_id' | 'patient_id'>,
) {
  const id = randomUUID() as string;
  const row = {
    id,
    number: `TV-${id.slice(0, 8)}`,
    visit_type: 'first-visit',
    task_category: 'telemedicine',
    planned_on: '2026-03-06',
    created_on: '2026-03-06',
    ...given,
  };
  await insert(database, 'telemedicine_visit', row);
  return row;
}

/** A contact of a case, known only by a description. */
export async function makeContact(
  database: Database,
  given: Given<'contact'> & Pick<Row<'contact'>, 'tenant_id' | 'case_report_id'>,
) {
  const id = randomUUID() as string;
  const row = {
    id,
    number: `CT-${id.slice(0, 8)}`,
    description: 'Tall, wears glasses',
    exposure: 'same-room',
    last_exposed_on: '2026-03-06',
    created_on: '2026-03-06',
    disease_family: 'measles',
    ...given,
  };
  await insert(database, 'contact', row);
  return row;
}

/** A current follow-up of a case. */
export async function makeCaseFollowUp(
  database: Database,
  given: Given<'case_follow_up'> & Pick<Row<'case_follow_up'>, 'tenant_id' | 'case_report_id' | 'patient_id'>,
) {
  const id = randomUUID() as string;
  const row = {
    id,
    number: `FU-${id.slice(0, 8)}`,
    purpose: 'isolation',
    first_on: '2026-03-06',
    last_on: '2026-03-16',
    created_on: '2026-03-06',
    started_by_id: randomUUID() as string,
    disease_family: 'measles',
    ...given,
  };
  await insert(database, 'case_follow_up', row);
  return row;
}

/** Partner services for the person of a case, with nothing decided. */
export async function makePartnerService(
  database: Database,
  given: Given<'partner_service'> & Pick<Row<'partner_service'>, 'tenant_id' | 'case_report_id'>,
) {
  const id = randomUUID() as string;
  const row = {
    id,
    number: `PS-${id.slice(0, 8)}`,
    referral_basis: 'T1',
    created_on: '2026-03-06',
    disease_family: 'syphilis',
    ...given,
  };
  await insert(database, 'partner_service', row);
  return row;
}

/** Gives tenants the same case numbers, by using one secret for all tenants in these calls. */
export const makeCaseNumbers = (database: Database, tenantId: string): Promise<number> =>
  database.withScope({ kind: 'service', tenantId }, (tx) =>
    tx.run(
      `insert into case_counter (tenant_id, year, last_number, secret)
       select $1, extract(year from now()) + y, 0, '5f8e3d5c-4a53-4a53-9d5a-1c7c3a6b2f10' from generate_series(-3, 1) as y
       returning 1`,
      [tenantId],
    ),
  );

type OfCase = Pick<Row<'case_report'>, 'tenant_id' | 'id'>;
/** Stores rows of a case, with what decides who sees them. */
async function insertOfCase(
  database: Database,
  table: 'work_task' | 'case_report_transition',
  { tenant_id, id }: OfCase,
  row: object,
): Promise<void> {
  await insert(database, table, { tenant_id, id: randomUUID(), record_id: id, ...row } as never);
  await database.withScope({ kind: 'service', tenantId: tenant_id }, (tx) =>
    passOn(tx, tenant_id, 'case_report', [id], [table]),
  );
}

/** A follow-up task about a case. */
export const makeWorkTask = (database: Database, of: OfCase, given: Given<'work_task'> = {}) =>
  insertOfCase(database, 'work_task', of, {
    work: 'call',
    queue: 'assignee',
    made_on: '2026-03-06',
    ...given,
  });

/** A transition of a case: it was assigned. */
export const makeTransition = (database: Database, of: OfCase, given: Given<'case_report_transition'> = {}) =>
  insertOfCase(database, 'case_report_transition', of, {
    version: 2,
    last_version: 2,
    from_state: 'new',
    to_state: 'assigned',
    on_day: '2026-03-07',
    ...given,
  });

/** A draft of a shipment. */
export async function makeShipment(
  database: Database,
  given: Given<'shipment'> & Pick<Row<'shipment'>, 'tenant_id' | 'origin_id' | 'destination_id'>,
) {
  const id = randomUUID() as string;
  const row = {
    id,
    number: `SS-${id.slice(0, 8)}`,
    temperature: 'refrigerated',
    created_on: '2026-03-06',
    ...given,
  };
  await insert(database, 'shipment', row);
  return row;
}

/** A specimen with a result, which makes it visible. */
export async function makeSpecimen(
  database: Database,
  { accession, ...result }: Parameters<typeof makeResult>[1] & { accession: string },
) {
  const { tenant_id, patient_id } = result;
  const id = randomUUID() as string;
  await insert(database, 'specimen', {
    id,
    tenant_id,
    patient_id,
    accession,
    type_code: '122575003',
    collected_at: '2026-03-02T15:00:00Z',
  });
  await makeResult(database, { ...result, accession, specimen_id: id });
  return { id, accession };
}

/** An unassigned visit to a person. */
export async function makeFieldVisit(
  database: Database,
  given: Given<'field_visit'> & Pick<Row<'field_visit'>, 'tenant_id' | 'patient_id'>,
) {
  const id = randomUUID() as string;
  const row = {
    id,
    number: `FV-${id.slice(0, 8)}`,
    visit_type: 'interview',
    planned_for: '2026-03-07',
    created_on: '2026-03-06',
    ...given,
  };
  await insert(database, 'field_visit', row);
  return row;
}

/** An attempt to meet the person of a field visit, visible like the visit. */
export async function makeVisitAttempt(
  database: Database,
  visit: Given<'field_visit'> & Pick<Row<'field_visit'>, 'tenant_id' | 'patient_id'> & { id: string },
  given: Given<'field_visit_attempt'> & Pick<Row<'field_visit_attempt'>, 'day'>,
) {
  const row = {
    id: randomUUID() as string,
    tenant_id: visit.tenant_id,
    record_id: visit.id,
    patient_id: visit.patient_id,
    case_report_id: visit.case_report_id ?? null,
    disease_family: visit.disease_family ?? null,
    organization_id: visit.organization_id ?? null,
    facility_id: visit.facility_id ?? null,
    at_time: '10:00',
    method: 'visit',
    outcome: 'nobody',
    left_behind: 'nothing',
    account_id: randomUUID() as string,
    ...given,
  };
  await insert(database, 'field_visit_attempt', row);
  return row;
}
