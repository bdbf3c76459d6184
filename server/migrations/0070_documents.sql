-- Documents of people: reports, letters and forms that staff file on the record of a person or of one of their cases.
create table document (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  patient_id uuid not null,
  -- Null where it is about the person alone.
  case_report_id uuid,
  file_id uuid not null,
  category text not null,
  title text not null,
  -- The day that the document itself bears.
  documented_on date,
  note text,
  state text not null default 'filed' check (state in ('filed', 'retracted')),
  retract_reason text,
  -- Of the file, by its bytes.
  file_type text not null check (file_type in ('pdf', 'png', 'jpeg', 'text')),
  byte_size integer not null,
  sha256 text not null,
  created_on date not null,
  created_at timestamptz not null default now(),
  -- When somebody retracted it.
  ended_at timestamptz,
  -- Who sees it: without a case as the person; the open county is what is known without restricted reports.
  disease_families text[],
  organization_ids uuid[],
  facility_ids uuid[],
  restricted_at uuid[],
  county_fips text,
  open_county_fips text,
  -- With a case as the case.
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  case_county_fips text,
  primary key (tenant_id, id)
);
alter table document add foreign key (tenant_id) references tenant;
alter table document add foreign key (tenant_id, patient_id) references patient;
alter table document add foreign key (tenant_id, case_report_id) references case_report;
create index document_patient on document (patient_id, tenant_id);
create index document_case on document (case_report_id, tenant_id);
create index document_created on document (tenant_id, created_on desc, id);

-- What each version of a document changed.
create table document_history (
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
  -- Who sees it: as the document.
  patient_id uuid not null,
  case_report_id uuid,
  disease_families text[],
  organization_ids uuid[],
  facility_ids uuid[],
  restricted_at uuid[],
  county_fips text,
  open_county_fips text,
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  case_county_fips text,
  primary key (tenant_id, record_id, version)
);
alter table document_history add foreign key (tenant_id, record_id) references document;
create index document_history_patient on document_history (patient_id, tenant_id);
create index document_history_case on document_history (case_report_id, tenant_id);

-- A file that an account has uploaded. It belongs to that account until a document takes it.
create table document_file (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  file_type text not null check (file_type in ('pdf', 'png', 'jpeg', 'text')),
  byte_size integer not null,
  sha256 text not null,
  -- The document that has taken it; others are deleted after a day.
  document_id uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
alter table document_file add foreign key (tenant_id) references tenant;
create index document_file_free on document_file (tenant_id, created_at) where document_id is null;
alter table document add foreign key (tenant_id, file_id) references document_file;

-- The bytes of these files, in pieces. Only the product itself reads them, after it has found the document for a reader.
create table document_piece (
  tenant_id uuid not null,
  file_id uuid not null,
  -- Where the piece begins in the file, and how many bytes of the file it holds.
  byte_offset bigint not null,
  byte_length integer not null,
  -- zstd.
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, file_id, byte_offset)
);

-- A feature and permissions of their own, for the roles that every tenant began with.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select r.tenant_id, r.id, g.obj, 'documents/' || g.act, 'allow'
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
  ('data-entry', 'T', 'read'), ('data-entry', 'T', 'write'), ('data-entry', 'O', 'read'),
  ('data-entry', 'O', 'write'), ('data-entry', 'F', 'read'), ('data-entry', 'F', 'write'),
  ('laboratorian', 'T', 'read'), ('laboratorian', 'O', 'read'), ('laboratorian', 'F', 'read'),
  ('organization-administrator', 'O', 'read'), ('facility-user', 'F', 'read'), ('jurisdiction-user', 'PHJ', 'read')
) as g (code, obj, act) on g.code = r.code
on conflict do nothing;
update policy_version set version = version + 1;

update tenant set tenant_features = tenant_features || '{documents}'
where not 'documents' = any (tenant_features);
