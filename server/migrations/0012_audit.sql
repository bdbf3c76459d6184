-- Who did what, with whose record. Written in the transaction that reads or changes, and never changed afterwards.
-- [P15]

-- In one partition a month, so that old months can be archived and dropped whole.
create table audit_event (
  tenant_id uuid not null,
  id uuid not null,
  at timestamptz not null default now(),
  account_id uuid,
  org_type text,
  org_id uuid,
  action text not null,
  record_kind text,
  record_ids uuid[] not null default '{}',
  detail jsonb not null default '{}',
  request_id text,
  address text,
  lane integer,
  number bigint,
  hash bytea,
  -- Whether it is about so many records that it is not found by each of them in audit_record.
  wide boolean not null generated always as (cardinality(record_ids) > 200) stored,
  -- What kind of deed it was; the endpoint declares it, and it is part of what the hash is of. Null where nothing
  -- declared it.
  deed text,
  primary key (tenant_id, id, at)
) partition by range (at);
-- A partition cannot see into another: that no place is taken twice is checked by the verification of the chain.
create unique index audit_event_chain on audit_event (tenant_id, lane, number, at);
create index audit_event_at on audit_event (tenant_id, at);
create index audit_event_wide on audit_event (tenant_id, at) where wide;
create index audit_event_account on audit_event (tenant_id, account_id, at);
-- For what has no month of its own yet: writing an event never fails because there is none.
create table audit_event_rest partition of audit_event default;
revoke update, delete, truncate on audit_event from caseway_app;

-- In which events a record is named. Under row-level security an index cannot search a list of ids, but a column.
create table audit_record (
  tenant_id uuid not null,
  record_id uuid not null,
  event_id uuid not null,
  at timestamptz not null,
  -- Whose event it was: the row is seen with the event.
  org_type text,
  org_id uuid,
  primary key (tenant_id, record_id, event_id, at)
) partition by range (at);
create table audit_record_rest partition of audit_record default;
revoke update, delete, truncate on audit_record from caseway_app;

-- The log is chained: every event carries a hash of itself and of the event before it in its lane, so that one that
-- was edited, taken out or put in is found. A tenant has as many lanes as it had writers at one time; a transaction
-- takes a lane that nobody holds, so that no request waits for another.
create table audit_chain (
  tenant_id uuid not null,
  lane integer not null,
  -- Events in it so far, and the hash of the last.
  number bigint not null default 0,
  hash bytea not null default '',
  primary key (tenant_id, lane)
) with (fillfactor = 50);

-- Where archived events were in the chain: one row for each run of places in a lane. The last hash is what the next
-- event follows from; the file holds the rest.
create table audit_archive (
  tenant_id uuid not null,
  -- The first day of the month.
  month date not null,
  lane integer not null,
  first bigint not null,
  last bigint not null,
  hash_before bytea not null,
  hash bytea not null,
  file text not null,
  -- SHA-256 of the file.
  digest bytea not null,
  archived_at timestamptz not null default now(),
  primary key (tenant_id, month, lane, first)
);
revoke insert, update, delete, truncate on audit_archive from caseway_app;

-- What would be written about an account that does not exist: as much work as for one that does, so that the time
-- does not show which of the two it was. [P12] Nobody reads it, and it is emptied every hour.
create table audit_decoy (
  like audit_event including defaults including generated including indexes
);
