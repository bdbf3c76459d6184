-- What people were given for a case: typed in by those who work on it, or told by line lists.
create table treatment (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  case_report_id uuid not null,
  -- A code of the contract; of another medicine its name is in other_drug.
  drug text not null,
  other_drug text,
  started_on date not null,
  ended_on date,
  adequacy text check (adequacy in ('adequate', 'inadequate', 'presumptive')),
  -- Where it was given, and by whom.
  given_at_id uuid,
  provider text,
  state text not null default 'given' check (state in ('given', 'entered-in-error')),
  source text not null check (source in ('manual', 'csv')),
  created_on date not null,
  created_at timestamptz not null default now(),
  -- The places whose list told it, where they are not those of the case: a place that knows the case does not learn what
  -- another one has told. Null: everyone who sees the case sees it. [P23]
  told_by uuid[],
  -- It is of the person of the case, and seen with the case: its family, organization, facility and county.
  patient_id uuid not null,
  disease_family text not null,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  primary key (tenant_id, id)
);
alter table treatment add foreign key (tenant_id, case_report_id) references case_report;
alter table treatment add foreign key (tenant_id, patient_id) references patient;
create index treatment_case on treatment (case_report_id, tenant_id);
create index treatment_patient on treatment (patient_id, tenant_id);

-- What each version of a treatment changed.
create table treatment_history (
  tenant_id uuid not null,
  record_id uuid not null,
  version integer not null,
  at timestamptz not null default now(),
  -- Null for the system.
  account_id uuid,
  changes jsonb not null,
  undoes integer,
  action_id uuid,
  version_within integer,
  changes_within jsonb,
  undoes_within integer,
  -- The case, with which it is seen.
  case_report_id uuid not null,
  told_by uuid[],
  disease_family text not null,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  primary key (tenant_id, record_id, version)
);
alter table treatment_history add foreign key (tenant_id, record_id) references treatment;
create index treatment_history_case on treatment_history (case_report_id, tenant_id);
