-- What an administrator sets up of a tenant: its organizations, facilities, jurisdictions, programs and their tasks.
-- Nothing of it is removed, because records refer to it. What is deactivated is offered no more, and nobody acts for
-- it.

create table organization (
  tenant_id uuid not null references tenant,
  id uuid not null,
  name text not null,
  experience text not null default 'PUBLIC_HEALTH',
  contact_name text,
  contact_email text,
  contact_phone text,
  deactivated_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
-- Organizations for which nobody acts any more: their memberships rest. They are few, so the question is which are
-- inactive, not which are active.
create index organization_inactive on organization (tenant_id, id) where deactivated_at is not null;

create table facility (
  tenant_id uuid not null references tenant,
  id uuid not null,
  organization_id uuid,
  name text not null,
  -- The name as senders' spellings are compared: lower case, accents folded, punctuation gone.
  match_name text not null,
  facility_type text not null default 'clinic',
  -- What it provides: orders tests, collects specimens, tests them, treats …
  provider_kinds text[] not null default '{}',
  clia text,
  npi text,
  street text,
  city text,
  state_fips text,
  postal_code text,
  county_fips text,
  phone text,
  -- Null: that of the tenant.
  time_zone text,
  -- False for one that the importer made from a report and that nobody has confirmed.
  registered boolean not null default true,
  -- The facility that took over its records, and under whose name later reports of it come.
  merged_into uuid,
  -- Of one that nobody has confirmed, the families of which there are records from it; `-` for a record of no known
  -- family. The name of a place can say what is treated there, so one that has records of restricted families alone
  -- is for those who may see these. [P24]
  disease_families text[] not null default '{}',
  -- A facility is seen with a result or a case from it, or a result that it performed. It carries where these are, as
  -- a specimen does. What a patient's results and an emergency access make known is in the scope.
  seen_at jsonb not null default '{}',
  experience text not null default 'HEALTH_CARE',
  deactivated_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, organization_id) references organization,
  foreign key (tenant_id, merged_into) references facility
);
create index facility_clia on facility (tenant_id, clia) where clia is not null;
create index facility_match_name on facility (tenant_id, match_name);
create index facility_waiting on facility (tenant_id, created_at) where not registered and merged_into is null;
create index facility_organization on facility (tenant_id, organization_id);
create index facility_merged_into on facility (tenant_id, merged_into) where merged_into is not null;
create index facility_inactive on facility (tenant_id, id) where deactivated_at is not null;

-- Other names and numbers of a facility in reports: those it had before, and those of facilities that were merged
-- into it. The importer looks here, too.
create table facility_alias (
  tenant_id uuid not null references tenant,
  id uuid not null,
  facility_id uuid not null,
  match_name text not null,
  clia text,
  npi text,
  postal_code text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, facility_id) references facility
);
create index facility_alias_match_name on facility_alias (tenant_id, match_name);
create index facility_alias_clia on facility_alias (tenant_id, clia) where clia is not null;
create index facility_alias_npi on facility_alias (tenant_id, npi) where npi is not null;
create index facility_alias_facility on facility_alias (tenant_id, facility_id);

-- Where specimens are kept: a location of a facility (a room, a freezer), its shelves, and their bays.
create table location (
  tenant_id uuid not null references tenant,
  id uuid not null,
  facility_id uuid not null,
  -- Null: a location; else the location that a shelf, or the shelf that a bay belongs to.
  parent_id uuid,
  level text not null check (level in ('location', 'shelf', 'bay')),
  -- The name of a location, the code of a shelf or a bay.
  name text not null,
  deactivated_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, facility_id) references facility,
  foreign key (tenant_id, parent_id) references location,
  check ((level = 'location') = (parent_id is null))
);
-- A name is there once in a facility, a code once in its location or shelf, whatever its case.
create unique index location_name on location (tenant_id, facility_id, parent_id, app_fold(name)) nulls not distinct;
create index location_parent on location (tenant_id, parent_id);

-- Jurisdictions are shared: tenants report to them. They hold no record of a person.
create table jurisdiction (
  id uuid primary key,
  name text not null,
  parent_id uuid references jurisdiction,
  managed_by_tenant_id uuid not null references tenant,
  experience text not null default 'PUBLIC_HEALTH',
  deactivated_at timestamptz,
  version integer not null default 1,
  -- A jurisdiction and its counties are seen by the tenant that manages it and by all that report or have reported to
  -- it.
  reported_by uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  unique (id, managed_by_tenant_id)
);
create index jurisdiction_inactive on jurisdiction (managed_by_tenant_id, id) where deactivated_at is not null;

create table jurisdiction_county (
  jurisdiction_id uuid not null references jurisdiction,
  county_fips text not null check (county_fips ~ '^[0-9]{5}$'),
  -- As in the row of the jurisdiction. The key to both: nobody adds a county to a jurisdiction of another tenant by
  -- saying that it is theirs.
  managed_by_tenant_id uuid,
  reported_by uuid[],
  primary key (jurisdiction_id, county_fips),
  foreign key (jurisdiction_id, managed_by_tenant_id)
    references jurisdiction (id, managed_by_tenant_id)
);

-- To which jurisdictions a tenant reports: each sees the residents of its counties in that tenant. It is the tenant
-- that decides this, and whether its restricted disease families are reported too; what the tenant that manages a
-- jurisdiction grants its users opens no other tenant. [P18]
create table tenant_reporting (
  tenant_id uuid not null references tenant,
  jurisdiction_id uuid not null references jurisdiction,
  restricted_families boolean not null default false,
  began_at timestamptz default now(),
  -- What has ended stays, so that earlier cases still name their jurisdiction.
  ended_at timestamptz,
  primary key (tenant_id, jurisdiction_id)
);

create table program_type (
  tenant_id uuid not null references tenant,
  id uuid not null,
  label text not null,
  label_i18n jsonb not null default '{}',
  primary key (tenant_id, id)
);

create table program (
  tenant_id uuid not null references tenant,
  id uuid not null,
  program_type_id uuid not null,
  organization_id uuid,
  label text not null,
  label_i18n jsonb not null default '{}',
  -- Results of these disease families belong to this program unless their facility says otherwise.
  disease_families text[] not null default '{}',
  deactivated_at timestamptz,
  version integer not null default 1,
  primary key (tenant_id, id),
  foreign key (tenant_id, program_type_id) references program_type,
  foreign key (tenant_id, organization_id) references organization
);
create index program_organization on program (tenant_id, organization_id);

create table task (
  tenant_id uuid not null references tenant,
  id uuid not null,
  program_id uuid not null,
  task_category text not null,
  label text not null,
  label_i18n jsonb not null default '{}',
  deactivated_at timestamptz,
  version integer not null default 1,
  -- A task is seen with its program: the organization of that, `{}` where the program is the whole tenant's.
  organization_ids uuid[],
  primary key (tenant_id, id),
  foreign key (tenant_id, program_id) references program
);
create index task_program on task (tenant_id, program_id);
