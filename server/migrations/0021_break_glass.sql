-- Break the glass: somebody opens one record that is otherwise hidden from them, for a stated reason and a short time.
-- Row-level security itself consults the row, so that an access that has ended or was revoked shows nothing more. [P18]

-- Minutes that such an access lasts.
alter table tenant add column break_glass_minutes integer not null default 60
  check (break_glass_minutes between 5 and 480);

create table break_glass (
  tenant_id uuid not null references tenant,
  id uuid not null,
  account_id uuid not null references account,
  -- What they acted for: it holds there alone.
  org_type text not null check (org_type in ('T', 'O', 'F')),
  org_id uuid not null,
  -- What was asked for, and the record of that number; null where there is none, which is kept to be looked at too.
  case_number text not null,
  case_report_id uuid,
  reason_kind text not null check (reason_kind in ('treatment', 'exposure', 'outbreak', 'legal', 'other')),
  reason text not null,
  opened_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Ended before its time, by its holder or by a privacy officer.
  ended_at timestamptz,
  ended_by uuid,
  reviewed_at timestamptz,
  reviewed_by uuid,
  review_note text,
  primary key (tenant_id, id),
  foreign key (tenant_id, case_report_id) references case_report
);
create index break_glass_opened on break_glass (tenant_id, opened_at);
create index break_glass_account on break_glass (tenant_id, account_id, opened_at);
alter table break_glass enable row level security;
alter table break_glass force row level security;
create policy break_glass_visible on break_glass for select using (
  tenant_id = (select app_tenant())
  and ((select app_whole_tenant()) or (select app_scope()) = 'org' and account_id = (select app_account())));
-- Nobody gives an access to themselves past the endpoint that asks for the reason.
create policy break_glass_added on break_glass for insert
  with check (tenant_id = (select app_tenant()) and (select app_service()));
create policy break_glass_changed on break_glass for update
  using (tenant_id = (select app_tenant()) and (select app_service()));

-- The case that the transaction may read by the access it names: while that lasts, for its holder, in its organisation.
create function app_glass_case() returns uuid language sql stable parallel safe
  return (select b.case_report_id from break_glass b
          where b.tenant_id = app_tenant()
            and b.id = nullif(current_setting('app.glass', true), '')::uuid
            and b.account_id = app_account()
            and b.org_id = nullif(current_setting('app.org_id', true), '')::uuid
            and b.ended_at is null and b.expires_at > clock_timestamp());
create function app_glass_patient() returns uuid language sql stable parallel safe
  return (select c.patient_id from case_report c where c.tenant_id = app_tenant() and c.id = app_glass_case());

-- Beside what is seen anyway, and to be read alone.
create policy case_report_opened on case_report for select
  using (tenant_id = (select app_tenant()) and id = (select app_glass_case()));
create policy patient_opened on patient for select
  using (tenant_id = (select app_tenant()) and id = (select app_glass_patient()));
-- The results of the case, and those that they took the place of.
create policy result_opened on result for select using (
  tenant_id = (select app_tenant()) and (select app_glass_case()) is not null
  and exists (select from case_result r where r.tenant_id = result.tenant_id
    and r.case_report_id = (select app_glass_case()) and r.result_id in (result.id, result.superseded_by)));

-- Tenants that have the default roles get the new one and its grants as new tenants do.
do $$
begin
  perform set_config('app.scope', 'identity', true);
  insert into role (tenant_id, id, code, label, label_i18n)
  select r.tenant_id, gen_random_uuid(), 'privacy-officer', 'Privacy officer',
    '{"es": "Responsable de privacidad", "ht": "Responsab konfidansyalite"}'
  from role r where r.code = 'tenant-administrator' on conflict (tenant_id, code) do nothing;
  insert into role_parent (tenant_id, role_id, parent_id)
  select r.tenant_id, r.id, p.id from role r join role p on p.tenant_id = r.tenant_id
  where (r.code, p.code) in (('privacy-officer', 'member'), ('tenant-administrator', 'privacy-officer'))
  on conflict do nothing;
  insert into role_grant (tenant_id, role_id, obj, act, eft)
  select r.tenant_id, r.id, g.obj, g.act, 'allow' from role r
  join (values ('privacy-officer', 'T', 'privacy/officer'), ('privacy-officer', 'T', 'audit/read'),
      ('epidemiologist', 'T', 'break-glass/write'), ('epidemiologist', 'O', 'break-glass/write'),
      ('case-investigator', 'T', 'break-glass/write'), ('case-investigator', 'O', 'break-glass/write'),
      ('clinician', 'T', 'break-glass/write'), ('clinician', 'O', 'break-glass/write'),
      ('clinician', 'F', 'break-glass/write'))
    as g (code, obj, act) on g.code = r.code
  on conflict do nothing;
  update policy_version set version = version + 1
  where tenant_id in (select tenant_id from role where code = 'privacy-officer');
  perform set_config('app.scope', '', true);
end $$;

-- The log counts these deeds among what is administered.
create or replace view audit_list with (security_invoker = true) as
select e.tenant_id, e.id, e.at, e.account_id, e.org_type, e.org_id, e.action, e.record_kind, e.record_ids, e.wide,
  cardinality(e.record_ids) as records, e.detail, e.detail ->> 'reason' as reason, e.request_id, e.address, e.lane,
  e.number, e.hash, a.name_key as who_key, a.first_name || ' ' || a.last_name as who,
  coalesce(o.name, f.name, j.name, t.name) as organization,
  case when e.action like 'sign-in/%' or e.action like 'session/%' or e.action like 'account/%' then 'sign-in'
    when e.action = 'export' or e.action like 'GET %/file' then 'export'
    when e.action like 'POST /api/web/grid/%/search' then 'search'
    when e.action like 'POST /api/web/analytics/%' then 'numbers'
    when e.action like 'GET %' then 'read'
    when split_part(e.action, '/', 1) in
      ('user', 'role', 'setting', 'directory', 'tenant', 'job', 'audit', 'break-glass', 'recovery') then 'administration'
    else 'change' end as deed
from audit_event e
left join account a on a.id = e.account_id
left join tenant t on e.org_type in ('T', 'A') and t.id = e.tenant_id
left join organization o on e.org_type = 'O' and o.tenant_id = e.tenant_id and o.id = e.org_id
left join facility f on e.org_type = 'F' and f.tenant_id = e.tenant_id and f.id = e.org_id
left join jurisdiction j on e.org_type = 'PHJ' and j.id = e.org_id;
