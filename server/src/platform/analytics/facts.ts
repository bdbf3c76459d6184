/**
 * The kind of a column, which decides how a replica stores it:
 * - `id`: the key of a record, a uuid.
 * - `code`: one of comparatively few values (codes, and ids of facilities, programs …), compared, grouped and sorted
 *   as text. Kept as an ENUM, by which DuckDB groups three times as fast as by text.
 * - `text`: a text that differs in most records, stored uncompressed. Unpacking texts took longer than searching them:
 *   over a million cases the first page by a name takes 29 ms of processor time instead of 39, a word 43 instead of 62,
 *   for a file that is 110 MB larger.
 * - `label`: a text that many records share. Compressed with a dictionary, so that DuckDB searches each value once.
 * - `integer`, `flag` (true or false): unchanged.
 * - `day`: a calendar day in the tenant's time zone.
 * - `instant`: a point in time.
 * - `ids`: a list of uuids, kept as a list of texts.
 */
export type ColumnKind = 'id' | 'code' | 'text' | 'label' | 'flag' | 'day' | 'integer' | 'instant' | 'ids';

/**
 * The facts that analytics and grids query, by table and column. PostgreSQL has them as views
 * (server/migrations/0004_facts.sql), a replica as tables of the same names.
 */
export const facts = {
  result_fact: {
    id: 'id',
    patient_id: 'id',
    organization_id: 'code',
    facility_id: 'code',
    program_type_id: 'code',
    program_id: 'code',
    task_id: 'code',
    county_fips: 'code',
    disease_family: 'code',
    condition_code: 'code',
    test_loinc: 'code',
    test_name: 'code',
    method: 'code',
    assay: 'code',
    result_category: 'code',
    status: 'code',
    performed: 'flag',
    specimen_site: 'code',
    age_years: 'integer',
    age_band: 'code',
    test_name_key: 'code',
    assay_key: 'code',
    specimen_site_key: 'code',
    accession_key: 'text',
    collected_on: 'day',
    received_on: 'day',
    resulted_on: 'day',
    reported_on: 'day',
    created_on: 'day',
    tenths_collected_to_received: 'integer',
    tenths_received_to_resulted: 'integer',
    tenths_collected_to_resulted: 'integer',
    sex: 'code',
    gender: 'code',
    race: 'code',
    ethnicity: 'code',
    demographics_known: 'flag',
    patient_county_fips: 'code',
    patient_organization_ids: 'ids',
    patient_facility_ids: 'ids',
    // Persons are counted by this.
    patient_number: 'integer',
    // Who may see more of the person than name, birth date and sex; null: everyone who sees the person.
    patient_told_by: 'ids',
    provider_name_key: 'label',
    provider_npi: 'code',
    notes_key: 'text',
    // The view of the person for readers who may not see restricted families: nothing that only such reports say.
    open_sex: 'code',
    open_gender: 'code',
    open_race: 'code',
    open_ethnicity: 'code',
    open_demographics_known: 'flag',
    open_patient_county_fips: 'code',
    // Organizations and facilities are not shown it.
    county_borrowed: 'flag',
  },
  case_fact: {
    id: 'id',
    case_id: 'text',
    patient_id: 'id',
    condition_code: 'code',
    disease_family: 'code',
    disease_category: 'code',
    classification: 'code',
    status: 'code',
    onset_on: 'day',
    collected_on: 'day',
    reported_on: 'day',
    received_on: 'day',
    created_on: 'day',
    organization_id: 'code',
    facility_id: 'code',
    program_id: 'code',
    task_id: 'code',
    visit_type: 'code',
    jurisdiction_id: 'code',
    county_fips: 'code',
    investigator_id: 'code',
    outcome: 'code',
    pregnant: 'code',
    source: 'code',
    external_id_key: 'text',
    created_at: 'instant',
    updated_at: 'instant',
    last_name_key: 'text',
    first_name_key: 'text',
    city_key: 'label',
    birth_date: 'day',
    age_years: 'integer',
    sex: 'code',
    gender: 'code',
    race: 'code',
    ethnicity: 'code',
    search_names: 'text',
    search_numbers: 'text',
    patient_county_fips: 'code',
    patient_organization_ids: 'ids',
    patient_facility_ids: 'ids',
    patient_told_by: 'ids',
    // As above. Texts and days are included where they may differ for themselves: for few persons.
    told_openly: 'flag',
    open_last_name_key: 'text',
    open_first_name_key: 'text',
    open_city_key: 'label',
    open_birth_date: 'day',
    open_age_years: 'integer',
    open_sex: 'code',
    open_gender: 'code',
    open_race: 'code',
    open_ethnicity: 'code',
    open_search_names: 'text',
    open_search_numbers: 'text',
    open_patient_county_fips: 'code',
    // The notes of senders; and, where they differ, those of the case's own places.
    notes_key: 'text',
    organization_notes_key: 'text',
    facility_notes_key: 'text',
    county_notes_key: 'text',
    // The view of an organization or facility of a case that other places have reported too.
    told_within: 'flag',
    within_onset_on: 'day',
    within_collected_on: 'day',
    within_reported_on: 'day',
    within_updated_at: 'instant',
    within_external_id_key: 'text',
    within_visit_type: 'code',
    within_county_fips: 'code',
    within_outcome: 'code',
    within_pregnant: 'code',
    within_jurisdiction_id: 'code',
  },
} as const satisfies Record<string, Record<string, ColumnKind>>;

export type FactTable = keyof typeof facts;
export const factTables = Object.keys(facts) as FactTable[];

/** The columns of a table with their kinds, without `tenant_id`, which is the same for a whole replica. */
export const columnsOf = (table: FactTable): [name: string, kind: ColumnKind][] =>
  Object.entries(facts[table]);

/** Rows of a new replica are written in the order of this day, so that ranges of days read little of it. */
export const orderedBy: Record<FactTable, string> = { result_fact: 'collected_on', case_fact: 'created_on' };
