-- What people have made of a person: who, when, and the values before and after. What imports and merges change is in none
-- of these versions, which would tell of reports that not every reader may see. Rows are added in the transaction that
-- writes the version, and never changed, but for what they carry.
create table patient_history (
  tenant_id uuid not null,
  record_id uuid not null,
  version integer not null,
  at timestamptz not null default now(),
  account_id uuid,
  -- {"lastName": {"from": …, "to": …}}
  changes jsonb not null,
  -- The same of what is known without restricted reports, where that is something else. [P18]
  changes_open jsonb,
  -- The version that it takes back.
  undoes integer,
  -- It is seen with the person: as in the row of the person; the open county is what is known without restricted reports.
  disease_families text[],
  organization_ids uuid[],
  facility_ids uuid[],
  restricted_at uuid[],
  county_fips text,
  open_county_fips text,
  -- Who is shown more than name, birth date and sex; null: everyone who sees the person. [P23]
  told_by uuid[],
  primary key (tenant_id, record_id, version)
);
alter table patient_history add foreign key (tenant_id, record_id) references patient;
