-- What each version of a case report changed, also by imports, the case rules and merges: who did it, when, and the values
-- before and after. Rows are added in the transaction that writes the version, and never changed, but for what they carry.
create table case_report_history (
  tenant_id uuid not null,
  record_id uuid not null,
  version integer not null,
  at timestamptz not null default now(),
  -- Null for the system.
  account_id uuid,
  -- {"status": {"from": …, "to": …}}
  changes jsonb not null,
  -- The version that it takes back.
  undoes integer,
  -- The bulk action that it is part of.
  action_id uuid,
  -- The version that the organization and facility which share the case are shown, its changes if they are not the same
  -- (case_report.told_within), and the version that they are shown as taken back; no version: they are not shown it. [P23]
  version_within integer,
  changes_within jsonb,
  undoes_within integer,
  -- It is seen with the case: its family, organization, facility and county.
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  primary key (tenant_id, record_id, version)
);
alter table case_report_history add foreign key (tenant_id, record_id) references case_report;
create index case_report_history_action on case_report_history (action_id, tenant_id) where action_id is not null;
