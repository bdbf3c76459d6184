-- Files that wait to be imported, in pieces, where every server of this database finds them. Only the product itself
-- reads them: nobody is shown a file, but the messages that were read from it. [P29]
create table import_upload (
  tenant_id uuid not null,
  import_id uuid not null,
  -- Where the piece begins in the file, and how many bytes of the file it holds.
  byte_offset bigint not null,
  byte_length integer not null,
  -- zstd.
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, import_id, byte_offset)
);
-- It is compressed already.
alter table import_upload alter column bytes set storage external;
alter table import_upload enable row level security;
alter table import_upload force row level security;
create policy import_upload_service on import_upload using (
  tenant_id = (select app_tenant()) and (select app_scope()) = 'service');
create policy import_upload_not_patients on import_upload as restrictive
  using (coalesce((select app_scope()), '') <> 'patient');

-- Days after which the file of an import that was only tried, or has failed, is removed: long enough for a weekend.
alter table tenant add column upload_days integer not null default 3 check (upload_days between 1 and 30);
