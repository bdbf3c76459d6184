-- Who has an account already is brought into a tenant by nobody but themselves: an invitation of their address is an
-- offer, which counts nowhere until they accept it. To the inviter it looks like that of an address nobody knew. [P1, P12]

create table membership_offer (
  tenant_id uuid not null references tenant,
  id uuid not null,
  -- Stands for the person until they accept: the id of an account tells when it was made, and is the same everywhere.
  person_id uuid not null,
  account_id uuid not null references account,
  org_type text not null check (org_type in ('T', 'O', 'F', 'PHJ')),
  org_id uuid not null,
  role_ids uuid[] not null,
  -- The person as whoever invited them knows them.
  email text not null,
  first_name text not null,
  middle_name text,
  last_name text not null,
  phone text,
  language_code text not null,
  time_zone text not null,
  name_key text collate "C" generated always as (
    app_fold(last_name || ', ' || first_name || coalesce(' ' || middle_name, ''))) stored,
  -- Whose rights it rests on, and what they acted for.
  invited_by uuid not null,
  inviter_org_type text not null check (inviter_org_type in ('T', 'O', 'F')),
  inviter_org_id uuid not null,
  invited_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  -- Refused or withdrawn; one that is accepted becomes a membership.
  ended_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, account_id, org_type, org_id)
);
create index membership_offer_account on membership_offer (account_id);
create index membership_offer_person on membership_offer (tenant_id, person_id);
alter table membership_offer enable row level security;
alter table membership_offer force row level security;
-- Seen by who administers the organisation, of whatever kind; written as accounts are.
create policy membership_offer_visible on membership_offer for select using (
  (select app_scope()) = 'identity'
  or tenant_id = (select app_tenant()) and ((select app_whole_tenant())
    or org_type = 'O' and org_id = (select app_org('O'))
    or org_type = 'F' and (org_id = (select app_org('F'))
      or org_id = any ((select app_organization_facilities())::uuid[]))));
create policy membership_offer_added on membership_offer for insert
  with check ((select app_scope()) = 'identity');
create policy membership_offer_changed on membership_offer for update
  using ((select app_scope()) = 'identity');
create policy membership_offer_removed on membership_offer for delete
  using ((select app_scope()) = 'identity');
create policy membership_offer_not_patients on membership_offer as restrictive
  using (coalesce((select app_scope()), '') <> 'patient');

-- Offers stand among the users, as invitations of new people do.
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
    where r.tenant_id = m.tenant_id and r.membership_id = m.id order by r.role_id) as role_ids,
  false as offered
from membership m
left join account a on a.id = m.account_id
left join facility f on m.org_type = 'F' and f.tenant_id = m.tenant_id and f.id = m.org_id
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
