-- Features that a tenant has switched off, or on trial on, for single organisations, facilities and jurisdictions. What it
-- has for itself stays in the tenant's own row; without a row here, that holds. [S1.6]

create table feature_switch (
  tenant_id uuid not null references tenant,
  org_type text not null check (org_type in ('O', 'F', 'PHJ')),
  org_id uuid not null,
  feature text not null check (feature ~ '^[a-z-]{1,40}$'),
  is_on boolean not null,
  primary key (tenant_id, org_type, org_id, feature)
);
alter table feature_switch enable row level security;
alter table feature_switch force row level security;
-- Read with every membership, written as settings are; seen by those who act for the whole tenant.
create policy feature_switch_visible on feature_switch for select using (
  (select app_scope()) = 'identity' or tenant_id = (select app_tenant()) and (select app_whole_tenant()));
create policy feature_switch_added on feature_switch for insert with check ((select app_scope()) = 'identity');
create policy feature_switch_changed on feature_switch for update using ((select app_scope()) = 'identity');
create policy feature_switch_removed on feature_switch for delete using ((select app_scope()) = 'identity');
create policy feature_switch_not_patients on feature_switch as restrictive
  using (coalesce((select app_scope()), '') <> 'patient');
