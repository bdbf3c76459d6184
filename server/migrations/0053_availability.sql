-- When a provider may be booked: the hours of a week, and the days that are different. One row is what one provider offers
-- and is written at once: whoever changes it sees all of it.
create table provider_availability (
  tenant_id uuid not null,
  account_id uuid not null,
  version integer not null default 1,
  -- Where the provider is; visits that patients book are seen there.
  facility_id uuid,
  -- Times of day are by its clocks.
  time_zone text not null,
  -- The languages in which visits are held; any, if there are none.
  languages text[] not null,
  buffer_minutes integer not null check (buffer_minutes >= 0),
  lead_hours integer not null check (lead_hours >= 0),
  horizon_days integer not null check (horizon_days > 0),
  daily_limit integer check (daily_limit > 0),
  -- Whether patients may book these times themselves.
  patients boolean not null,
  rules jsonb not null,
  exceptions jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, account_id)
);
alter table provider_availability add foreign key (tenant_id) references tenant;

-- How many steps a visit takes, in the row of its first step: visits are found without reading all of their steps.
alter table provider_time add column steps integer;
update provider_time p set steps = v.steps
from (select tenant_id, account_id, visit_id, min(step) as first, count(*)::integer as steps from provider_time
  group by tenant_id, account_id, visit_id) v
where p.tenant_id = v.tenant_id and p.account_id = v.account_id and p.visit_id = v.visit_id and p.step = v.first;
create index provider_time_visits on provider_time (tenant_id, account_id, step) include (steps) where steps is not null;

-- Whether patients of the tenant book visits themselves.
alter table tenant add column patients_book boolean not null default false;

-- Who made a visit: staff, or the patient.
alter table telemedicine_visit add column booked_by text;
