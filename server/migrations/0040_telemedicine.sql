-- Visits by video: wished for, booked with a provider, held.
create table telemedicine_visit (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  number text not null,
  status text not null default 'proposed' check (status in
    ('proposed', 'waitlisted', 'booked', 'arrived', 'in-progress', 'fulfilled', 'cancelled', 'no-show', 'entered-in-error')),
  -- By which version of the workflow it came to its status.
  flow_version integer,
  patient_id uuid not null,
  case_report_id uuid,
  visit_type text not null,
  task_category text not null,
  program_id uuid,
  wanted_by date,
  language text,
  interpreter text,
  note text,
  provider_id uuid,
  starts_at timestamptz,
  minutes integer check (minutes > 0),
  consent_version text,
  consent_at timestamptz,
  arrived_at timestamptz,
  joined_at timestamptz,
  ended_at timestamptz,
  measured text,
  connection text,
  cancelled_by text,
  cancelled_why text,
  cancelled_at timestamptz,
  -- The day of the visit where the tenant is, or the one for which it is wanted, or on which it was made.
  planned_on date not null,
  created_on date not null,
  created_at timestamptz not null default now(),
  -- Since when nothing more comes of it.
  closed_at timestamptz,
  -- The name of its room at the video server: 128 random bits in hexadecimal, another one each time it is booked.
  room text,
  -- Who sees it: the place where it is held or for which it was written, and what decides about its person and case.
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  open_county_fips text,
  disease_families text[],
  primary key (tenant_id, id)
);
alter table telemedicine_visit add foreign key (tenant_id) references tenant;
alter table telemedicine_visit add foreign key (tenant_id, patient_id) references patient;
alter table telemedicine_visit add foreign key (tenant_id, case_report_id) references case_report;
create unique index telemedicine_visit_number on telemedicine_visit (tenant_id, number);
create index telemedicine_visit_patient on telemedicine_visit (patient_id, tenant_id);
create index telemedicine_visit_case on telemedicine_visit (case_report_id, tenant_id);
create index telemedicine_visit_planned on telemedicine_visit (tenant_id, planned_on, starts_at, id);
create index telemedicine_visit_open on telemedicine_visit (tenant_id, starts_at, id) where closed_at is null;

-- What each version of a visit changed.
create table telemedicine_visit_history (
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
  county_fips text,
  open_county_fips text,
  disease_families text[],
  primary key (tenant_id, record_id, version)
);
alter table telemedicine_visit_history add foreign key (tenant_id, record_id) references telemedicine_visit;
create index telemedicine_visit_history_patient on telemedicine_visit_history (patient_id, tenant_id);
create index telemedicine_visit_history_case on telemedicine_visit_history (case_report_id, tenant_id);

-- The time that visits take of a provider, in steps of five minutes counted from 1970: nobody is booked twice, since each
-- step is here once. It names no person, and so is known to all who book.
create table provider_time (
  tenant_id uuid not null,
  account_id uuid not null,
  step integer not null,
  visit_id uuid not null,
  primary key (tenant_id, account_id, step)
);
alter table provider_time add foreign key (tenant_id, visit_id) references telemedicine_visit;
create index provider_time_visit on provider_time (visit_id, tenant_id);

-- A feature and permissions of their own, for the roles that every tenant began with.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select r.tenant_id, r.id, g.obj, 'telemedicine/' || g.act, 'allow'
from role r join (values
  ('tenant-administrator', 'T', 'provide'),
  ('epidemiologist', 'T', 'read'), ('epidemiologist', 'T', 'export'),
  ('epidemiologist', 'O', 'read'), ('epidemiologist', 'O', 'export'),
  ('clinician', 'T', 'read'), ('clinician', 'T', 'write'), ('clinician', 'T', 'provide'),
  ('clinician', 'O', 'read'), ('clinician', 'O', 'write'), ('clinician', 'O', 'provide'),
  ('clinician', 'F', 'read'), ('clinician', 'F', 'write'), ('clinician', 'F', 'provide'),
  ('data-entry', 'T', 'read'), ('data-entry', 'T', 'write'),
  ('data-entry', 'O', 'read'), ('data-entry', 'O', 'write'),
  ('data-entry', 'F', 'read'), ('data-entry', 'F', 'write'),
  ('jurisdiction-user', 'PHJ', 'read')
) as g (code, obj, act) on g.code = r.code
on conflict do nothing;
update policy_version set version = version + 1;

update tenant set tenant_features = tenant_features || '{telemedicine}'
where not 'telemedicine' = any (tenant_features);
