-- Since when somebody cannot sign in for too many wrong codes, told with until when to who administers them.
alter table account add column locked_at timestamptz;

drop view user_list;
create view user_list with (security_invoker = true) as
select m.tenant_id, m.id, m.account_id, m.org_type, m.org_id,
  case m.org_type when 'O' then m.org_id when 'F' then f.organization_id end as organization_id,
  case when m.org_type = 'F' then m.org_id end as facility_id,
  case when m.org_type = 'PHJ' then m.org_id end as jurisdiction_id,
  a.last_name, a.first_name, a.middle_name, a.name_key, a.email, a.phone, a.language_code, a.time_zone,
  a.last_sign_in_at, m.invited_at, m.created_at, m.ended_at,
  case when m.ended_at is not null then 'inactive' when a.disabled_at is not null then 'disabled'
    when a.locked_until > now() then 'locked' when a.last_sign_in_at is null then 'invited' else 'active' end as status,
  case when a.locked_until > now() then a.locked_at end as locked_at,
  case when a.locked_until > now() then a.locked_until end as locked_until,
  case when a.second_factor_at is null then 'no' else 'yes' end as second_factor,
  array(select r.role_id from membership_role r
    where r.tenant_id = m.tenant_id and r.membership_id = m.id order by r.role_id) as role_ids
from membership m
left join account a on a.id = m.account_id
left join facility f on m.org_type = 'F' and f.tenant_id = m.tenant_id and f.id = m.org_id
where m.tenant_id = (select app_tenant())
  and ((select app_whole_tenant())
    or m.org_type = 'O' and m.org_id = (select app_org('O'))
    or m.org_type = 'F' and (m.org_id = (select app_org('F')) or f.organization_id = (select app_org('O'))));
