-- Case reports, what happened to them, and hidden ones that were opened in an emergency.

-- Case numbers are counted, and the count is permuted by a secret; those of restricted families are counted
-- separately, from the other end (platform/case-numbers.ts). [P24]
create table case_counter (
  tenant_id uuid not null references tenant,
  year integer not null,
  last_number integer not null,
  restricted_number integer not null default 0,
  secret uuid not null default gen_random_uuid(),
  numbered_before integer not null default 0,
  primary key (tenant_id, year)
);

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
  -- Who decided the classification. `rule`: the case definition, which is applied again with every result. `person`:
  -- someone here decided, and that stays. `report`: it came with a report or a line list.
  classified_by text not null default 'rule' check (classified_by in ('rule', 'person', 'report')),
  -- The definition with its version, each criterion as met, not met or unknown, and what would change the result;
  -- null for a case to which no rule has been applied yet.
  explanation jsonb,
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
  -- Why someone should look at it again, when something later speaks against it; a stable code.
  review_reason text,
  -- What is known of a case without the reports of other places: an organization or facility that shares a case with
  -- others is shown nothing else, and neither its version nor its time moves when another place adds to it. The
  -- columns of `case_report` by name; null: everything in the row (imports/shared-cases.ts). [P1, P23]
  told_within jsonb,
  version integer not null default 1,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, case_id),
  foreign key (tenant_id, patient_id) references patient
);
-- Each sender numbers its cases for itself, so one number can belong to several.
create index case_report_external on case_report (tenant_id, external_id, condition_code)
  where external_id is not null;
create index case_report_facility on case_report (tenant_id, facility_id, county_fips) where facility_id is not null;
create index case_report_created on case_report (tenant_id, created_on) where created_on is not null;
create index case_report_patient on case_report (patient_id, tenant_id, condition_code);

-- Which results belong to a case.
create table case_result (
  tenant_id uuid not null,
  case_report_id uuid not null,
  result_id uuid not null,
  -- It is seen with the case: its family, organization, facility and county.
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  primary key (tenant_id, case_report_id, result_id),
  foreign key (tenant_id, case_report_id) references case_report,
  foreign key (tenant_id, result_id) references result
);
create index case_result_result on case_result (result_id, tenant_id);

-- Everything that happened to a case, in order: opened, result received, classification changed, edited, note.
create table case_event (
  tenant_id uuid not null,
  id uuid not null,
  case_report_id uuid not null,
  at timestamptz not null default now(),
  account_id uuid,
  kind text not null,
  -- Depends on the kind: {"from","to"} of a change, {"resultId"} of a result, {"text"} of a note. Of a merge,
  -- `families` that the other record had, where all of them are restricted: that it was merged is for those who may
  -- see both. [P18]
  detail jsonb not null default '{}',
  -- It is seen with the case: its family, organization, facility and county.
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  primary key (tenant_id, id),
  foreign key (tenant_id, case_report_id) references case_report
);
create index case_event_case on case_event (case_report_id, tenant_id, at);
-- Finds the notes of a case without reading everything else that has happened to it.
create index case_event_note on case_event (case_report_id, tenant_id) where kind = 'note';

-- Break the glass: someone opens one record that is otherwise hidden from them, for a stated reason and a short time.
-- [P18]
create table break_glass (
  tenant_id uuid not null references tenant,
  id uuid not null,
  account_id uuid not null references account,
  -- The organization they acted for: it holds only there.
  org_type text not null check (org_type in ('T', 'O', 'F')),
  org_id uuid not null,
  -- What was asked for, and the record with that number; null where there is none, which is kept to be reviewed too.
  case_number text not null,
  case_report_id uuid,
  reason_kind text not null check (reason_kind in ('treatment', 'exposure', 'outbreak', 'legal', 'other')),
  reason text not null,
  opened_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Ended before its time, by its holder or by a privacy officer.
  ended_at timestamptz,
  ended_by uuid,
  reviewed_at timestamptz,
  reviewed_by uuid,
  review_note text,
  primary key (tenant_id, id),
  foreign key (tenant_id, case_report_id) references case_report
);
create index break_glass_opened on break_glass (tenant_id, opened_at);
create index break_glass_account on break_glass (tenant_id, account_id, opened_at);
