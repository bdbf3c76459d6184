import { labelIn, testNameForStaff } from '@caseway/contract/label';
import { type TestingRecord, testingRecords } from '@caseway/contract/testing-analytics';
import type { Tx } from '../../platform/db/database.ts';
import { fold } from '../../platform/grid/fold.ts';
import type { GridSource } from '../../platform/grid/grid-sql.ts';
import { demographics, laboratoryTests } from '../reference/catalog.ts';
import { testNameI18N } from '../reference/names-of-tests.ts';
import { specimenSiteLabel } from '../reference/specimen-labels.ts';

const hours = (column: string) => `(cast(f.${column} as double precision) / 10)`;

/** The names of the catalog's tests in the other languages, folded; made on first use. */
let translated: { loinc: string; name: string }[] | undefined;
function testsNamed(matches: (folded: string) => boolean): string[] {
  translated ??= laboratoryTests.flatMap(({ loinc }) =>
    Object.values(testNameI18N(loinc) ?? {}).map((name) => ({ loinc, name: fold(name) })),
  );
  return [...new Set(translated.flatMap(({ loinc, name }) => (matches(name) ? [loinc] : [])))];
}

/** Every spelling of a specimen site whose label matches, folded; the list shows the label instead. */
const sitesNamed = (matches: (folded: string) => boolean): string[] => [
  ...new Set(
    demographics.specimenSite.flatMap(({ code, label, labelI18N, codings, aliases }) => {
      const labels = [label, ...Object.values(labelI18N)].map(fold);
      return labels.some(matches)
        ? [...labels, ...[code, ...codings.map((coding) => coding.code), ...aliases].map(fold)]
        : [];
    }),
  ),
];

/** The tests behind a number: the population of the screen, with the SQL of each column and filter. */
export const testingRecordsSource: GridSource<typeof testingRecords> = {
  grid: testingRecords,
  table: '(select * from result_fact where performed)',
  fields: {
    collectedOn: { kind: 'day', sql: 'f.collected_on' },
    receivedOn: { kind: 'day', sql: 'f.received_on' },
    resultedOn: { kind: 'day', sql: 'f.resulted_on' },
    reportedOn: { kind: 'day', sql: 'f.reported_on' },
    createdOn: { kind: 'day', sql: 'f.created_on' },
    testName: {
      kind: 'text',
      sql: 'f.test_name_key',
      folded: true,
      translations: { sql: 'f.test_loinc', codesOf: testsNamed },
    },
    assay: { kind: 'text', sql: 'f.assay_key', folded: true },
    specimenSite: {
      kind: 'text',
      sql: 'f.specimen_site_key',
      folded: true,
      translations: { sql: 'f.specimen_site_key', codesOf: sitesNamed },
    },
    accession: { kind: 'text', sql: 'f.accession_key', folded: true },
    providerName: { kind: 'text', sql: 'f.provider_name_key', folded: true },
    providerNpi: { kind: 'text', sql: 'f.provider_npi', folded: true },
    providerPhone: { kind: 'text', sql: 'cast(null as text)' },
    notes: { kind: 'text', sql: 'f.notes_key', folded: true },
    resultCategory: { kind: 'choice', sql: 'f.result_category', order: 'resultCategories' },
    status: { kind: 'choice', sql: 'f.status', order: 'resultStatuses' },
    ageYears: { kind: 'number', sql: 'f.age_years' },
    ageBand: { kind: 'choice', sql: 'f.age_band', order: 'ageBands' },
    sex: { kind: 'choice', sql: 'f.sex', order: 'sex' },
    gender: { kind: 'choice', sql: 'f.gender', order: 'gender' },
    race: { kind: 'choice', sql: 'f.race', order: 'race' },
    ethnicity: { kind: 'choice', sql: 'f.ethnicity', order: 'ethnicity' },
    diseaseFamily: { kind: 'choice', sql: 'f.disease_family', order: 'diseaseFamilies' },
    programTypeId: { kind: 'choice', sql: 'f.program_type_id', ids: true, order: 'programTypes' },
    programId: { kind: 'choice', sql: 'f.program_id', ids: true, order: 'programs' },
    facilityId: { kind: 'choice', sql: 'f.facility_id', ids: true, order: 'facilities' },
    countyFips: { kind: 'choice', sql: 'f.county_fips', order: 'counties' },
    hoursCollectedToReceived: { kind: 'number', sql: hours('tenths_collected_to_received') },
    hoursReceivedToResulted: { kind: 'number', sql: hours('tenths_received_to_resulted') },
    hoursCollectedToResulted: { kind: 'number', sql: hours('tenths_collected_to_resulted') },
    // Read from the tables only for the page; the contract does not allow sorting or filtering by them.
    lastName: { kind: 'text', sql: 'cast(null as text)' },
    firstName: { kind: 'text', sql: 'cast(null as text)' },
    birthDate: { kind: 'day', sql: 'cast(null as date)' },
  },
  filters: {
    programTypeFilter: { kind: 'choice', sql: 'f.program_type_id', ids: true, order: 'programTypes' },
    programFilter: { kind: 'choice', sql: 'f.program_id', ids: true, order: 'programs' },
    taskFilter: { kind: 'choice', sql: 'f.task_id', ids: true, order: 'tasks' },
    facilityFilter: { kind: 'choice', sql: 'f.facility_id', ids: true, order: 'facilities' },
    countyFilter: { kind: 'choice', sql: 'f.county_fips', order: 'counties' },
    diseaseFamilyFilter: { kind: 'choice', sql: 'f.disease_family', order: 'diseaseFamilies' },
    sexFilter: { kind: 'choice', sql: 'f.sex', order: 'sex' },
    genderFilter: { kind: 'choice', sql: 'f.gender', order: 'gender' },
    raceFilter: { kind: 'choice', sql: 'f.race', order: 'race' },
    ethnicityFilter: { kind: 'choice', sql: 'f.ethnicity', order: 'ethnicity' },
    resultCategoryFilter: { kind: 'choice', sql: 'f.result_category', order: 'resultCategories' },
  },
};

/** The text in the file for a column whose value is not a text. */
export function recordValue(row: TestingRecord, field: string, language: string): unknown {
  if (field === 'testName') return testNameForStaff(row, language);
  if (field === 'specimenSite') return row.specimenSite && labelIn(row.specimenSite, language);
  return row[field as keyof TestingRecord];
}

/** The results of these ids that the reader may see, in any order. */
export async function readTestingRecords(tx: Tx, ids: readonly string[]): Promise<TestingRecord[]> {
  const rows = await tx.rows<
    Omit<TestingRecord, 'testNameI18N' | 'specimenSite'> & Record<'testLoinc' | 'siteText', string | null>
  >(
    `select r.id, r.patient_id as "patientId", p.last_name as "lastName", p.first_name as "firstName",
      p.birth_date as "birthDate", r.collected_on as "collectedOn", r.received_on as "receivedOn",
      r.resulted_on as "resultedOn", r.reported_on as "reportedOn", r.created_on as "createdOn",
      r.test_name as "testName", r.test_loinc as "testLoinc", r.assay, r.result_category as "resultCategory", r.status,
      r.program_type_id as "programTypeId", r.program_id as "programId", r.facility_id as "facilityId",
      case when not r.county_borrowed or app_told('{}') then r.county_fips end as "countyFips", r.disease_family as "diseaseFamily", f.age_years as "ageYears",
      f.age_band as "ageBand", p.sex_at_birth as sex, case when told and (select app_gender_identity_shown()) then p.gender_identity end as gender,
      case when told then p.race end as race, case when told then p.ethnicity end as ethnicity, r.specimen_site as "siteText", r.accession,
      r.provider_name as "providerName", r.provider_npi as "providerNpi", r.provider_phone as "providerPhone", r.notes,
      ${hours('tenths_collected_to_received')} as "hoursCollectedToReceived",
      ${hours('tenths_received_to_resulted')} as "hoursReceivedToResulted",
      ${hours('tenths_collected_to_resulted')} as "hoursCollectedToResulted"
    from result r
    join patient stored on stored.tenant_id = r.tenant_id and stored.id = r.patient_id
    cross join lateral app_shown(stored, r.disease_family) p
    cross join lateral (select app_told(p.told_by) as told) told
    join result_fact f on f.tenant_id = r.tenant_id and f.id = r.id
    where r.tenant_id = $1 and r.id = any($2::uuid[])`,
    [tx.tenantId, ids],
  );
  return rows.map(({ testLoinc, siteText, ...row }) => ({
    ...row,
    testNameI18N: testNameI18N(testLoinc),
    specimenSite: specimenSiteLabel(siteText),
  }));
}
