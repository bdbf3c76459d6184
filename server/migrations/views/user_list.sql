-- Members as their administrators see them: a tenant everyone, an organization its own people and those of its
-- facilities, a facility its own. Offers are among them, as invitations of new people are. Every membership has its
-- account; joined from the left, it is not read where only memberships are counted.
create view user_list with (security_invoker = true) as
select m.tenant_id, m.id, m.version, m.account_id, m.org_type, m.org_id,
  case m.org_type when 'O' then m.org_id when 'F' then f.organization_id end as organization_id,
  case when m.org_type = 'F' then m.org_id end as facility_id,
  case when m.org_type = 'PHJ' then m.org_id end as jurisdiction_id,
  case when m.was is null then a.last_name else m.was ->> 'lastName' end as last_name,
  case when m.was is null then a.first_name else m.was ->> 'firstName' end as first_name,
  case when m.was is null then a.middle_name else m.was ->> 'middleName' end as middle_name,
  (case when m.was is null then a.name_key else (m.was ->> 'nameKey') collate "C" end) collate "C" as name_key,
  case when m.was is null then a.email else m.was ->> 'email' end as email,
  case when m.was is null then a.phone else m.was ->> 'phone' end as phone,
  case when m.was is null then a.language_code else m.was ->> 'language' end as language_code,
  case when m.was is null then a.time_zone else m.was ->> 'timeZone' end as time_zone,
  case when m.was is null then s.last_sign_in_at else (m.was ->> 'lastSignInAt')::timestamptz end as last_sign_in_at,
  m.invited_at, m.created_at, m.ended_at,
  case when m.ended_at is not null then 'inactive' when a.disabled_at is not null then 'disabled'
    when s.locked_until > now() then 'locked' when s.last_sign_in_at is null then 'invited' else 'active' end as status,
  case when m.was is null and s.locked_until > now() then s.locked_at end as locked_at,
  case when m.was is null and s.locked_until > now() then s.locked_until end as locked_until,
  case when case when m.was is null then a.second_factor_at is not null else (m.was ->> 'secondFactor')::boolean end
    then 'yes' else 'no' end as second_factor,
  array(select r.role_id from membership_role r
    where r.tenant_id = m.tenant_id and r.membership_id = m.id order by r.role_id) as role_ids,
  false as offered
from (
  -- Who belongs to another place that the reader sees is known there as they are.
  select *, case when ended_at is not null and not exists (select from membership n
    where n.tenant_id = membership.tenant_id and n.account_id = membership.account_id and n.ended_at is null)
    then left_as end as was
  from membership) m
left join account a on a.id = m.account_id
left join account_state s on s.account_id = m.account_id
left join facility f on m.org_type = 'F' and f.tenant_id = m.tenant_id and f.id = m.org_id
where m.tenant_id = (select app_tenant())
  and ((select app_whole_tenant())
    or m.org_type = 'O' and m.org_id = (select app_org('O'))
    or m.org_type = 'F' and (m.org_id = (select app_org('F')) or f.organization_id = (select app_org('O'))))
union all
select m.tenant_id, m.id, m.version, m.person_id, m.org_type, m.org_id,
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
