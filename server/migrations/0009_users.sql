-- Users: what an administrator sees of an account, and how one name can belong to a member of staff and to a patient.

-- A patient's name must not stand in the way of a member of staff with the same address, nor tell of the patient.
alter table account drop constraint account_username_key;
create unique index account_staff_username on account (username) where patient_id is null;
create unique index account_patient_username on account (username) where patient_id is not null;

-- `castellanos, erin maria`: as lists of people sort and search them.
alter table account add column name_key text collate "C" generated always as (
  app_fold(last_name || ', ' || first_name || coalesce(' ' || middle_name, ''))) stored;

-- When the last invitation was asked for; null for who was not invited.
alter table membership add column invited_at timestamptz;
alter table membership add column invited_by uuid;
create index membership_org on membership (tenant_id, org_type, org_id);
create index membership_role_role on membership_role (tenant_id, role_id);

-- Roles that a tenant had before there was a permission to look at the system get it as new tenants do.
select set_config('app.scope', 'identity', true);
insert into role_grant (tenant_id, role_id, obj, act, eft)
select tenant_id, id, 'A', 'system/read', 'allow' from role where code = 'system-administrator'
on conflict do nothing;

-- Members as their administrators see them: a tenant everybody, an organisation its own people and those of its
-- facilities, a facility its own. Every membership has its account; joined from the left, it is not looked at where only
-- memberships are counted.
create view user_list with (security_invoker = true) as
select m.tenant_id, m.id, m.account_id, m.org_type, m.org_id,
  case m.org_type when 'O' then m.org_id when 'F' then f.organization_id end as organization_id,
  case when m.org_type = 'F' then m.org_id end as facility_id,
  case when m.org_type = 'PHJ' then m.org_id end as jurisdiction_id,
  a.last_name, a.first_name, a.middle_name, a.name_key, a.email, a.phone, a.language_code, a.time_zone,
  a.last_sign_in_at, m.invited_at, m.created_at, m.ended_at,
  case when m.ended_at is not null then 'inactive' when a.disabled_at is not null then 'disabled'
    when a.last_sign_in_at is null then 'invited' else 'active' end as status,
  array(select r.role_id from membership_role r
    where r.tenant_id = m.tenant_id and r.membership_id = m.id order by r.role_id) as role_ids
from membership m
left join account a on a.id = m.account_id
left join facility f on m.org_type = 'F' and f.tenant_id = m.tenant_id and f.id = m.org_id
where m.tenant_id = (select app_tenant())
  and ((select app_whole_tenant())
    or m.org_type = 'O' and m.org_id = (select app_org('O'))
    or m.org_type = 'F' and (m.org_id = (select app_org('F')) or f.organization_id = (select app_org('O'))));
