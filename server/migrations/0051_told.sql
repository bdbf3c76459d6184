-- Who has told everything that stands on a patient's row: null, the tenant alone or all who see the person. Other
-- organizations and facilities that see the person are shown name, birth date and sex, and no number but those they have
-- told. The row says it itself, so that a policy need not look elsewhere. [P23]
alter table patient add column told_by uuid[];
alter table patient_identifier add column told_by uuid[];

create function app_told(told_by uuid[]) returns boolean language sql stable parallel safe
  return coalesce(current_setting('app.org_type', true), '') not in ('O', 'F') or told_by is null
    or nullif(current_setting('app.org_id', true), '')::uuid = any (told_by);

drop policy patient_identifier_visible on patient_identifier;
create policy patient_identifier_visible on patient_identifier using (
  tenant_id = (select app_tenant()) and ((select app_unrestricted())
    or app_told(told_by)
      and exists (select from patient p where p.tenant_id = patient_identifier.tenant_id and p.id = patient_id)));

create or replace view result_fact with (security_invoker = true) as
select r.tenant_id, r.id, r.patient_id, r.organization_id, r.facility_id, r.program_type_id, r.program_id,
  r.task_id, r.county_fips, r.disease_family, r.condition_code, r.test_loinc, r.test_name, r.method, r.assay,
  r.result_category, r.status,
  -- What counts as a test: it was done, was not entered in error, and was answered. No answer: a number or words that are
  -- neither positive nor negative (`quantitative`), what a laboratory does every day beside such tests (`routine`), its
  -- comments, to which drugs an organism yields, one band of an immunoblot, a question, a control. What makes an organism
  -- resist is a test where that is a condition of its own.
  r.result_category not in ('pending', 'not-done', 'quantitative') and r.status <> 'withdrawn'
    and not (coalesce(r.method, '') in ('narrative', 'susceptibility', 'routine', 'antibody-band', 'question', 'control', 'panel')
      or coalesce(r.method, '') = 'quantity' and r.disease_family is null
      or coalesce(r.method, '') = 'resistance' and r.condition_code is null) as performed,
  r.specimen_site, cast(r.age_years as integer) as age_years,
  -- The bands of seeds/reference/age-bands.json; a test holds the two together.
  case when r.age_years < 0 then null when r.age_years < 1 then '0-0' when r.age_years < 5 then '1-4'
    when r.age_years < 10 then '5-9' when r.age_years < 15 then '10-14' when r.age_years < 20 then '15-19'
    when r.age_years < 25 then '20-24' when r.age_years < 30 then '25-29' when r.age_years < 35 then '30-34'
    when r.age_years < 40 then '35-39' when r.age_years < 45 then '40-44' when r.age_years < 55 then '45-54'
    when r.age_years < 65 then '55-64' when r.age_years < 75 then '65-74' when r.age_years < 85 then '75-84'
    when r.age_years >= 85 then '85+' end as age_band,
  -- Folded, as grids compare texts.
  app_fold(r.test_name) collate "C" as test_name_key, app_fold(btrim(r.assay)) collate "C" as assay_key,
  app_fold(r.specimen_site) collate "C" as specimen_site_key, app_fold(r.accession) collate "C" as accession_key,
  r.collected_on, r.received_on, r.resulted_on, r.reported_on, r.created_on,
  -- Tenths of an hour, rounded down, from a day on to whole hours, so that there are few values to count; null when a
  -- time is missing or they are out of order. By date_part, whose doubles are divided faster than extract's numerics.
  case when r.received_at >= r.collected_at + interval '1 day'
      then cast(floor(date_part('epoch', r.received_at - r.collected_at) / 3600) as integer) * 10
    when r.received_at >= r.collected_at then cast(floor(date_part('epoch', r.received_at - r.collected_at) / 360) as integer)
    end as tenths_collected_to_received,
  case when r.resulted_at >= r.received_at + interval '1 day'
      then cast(floor(date_part('epoch', r.resulted_at - r.received_at) / 3600) as integer) * 10
    when r.resulted_at >= r.received_at then cast(floor(date_part('epoch', r.resulted_at - r.received_at) / 360) as integer)
    end as tenths_received_to_resulted,
  case when r.resulted_at >= r.collected_at + interval '1 day'
      then cast(floor(date_part('epoch', r.resulted_at - r.collected_at) / 3600) as integer) * 10
    when r.resulted_at >= r.collected_at then cast(floor(date_part('epoch', r.resulted_at - r.collected_at) / 360) as integer)
    end as tenths_collected_to_resulted,
  p.sex_at_birth as sex, case when (select app_gender_identity_shown()) then p.gender_identity end as gender, p.race, p.ethnicity,
  -- Sex, age, race and ethnicity are all known. Asked and not answered (ASKU) is an answer.
  coalesce(p.sex_at_birth <> 'U' and r.age_years >= 0 and p.race <> 'UNK' and p.ethnicity <> 'UNK', false)
    as demographics_known,
  p.county_fips as patient_county_fips, p.organization_ids as patient_organization_ids,
  p.facility_ids as patient_facility_ids, p.number as patient_number,
  p.told_by as patient_told_by
from result r
join patient p on p.tenant_id = r.tenant_id and p.id = r.patient_id
where r.superseded_by is null;

create or replace view case_fact with (security_invoker = true) as
select c.tenant_id, c.id, c.case_id, c.patient_id, c.condition_code, c.disease_family, c.disease_category,
  c.classification, c.status, c.onset_on, c.collected_on, c.reported_on, c.received_on, c.created_on,
  c.organization_id, c.facility_id, c.program_id, c.task_id, c.visit_type, c.jurisdiction_id, c.county_fips,
  c.investigator_id, c.outcome, c.pregnant, c.source, app_fold(c.external_id) collate "C" as external_id_key,
  c.created_at, c.updated_at,
  app_fold(p.last_name) collate "C" as last_name_key, app_fold(p.first_name) collate "C" as first_name_key,
  app_fold(p.city) collate "C" as city_key,
  p.birth_date, cast(extract(year from age(c.created_on, p.birth_date)) as integer) as age_years,
  p.sex_at_birth as sex, case when (select app_gender_identity_shown()) then p.gender_identity end as gender, p.race, p.ethnicity,
  -- The search keys of the case and its patient, each with a blank before it: those that begin with a letter, and
  -- those that begin with a digit. A search looks for a beginning, so it reads one of the two.
  s.search_names, s.search_numbers,
  p.county_fips as patient_county_fips, p.organization_ids as patient_organization_ids,
  p.facility_ids as patient_facility_ids, p.told_by as patient_told_by
from case_report c
join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id
left join lateral (
  select string_agg(' ' || k.key, '' order by k.key) filter (where k.key >= 'a') as search_names,
    string_agg(' ' || k.key, '' order by k.key) filter (where k.key < 'a') as search_numbers
  from search_key k
  where k.tenant_id = c.tenant_id
    and (k.record_kind = 'case' and k.record_id = c.id or k.record_kind = 'patient' and k.record_id = c.patient_id)
) s on true;
