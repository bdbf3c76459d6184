-- What people were vaccinated with, as staff have written it down.
create table vaccination (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  patient_id uuid not null,
  -- A code of CVX; of another vaccine its name is in other_vaccine.
  vaccine text not null,
  other_vaccine text,
  given_on date not null,
  dose text,
  manufacturer text,
  lot text,
  site text,
  route text,
  -- Where it was given, and by whom.
  facility_id uuid,
  provider text,
  source text not null check (source in ('here', 'record', 'patient')),
  state text not null default 'given' check (state in ('given', 'entered-in-error')),
  error_reason text,
  created_on date not null,
  created_at timestamptz not null default now(),
  -- When somebody said that it was entered in error.
  ended_at timestamptz,
  -- Who sees it: as the person; the open county is what is known without restricted reports.
  disease_families text[],
  organization_ids uuid[],
  facility_ids uuid[],
  restricted_at uuid[],
  county_fips text,
  open_county_fips text,
  primary key (tenant_id, id)
);
alter table vaccination add foreign key (tenant_id, patient_id) references patient;
create index vaccination_patient on vaccination (patient_id, tenant_id);
create index vaccination_given on vaccination (tenant_id, given_on desc, id);

-- What each version of a vaccination changed.
create table vaccination_history (
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
  -- Who sees it: as the person.
  patient_id uuid not null,
  disease_families text[],
  organization_ids uuid[],
  facility_ids uuid[],
  restricted_at uuid[],
  county_fips text,
  open_county_fips text,
  primary key (tenant_id, record_id, version)
);
alter table vaccination_history add foreign key (tenant_id, record_id) references vaccination;
create index vaccination_history_patient on vaccination_history (patient_id, tenant_id);

-- A feature and permissions of their own, for the roles that every tenant began with.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select r.tenant_id, r.id, g.obj, 'vaccinations/' || g.act, 'allow'
from role r join (values
  ('epidemiologist', 'T', 'read'), ('epidemiologist', 'T', 'write'), ('epidemiologist', 'T', 'export'),
  ('epidemiologist', 'O', 'read'), ('epidemiologist', 'O', 'write'), ('epidemiologist', 'O', 'export'),
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
  ('jurisdiction-user', 'PHJ', 'read')
) as g (code, obj, act) on g.code = r.code
on conflict do nothing;
update policy_version set version = version + 1;

update tenant set tenant_features = tenant_features || '{vaccinations}'
where not 'vaccinations' = any (tenant_features);
