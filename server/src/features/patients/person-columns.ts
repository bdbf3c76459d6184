import type { ChangedBy, ColumnSql, OwnColumnSql, TableName } from '../../platform/analytics/facts.ts';

/*
 * Columns of facts from the person of a row, `patient p`. A row is visible to readers who see both the record and
 * the person; these columns let a replica decide that like PostgreSQL. `open`: what readers see who may not see
 * restricted families. [P18] `untold`: what an organization or facility sees of another place's person. [P23]
 */

const missing = () => 'null';

/** What was known about a person without restricted reports: a JSON, or null if that is everything. */
export const openPerson = 'p.told_openly';

/** A column of the person, as text from what was known without restricted reports. */
export const openText = (column: string): string => `p.told_openly ->> '${column}'`;
export const openBirthDate = `cast(${openText('birth_date')} as date)`;

export const personColumns = {
  sex: { sql: 'p.sex_at_birth', open: `p.told_openly ->> 'sex_at_birth'` },
  gender: {
    sql: 'p.gender_identity',
    open: `p.told_openly ->> 'gender_identity'`,
    setting: 'genderIdentityShown',
    untold: missing,
  },
  race: { sql: 'p.race', open: `p.told_openly ->> 'race'`, untold: missing },
  ethnicity: { sql: 'p.ethnicity', open: `p.told_openly ->> 'ethnicity'`, untold: missing },
} as const satisfies Record<string, ColumnSql>;

export const ownPersonColumns = {
  // The number to count persons by.
  patient_number: { sql: 'app_person_number(p.id)', as: 'wide', numbers: 'patient_id', for: ['numbers'] },
  patient_county_fips: { sql: 'p.county_fips', as: 'code', open: `p.told_openly ->> 'county_fips'` },
  patient_organization_ids: { sql: 'p.organization_ids', as: 'ids' },
  patient_facility_ids: { sql: 'p.facility_ids', as: 'ids' },
  // Who may see more of the person than name, birth date and sex; null: everyone who sees the person.
  patient_told_by: { sql: 'p.told_by', as: 'ids' },
  // Whether the person is in the half that protected numbers are made from (decision record 0064). [P17]
  half: { sql: 'p.half', as: 'flag', for: ['numbers'] },
  // Which of 64 bits stands for the person behind a protected number: the same in the database and in every replica.
  person_place: { sql: 'cast(app_person_number(p.id) & 63 as integer)', as: 'integer', for: ['numbers'] },
} as const;

/** Where a person is known, and by which records: this decides who sees them. */
export const personSight = {
  // Joined with commas, because few combinations occur.
  families: { sql: `array_to_string(p.disease_families, ',')`, as: 'code' },
  patient_organization_ids: ownPersonColumns.patient_organization_ids,
  patient_facility_ids: ownPersonColumns.patient_facility_ids,
  patient_told_by: ownPersonColumns.patient_told_by,
  restricted_ids: { sql: 'p.restricted_at', as: 'ids' },
} as const;

/** The columns that decide who sees a person, by the names in facts. */
export const visiblePerson = {
  families: 'families',
  organizations: 'patient_organization_ids',
  facilities: 'patient_facility_ids',
  restrictedAt: 'restricted_ids',
  county: 'patient_county_fips',
  toldBy: 'patient_told_by',
} as const;

export const visibleWithPerson = {
  family: 'disease_family',
  organization: 'organization_id',
  facility: 'facility_id',
  county: 'county_fips',
  person: {
    organizations: 'patient_organization_ids',
    facilities: 'patient_facility_ids',
    county: 'patient_county_fips',
    toldBy: 'patient_told_by',
  },
} as const;

/**
 * Columns for facts of records that are visible at their own place and may be about a person `p`: incidents and
 * visits. Their family does not say what the person is known for, so the person's families decide too.
 */
export const ownRecordColumns: Readonly<Record<string, OwnColumnSql>> = {
  ...ownPersonColumns,
  ...personSight,
};

/** The county of such a record's person, carried in the row `as`. */
export const countyOfRecord = (as: string): ColumnSql => ({
  sql: `${as}.county_fips`,
  open: `${as}.open_county_fips`,
  untold: missing,
});

export const visibleWithRecord = {
  family: 'disease_family',
  organization: 'organization_id',
  facility: 'facility_id',
  county: 'county_fips',
  maybePerson: visiblePerson,
} as const;

/**
 * The rows with the same person as a changed row of a table. Each person is looked up once, however many of their
 * rows have changed. Rows of the changed table itself are read again even if they are gone. `from`: the table of the
 * rows, `o`.
 */
export const ofSamePersons = (changed: TableName, from: string, and = 'true'): ChangedBy => ({
  rows: (ids, tenant) =>
    `select o.id from (select distinct r.patient_id from ${changed} r where r.tenant_id = ${tenant} and r.id = any (${ids})) r
     join ${from} o on o.tenant_id = ${tenant} and o.patient_id = r.patient_id where ${and}${from === changed ? ` union select unnest(${ids})` : ''}`,
});
