-- The days on which a tenant works: of the week, Sunday being 0; without federal holidays; and without single days.
alter table tenant
  add column workdays smallint[] not null default '{1,2,3,4,5}',
  add column federal_holidays boolean not null default true,
  add column days_off date[] not null default '{}';

-- What somebody has to do about a record: given, closed and taken back by transitions of the record, or done by people.
create table work_task (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  -- 'case', and the id of the record.
  record_kind text not null,
  record_id uuid not null,
  work text not null,
  queue text not null check (queue in ('assignee', 'supervisor')),
  -- Null: anyone of the queue.
  account_id uuid,
  due_on date,
  priority text not null default 'normal' check (priority in ('normal', 'high')),
  state text not null default 'open' check (state in ('open', 'done', 'not-needed', 'withdrawn')),
  made_at timestamptz not null default now(),
  made_by uuid,
  ended_at timestamptz,
  ended_by uuid,
  -- The transition that gave it, by which version of the flow, and the version of the record that it made.
  transition text not null,
  flow_version integer not null,
  made_version integer not null,
  -- The versions of the record that ended it, and that gave it back by taking back the one that had ended it.
  ended_version integer,
  resumed_version integer,
  -- What it was before it was given back.
  resumed_from text,
  -- It is seen with the record: its family, organization, facility and county.
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  primary key (tenant_id, id)
);
alter table work_task add foreign key (tenant_id) references tenant;
create index work_task_record on work_task (record_id, tenant_id);
-- A transition that is done twice gives it once.
create unique index work_task_open on work_task (tenant_id, record_id, work) where state = 'open';

-- What each version of a task changed.
create table work_task_history (
  tenant_id uuid not null,
  record_id uuid not null,
  version integer not null,
  at timestamptz not null default now(),
  account_id uuid,
  changes jsonb not null,
  undoes integer,
  action_id uuid,
  version_within integer,
  changes_within jsonb,
  undoes_within integer,
  -- The record that the task is about, with which it is seen.
  subject_id uuid,
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  primary key (tenant_id, record_id, version)
);
alter table work_task_history add foreign key (tenant_id, record_id) references work_task;
create index work_task_history_subject on work_task_history (subject_id, tenant_id);
create index work_task_history_action on work_task_history (action_id, tenant_id) where action_id is not null;

-- The clocks of records: started, stopped and taken back by transitions.
create table record_clock (
  tenant_id uuid not null,
  id uuid not null,
  record_kind text not null,
  record_id uuid not null,
  clock text not null,
  started_at timestamptz not null default now(),
  started_on date not null,
  due_on date not null,
  -- The end of that day where the tenant is.
  due_at timestamptz not null,
  stopped_at timestamptz,
  flow_version integer not null,
  made_version integer not null,
  ended_version integer,
  resumed_version integer,
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  primary key (tenant_id, id)
);
alter table record_clock add foreign key (tenant_id) references tenant;
create index record_clock_record on record_clock (record_id, tenant_id);
create unique index record_clock_running on record_clock (tenant_id, record_id, clock) where stopped_at is null;
