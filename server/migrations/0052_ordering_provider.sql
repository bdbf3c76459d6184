-- Who ordered a test (OBR-16, ORC-12) and how to reach them, and what was noted beside it (NTE): they stood in the raw
-- message alone.
alter table result
  add column provider_name text,
  add column provider_npi text,
  -- With country code where that is certain, otherwise as sent.
  add column provider_phone text,
  -- Of the message, the order and the observation, in this order, a line each.
  add column notes text;

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
  app_fold(r.provider_name) collate "C" as provider_name_key, r.provider_npi, app_fold(r.notes) collate "C" as notes_key
from result r
join patient p on p.tenant_id = r.tenant_id and p.id = r.patient_id
where r.superseded_by is null;
