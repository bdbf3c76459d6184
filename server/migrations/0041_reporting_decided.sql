-- To which jurisdictions a tenant reports is the tenant's own decision, and so is whether its restricted disease families
-- are reported too: what the tenant that manages a jurisdiction grants its users opens no other tenant's. [P18]

alter table tenant_reporting
  add column restricted_families boolean not null default false,
  -- Not known of what began before it was kept.
  add column began_at timestamptz,
  -- What has ended stays, so that cases from before still name their jurisdiction.
  add column ended_at timestamptz;
alter table tenant_reporting alter column began_at set default now();

-- Those who manage a jurisdiction have granted what its users see of their own tenant, so for them nothing changes.
-- Row-level security holds for who owns the tables as well.
alter table tenant_reporting no force row level security;
alter table jurisdiction no force row level security;
update tenant_reporting r set restricted_families = true from jurisdiction j
where j.id = r.jurisdiction_id and j.managed_by_tenant_id = r.tenant_id;
alter table tenant_reporting force row level security;
alter table jurisdiction force row level security;

create or replace function app_counties() returns text[] language sql stable parallel safe
  return (select array_agg(c.county_fips) from jurisdiction_county c
          where c.jurisdiction_id = app_org('PHJ')
            and exists (select from tenant_reporting r where r.tenant_id = app_tenant()
                        and r.jurisdiction_id = c.jurisdiction_id and r.ended_at is null));

create or replace function app_reads_here() returns boolean language sql stable parallel safe
  return case
    when current_setting('app.org_type', true) = 'PHJ' then exists (select from tenant_reporting r
      where r.jurisdiction_id = app_org('PHJ') and r.tenant_id = app_tenant() and r.ended_at is null)
    else coalesce(current_setting('app.scope', true) = 'org', false) end;
