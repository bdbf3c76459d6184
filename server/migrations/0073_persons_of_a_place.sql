-- An organization or facility that knows a person only by records of restricted families does not show that person to
-- readers who may not see these, whatever other places know of the person. Until now one record that was open anywhere was
-- enough, and so told that there is a hidden one here. [P18, P23]
alter table patient add column restricted_at uuid[] not null default '{}';

-- The organizations and facilities of which there are only records of these families.
create function app_restricted_at(person patient, restricted text[]) returns uuid[] language sql stable
  return case when (person).disease_families && restricted then array(
    select k.place from unnest((person).organization_ids || (person).facility_ids) as k (place)
    where not exists (select from result r where r.tenant_id = (person).tenant_id and r.patient_id = (person).id
        and k.place in (r.organization_id, r.facility_id) and coalesce(r.disease_family <> all (restricted), true))
      and not exists (select from case_report c where c.tenant_id = (person).tenant_id and c.patient_id = (person).id
        and k.place in (c.organization_id, c.facility_id) and c.disease_family <> all (restricted)))
    else '{}' end;

do $$
declare
  t record;
begin
  perform set_config('app.scope', 'system', true);
  for t in select id, restricted_families || '{hiv}'::text[] as restricted from tenant loop
    perform set_config('app.scope', 'service', true), set_config('app.tenant_id', t.id::text, true);
    update patient p set restricted_at = app_restricted_at(p, t.restricted)
    where tenant_id = t.id and disease_families && t.restricted;
    perform set_config('app.scope', 'system', true), set_config('app.tenant_id', '', true);
  end loop;
  perform set_config('app.scope', '', true);
end $$;

-- Restates 0057.
drop policy patient_visible on patient;
create policy patient_visible on patient using (
  tenant_id = (select app_tenant())
  and (disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and (
    (select app_whole_tenant())
    or (select app_org('O')) = any (organization_ids)
      and (not disease_families && (select app_hidden_families())::text[] or (select app_org('O')) <> all (restricted_at))
    or (select app_org('F')) = any (facility_ids)
      and (not disease_families && (select app_hidden_families())::text[] or (select app_org('F')) <> all (restricted_at))
    or case when told_openly is null or (select app_hidden_families()) = '{}' then county_fips
      else told_openly ->> 'county_fips' end = any ((select app_counties())::text[])
    or id = (select app_patient())));
