-- The audit log lies in one partition a month, so that old months can be archived and dropped whole. [P15] Every event
-- says of what kind it is: the endpoint declares it, and it is part of what the chain's hash stands for.

drop view audit_list;
alter table audit_event rename to audit_event_before;
alter table audit_record rename to audit_record_before;
alter index audit_event_pkey rename to audit_event_before_pkey;
alter index audit_record_pkey rename to audit_record_before_pkey;
drop index audit_event_at, audit_event_chain, audit_event_wide, audit_event_account;

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
  -- Events about so many records that they are not found by each of them in audit_record.
  wide boolean not null generated always as (cardinality(record_ids) > 200) stored,
  -- Null in events from before there was one; their hash stands for a text without it.
  deed text,
  primary key (tenant_id, id, at)
) partition by range (at);
-- A partition cannot see into another: that no place is taken twice is for the chain's verification to find.
create unique index audit_event_chain on audit_event (tenant_id, lane, number, at);
create index audit_event_at on audit_event (tenant_id, at);
create index audit_event_wide on audit_event (tenant_id, at) where wide;
create index audit_event_account on audit_event (tenant_id, account_id, at);

create table audit_record (
  tenant_id uuid not null,
  record_id uuid not null,
  event_id uuid not null,
  at timestamptz not null,
  primary key (tenant_id, record_id, event_id, at)
) partition by range (at);

-- What has no month of its own yet. Writing an event never fails for want of one.
create table audit_event_rest partition of audit_event default;
create table audit_record_rest partition of audit_record default;

-- Where archived events stood in the chain: one row for each run of places in a lane. The last hash is what the next event
-- follows from; the file holds the rest.
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

do $$
declare t text;
begin
  foreach t in array array['audit_event', 'audit_record', 'audit_event_rest', 'audit_record_rest', 'audit_archive'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
  end loop;
end $$;
revoke update, delete, truncate on audit_event, audit_record from caseway_app;
revoke insert, update, delete, truncate on audit_archive from caseway_app;
-- Nobody goes past the policies of the whole by naming a part.
revoke all on audit_event_rest, audit_record_rest from caseway_app;

-- For the owner, to see which months lie there.
create policy backup_read on audit_event_rest for select to current_user
  using (current_setting('app.scope', true) = 'backup');
create policy backup_read on audit_record_rest for select to current_user
  using (current_setting('app.scope', true) = 'backup');

-- The same as before.
create policy audit_event_visible on audit_event for select using (
  tenant_id = (select app_tenant())
  and ((select app_whole_tenant())
    or org_type = current_setting('app.org_type', true)
      and org_id = nullif(current_setting('app.org_id', true), '')::uuid));
create policy audit_event_written on audit_event for insert
  with check (tenant_id = (select app_tenant()) or (select app_scope()) = 'identity');
create policy audit_record_visible on audit_record for select using (
  tenant_id = (select app_tenant()) and ((select app_whole_tenant())
    or exists (select from audit_event e where e.tenant_id = audit_record.tenant_id and e.id = event_id
      and e.at = audit_record.at)));
create policy audit_record_written on audit_record for insert
  with check (tenant_id = (select app_tenant()) or (select app_scope()) = 'identity');

-- That a month is archived is no secret from anybody who reads a part of the log.
create policy audit_archive_visible on audit_archive for select using (tenant_id = (select app_tenant()));
-- By the owner alone: the role of the server may not add to it.
create policy audit_archive_written on audit_archive for insert with check ((select app_scope()) = 'identity');
create policy audit_archive_not_patients on audit_archive as restrictive
  using (coalesce((select app_scope()), '') <> 'patient');

-- Gives a month (in UTC) a partition of its own, with what the rest holds of it. Whether it had none. For the owner.
create function app_audit_partition(month date) returns boolean language plpgsql as $$
declare
  name text;
  part text;
  columns text;
  from_at text := to_char(date_trunc('month', month::timestamp), 'YYYY-MM-DD') || ' 00:00:00+00';
  to_at text := to_char(date_trunc('month', month::timestamp) + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00';
  made boolean := false;
begin
  foreach name in array array['audit_event', 'audit_record'] loop
    part := name || to_char(month, '_YYYY_MM');
    continue when to_regclass('public.' || part) is not null;
    select string_agg(quote_ident(attname), ', ' order by attnum) into columns from pg_attribute
      where attrelid = name::regclass and attnum > 0 and not attisdropped and attgenerated = '';
    execute format('create table %I (like %I including defaults including generated including constraints)', part, name);
    execute format('revoke all on %I from caseway_app', part);
    execute format('alter table %I no force row level security', name || '_rest');
    execute format('with moved as (delete from %1$I where at >= %2$L and at < %3$L returning *)
      insert into %4$I (%5$s) select %5$s from moved', name || '_rest', from_at, to_at, part, columns);
    execute format('alter table %I force row level security', name || '_rest');
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', name, part, from_at, to_at);
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    made := true;
  end loop;
  return made;
end $$;
revoke execute on function app_audit_partition(date) from public;

-- Everything an event says, as one text whose hash stands for it.
drop function app_audit_text(uuid, uuid, timestamptz, uuid, text, uuid, text, text, uuid[], jsonb, text, text);
create function app_audit_text(tenant_id uuid, id uuid, at timestamptz, account_id uuid, org_type text, org_id uuid,
  action text, record_kind text, record_ids uuid[], detail jsonb, request_id text, address text, deed text)
returns text language sql stable parallel safe
  return (jsonb_build_array(tenant_id, id, to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), account_id,
    org_type, org_id, action, record_kind, to_jsonb(record_ids), detail, request_id, address)
    || case when deed is null then '[]'::jsonb else jsonb_build_array(deed) end)::text;

-- What was written before, each event into its month.
alter table audit_event_before no force row level security;
alter table audit_record_before no force row level security;
alter table audit_event no force row level security;
alter table audit_record no force row level security;
select app_audit_partition(month::date)
from (select distinct date_trunc('month', at at time zone 'UTC') as month from audit_event_before) months;
insert into audit_event (tenant_id, id, at, account_id, org_type, org_id, action, record_kind, record_ids, detail, request_id,
  address, lane, number, hash)
select tenant_id, id, at, account_id, org_type, org_id, action, record_kind, record_ids, detail, request_id, address, lane,
  number, hash from audit_event_before;
insert into audit_record (tenant_id, record_id, event_id, at)
select r.tenant_id, r.record_id, r.event_id, e.at from audit_record_before r
join audit_event_before e on e.tenant_id = r.tenant_id and e.id = r.event_id;
drop table audit_record_before;
drop table audit_event_before;
alter table audit_event force row level security;
alter table audit_record force row level security;

-- The log as its screen shows it. Names change, and two people can have one: the log says by which account something was
-- done. What patients sign in with stands in no log. [P15, P16]
create view audit_list with (security_invoker = true) as
select e.tenant_id, e.id, e.at, e.account_id, e.org_type, e.org_id, e.action, e.record_kind,
  case when w.withheld then '{}'::uuid[] else e.record_ids end as record_ids, e.wide,
  case when w.withheld then 0 else cardinality(e.record_ids) end as records,
  case when w.withheld then '{}'::jsonb else e.detail end as detail,
  case when w.withheld then null else e.detail ->> 'reason' end as reason, e.request_id, e.address, e.lane,
  e.number, e.hash, a.name_key as who_key, a.first_name || ' ' || a.last_name as who,
  coalesce(o.name, f.name, j.name, t.name) as organization,
  -- Events that were written before each said it are told by their names.
  coalesce(e.deed, case
    when e.action like 'sign-in/%' or e.action like 'session/%' or e.action like 'account/%' then 'sign-in'
    when e.action = 'export' or e.action like 'GET %/file' then 'export'
    when e.action like 'POST /api/web/grid/%/search' then 'search'
    when e.action like 'POST /api/web/analytics/%' then 'numbers'
    when e.action like 'GET %' then 'read'
    when split_part(e.action, '/', 1) in
      ('user', 'role', 'setting', 'directory', 'tenant', 'job', 'audit', 'break-glass', 'recovery') then 'administration'
    else 'change' end) as deed,
  w.withheld,
  case when a.patient_id is null then a.username end as account
from audit_event e
-- The chain's hash is of the whole event; who verifies the log reads the table itself.
cross join lateral (select case
    when e.action = 'break-glass/listed' or e.action not like 'break-glass/%' and not e.detail ? 'breakGlass' then false
    when app_service() or app_privacy_officer() then false
    else not exists (select from case_report c where c.tenant_id = e.tenant_id and c.id = any (e.record_ids))
      and not exists (select from break_glass b join case_report c on c.tenant_id = b.tenant_id and c.id = b.case_report_id
        where b.tenant_id = e.tenant_id and b.id = any (e.record_ids)) end as withheld) w
left join account a on a.id = e.account_id
left join tenant t on e.org_type in ('T', 'A') and t.id = e.tenant_id
left join organization o on e.org_type = 'O' and o.tenant_id = e.tenant_id and o.id = e.org_id
left join facility f on e.org_type = 'F' and f.tenant_id = e.tenant_id and f.id = e.org_id
left join jurisdiction j on e.org_type = 'PHJ' and j.id = e.org_id;
