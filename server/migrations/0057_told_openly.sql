-- What is known of a person without the reports of restricted families: readers who may not see these are shown nothing
-- else, and nothing goes when such a report comes. Null: everything on the row. The columns of `patient` by name, and
-- `keys`, by which these readers find the person (imports/open-facts.ts). [P18]
alter table patient add column told_openly jsonb;
-- The restricted families whose reports alone have told a number; null: there are others.
alter table patient_identifier add column told_in text[];

-- A person as the reader is shown one. With a record of a restricted family before them, which somebody has opened in an
-- emergency, it is the whole person.
create function app_shown(person patient, family text default null) returns patient language sql stable parallel safe
  return case when (person).told_openly is null or coalesce(current_setting('app.hidden_families', true), '') = ''
      or coalesce(family = any (app_hidden_families()), false)
    then person else jsonb_populate_record(person, (person).told_openly) end;

drop policy patient_visible on patient;
create policy patient_visible on patient using (
  tenant_id = (select app_tenant())
  and (disease_families = '{}' or not disease_families <@ (select app_hidden_families())::text[])
  and (
    (select app_whole_tenant())
    or (select app_org('O')) = any (organization_ids)
    or (select app_org('F')) = any (facility_ids)
    or case when told_openly is null or (select app_hidden_families()) = '{}' then county_fips
      else told_openly ->> 'county_fips' end = any ((select app_counties())::text[])
    or id = (select app_patient())));

drop policy patient_identifier_visible on patient_identifier;
create policy patient_identifier_visible on patient_identifier using (
  tenant_id = (select app_tenant()) and ((select app_unrestricted())
    or app_told(told_by) and (told_in is null or not told_in <@ (select app_hidden_families())::text[])
      and exists (select from patient p where p.tenant_id = patient_identifier.tenant_id and p.id = patient_id)));

-- Nobody is found by what the reader is not shown: by the name alone where somebody else has told of the person. [P23]
drop policy search_key_visible on search_key;
create policy search_key_visible on search_key using (
  tenant_id = (select app_tenant()) and ((select app_unrestricted())
    or case record_kind
      when 'patient' then exists (select from patient p where p.tenant_id = search_key.tenant_id and p.id = record_id
        and (p.told_openly is null or (select app_hidden_families()) = '{}' or p.told_openly -> 'keys' ? search_key.key)
        and (app_told(p.told_by)
          or search_key.key = any (string_to_array(app_fold(concat_ws(' ', p.first_name, p.last_name)), ' '))))
      else exists (select from case_report c where c.tenant_id = search_key.tenant_id and c.id = record_id) end));

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
  p.told_by as patient_told_by,
  app_fold(r.provider_name) collate "C" as provider_name_key, r.provider_npi, app_fold(r.notes) collate "C" as notes_key,
  case when p.told_openly is null then p.sex_at_birth else p.told_openly ->> 'sex_at_birth' end as open_sex,
  case when (select app_gender_identity_shown())
    then case when p.told_openly is null then p.gender_identity else p.told_openly ->> 'gender_identity' end end as open_gender,
  case when p.told_openly is null then p.race else p.told_openly ->> 'race' end as open_race,
  case when p.told_openly is null then p.ethnicity else p.told_openly ->> 'ethnicity' end as open_ethnicity,
  coalesce(r.age_years >= 0 and case when p.told_openly is null
    then p.sex_at_birth <> 'U' and p.race <> 'UNK' and p.ethnicity <> 'UNK'
    else p.told_openly ->> 'sex_at_birth' <> 'U' and p.told_openly ->> 'race' <> 'UNK'
      and p.told_openly ->> 'ethnicity' <> 'UNK' end, false) as open_demographics_known,
  case when p.told_openly is null then p.county_fips else p.told_openly ->> 'county_fips' end as open_patient_county_fips
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
  p.facility_ids as patient_facility_ids, p.told_by as patient_told_by,
  p.told_openly is not null as told_openly,
  app_fold(p.told_openly ->> 'last_name') collate "C" as open_last_name_key,
  app_fold(p.told_openly ->> 'first_name') collate "C" as open_first_name_key,
  app_fold(p.told_openly ->> 'city') collate "C" as open_city_key,
  cast(p.told_openly ->> 'birth_date' as date) as open_birth_date,
  cast(extract(year from age(c.created_on, cast(p.told_openly ->> 'birth_date' as date))) as integer) as open_age_years,
  case when p.told_openly is null then p.sex_at_birth else p.told_openly ->> 'sex_at_birth' end as open_sex,
  case when (select app_gender_identity_shown())
    then case when p.told_openly is null then p.gender_identity else p.told_openly ->> 'gender_identity' end end as open_gender,
  case when p.told_openly is null then p.race else p.told_openly ->> 'race' end as open_race,
  case when p.told_openly is null then p.ethnicity else p.told_openly ->> 'ethnicity' end as open_ethnicity,
  s.open_search_names, s.open_search_numbers,
  case when p.told_openly is null then p.county_fips else p.told_openly ->> 'county_fips' end as open_patient_county_fips
from case_report c
join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id
left join lateral (
  select string_agg(' ' || k.key, '' order by k.key) filter (where k.key >= 'a') as search_names,
    string_agg(' ' || k.key, '' order by k.key) filter (where k.key < 'a') as search_numbers,
    string_agg(' ' || k.key, '' order by k.key) filter (where k.key >= 'a' and p.told_openly is not null
      and (k.record_kind = 'case' or p.told_openly -> 'keys' ? k.key)) as open_search_names,
    string_agg(' ' || k.key, '' order by k.key) filter (where k.key < 'a' and p.told_openly is not null
      and (k.record_kind = 'case' or p.told_openly -> 'keys' ? k.key)) as open_search_numbers
  from search_key k
  where k.tenant_id = c.tenant_id
    and (k.record_kind = 'case' and k.record_id = c.id or k.record_kind = 'patient' and k.record_id = c.patient_id)
) s on true;
