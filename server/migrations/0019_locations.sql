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
alter table location enable row level security;
alter table location force row level security;
create policy location_visible on location for select using (
  tenant_id = (select app_tenant()) and ((select app_whole_tenant())
    or facility_id = (select app_org('F'))
    or facility_id = any ((select app_organization_facilities())::uuid[])));
do $$
declare condition text := 'tenant_id = (select app_tenant()) and (select app_whole_tenant())';
begin
  execute format('create policy location_added on location for insert with check (%s)', condition);
  execute format('create policy location_changed on location for update using (%s)', condition);
  execute format('create policy location_removed on location for delete using (%s)', condition);
end $$;

-- Where a specimen is kept; a place in which one lies cannot be removed.
alter table specimen add column location_id uuid, add foreign key (tenant_id, location_id) references location;
create index specimen_location on specimen (tenant_id, location_id) where location_id is not null;
