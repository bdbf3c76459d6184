-- Who decided that something is kept for a shorter time, and until when it is kept as long as before: one administrator alone
-- takes nothing away at once. Rows are added and never changed, so they outlive the log whose time was shortened.
create table retention_change (
  tenant_id uuid not null references tenant,
  id uuid not null,
  setting text not null check (setting in ('rawMessageMonths', 'auditMonths', 'uploadDays')),
  -- Months or days; null: for ever.
  before integer,
  after integer not null,
  at timestamptz not null,
  held_until timestamptz not null,
  account_id uuid not null,
  primary key (tenant_id, id)
);
alter table retention_change enable row level security;
alter table retention_change force row level security;
create policy retention_change_visible on retention_change for select using (
  (select app_scope()) in ('identity', 'system') or tenant_id = (select app_tenant()) and (select app_whole_tenant()));
create policy retention_change_added on retention_change for insert with check ((select app_scope()) = 'identity');
create policy retention_change_not_patients on retention_change as restrictive
  using (coalesce((select app_scope()), '') <> 'patient');

-- How long something is kept today: as the tenant says, or longer as long as a shorter time has not taken hold. Null: for
-- ever.
create function app_kept(kept integer, of_tenant uuid, of_setting text) returns integer language sql stable as
  $$ select case when kept is null or bool_or(c.before is null) then null else greatest(kept, max(c.before)) end
     from retention_change c where c.tenant_id = of_tenant and c.setting = of_setting and c.held_until > now() $$;
