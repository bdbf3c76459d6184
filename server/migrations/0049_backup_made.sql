-- When a backup was last made, for whoever looks after the system.
create table backup_made (
  id uuid primary key,
  -- The moment that it holds.
  at timestamptz not null,
  bytes bigint not null,
  encrypted boolean not null,
  rows bigint not null
);
alter table backup_made enable row level security;
alter table backup_made force row level security;
create policy backup_made_system on backup_made using ((select app_scope()) = 'system');
create policy backup_made_not_patients on backup_made as restrictive
  using (coalesce((select app_scope()), '') <> 'patient');
