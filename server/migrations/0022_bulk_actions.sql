-- Many records changed by one deed of a person, in the background. The ids are those of the moment when it began.
create table bulk_action (
  tenant_id uuid not null,
  id uuid not null,
  -- The declaration of the records.
  record text not null,
  at timestamptz not null default now(),
  -- Who does it, in which session and for which organization: asked again before each part of it.
  account_id uuid not null,
  session_id uuid not null,
  org_type text not null,
  org_id uuid not null,
  -- For the log.
  request_id text not null,
  address text not null,
  -- The query of the list; null where the records were named one by one, or where it takes back another action.
  selection jsonb,
  change jsonb,
  undoes uuid,
  -- Only says what would be changed.
  dry_run boolean not null default false,
  record_ids uuid[] not null,
  total integer not null,
  state text not null default 'running' check (state in ('running', 'done', 'stopped')),
  stopped_by text,
  -- Of the ids so many are decided: committed with what was done to them, so that it goes on from there.
  changed integer not null default 0,
  same integer not null default 0,
  refused integer not null default 0,
  primary key (tenant_id, id),
  check (change is null <> (undoes is null))
);
alter table bulk_action add foreign key (tenant_id) references tenant;
create index bulk_action_of on bulk_action (tenant_id, account_id, at desc);

-- The records that stay as they are, and why.
create table bulk_refusal (
  tenant_id uuid not null,
  action_id uuid not null,
  record_id uuid not null,
  account_id uuid not null,
  code text not null,
  primary key (tenant_id, action_id, record_id)
);
alter table bulk_refusal add foreign key (tenant_id, action_id) references bulk_action on delete cascade;
