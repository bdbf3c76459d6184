-- What an administrator sets up of a tenant: its organisations, facilities, jurisdictions, programmes and their tasks.
-- Nothing of it is removed: records refer to it. What is deactivated is offered no more, and nobody acts for it.

alter table organization
  add column contact_name text,
  add column contact_email text,
  add column contact_phone text,
  add column deactivated_at timestamptz,
  add column version integer not null default 1;

alter table facility
  -- Null: that of the tenant.
  add column time_zone text,
  -- What it provides: orders tests, collects specimens, tests them, treats …
  add column provider_kinds text[] not null default '{}',
  -- The facility that took over its records, and under whose name later reports of it come.
  add column merged_into uuid,
  add column deactivated_at timestamptz,
  add column version integer not null default 1,
  add foreign key (tenant_id, merged_into) references facility;
create index facility_waiting on facility (tenant_id, created_at) where not registered and merged_into is null;
create index facility_organization on facility (tenant_id, organization_id);
create index facility_merged_into on facility (tenant_id, merged_into) where merged_into is not null;

alter table jurisdiction add column deactivated_at timestamptz, add column version integer not null default 1;
alter table program add column deactivated_at timestamptz, add column version integer not null default 1;
alter table task add column deactivated_at timestamptz, add column version integer not null default 1;
create index program_organization on program (tenant_id, organization_id);
create index task_program on task (tenant_id, program_id);

-- Under what other names and numbers reports speak of a facility: those it had before, and those of facilities that
-- were merged into it. The importer looks here, too.
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
alter table facility_alias enable row level security;
alter table facility_alias force row level security;
create policy facility_alias_visible on facility_alias
  using (tenant_id = (select app_tenant()) and (select app_whole_tenant()));

-- Organisations for which nobody acts any more: their memberships rest. Few, so it is asked which are, not which are not.
create index organization_inactive on organization (tenant_id, id) where deactivated_at is not null;
create index facility_inactive on facility (tenant_id, id) where deactivated_at is not null;
create index jurisdiction_inactive on jurisdiction (managed_by_tenant_id, id) where deactivated_at is not null;
create view inactive_org with (security_invoker = true) as
select tenant_id, id from organization where deactivated_at is not null
union all select tenant_id, id from facility where deactivated_at is not null
union all select managed_by_tenant_id, id from jurisdiction where deactivated_at is not null;
