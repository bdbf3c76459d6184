-- Partner services: one record for the person of a case, and one for each person who was named.
create table partner_service (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  number text not null,
  case_report_id uuid not null,
  stage text not null default 'NF' check (stage in ('NF', 'SF', 'FF', 'AI', 'OC', 'CC')),
  -- By which version of the workflow it came to its stage.
  flow_version integer,
  -- The record of the person of the case, from whom somebody was learned of; null for that record itself.
  index_id uuid,
  -- Null where only a description is known.
  patient_id uuid,
  description text,
  handle text,
  sex text,
  age integer,
  phone text,
  referral_basis text not null,
  named_how text,
  relation text,
  met_online text,
  first_exposed_on date,
  last_exposed_on date,
  source_spread text,
  -- The case that somebody who was named has become.
  own_case_id uuid,
  pregnant text,
  weeks_pregnant integer,
  hiv_status text,
  hiv_tested text,
  hiv_tested_on date,
  hiv_result text,
  hiv_counselled text,
  hiv_counselled_on date,
  note text,
  initial_follow_up text,
  initial_follow_up_on date,
  patient_follow_up text,
  surveillance_closed_on date,
  field_investigator_id uuid,
  field_assigned_on date,
  -- Who was first is kept apart from who has it now.
  first_field_investigator_id uuid,
  first_field_assigned_on date,
  disposition text,
  disposition_on date,
  disposition_by_id uuid,
  supervisor_id uuid,
  exam_on date,
  exam_provider text,
  exam_facility text,
  sent_to_agency text,
  sent_to_number text,
  sent_to_due_on date,
  sent_to_outcome text,
  interviewer_id uuid,
  interview_assigned_on date,
  first_interviewer_id uuid,
  first_interview_assigned_on date,
  interview_status text,
  interviewed_on date,
  interview_type text,
  interview_place text,
  reinterviewed_on date,
  female_partners text,
  female_partners_in_year integer,
  female_partners_in_period integer,
  male_partners text,
  male_partners_in_year integer,
  male_partners_in_period integer,
  transgender_partners text,
  transgender_partners_in_year integer,
  transgender_partners_in_period integer,
  internet_elicited text,
  internet_follow_up text,
  case_closed_on date,
  closed_by_id uuid,
  -- The last day of what has ended, as it follows from the stage.
  closed_on date,
  created_on date not null,
  created_at timestamptz not null default now(),
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
alter table partner_service add foreign key (tenant_id) references tenant;
alter table partner_service add foreign key (tenant_id, case_report_id) references case_report;
alter table partner_service add foreign key (tenant_id, index_id) references partner_service;
alter table partner_service add foreign key (tenant_id, patient_id) references patient;
alter table partner_service add foreign key (tenant_id, own_case_id) references case_report;
create unique index partner_service_number on partner_service (tenant_id, number);
create index partner_service_case on partner_service (case_report_id, tenant_id);
create index partner_service_index on partner_service (index_id, tenant_id);
create index partner_service_patient on partner_service (patient_id, tenant_id);
create index partner_service_own_case on partner_service (own_case_id, tenant_id);
create index partner_service_open on partner_service (tenant_id, created_on, id) where closed_on is null;

-- What each version changed.
create table partner_service_history (
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
  -- Who sees it: as the record.
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
alter table partner_service_history add foreign key (tenant_id, record_id) references partner_service;
create index partner_service_history_case on partner_service_history (case_report_id, tenant_id);
create index partner_service_history_patient on partner_service_history (patient_id, tenant_id);

-- Its transitions and what each has taken, as those of cases.
create table partner_service_transition (
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
  -- Who sees it: as the record.
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
alter table partner_service_transition add foreign key (tenant_id, record_id) references partner_service;
create index partner_service_transition_record on partner_service_transition (record_id, tenant_id);
create index partner_service_transition_case on partner_service_transition (case_report_id, tenant_id);
create index partner_service_transition_patient on partner_service_transition (patient_id, tenant_id);

-- A feature and permissions of their own, for the roles that every tenant began with.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select r.tenant_id, r.id, o.obj, 'partner-services/' || a.act, 'allow'
from role r join (values
  ('epidemiologist', '{T,O}'::text[], '{read,investigate,supervise,export}'::text[]),
  ('case-investigator', '{T,O}', '{read,investigate}'),
  ('disease-intervention-specialist', '{T,O,F}', '{read,investigate}'),
  ('program-manager', '{T}', '{read}')
) as g (code, objs, acts) on g.code = r.code
cross join unnest(g.objs) as o (obj) cross join unnest(g.acts) as a (act)
on conflict do nothing;
update policy_version set version = version + 1;

update tenant set tenant_features = tenant_features || '{partner-services}'
where not 'partner-services' = any (tenant_features);
