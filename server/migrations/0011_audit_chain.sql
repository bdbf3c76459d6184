-- The audit log is chained [P15]: every event carries a hash of itself and of the event before it in its lane, so that
-- one that was edited, taken out or put in is found. A tenant has as many lanes as it had writers at one time; a
-- transaction takes a lane that nobody holds, so that no request waits for another's.

create table audit_chain (
  tenant_id uuid not null,
  lane integer not null,
  -- Events in it so far, and the hash of the last.
  number bigint not null default 0,
  hash bytea not null default '',
  primary key (tenant_id, lane)
) with (fillfactor = 50);
alter table audit_chain enable row level security;
alter table audit_chain force row level security;
create policy audit_chain_visible on audit_chain
  using (tenant_id = (select app_tenant()) or (select app_scope()) = 'identity');

alter table audit_event add column lane integer;
alter table audit_event add column number bigint;
alter table audit_event add column hash bytea;
-- Events about so many records that they are not found by each of them in audit_record.
alter table audit_event add column wide boolean not null generated always as (cardinality(record_ids) > 200) stored;
create unique index audit_event_chain on audit_event (tenant_id, lane, number);
create index audit_event_wide on audit_event (tenant_id, at) where wide;
create index audit_event_account on audit_event (tenant_id, account_id, at);

-- In which events a record is named. Under row-level security a list of ids cannot be searched by an index, a column
-- can.
create table audit_record (
  tenant_id uuid not null,
  record_id uuid not null,
  event_id uuid not null,
  primary key (tenant_id, record_id, event_id)
);
alter table audit_record enable row level security;
alter table audit_record force row level security;
create policy audit_record_visible on audit_record for select using (tenant_id = (select app_tenant()));
create policy audit_record_written on audit_record for insert
  with check (tenant_id = (select app_tenant()) or (select app_scope()) = 'identity');
revoke update, delete, truncate on audit_record from caseway_app;

-- Everything an event says, as one text whose hash stands for it.
create function app_audit_text(tenant_id uuid, id uuid, at timestamptz, account_id uuid, org_type text, org_id uuid,
  action text, record_kind text, record_ids uuid[], detail jsonb, request_id text, address text)
returns text language sql stable parallel safe
  return jsonb_build_array(tenant_id, id, to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), account_id,
    org_type, org_id, action, record_kind, to_jsonb(record_ids), detail, request_id, address)::text;

-- An organisation and a facility read what was done for them, and nobody else's.
drop policy audit_event_visible on audit_event;
create policy audit_event_visible on audit_event for select using (
  tenant_id = (select app_tenant())
  and ((select app_whole_tenant())
    or org_type = current_setting('app.org_type', true)
      and org_id = nullif(current_setting('app.org_id', true), '')::uuid));

-- What was written before there were chains becomes the first lane of its tenant, in its order.
alter table audit_event no force row level security;
alter table audit_chain no force row level security;
alter table audit_record no force row level security;
do $$
declare
  event record;
  tenant uuid;
  place bigint;
  seal bytea;
begin
  for event in select * from audit_event order by tenant_id, at, id loop
    if tenant is distinct from event.tenant_id then
      tenant := event.tenant_id;
      place := 0;
      seal := '';
    end if;
    place := place + 1;
    seal := sha256(seal || convert_to(app_audit_text(event.tenant_id, event.id, event.at, event.account_id, event.org_type,
      event.org_id, event.action, event.record_kind, event.record_ids, event.detail, event.request_id, event.address), 'UTF8'));
    update audit_event set lane = 0, number = place, hash = seal where tenant_id = event.tenant_id and id = event.id;
  end loop;
end $$;
insert into audit_chain (tenant_id, lane, number, hash)
select distinct on (tenant_id) tenant_id, 0, number, hash from audit_event order by tenant_id, number desc;
insert into audit_record (tenant_id, record_id, event_id)
select distinct tenant_id, unnest(record_ids), id from audit_event where not wide;
alter table audit_event force row level security;
alter table audit_chain force row level security;
alter table audit_record force row level security;

-- The log as its screen shows it.
create view audit_list with (security_invoker = true) as
select e.tenant_id, e.id, e.at, e.account_id, e.org_type, e.org_id, e.action, e.record_kind, e.record_ids, e.wide,
  cardinality(e.record_ids) as records, e.detail, e.detail ->> 'reason' as reason, e.request_id, e.address, e.lane,
  e.number, e.hash, a.name_key as who_key, a.first_name || ' ' || a.last_name as who,
  coalesce(o.name, f.name, j.name, t.name) as organization,
  case when e.action like 'sign-in/%' or e.action like 'session/%' or e.action like 'account/%' then 'sign-in'
    when e.action = 'export' or e.action like 'GET %/file' then 'export'
    when e.action like 'POST /api/web/grid/%/search' then 'search'
    when e.action like 'POST /api/web/analytics/%' then 'numbers'
    when e.action like 'GET %' then 'read'
    when split_part(e.action, '/', 1) in ('user', 'role', 'setting', 'directory', 'tenant', 'job', 'audit') then 'administration'
    else 'change' end as deed
from audit_event e
left join account a on a.id = e.account_id
left join tenant t on e.org_type in ('T', 'A') and t.id = e.tenant_id
left join organization o on e.org_type = 'O' and o.tenant_id = e.tenant_id and o.id = e.org_id
left join facility f on e.org_type = 'F' and f.tenant_id = e.tenant_id and f.id = e.org_id
left join jurisdiction j on e.org_type = 'PHJ' and j.id = e.org_id;
