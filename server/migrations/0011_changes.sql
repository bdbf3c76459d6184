-- Changes of records, the analytics replicas that follow them, and the processes that have these.

-- Changes are numbered per tenant, under the lock of the tenant's row in change_counter and as the last statements of
-- their transaction. So the order of the numbers is the order of the commits, on one server and on several (decision
-- record 0043).
create table outbox (
  tenant_id uuid not null,
  number bigint not null,
  kind text not null check (kind in ('result', 'case', 'patient')),
  record_ids uuid[] not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, number)
);

create table change_counter (
  tenant_id uuid not null primary key,
  -- The number of the last change. Changes up to deleted_to may be gone, so a replica that is further back is
  -- rebuilt.
  last_number bigint not null,
  deleted_to bigint not null default 0
) with (fillfactor = 20);

-- Which process has the analytics replica of a tenant, and until when it has to say so again. Every process answers
-- questions about any tenant: it passes them on to the one that has the replica. `fleet` names the servers that share
-- replicas in this way; each of several fleets has replicas of its own. No key leads to the tenants: they are on
-- every server when tables are spread over several, and this table is only on the first.
create table replica_owner (
  tenant_id uuid not null,
  fleet uuid not null,
  -- The process, by an id that it makes at its start.
  server uuid not null,
  -- Host and port at which the other processes of the fleet reach it.
  address text not null,
  until timestamptz not null,
  -- How many facts the replica holds; null while it is being made.
  size bigint,
  primary key (tenant_id, fleet)
);
