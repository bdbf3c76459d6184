-- People who were exposed to a case, with or without a name.
create table contact (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  number text not null,
  case_report_id uuid not null,
  status text not null default 'identified' check (status in
    ('identified', 'under-follow-up', 'completed', 'lost', 'refused', 'became-case', 'not-followed')),
  -- By which version of the workflow it came to its status.
  flow_version integer,
  -- Null where only a description is known.
  patient_id uuid,
  description text,
  sex text,
  age integer,
  phone text,
  exposure text not null,
  relation text,
  first_exposed_on date,
  last_exposed_on date not null,
  risk text,
  other_until date,
  note text,
  investigator_id uuid,
  started_on date,
  ended_on date,
  -- The case that the contact has become.
  became_case_id uuid,
  -- The last day of the follow-up, from the days of the condition.
  follow_until date,
  -- What the entries of its days say: the last day with one and its outcome, and the last day on which it was seen.
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
alter table contact add foreign key (tenant_id) references tenant;
alter table contact add foreign key (tenant_id, case_report_id) references case_report;
alter table contact add foreign key (tenant_id, patient_id) references patient;
alter table contact add foreign key (tenant_id, became_case_id) references case_report;
create unique index contact_number on contact (tenant_id, number);
create index contact_case on contact (case_report_id, tenant_id);
create index contact_patient on contact (patient_id, tenant_id);
create index contact_became on contact (became_case_id, tenant_id);
create index contact_until on contact (tenant_id, follow_until, id);
create index contact_followed on contact (tenant_id, follow_until, id) where status = 'under-follow-up';

-- What each version of a contact changed.
create table contact_history (
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
  -- Who sees it: as the contact.
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
alter table contact_history add foreign key (tenant_id, record_id) references contact;
create index contact_history_case on contact_history (case_report_id, tenant_id);
create index contact_history_patient on contact_history (patient_id, tenant_id);

-- What was found on a day of the follow-up of a record. Rows are only added; the last one of a day counts.
create table follow_up_entry (
  tenant_id uuid not null,
  record_kind text not null check (record_kind in ('contact')),
  record_id uuid not null,
  id uuid not null,
  day date not null,
  outcome text not null check (outcome in ('seen', 'not-seen', 'not-attempted')),
  symptoms text[] not null default '{}',
  temperature numeric(4, 1),
  -- Of UCUM.
  temperature_unit text check (temperature_unit in ('[degF]', 'Cel')),
  note text,
  -- By the clock, from who writes it: several servers refuse a default that is another one for each row.
  added_at timestamptz not null default now(),
  account_id uuid not null,
  -- Who sees it: as the record.
  case_report_id uuid not null,
  patient_id uuid,
  told_by uuid,
  disease_family text not null,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  disease_families text[],
  primary key (tenant_id, record_id, id)
);
alter table follow_up_entry add foreign key (tenant_id) references tenant;
create index follow_up_entry_case on follow_up_entry (case_report_id, tenant_id);
create index follow_up_entry_patient on follow_up_entry (patient_id, tenant_id);

-- A feature and permissions of their own, for the roles that every tenant began with.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select r.tenant_id, r.id, g.obj, 'contacts/' || g.act, 'allow'
from role r join (values
  ('epidemiologist', 'T', 'read'), ('epidemiologist', 'T', 'write'), ('epidemiologist', 'T', 'export'),
  ('epidemiologist', 'O', 'read'), ('epidemiologist', 'O', 'write'), ('epidemiologist', 'O', 'export'),
  ('case-investigator', 'T', 'read'), ('case-investigator', 'T', 'write'),
  ('case-investigator', 'O', 'read'), ('case-investigator', 'O', 'write'),
  ('disease-intervention-specialist', 'T', 'read'), ('disease-intervention-specialist', 'T', 'write'),
  ('disease-intervention-specialist', 'O', 'read'), ('disease-intervention-specialist', 'O', 'write'),
  ('disease-intervention-specialist', 'F', 'read'), ('disease-intervention-specialist', 'F', 'write'),
  ('jurisdiction-user', 'PHJ', 'read'), ('jurisdiction-user', 'PHJ', 'export')
) as g (code, obj, act) on g.code = r.code
on conflict do nothing;
update policy_version set version = version + 1;

update tenant set tenant_features = tenant_features || '{contacts}'
where not 'contacts' = any (tenant_features);
