-- A person of whom there are only records of restricted families is absent for those who may not see these: from lists,
-- counts, search and pairs alike. [P18]

-- Families of which there are results or cases; `-` for a result of no family that is told. Empty: nothing is recorded
-- yet, and whoever sees the place sees the person.
alter table patient add column disease_families text[] not null default '{}';

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
    update patient p set disease_families = f.families
    from (select patient_id, array_agg(distinct coalesce(disease_family, '-')) as families
      from (select patient_id, disease_family from result
        union all select patient_id, disease_family from case_report) r group by patient_id) f
    where p.tenant_id = t and p.id = f.patient_id;
  end loop;
  perform set_config('app.scope', '', true), set_config('app.tenant_id', '', true);
end $$;

drop policy patient_visible on patient;
create policy patient_visible on patient using (
  tenant_id = (select app_tenant())
  and (disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and (
    (select app_whole_tenant())
    or (select app_org('O')) = any (organization_ids)
    or (select app_org('F')) = any (facility_ids)
    or county_fips = any ((select app_counties())::text[])));

-- Which records an event names is seen by whoever sees the event.
drop policy audit_record_visible on audit_record;
create policy audit_record_visible on audit_record for select using (
  tenant_id = (select app_tenant()) and ((select app_whole_tenant())
    or exists (select from audit_event e where e.tenant_id = audit_record.tenant_id and e.id = event_id)));

-- What is known of such a person is not seen by itself either.
drop policy patient_identifier_visible on patient_identifier;
create policy patient_identifier_visible on patient_identifier using (
  tenant_id = (select app_tenant()) and ((select app_unrestricted())
    or exists (select from patient p where p.tenant_id = patient_identifier.tenant_id and p.id = patient_id)));
drop policy search_key_visible on search_key;
create policy search_key_visible on search_key using (
  tenant_id = (select app_tenant()) and ((select app_unrestricted())
    or case record_kind
      when 'patient' then exists (select from patient p where p.tenant_id = search_key.tenant_id and p.id = record_id)
      else exists (select from case_report c where c.tenant_id = search_key.tenant_id and c.id = record_id) end));
drop policy patient_match_visible on patient_match;
create policy patient_match_visible on patient_match using (
  tenant_id = (select app_tenant()) and ((select app_unrestricted())
    or exists (select from patient p where p.tenant_id = patient_match.tenant_id and p.id = patient_id)
      and exists (select from patient p where p.tenant_id = patient_match.tenant_id and p.id = candidate_id)));
