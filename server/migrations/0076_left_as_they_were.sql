-- A tenant, or an organization in it, that someone has left goes on seeing in its users who that was: as it knew the
-- person on that day. The account goes on elsewhere, and its new address, number, name and sign-ins are no business of a
-- former employer. [P1]

alter table membership add column left_as jsonb;

alter table account no force row level security;
alter table membership no force row level security;
update membership m set left_as = jsonb_build_object('email', a.email, 'phone', a.phone, 'firstName', a.first_name,
  'middleName', a.middle_name, 'lastName', a.last_name, 'nameKey', a.name_key, 'language', a.language_code,
  'timeZone', a.time_zone, 'lastSignInAt', case when a.last_sign_in_at <= m.ended_at then a.last_sign_in_at end,
  'secondFactor', a.second_factor_at is not null)
from account a where a.id = m.account_id and m.ended_at is not null;
alter table membership force row level security;
alter table account force row level security;

-- From 0039. New: `l`, and what is read of it.
drop view user_list;
create view user_list with (security_invoker = true) as
select m.tenant_id, m.id, m.account_id, m.org_type, m.org_id,
  case m.org_type when 'O' then m.org_id when 'F' then f.organization_id end as organization_id,
  case when m.org_type = 'F' then m.org_id end as facility_id,
  case when m.org_type = 'PHJ' then m.org_id end as jurisdiction_id,
  case when l.was is null then a.last_name else l.was ->> 'lastName' end as last_name,
  case when l.was is null then a.first_name else l.was ->> 'firstName' end as first_name,
  case when l.was is null then a.middle_name else l.was ->> 'middleName' end as middle_name,
  (case when l.was is null then a.name_key else (l.was ->> 'nameKey') collate "C" end) collate "C" as name_key,
  case when l.was is null then a.email else l.was ->> 'email' end as email,
  case when l.was is null then a.phone else l.was ->> 'phone' end as phone,
  case when l.was is null then a.language_code else l.was ->> 'language' end as language_code,
  case when l.was is null then a.time_zone else l.was ->> 'timeZone' end as time_zone,
  case when l.was is null then a.last_sign_in_at else (l.was ->> 'lastSignInAt')::timestamptz end as last_sign_in_at,
  m.invited_at, m.created_at, m.ended_at,
  case when m.ended_at is not null then 'inactive' when a.disabled_at is not null then 'disabled'
    when a.locked_until > now() then 'locked' when a.last_sign_in_at is null then 'invited' else 'active' end as status,
  case when l.was is null and a.locked_until > now() then a.locked_at end as locked_at,
  case when l.was is null and a.locked_until > now() then a.locked_until end as locked_until,
  case when case when l.was is null then a.second_factor_at is not null else (l.was ->> 'secondFactor')::boolean end
    then 'yes' else 'no' end as second_factor,
  array(select r.role_id from membership_role r
    where r.tenant_id = m.tenant_id and r.membership_id = m.id order by r.role_id) as role_ids,
  false as offered
from membership m
left join account a on a.id = m.account_id
left join facility f on m.org_type = 'F' and f.tenant_id = m.tenant_id and f.id = m.org_id
-- Who belongs to another place that the reader sees is known there as they are.
cross join lateral (select case when m.ended_at is not null and not exists (select from membership n
    where n.tenant_id = m.tenant_id and n.account_id = m.account_id and n.ended_at is null) then m.left_as end as was) l
where m.tenant_id = (select app_tenant())
  and ((select app_whole_tenant())
    or m.org_type = 'O' and m.org_id = (select app_org('O'))
    or m.org_type = 'F' and (m.org_id = (select app_org('F')) or f.organization_id = (select app_org('O'))))
union all
select m.tenant_id, m.id, m.person_id, m.org_type, m.org_id,
  case m.org_type when 'O' then m.org_id when 'F' then f.organization_id end,
  case when m.org_type = 'F' then m.org_id end,
  case when m.org_type = 'PHJ' then m.org_id end,
  m.last_name, m.first_name, m.middle_name, m.name_key, m.email, m.phone, m.language_code, m.time_zone,
  null, m.invited_at, m.created_at, m.ended_at,
  case when m.ended_at is not null then 'inactive' else 'invited' end,
  null, null, 'no', m.role_ids, true
from membership_offer m
left join facility f on m.org_type = 'F' and f.tenant_id = m.tenant_id and f.id = m.org_id
where m.tenant_id = (select app_tenant());
