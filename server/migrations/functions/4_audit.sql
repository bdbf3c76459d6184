-- The audit log: what a hash is of, and its months.

-- Everything an event says, as one text: the hash is of this.
create or replace function app_audit_text(tenant_id uuid, id uuid, at timestamptz, account_id uuid, org_type text, org_id uuid,
  action text, record_kind text, record_ids uuid[], detail jsonb, request_id text, address text, deed text)
returns text language sql stable parallel safe
  return (jsonb_build_array(tenant_id, id, to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), account_id,
    org_type, org_id, action, record_kind, to_jsonb(record_ids), detail, request_id, address)
    || case when deed is null then '[]'::jsonb else jsonb_build_array(deed) end)::text;

-- Gives a month (in UTC) a partition of its own, with what the rest holds of it. Returns whether it had none. Only
-- for the owner.
create or replace function app_audit_partition(month date) returns boolean language plpgsql as $$
declare
  name text;
  part text;
  columns text;
  spread boolean := false;
  from_at text := to_char(date_trunc('month', month::timestamp), 'YYYY-MM-DD') || ' 00:00:00+00';
  to_at text := to_char(date_trunc('month', month::timestamp) + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00';
  made boolean := false;
begin
  if to_regclass('pg_dist_partition') is not null then
    execute $spread$ select exists (select from pg_dist_partition where logicalrelid = 'audit_event'::regclass) $spread$ into spread;
  end if;
  foreach name in array array['audit_event', 'audit_record'] loop
    part := name || to_char(month, '_YYYY_MM');
    continue when to_regclass('public.' || part) is not null;
    select string_agg(quote_ident(attname), ', ' order by attnum) into columns from pg_attribute
      where attrelid = name::regclass and attnum > 0 and not attisdropped and attgenerated = '';
    execute format('create table %I (like %I including defaults including generated including constraints)', part, name);
    if spread then
      execute format($spread$ select create_distributed_table(%L, 'tenant_id', colocate_with => %L) $spread$, part, name);
    end if;
    execute format('revoke all on %I from caseway_app', part);
    execute format('alter table %I no force row level security', name || '_rest');
    execute format('insert into %4$I (%5$s) select %5$s from %1$I where at >= %2$L and at < %3$L',
      name || '_rest', from_at, to_at, part, columns);
    execute format('delete from %I where at >= %L and at < %L', name || '_rest', from_at, to_at);
    execute format('alter table %I force row level security', name || '_rest');
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', name, part, from_at, to_at);
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    made := true;
  end loop;
  return made;
end $$;
revoke execute on function app_audit_partition(date) from public;
