-- What went wrong: adverse events after a vaccine, and other incidents.
create table incident (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  number text not null,
  kind text not null check (kind in ('vaccine-adverse-event', 'other-incident')),
  stage text not null default 'received'
    check (stage in ('received', 'in-review', 'first', 'interim', 'final', 'discarded')),
  -- By which version of the workflow it came to its stage.
  flow_version integer,
  -- Null where it is about nobody.
  patient_id uuid,
  program_id uuid,
  visit_type text,
  received_on date not null,
  occurred_on date,
  investigator_id uuid,
  reporter_role text,
  reporter text,
  narrative text not null,
  -- Of an adverse event.
  vaccinated_on date,
  vaccines jsonb not null default '[]',
  reactions text[] not null default '{}',
  other_reactions text,
  seriousness text[] not null default '{}',
  hospital_days integer,
  died_on date,
  emergency_visit text,
  pregnant text,
  medical_history text,
  medicines text,
  allergies text,
  tests text,
  outcome text,
  classification text,
  -- Of any other incident.
  category text,
  event text,
  harm text,
  measures text,
  created_on date not null,
  created_at timestamptz not null default now(),
  -- When it was closed or discarded.
  ended_at timestamptz,
  -- Who sees it: its own disease family, organization and facility, and what decides about its person.
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  disease_families text[],
  county_fips text,
  open_county_fips text,
  primary key (tenant_id, id)
);
alter table incident add foreign key (tenant_id) references tenant;
alter table incident add foreign key (tenant_id, patient_id) references patient;
create unique index incident_number on incident (tenant_id, number);
create index incident_received on incident (tenant_id, received_on desc, id);
create index incident_facility on incident (tenant_id, facility_id, received_on desc, id);
create index incident_organization on incident (tenant_id, organization_id, received_on desc, id);
create index incident_patient on incident (patient_id, tenant_id);

-- What each version of a report changed.
create table incident_history (
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
  -- Who sees it: as the report.
  patient_id uuid,
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  disease_families text[],
  county_fips text,
  open_county_fips text,
  primary key (tenant_id, record_id, version)
);
alter table incident_history add foreign key (tenant_id, record_id) references incident;
create index incident_history_patient on incident_history (patient_id, tenant_id);

-- A feature and permissions of their own, for the roles that every tenant began with.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select r.tenant_id, r.id, g.obj, 'incident-reports/' || g.act, 'allow'
from role r join (values
  ('epidemiologist', 'T', 'read'), ('epidemiologist', 'T', 'write'), ('epidemiologist', 'T', 'close'),
  ('epidemiologist', 'T', 'export'), ('epidemiologist', 'O', 'read'), ('epidemiologist', 'O', 'write'),
  ('epidemiologist', 'O', 'close'), ('epidemiologist', 'O', 'export'),
  ('case-investigator', 'T', 'read'), ('case-investigator', 'T', 'write'),
  ('case-investigator', 'O', 'read'), ('case-investigator', 'O', 'write'),
  ('disease-intervention-specialist', 'T', 'read'), ('disease-intervention-specialist', 'T', 'write'),
  ('disease-intervention-specialist', 'O', 'read'), ('disease-intervention-specialist', 'O', 'write'),
  ('disease-intervention-specialist', 'F', 'read'), ('disease-intervention-specialist', 'F', 'write'),
  ('clinician', 'T', 'read'), ('clinician', 'T', 'write'), ('clinician', 'O', 'read'), ('clinician', 'O', 'write'),
  ('clinician', 'F', 'read'), ('clinician', 'F', 'write'),
  ('laboratorian', 'T', 'read'), ('laboratorian', 'T', 'write'), ('laboratorian', 'O', 'read'),
  ('laboratorian', 'O', 'write'), ('laboratorian', 'F', 'read'), ('laboratorian', 'F', 'write'),
  ('data-entry', 'T', 'read'), ('data-entry', 'T', 'write'), ('data-entry', 'O', 'read'),
  ('data-entry', 'O', 'write'), ('data-entry', 'F', 'read'), ('data-entry', 'F', 'write'),
  ('organization-administrator', 'O', 'read'), ('organization-administrator', 'O', 'write'),
  ('facility-user', 'F', 'read'), ('facility-user', 'F', 'write'),
  ('jurisdiction-user', 'PHJ', 'read'), ('jurisdiction-user', 'PHJ', 'export')
) as g (code, obj, act) on g.code = r.code
on conflict do nothing;
update policy_version set version = version + 1;

update tenant set tenant_features = tenant_features || '{incident-reports}'
where not 'incident-reports' = any (tenant_features);
