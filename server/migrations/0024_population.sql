-- Of how many people rates are: what a tenant has imported of a year, replaced as a whole.
create table population (
  tenant_id uuid not null,
  kind text not null check (kind in ('residents', 'live-births')),
  year smallint not null,
  -- Another one with every import.
  id uuid not null,
  publisher text not null,
  title text not null,
  -- The year of the publication.
  published smallint not null,
  imported_at timestamptz not null default now(),
  imported_by uuid,
  primary key (tenant_id, kind, year)
);
alter table population add foreign key (tenant_id) references tenant;

-- People of a county, of one sex or of both together. Ages follow each other without a gap.
create table population_count (
  tenant_id uuid not null,
  kind text not null,
  year smallint not null,
  county_fips text not null,
  age_from smallint not null,
  -- Null: no end.
  age_below smallint,
  sex text not null check (sex in ('F', 'M', 'both')),
  people integer not null check (people >= 0),
  primary key (tenant_id, kind, year, county_fips, sex, age_from)
);
alter table population_count add foreign key (tenant_id, kind, year) references population on delete cascade;
