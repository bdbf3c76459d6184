-- Printed by npm run db:types from the declaration of the fact: change that, not this.
create view care_year_fact with (security_invoker = true) as
select
  c.tenant_id,
  cast(md5(c.id::text || y.year) as uuid) as id,
  c.patient_id,
  case when p.deceased_on is null then not coalesce(p.deceased, false) else p.deceased_on > make_date(y.year, 12, 31) end as living,
  make_date(y.year, 12, 31) as year_ends_on,
  c.organization_id,
  c.facility_id,
  c.program_id,
  c.task_id,
  c.county_fips,
  c.disease_family,
  cast(extract(year from age(make_date(y.year, 12, 31), p.birth_date)) as integer) as age_years,
  cast(extract(year from age(make_date(y.year, 12, 31), cast(p.told_openly ->> 'birth_date' as date))) as integer) as open_age_years,
  (array['0-0', '1-4', '5-9', '10-14', '15-19', '20-24', '25-29', '30-34', '35-39', '40-44', '45-54', '55-64', '65-74', '75-84', '85+'])[width_bucket(cast(extract(year from age(make_date(y.year, 12, 31), p.birth_date)) as integer), array[0, 1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 55, 65, 75, 85])] as age_band,
  case when p.told_openly is null then (array['0-0', '1-4', '5-9', '10-14', '15-19', '20-24', '25-29', '30-34', '35-39', '40-44', '45-54', '55-64', '65-74', '75-84', '85+'])[width_bucket(cast(extract(year from age(make_date(y.year, 12, 31), p.birth_date)) as integer), array[0, 1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 55, 65, 75, 85])] else (array['0-0', '1-4', '5-9', '10-14', '15-19', '20-24', '25-29', '30-34', '35-39', '40-44', '45-54', '55-64', '65-74', '75-84', '85+'])[width_bucket(cast(extract(year from age(make_date(y.year, 12, 31), cast(p.told_openly ->> 'birth_date' as date))) as integer), array[0, 1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 55, 65, 75, 85])] end as open_age_band,
  p.sex_at_birth as sex,
  case when p.told_openly is null then p.sex_at_birth else p.told_openly ->> 'sex_at_birth' end as open_sex,
  case when (select app_gender_identity_shown()) then p.gender_identity end as gender,
  case when (select app_gender_identity_shown()) then case when p.told_openly is null then p.gender_identity else p.told_openly ->> 'gender_identity' end end as open_gender,
  p.race,
  case when p.told_openly is null then p.race else p.told_openly ->> 'race' end as open_race,
  p.ethnicity,
  case when p.told_openly is null then p.ethnicity else p.told_openly ->> 'ethnicity' end as open_ethnicity,
  app_person_number(p.id) as patient_number,
  p.county_fips as patient_county_fips,
  case when p.told_openly is null then p.county_fips else p.told_openly ->> 'county_fips' end as open_patient_county_fips,
  p.organization_ids as patient_organization_ids,
  p.facility_ids as patient_facility_ids,
  p.told_by as patient_told_by,
  p.half,
  cast(app_person_number(p.id) & 63 as integer) as person_place,
  c.id as case_report_id,
  p.told_openly is not null as told_openly
from case_report c
join patient p on p.tenant_id = c.tenant_id and p.id = c.patient_id
cross join generate_series(1982, cast(extract(year from current_date) as integer) + 3) as y (year)
where c.disease_family = 'hiv' and c.classification = 'confirmed'
  and y.year > extract(year from coalesce(c.collected_on, c.reported_on, c.received_on, c.created_on));
