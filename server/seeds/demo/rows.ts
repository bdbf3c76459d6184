import type { ResultCategory, TestMethod } from '../../src/features/reference/schema.ts';

/* The rows that the generator makes, with the columns of their tables; unlisted columns take their default. */

export interface PatientRow {
  tenant_id: string;
  id: string;
  last_name: string | null;
  first_name: string | null;
  middle_name: string | null;
  birth_date: string | null;
  birth_date_precision: string;
  sex_at_birth: string;
  gender_identity: string | null;
  races: string[];
  race: string;
  ethnicity: string;
  language_code: string;
  street: string;
  city: string;
  state_fips: string;
  postal_code: string;
  county_fips: string | null;
  country_code: string;
  phones: string[];
  emails: string[];
  organization_ids: string[];
  facility_ids: string[];
  disease_families: string[];
  half: boolean;
  created_at: string;
  updated_at: string;
}

export interface IdentifierRow {
  tenant_id: string;
  patient_id: string;
  kind: string;
  assigner: string;
  value: string;
}

export interface SpecimenRow {
  tenant_id: string;
  id: string;
  patient_id: string;
  accession: string;
  type_code: string;
  site_text: string;
  collected_at: string;
  received_at: string | null;
  created_at: string;
}

export interface ResultRow {
  tenant_id: string;
  id: string;
  patient_id: string;
  specimen_id: string;
  source_key: string;
  content_hash: string;
  organization_id: string | null;
  facility_id: string;
  performing_facility_id: string;
  program_type_id: string | null;
  program_id: string | null;
  task_id: string | null;
  test_loinc: string;
  test_name: string;
  method: TestMethod;
  assay: string;
  condition_code: string | null;
  disease_family: string;
  result_category: ResultCategory;
  status: string;
  value_code: string;
  value_system: string;
  value_text: string;
  accession: string;
  specimen_site: string;
  age_years: number | null;
  county_fips: string | null;
  collected_at: string | null;
  received_at: string | null;
  resulted_at: string;
  reported_at: string;
  collected_on: string;
  received_on: string | null;
  resulted_on: string;
  reported_on: string;
  created_on: string;
  superseded_by: string | null;
  created_at: string;
}

export interface CaseRow {
  tenant_id: string;
  id: string;
  case_id: string;
  patient_id: string;
  condition_code: string;
  disease_family: string;
  disease_category: string;
  classification: string;
  status: string;
  onset_on: string | null;
  collected_on: string | null;
  reported_on: string;
  received_on: string;
  created_on: string;
  organization_id: string | null;
  facility_id: string | null;
  program_id: string | null;
  task_id: string | null;
  jurisdiction_id: string | null;
  county_fips: string | null;
  investigator_id: string | null;
  completed_by_id: string | null;
  outcome: string | null;
  visit_type: string | null;
  pregnant: string | null;
  source: string;
  review_reason: string | null;
  classified_by: string;
  /** As JSON. */
  explanation: string | null;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
}

export interface CaseResultRow {
  tenant_id: string;
  case_report_id: string;
  result_id: string;
}

export interface CaseEventRow {
  tenant_id: string;
  id: string;
  case_report_id: string;
  at: string;
  account_id: string | null;
  kind: string;
  detail: string;
}

/** A part of the whole: patients with all their specimens and results. Cases come at the end, in order of creation. */
export interface DemoChunk {
  patients: PatientRow[];
  identifiers: IdentifierRow[];
  specimens: SpecimenRow[];
  results: ResultRow[];
}
