-- What the sender of an import may see: what it sends is joined to nobody else. Null: the whole tenant. [P23]
alter table import add column sight jsonb;

do $$
declare
  tenants uuid[];
  t uuid;
begin
  perform set_config('app.scope', 'system', true);
  tenants := array(select id from tenant);
  foreach t in array tenants loop
    perform set_config('app.tenant_id', t::text, true), set_config('app.scope', 'identity', true);
    create temporary table sender on commit drop as
      select account_id, org_type, org_id from membership where tenant_id = t and org_type in ('O', 'F');
    perform set_config('app.scope', 'service', true);
    update import i set sight = jsonb_build_object(
      'organizationId', case when s.org_type = 'O' then s.org_id end,
      'facilityId', case when s.org_type = 'F' then s.org_id end, 'hiddenFamilies', '["hiv"]'::jsonb)
    from sender s where i.tenant_id = t and s.account_id = i.created_by and s.org_id in (i.organization_id, i.facility_id);
    drop table sender;
  end loop;
  perform set_config('app.scope', '', true), set_config('app.tenant_id', '', true);
end $$;

-- A pair says what is known of two persons, and deciding it joins their records: for those who see the whole tenant.
drop policy patient_match_visible on patient_match;
create policy patient_match_visible on patient_match using (
  tenant_id = (select app_tenant()) and (select app_whole_tenant())
  and ((select app_unrestricted())
    or exists (select from patient p where p.tenant_id = patient_match.tenant_id and p.id = patient_id)
      and exists (select from patient p where p.tenant_id = patient_match.tenant_id and p.id = candidate_id)));

-- That a record was joined with another one is for those who see both.
drop policy case_event_visible on case_event;
create policy case_event_visible on case_event using (
  tenant_id = (select app_tenant()) and ((select app_unrestricted())
    or exists (select from case_report c where c.tenant_id = case_event.tenant_id and c.id = case_event.case_report_id)
      and ((select app_whole_tenant()) or kind not in ('patient-merged', 'patient-unmerged'))));

-- Numbers of cases are counted, and the count is permuted by a secret; those of restricted families are counted by
-- themselves, from the other end (platform/case-numbers.ts). [P24]
alter table case_counter
  add column restricted_number integer not null default 0,
  add column secret uuid not null default gen_random_uuid(),
  -- Numbers up to here were given in order, before there was a secret.
  add column numbered_before integer not null default 0;

-- Families of which there are records from a facility that nobody has confirmed; `-` for those of none that is told.
alter table facility add column disease_families text[] not null default '{}';
do $$
declare
  tenants uuid[];
  t uuid;
begin
  perform set_config('app.scope', 'system', true);
  tenants := array(select id from tenant);
  perform set_config('app.scope', 'service', true);
  foreach t in array tenants loop
    perform set_config('app.tenant_id', t::text, true);
    update case_counter set numbered_before = last_number, last_number = 0 where tenant_id = t;
    update facility f set disease_families = r.families
    from (select facility_id, array_agg(distinct coalesce(disease_family, '-')) as families
      from (select facility_id, disease_family from result where tenant_id = t
        union all select performing_facility_id, disease_family from result where tenant_id = t
        union all select facility_id, disease_family from case_report where tenant_id = t) a group by facility_id) r
    where f.tenant_id = t and f.id = r.facility_id and not f.registered;
  end loop;
  perform set_config('app.scope', '', true), set_config('app.tenant_id', '', true);
end $$;

-- The name of a place can say what is treated there: one that the importer made from records of restricted families
-- alone is for those who may see these, until somebody confirms it. [P24]
create index result_performing on result (performing_facility_id, tenant_id) where performing_facility_id is not null;
drop policy facility_visible on facility;
create policy facility_visible on facility for select using (
  (select app_scope()) = 'identity'
  or tenant_id = (select app_tenant())
    and (registered or disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
    and (
      (select app_whole_tenant())
      or organization_id = (select app_org('O'))
      or id = (select app_org('F'))
      or registered and (facility_type = 'laboratory' or organization_id is null) and (select app_reads_here())
      or exists (select from result r where r.tenant_id = facility.tenant_id and r.facility_id = facility.id)
      or exists (select from result r where r.tenant_id = facility.tenant_id and r.performing_facility_id = facility.id)
      or exists (select from case_report c where c.tenant_id = facility.tenant_id and c.facility_id = facility.id)));

-- One row per import with the counts its reader may see: messages = taken + waiting + refused + duplicates. One of which
-- a reader may see no message is not there for them, by name and size alike, unless they sent it. [P24]
drop view import_list;
create view import_list with (security_invoker = true) as
select i.*, coalesce(t.taken + t.waiting + t.refused + t.duplicates, 0) as messages, coalesce(t.taken, 0) as taken,
  coalesce(t.waiting, 0) as waiting, coalesce(t.refused, 0) as refused, coalesce(t.duplicates, 0) as duplicates,
  (select a.first_name || ' ' || a.last_name from account a where a.id = i.created_by) as created_by_name,
  (select f.name from facility f where f.tenant_id = i.tenant_id and f.id = i.facility_id) as facility_name
from import i
left join lateral (
  select coalesce(sum(n) filter (where key = 'taken'), 0) as taken,
    coalesce(sum(n) filter (where key = 'waiting'), 0) as waiting,
    coalesce(sum(n) filter (where key = 'refused'), 0) as refused,
    coalesce(sum(n) filter (where key = 'duplicate'), 0) as duplicates
  from import_tally
  where tenant_id = i.tenant_id and import_id = i.id and kind = 'state') t on true
where (select app_hidden_families()) = '{}' or i.created_by = (select app_account())
  or t.taken + t.waiting + t.refused + t.duplicates > 0;
