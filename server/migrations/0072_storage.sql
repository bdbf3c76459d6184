-- Boxes in a location, on a shelf or in a bay: their specimens lie in rows and columns.
alter table location drop constraint location_level_check;
alter table location add constraint location_level_check check (level in ('location', 'shelf', 'bay', 'box'));
-- What a location is: a room, a freezer, …
alter table location add column equipment text;
-- Degrees Celsius.
alter table location add column coldest integer;
alter table location add column warmest integer;
alter table location add column row_count integer;
alter table location add column column_count integer;

-- Where a stored specimen is now.
create table storage_place (
  tenant_id uuid not null,
  specimen_id uuid not null,
  location_id uuid not null,
  row_number integer not null,
  column_number integer not null,
  -- What stands on its label.
  code text not null,
  stored_at timestamptz not null default now(),
  stored_by uuid,
  -- Who sees it: the facility of the box, without specimens of families that are hidden from the reader.
  facility_id uuid not null,
  families text[] not null default '{}',
  primary key (tenant_id, specimen_id)
);
alter table storage_place add foreign key (tenant_id, specimen_id) references specimen;
alter table storage_place add foreign key (tenant_id, location_id) references location;
-- A position holds one specimen.
create unique index storage_place_position on storage_place (tenant_id, location_id, row_number, column_number);

-- Who has stored a specimen, moved it or taken it out: never changed.
create table storage_move (
  tenant_id uuid not null,
  id uuid not null,
  specimen_id uuid not null,
  deed text not null check (deed in ('stored', 'moved', 'taken-out')),
  -- Why it was taken out.
  reason text,
  note text,
  code text not null,
  -- The place from which, and to which.
  from_location_id uuid,
  from_row integer,
  from_column integer,
  to_location_id uuid,
  to_row integer,
  to_column integer,
  at timestamptz not null default now(),
  account_id uuid,
  -- Who sees it: as the place.
  facility_id uuid not null,
  families text[] not null default '{}',
  primary key (tenant_id, id)
);
alter table storage_move add foreign key (tenant_id, specimen_id) references specimen;
alter table storage_move add foreign key (tenant_id, from_location_id) references location;
alter table storage_move add foreign key (tenant_id, to_location_id) references location;
create index storage_move_specimen on storage_move (specimen_id, tenant_id);
