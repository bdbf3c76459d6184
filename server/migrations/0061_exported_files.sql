-- Files of lists that are made in the background, for the person who asked for them.
create table exported_file (
  tenant_id uuid not null,
  id uuid not null,
  grid text not null,
  -- Which rows and columns, as they were asked for; forgotten with the file, because a filter can name people.
  request jsonb,
  format text not null,
  language text not null,
  at timestamptz not null default now(),
  -- Who asked, in which session and for which organization.
  account_id uuid not null,
  session_id uuid not null,
  org_type text not null,
  org_id uuid not null,
  -- For the log.
  request_id text not null,
  address text not null,
  state text not null default 'preparing' check (state in ('preparing', 'ready', 'failed', 'expired')),
  failed_by text,
  total integer not null,
  done integer not null default 0,
  -- A digest of what its owner saw: the file is given out only while they see the same.
  seen text,
  -- How many rows of each tenant are in it.
  given jsonb,
  name text,
  byte_size bigint,
  expires_at timestamptz,
  primary key (tenant_id, id)
);
alter table exported_file add foreign key (tenant_id) references tenant;
create index exported_file_of on exported_file (tenant_id, account_id, at desc);

-- The bytes, compressed and encrypted, some at a time.
create table exported_piece (
  tenant_id uuid not null,
  file_id uuid not null,
  number integer not null,
  bytes bytea not null,
  primary key (tenant_id, file_id, number)
);
alter table exported_piece add foreign key (tenant_id, file_id) references exported_file on delete cascade;
