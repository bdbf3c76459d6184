-- Visits to people where they live or are, with the attempts to meet them.
create table field_visit (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  number text not null,
  patient_id uuid not null,
  -- Null where it is about the person alone.
  case_report_id uuid,
  status text not null default 'open' check (status in
    ('open', 'assigned', 'on-the-way', 'attempted', 'done', 'cancelled')),
  -- By which version of the workflow it came to its status.
  flow_version integer,
  visit_type text not null,
  planned_for date not null,
  due_on date,
  -- Null: where the person lives.
  address text,
  program_id uuid,
  two_workers boolean not null default false,
  no_letter boolean not null default false,
  note text,
  worker_id uuid,
  -- For how many minutes somebody has set out; null while nobody is out.
  minutes_out text,
  -- Of the last time that somebody set out.
  out_since timestamptz,
  expected_back timestamptz,
  result text,
  done_on date,
  cancelled_on date,
  -- What the attempts say: how many count, on how many days, the last one, and when to try next.
  attempt_count integer not null default 0,
  attempt_days integer not null default 0,
  last_attempt_on date,
  last_outcome text,
  try_in text,
  created_on date not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- Who sees it: the family of its case, the place whose people wrote it, and what decides about its person.
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  disease_families text[],
  county_fips text,
  open_county_fips text,
  primary key (tenant_id, id)
);
alter table field_visit add foreign key (tenant_id) references tenant;
alter table field_visit add foreign key (tenant_id, patient_id) references patient;
alter table field_visit add foreign key (tenant_id, case_report_id) references case_report;
create unique index field_visit_number on field_visit (tenant_id, number);
create index field_visit_patient on field_visit (patient_id, tenant_id);
create index field_visit_case on field_visit (case_report_id, tenant_id);
create index field_visit_planned on field_visit (tenant_id, planned_for, id);
create index field_visit_worker on field_visit (tenant_id, worker_id, planned_for) where ended_at is null;

-- What each version of a visit changed.
create table field_visit_history (
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
  -- Who sees it: as the visit.
  patient_id uuid not null,
  case_report_id uuid,
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  disease_families text[],
  county_fips text,
  open_county_fips text,
  primary key (tenant_id, record_id, version)
);
alter table field_visit_history add foreign key (tenant_id, record_id) references field_visit;
create index field_visit_history_patient on field_visit_history (patient_id, tenant_id);
create index field_visit_history_case on field_visit_history (case_report_id, tenant_id);

-- Attempts to meet the person of a visit. Rows are only added.
create table field_visit_attempt (
  tenant_id uuid not null,
  record_id uuid not null,
  id uuid not null,
  -- Where the tenant is.
  day date not null,
  at_time text not null check (at_time ~ '^[0-2][0-9]:[0-5][0-9]$'),
  method text not null,
  outcome text not null,
  next_step text,
  left_behind text not null,
  note text,
  -- By the clock, from who writes it: several servers refuse a default that is another one for each row.
  added_at timestamptz not null default now(),
  account_id uuid not null,
  -- Who sees it: as the visit.
  patient_id uuid not null,
  case_report_id uuid,
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  disease_families text[],
  county_fips text,
  open_county_fips text,
  primary key (tenant_id, record_id, id)
);
alter table field_visit_attempt add foreign key (tenant_id, record_id) references field_visit;
create index field_visit_attempt_patient on field_visit_attempt (patient_id, tenant_id);
create index field_visit_attempt_case on field_visit_attempt (case_report_id, tenant_id);

-- A feature and permissions of their own, for the roles that every tenant began with.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select r.tenant_id, r.id, g.obj, 'field-visits/' || g.act, 'allow'
from role r join (values
  ('epidemiologist', 'T', 'read'), ('epidemiologist', 'T', 'write'), ('epidemiologist', 'T', 'assign'),
  ('epidemiologist', 'T', 'export'),
  ('epidemiologist', 'O', 'read'), ('epidemiologist', 'O', 'write'), ('epidemiologist', 'O', 'assign'),
  ('epidemiologist', 'O', 'export'),
  ('case-investigator', 'T', 'read'), ('case-investigator', 'T', 'write'),
  ('case-investigator', 'O', 'read'), ('case-investigator', 'O', 'write'),
  ('disease-intervention-specialist', 'T', 'read'), ('disease-intervention-specialist', 'T', 'write'),
  ('disease-intervention-specialist', 'O', 'read'), ('disease-intervention-specialist', 'O', 'write'),
  ('disease-intervention-specialist', 'F', 'read'), ('disease-intervention-specialist', 'F', 'write'),
  ('jurisdiction-user', 'PHJ', 'read'), ('jurisdiction-user', 'PHJ', 'export')
) as g (code, obj, act) on g.code = r.code
on conflict do nothing;
update policy_version set version = version + 1;

update tenant set tenant_features = tenant_features || '{field-visits}'
where not 'field-visits' = any (tenant_features);
