-- What each version of a record changed, of the kinds that an administrator sets up: who did it, when, and the values
-- before and after. Rows are added in the transaction that writes the version, and never changed.
create table record_history (
  tenant_id uuid not null,
  kind text not null,
  record_id uuid not null,
  version integer not null,
  at timestamptz not null default clock_timestamp(),
  account_id uuid,
  -- {"name": {"from": …, "to": …}}; of a new record only `to`.
  changes jsonb not null,
  -- The version that it takes back.
  undoes integer,
  primary key (tenant_id, kind, record_id, version)
);
alter table record_history add foreign key (tenant_id) references tenant;
