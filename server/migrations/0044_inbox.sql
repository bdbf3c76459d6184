-- What somebody is told of, and whether they have read it. No text: the words are made from the kind and from what its
-- owner may see of the record when it is read.
create table notification (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  kind text not null,
  record_kind text not null,
  record_id uuid not null,
  -- Who did it; null for the product itself.
  actor_id uuid,
  at timestamptz not null,
  read_at timestamptz,
  -- The version of the record that told it. Taking that back withdraws what is not read yet, by another version.
  made_version integer,
  withdrawn_at timestamptz,
  withdrawn_version integer,
  -- The day of a task of which its reader is reminded.
  due_on date,
  mailed_at timestamptz,
  primary key (tenant_id, id)
);
alter table notification add foreign key (tenant_id) references tenant;
create index notification_of on notification (tenant_id, account_id, id);
create index notification_record on notification (tenant_id, record_id);
create index notification_at on notification (tenant_id, at);
-- Nobody is reminded twice of a task on the same day.
create unique index notification_due on notification (tenant_id, record_id, account_id, due_on) where kind = 'task-due';

-- How somebody wants to be told of a kind, where that is not how everybody is told.
create table notification_way (
  tenant_id uuid not null,
  account_id uuid not null,
  kind text not null,
  way text not null check (way in ('product', 'mail', 'digest', 'off')),
  primary key (tenant_id, account_id, kind)
);
alter table notification_way add foreign key (tenant_id) references tenant;
