-- Changes for the analytics replicas are numbered per tenant, under the lock of the tenant's row in change_counter and as
-- the last statements of their transaction. So the order of the numbers is the order of the commits, on one server and on
-- several. Until now the number of the transaction was used, which is given out when a transaction begins to write: a lower
-- one can commit later, and on several servers nobody can tell which are still running. Replicas are rebuilt once.
drop table outbox;
drop table outbox_pruned;

create table outbox (
  tenant_id uuid not null,
  number bigint not null,
  kind text not null check (kind in ('result', 'case', 'patient')),
  record_ids uuid[] not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, number)
);
alter table outbox enable row level security;
alter table outbox force row level security;
-- As before: everybody who changes a record says so, and the service alone reads it.
create policy outbox_service on outbox using (tenant_id = (select app_tenant()) and (select app_service()));
create policy outbox_written on outbox for insert with check (tenant_id = (select app_tenant()));
create policy outbox_not_patients on outbox as restrictive using (coalesce((select app_scope()), '') <> 'patient');

create table change_counter (
  tenant_id uuid not null primary key,
  -- The number of the last change. Changes up to deleted_to may be gone, so a replica that is further back is rebuilt.
  last_number bigint not null,
  deleted_to bigint not null default 0
) with (fillfactor = 20);
alter table change_counter enable row level security;
alter table change_counter force row level security;
-- By everybody who changes a record; it says how many changes there were and of nobody's record.
create policy change_counter_visible on change_counter using (tenant_id = (select app_tenant()));
create policy change_counter_not_patients on change_counter as restrictive
  using (coalesce((select app_scope()), '') <> 'patient');
