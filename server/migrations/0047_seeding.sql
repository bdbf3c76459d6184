-- What a seeding set out to make, and how far it is. A seeding that was broken off is continued from here, so that it
-- never has to remove anything: what else the tenant holds is somebody's work.
create table seeding (
  tenant_id uuid not null references tenant,
  name text not null,
  -- What the records are made from: size, seed, moment, and the places and people of the tenant at that moment.
  plan jsonb not null,
  -- The parts that are stored, each noted in the transaction that stores it.
  parts integer[] not null default '{}',
  -- The case number before the first of each year, once the numbers are taken.
  case_offsets jsonb,
  begun_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (tenant_id, name)
);
alter table seeding enable row level security;
alter table seeding force row level security;
create policy seeding_visible on seeding using (tenant_id = (select app_tenant()) and (select app_service()));
create policy seeding_not_patients on seeding as restrictive using (coalesce((select app_scope()), '') <> 'patient');

-- Tenants with people in them were filled before there was this table.
do $$
declare
  t uuid;
  tenants uuid[];
begin
  perform set_config('app.scope', 'system', true);
  tenants := array(select id from tenant where slug in ('demo', 'vendor'));
  perform set_config('app.scope', 'service', true);
  foreach t in array tenants loop
    perform set_config('app.tenant_id', t::text, true);
    insert into seeding (tenant_id, name, plan, finished_at)
    select t, 'demo', '{}', now() where exists (select from patient where tenant_id = t);
  end loop;
  perform set_config('app.scope', '', true), set_config('app.tenant_id', '', true);
end $$;
