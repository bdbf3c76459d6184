-- Specimens and the results of their tests.

create table specimen (
  tenant_id uuid not null,
  id uuid not null,
  patient_id uuid not null,
  accession text,
  type_code text,
  type_text text,
  site_code text,
  site_text text,
  collected_at timestamptz,
  received_at timestamptz,
  -- Where it is kept; a location that has a specimen cannot be removed.
  location_id uuid,
  -- A specimen is seen with one of its results. It carries of which families there are results, by place: {"*" or an
  -- organization, a facility or a county: [families]}, `-` for a result of no known family.
  seen_at jsonb,
  -- By which results its patients learn of it: `patient|family|condition|category` of each result, `patient` where
  -- one was released.
  told text[],
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, patient_id) references patient,
  foreign key (tenant_id, location_id) references location
);
create index specimen_accession on specimen (tenant_id, accession) where accession is not null;
create index specimen_location on specimen (tenant_id, location_id) where location_id is not null;
create index specimen_patient on specimen (patient_id, tenant_id);

create table result (
  tenant_id uuid not null,
  id uuid not null,
  patient_id uuid not null,
  specimen_id uuid,
  import_message_id uuid,
  -- Which observation of which order at which sender this is: the same key again is the same result.
  source_key text not null,
  -- Hash of what was reported, so that the same report again changes nothing.
  content_hash text not null,
  organization_id uuid,
  facility_id uuid,
  performing_facility_id uuid,
  program_type_id uuid,
  program_id uuid,
  task_id uuid,
  test_loinc text,
  test_local_code text,
  test_name text not null,
  method text,
  assay text,
  condition_code text,
  disease_family text,
  result_category text not null,
  status text not null,
  value_code text,
  value_system text,
  value_text text,
  value_number double precision,
  value_comparator text,
  units text,
  reference_range text,
  abnormal_flag text,
  accession text,
  specimen_site text,
  -- Who ordered the test (OBR-16, ORC-12).
  provider_name text,
  provider_npi text,
  -- With country code where that is certain, otherwise as sent.
  provider_phone text,
  -- What was noted beside it (NTE): of the message, the order and the observation, in this order, a line each.
  notes text,
  age_years smallint,
  county_fips text,
  -- The county was taken from the person's record, where someone else has reported it: organizations and facilities
  -- are not shown it.
  county_borrowed boolean not null default false,
  collected_at timestamptz,
  received_at timestamptz,
  resulted_at timestamptz,
  reported_at timestamptz,
  -- When a result was last sent as it is. `reported_at` stays the first time, from which timeliness is counted.
  last_reported_at timestamptz,
  -- The same as calendar days in the tenant's time zone: what charts and date ranges count by.
  collected_on date,
  received_on date,
  resulted_on date,
  reported_on date,
  created_on date not null,
  -- The corrected result that replaced this one; only results without one are counted.
  superseded_by uuid,
  -- When a result that was held back was released to its patient, and by whom. One that replaces it is held back
  -- again.
  released_at timestamptz,
  released_by uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, patient_id) references patient,
  foreign key (tenant_id, specimen_id) references specimen
);
-- Indexes of few different values are partial: a look-up by something else cannot use them (decision record 0049).
create index result_facility on result (tenant_id, facility_id, county_fips) where facility_id is not null;
create index result_collected_on on result (tenant_id, collected_on) where collected_on is not null;
create index result_patient on result (patient_id, tenant_id);
create index result_specimen on result (specimen_id, tenant_id);
create index result_performing on result (performing_facility_id, tenant_id) where performing_facility_id is not null;
-- What an import looks up for each result. By a hash of the key alone: with the tenant before it, PostgreSQL expects
-- no result of a tenant that it has no statistics of, and every index that begins with tenant_id looks as good.
create index result_key on result using hash (source_key);
-- A sender may use a number again for someone else. `is true` says the same as without it, in words that no question
-- has: PostgreSQL guesses that hardly any result is current, and would read this index whole in place of the primary
-- key.
create unique index result_source_key on result (tenant_id, source_key, patient_id) where (superseded_by is null) is true;
-- The results that one result has replaced.
create index result_superseded_by on result (tenant_id, superseded_by) where superseded_by is not null;
