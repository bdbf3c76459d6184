-- The daily follow-up of the person of a case, who isolates or is monitored.
create table case_follow_up (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  number text not null,
  case_report_id uuid not null,
  status text not null default 'under-follow-up' check (status in
    ('under-follow-up', 'completed', 'lost', 'refused', 'stopped')),
  -- By which version of the workflow it came to its status.
  flow_version integer,
  -- The person of the case.
  patient_id uuid not null,
  purpose text not null,
  first_on date not null,
  last_on date not null,
  note text,
  -- Hears of symptoms as long as the case has no investigator.
  started_by_id uuid not null,
  ended_on date,
  -- What the entries of its days say, as of contacts.
  last_entry_on date,
  last_outcome text,
  last_seen_on date,
  created_on date not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- The organization or facility whose people wrote it; null: people of the tenant or of a jurisdiction.
  told_by uuid,
  -- Who sees it: as its case, and what decides about its person.
  disease_family text not null,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  disease_families text[],
  primary key (tenant_id, id)
);
alter table case_follow_up add foreign key (tenant_id) references tenant;
alter table case_follow_up add foreign key (tenant_id, case_report_id) references case_report;
alter table case_follow_up add foreign key (tenant_id, patient_id) references patient;
create unique index case_follow_up_number on case_follow_up (tenant_id, number);
create index case_follow_up_case on case_follow_up (case_report_id, tenant_id);
create index case_follow_up_patient on case_follow_up (patient_id, tenant_id);
create index case_follow_up_until on case_follow_up (tenant_id, last_on, id);
create index case_follow_up_followed on case_follow_up (tenant_id, last_on, id) where status = 'under-follow-up';

-- What each version changed.
create table case_follow_up_history (
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
  -- The transition that it was, by which version of the workflow, and why.
  transition text,
  reason text,
  flow_version integer,
  -- Who sees it: as the follow-up.
  case_report_id uuid not null,
  patient_id uuid,
  told_by uuid,
  disease_family text not null,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  disease_families text[],
  primary key (tenant_id, record_id, version)
);
alter table case_follow_up_history add foreign key (tenant_id, record_id) references case_follow_up;
create index case_follow_up_history_case on case_follow_up_history (case_report_id, tenant_id);
create index case_follow_up_history_patient on case_follow_up_history (patient_id, tenant_id);

-- Its transitions and what each has taken.
create table case_follow_up_transition (
  tenant_id uuid not null,
  id uuid not null,
  record_id uuid not null,
  version integer not null,
  last_version integer not null,
  counts boolean not null default true,
  from_state text not null,
  to_state text not null,
  on_day date not null,
  days integer,
  workdays integer,
  -- Who sees it: as the follow-up.
  case_report_id uuid not null,
  patient_id uuid,
  told_by uuid,
  disease_family text not null,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  disease_families text[],
  primary key (tenant_id, id)
);
alter table case_follow_up_transition add foreign key (tenant_id, record_id) references case_follow_up;
create index case_follow_up_transition_record on case_follow_up_transition (record_id, tenant_id);
create index case_follow_up_transition_case on case_follow_up_transition (case_report_id, tenant_id);
create index case_follow_up_transition_patient on case_follow_up_transition (patient_id, tenant_id);

alter table follow_up_entry drop constraint follow_up_entry_record_kind_check;
alter table follow_up_entry add check (record_kind in ('contact', 'case-follow-up'));
-- Who has answered: a record whose person is somebody else by now has no answer of that day.
alter table follow_up_entry add column answered_by uuid;
update follow_up_entry set answered_by = patient_id where outcome = 'answered';
create index follow_up_entry_answered on follow_up_entry (answered_by, tenant_id);
