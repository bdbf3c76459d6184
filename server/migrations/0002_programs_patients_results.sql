-- Programs ----------------------------------------------------------------------------------------------

create table program_type (
  tenant_id uuid not null references tenant,
  id uuid not null,
  label text not null,
  label_i18n jsonb not null default '{}',
  primary key (tenant_id, id)
);
create table program (
  tenant_id uuid not null references tenant,
  id uuid not null,
  program_type_id uuid not null,
  organization_id uuid,
  label text not null,
  label_i18n jsonb not null default '{}',
  -- Results of these disease families belong to this program unless their facility says otherwise.
  disease_families text[] not null default '{}',
  primary key (tenant_id, id),
  foreign key (tenant_id, program_type_id) references program_type,
  foreign key (tenant_id, organization_id) references organization
);
create table task (
  tenant_id uuid not null references tenant,
  id uuid not null,
  program_id uuid not null,
  task_category text not null,
  label text not null,
  label_i18n jsonb not null default '{}',
  primary key (tenant_id, id),
  foreign key (tenant_id, program_id) references program
);
do $$
declare t text;
begin
  foreach t in array array['program_type', 'program', 'task'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy %I on %I using (tenant_id = (select app_tenant()))', t || '_visible', t);
  end loop;
end $$;

-- Patients ----------------------------------------------------------------------------------------------

create table patient (
  tenant_id uuid not null references tenant,
  id uuid not null,
  last_name text,
  first_name text,
  middle_name text,
  name_suffix text,
  -- Aliases, maiden names, earlier spellings: [{"last","first","middle","use"}].
  other_names jsonb not null default '[]',
  birth_date date,
  birth_date_precision text check (birth_date_precision in ('day', 'month', 'year')),
  sex_at_birth text,
  gender_identity text,
  sexual_orientation text,
  -- CDC race codes as answered, and the one category counted: 'multiple' when several were answered.
  races text[] not null default '{}',
  race text,
  ethnicity text,
  -- What the sender wrote for race and ethnicity, so that another question can be derived later.
  raw_demographics jsonb not null default '{}',
  language_code text,
  deceased boolean,
  deceased_on date,
  street text,
  street2 text,
  city text,
  state_fips text,
  postal_code text,
  county_fips text,
  country_code text,
  phones text[] not null default '{}',
  emails text[] not null default '{}',
  -- Organisations and facilities that have tested or reported this person.
  organization_ids uuid[] not null default '{}',
  facility_ids uuid[] not null default '{}',
  merged_into uuid,
  -- When the report was made that last told address, phones and the like: an older one only fills blanks.
  informed_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index patient_name_birth on patient (tenant_id, last_name, birth_date);
alter table patient enable row level security;
alter table patient force row level security;
create policy patient_visible on patient using (
  tenant_id = (select app_tenant()) and (
    (select app_whole_tenant())
    or (select app_org('O')) = any (organization_ids)
    or (select app_org('F')) = any (facility_ids)
    or county_fips = any ((select app_counties())::text[])));

create table patient_identifier (
  tenant_id uuid not null,
  patient_id uuid not null,
  -- HL7 table 0203 type (MR, SS, PI …) and who assigned it.
  kind text not null,
  assigner text not null default '',
  value text not null,
  primary key (tenant_id, kind, assigner, value, patient_id),
  foreign key (tenant_id, patient_id) references patient
);
create index patient_identifier_patient on patient_identifier (tenant_id, patient_id);
alter table patient_identifier enable row level security;
alter table patient_identifier force row level security;
create policy patient_identifier_visible on patient_identifier using (
  tenant_id = (select app_tenant()) and ((select app_whole_tenant())
    or exists (select from patient p where p.tenant_id = patient_identifier.tenant_id and p.id = patient_id)));

-- Under which keys a patient is compared with reports and with other patients (identifiers, birth date with a name's
-- sound, telephone, …): only those who share one are compared. Read by the importer alone.
create table patient_block (
  tenant_id uuid not null,
  key text not null collate "C",
  patient_id uuid not null,
  primary key (tenant_id, key, patient_id)
);
create index patient_block_patient on patient_block (tenant_id, patient_id);
alter table patient_block enable row level security;
alter table patient_block force row level security;
create policy patient_block_visible on patient_block using (
  tenant_id = (select app_tenant()) and (select app_whole_tenant()));

-- Normalised tokens by which patients and cases are found (see the search-keys decision): lower case, accents
-- folded, digits only for phones and identifiers. Joined to the record, whose own policy decides what is seen.
create table search_key (
  tenant_id uuid not null,
  record_kind text not null check (record_kind in ('patient', 'case')),
  key text not null collate "C",
  record_id uuid not null,
  primary key (tenant_id, record_kind, key, record_id)
);
create index search_key_record on search_key (tenant_id, record_kind, record_id);
alter table search_key enable row level security;
alter table search_key force row level security;
create policy search_key_visible on search_key using (tenant_id = (select app_tenant()));

-- Pairs that may be one person, waiting for somebody to decide; and merges, so that they can be undone.
create table patient_match (
  tenant_id uuid not null,
  id uuid not null,
  patient_id uuid not null,
  candidate_id uuid not null,
  score real not null,
  -- How each compared part agreed: {"lastName": 0.9, "birthDate": 1, …}.
  parts jsonb not null,
  state text not null default 'open' check (state in ('open', 'same', 'different')),
  -- What a merge moved, to put it back: {"results": [...], "cases": [...], …}.
  moved jsonb,
  decided_by uuid,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, patient_id) references patient,
  foreign key (tenant_id, candidate_id) references patient
);
create unique index patient_match_pair on patient_match (tenant_id, patient_id, candidate_id);
create index patient_match_open on patient_match (tenant_id, created_at) where state = 'open';
alter table patient_match enable row level security;
alter table patient_match force row level security;
create policy patient_match_visible on patient_match using (
  tenant_id = (select app_tenant()) and ((select app_whole_tenant())
    or exists (select from patient p where p.tenant_id = patient_match.tenant_id and p.id = patient_id)));

-- Specimens and results ---------------------------------------------------------------------------------

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
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, patient_id) references patient
);
create index specimen_patient on specimen (tenant_id, patient_id);
create index specimen_accession on specimen (tenant_id, accession) where accession is not null;

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
  age_years smallint,
  county_fips text,
  collected_at timestamptz,
  received_at timestamptz,
  resulted_at timestamptz,
  reported_at timestamptz,
  -- The same as calendar days in the tenant's time zone: what charts and date ranges count by.
  collected_on date,
  received_on date,
  resulted_on date,
  reported_on date,
  created_on date not null,
  -- The corrected result that took this one's place; only results without one are counted.
  superseded_by uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, patient_id) references patient,
  foreign key (tenant_id, specimen_id) references specimen
);
-- A sender may use a number again for somebody else.
create unique index result_source_key on result (tenant_id, source_key, patient_id) where superseded_by is null;
create index result_superseded_key on result (tenant_id, source_key) where superseded_by is not null;
create index result_patient on result (tenant_id, patient_id);
create index result_collected_on on result (tenant_id, collected_on);
create index result_specimen on result (tenant_id, specimen_id);
alter table result enable row level security;
alter table result force row level security;
create policy result_visible on result using (
  tenant_id = (select app_tenant())
  and (disease_family is null or disease_family <> all ((select app_hidden_families())::text[]))
  and ((select app_whole_tenant())
    or organization_id = (select app_org('O'))
    or facility_id = (select app_org('F'))
    or county_fips = any ((select app_counties())::text[])));

alter table specimen enable row level security;
alter table specimen force row level security;
create policy specimen_visible on specimen using (
  tenant_id = (select app_tenant()) and ((select app_unrestricted())
    or exists (select from result r where r.tenant_id = specimen.tenant_id and r.specimen_id = specimen.id)));

-- Case reports ------------------------------------------------------------------------------------------

create table case_counter (
  tenant_id uuid not null references tenant,
  year integer not null,
  last_number integer not null,
  primary key (tenant_id, year)
);
alter table case_counter enable row level security;
alter table case_counter force row level security;
create policy case_counter_visible on case_counter using (tenant_id = (select app_tenant()));

create table case_report (
  tenant_id uuid not null,
  id uuid not null,
  -- Readable, in order of creation: YYYY-NNNNNNN.
  case_id text not null collate "C",
  patient_id uuid not null,
  condition_code text not null,
  disease_family text not null,
  disease_category text not null,
  classification text not null
    check (classification in ('suspect', 'probable', 'confirmed', 'not_a_case', 'unknown')),
  status text not null default 'new' check (status in ('new', 'assigned', 'under_investigation',
    'awaiting_interview', 'complete', 'approved', 'closed', 'no_follow_up')),
  onset_on date,
  collected_on date,
  reported_on date,
  received_on date,
  created_on date not null,
  organization_id uuid,
  facility_id uuid,
  program_id uuid,
  task_id uuid,
  visit_type text,
  jurisdiction_id uuid,
  county_fips text,
  investigator_id uuid,
  outcome text,
  pregnant text,
  hospitalized text,
  -- elr, csv, manual …
  source text not null,
  -- The sender's own number of the case, from line lists.
  external_id text,
  -- Why somebody should look at it again, when something later speaks against it; a stable code.
  review_reason text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  closed_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, case_id),
  foreign key (tenant_id, patient_id) references patient
);
create index case_report_patient on case_report (tenant_id, patient_id, condition_code);
create index case_report_created on case_report (tenant_id, created_on);
-- Senders number their cases each for themselves, so a number may stand for several.
create index case_report_external on case_report (tenant_id, external_id, condition_code)
  where external_id is not null;
alter table case_report enable row level security;
alter table case_report force row level security;
create policy case_report_visible on case_report using (
  tenant_id = (select app_tenant())
  and disease_family <> all ((select app_hidden_families())::text[])
  and ((select app_whole_tenant())
    or organization_id = (select app_org('O'))
    or facility_id = (select app_org('F'))
    or county_fips = any ((select app_counties())::text[])));

create table case_result (
  tenant_id uuid not null,
  case_report_id uuid not null,
  result_id uuid not null,
  primary key (tenant_id, case_report_id, result_id),
  foreign key (tenant_id, case_report_id) references case_report,
  foreign key (tenant_id, result_id) references result
);
create index case_result_result on case_result (tenant_id, result_id);

-- Everything that happened to a case, in order: opened, result received, classification changed, edited, note.
create table case_event (
  tenant_id uuid not null,
  id uuid not null,
  case_report_id uuid not null,
  at timestamptz not null default now(),
  account_id uuid,
  kind text not null,
  -- Kind-specific: {"from","to"} of a change, {"resultId"} of a result, {"text"} of a note.
  detail jsonb not null default '{}',
  primary key (tenant_id, id),
  foreign key (tenant_id, case_report_id) references case_report
);
create index case_event_case on case_event (tenant_id, case_report_id, at);
do $$
declare t text;
begin
  foreach t in array array['case_result', 'case_event'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy %1$I on %2$I using (tenant_id = (select app_tenant()) and ((select app_unrestricted())
      or exists (select from case_report c where c.tenant_id = %2$I.tenant_id and c.id = %2$I.case_report_id)))',
      t || '_visible', t);
  end loop;
end $$;
