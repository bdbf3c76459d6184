-- A tenant's own questions in a form, and those that it does not ask. A published version stays as it is.
create table form_extension (
  tenant_id uuid not null,
  form text not null,
  version integer not null,
  -- {"after": {"<linkId>": [<item>, …]}, "hidden": ["<linkId>", …]}
  extension jsonb not null,
  published_at timestamptz not null default now(),
  published_by uuid not null,
  primary key (tenant_id, form, version)
);
alter table form_extension add foreign key (tenant_id) references tenant;

-- What was answered about a case, beside its columns. It is seen by those who investigate it: see policies.ts.
create table case_answers (
  tenant_id uuid not null,
  case_report_id uuid not null,
  -- What was asked when it was saved last.
  form text not null,
  form_version integer not null,
  extension_version integer,
  -- By the permanent id of each question.
  answers jsonb not null,
  completed_at timestamptz,
  completed_by uuid,
  -- It is seen with the case: its family and county.
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  primary key (tenant_id, case_report_id)
);
alter table case_answers add foreign key (tenant_id, case_report_id) references case_report;

-- By what cases are found: the answers to reportable questions. Operators on JSON are not leakproof, so under row-level
-- security they use no index.
create table case_answer_key (
  tenant_id uuid not null,
  link_id text not null,
  value text not null,
  case_report_id uuid not null,
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  primary key (tenant_id, link_id, value, case_report_id)
);
create index case_answer_key_case on case_answer_key (case_report_id, tenant_id);
alter table case_answer_key add foreign key (tenant_id, case_report_id) references case_report;

-- What each version of a case changed of its answers. Rows are added in the transaction that raises the version.
create table case_answers_history (
  tenant_id uuid not null,
  case_report_id uuid not null,
  version integer not null,
  at timestamptz not null default now(),
  account_id uuid,
  form_version integer not null,
  extension_version integer,
  -- {"<linkId>": {"from": …, "to": …}}
  changes jsonb not null,
  -- Whether it completes the form, or opens it again; null for neither.
  completes boolean,
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  primary key (tenant_id, case_report_id, version)
);
alter table case_answers_history add foreign key (tenant_id, case_report_id) references case_report;
