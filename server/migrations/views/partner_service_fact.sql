-- Printed by npm run db:types from the declaration of the fact: change that, not this.
create view partner_service_fact with (security_invoker = true) as
select
  r.tenant_id,
  r.id,
  k.patient_id,
  r.case_report_id as case_record_id,
  case when r.index_id is null then 'case' when r.referral_basis in ('P1', 'P2', 'P3') then 'partner'
    when r.referral_basis = 'C1' then 'cohort' else 'cluster' end as role,
  k.condition_code,
  k.organization_id,
  k.facility_id,
  k.program_id,
  r.county_fips,
  case when k.told_within is null then r.county_fips else k.told_within ->> 'county_fips' end as within_county_fips,
  r.disease_family,
  cast(extract(year from age(coalesce(case when r.disease_family = 'hiv'
    then coalesce(case when r.index_id is null then r.first_interview_assigned_on else source.first_interview_assigned_on end, case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end)
    else case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end end, r.created_on), p.birth_date)) as integer) as age_years,
  cast(extract(year from age(coalesce(case when r.disease_family = 'hiv'
    then coalesce(case when r.index_id is null then r.first_interview_assigned_on else source.first_interview_assigned_on end, case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end)
    else case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end end, r.created_on), cast(p.told_openly ->> 'birth_date' as date))) as integer) as open_age_years,
  (array['0-0', '1-4', '5-9', '10-14', '15-19', '20-24', '25-29', '30-34', '35-39', '40-44', '45-54', '55-64', '65-74', '75-84', '85+'])[width_bucket(cast(extract(year from age(coalesce(case when r.disease_family = 'hiv'
    then coalesce(case when r.index_id is null then r.first_interview_assigned_on else source.first_interview_assigned_on end, case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end)
    else case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end end, r.created_on), p.birth_date)) as integer), array[0, 1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 55, 65, 75, 85])] as age_band,
  case when p.told_openly is null then (array['0-0', '1-4', '5-9', '10-14', '15-19', '20-24', '25-29', '30-34', '35-39', '40-44', '45-54', '55-64', '65-74', '75-84', '85+'])[width_bucket(cast(extract(year from age(coalesce(case when r.disease_family = 'hiv'
    then coalesce(case when r.index_id is null then r.first_interview_assigned_on else source.first_interview_assigned_on end, case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end)
    else case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end end, r.created_on), p.birth_date)) as integer), array[0, 1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 55, 65, 75, 85])] else (array['0-0', '1-4', '5-9', '10-14', '15-19', '20-24', '25-29', '30-34', '35-39', '40-44', '45-54', '55-64', '65-74', '75-84', '85+'])[width_bucket(cast(extract(year from age(coalesce(case when r.disease_family = 'hiv'
    then coalesce(case when r.index_id is null then r.first_interview_assigned_on else source.first_interview_assigned_on end, case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end)
    else case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end end, r.created_on), cast(p.told_openly ->> 'birth_date' as date))) as integer), array[0, 1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 55, 65, 75, 85])] end as open_age_band,
  p.sex_at_birth as sex,
  case when p.told_openly is null then p.sex_at_birth else p.told_openly ->> 'sex_at_birth' end as open_sex,
  case when (select app_gender_identity_shown()) then p.gender_identity end as gender,
  case when (select app_gender_identity_shown()) then case when p.told_openly is null then p.gender_identity else p.told_openly ->> 'gender_identity' end end as open_gender,
  p.race,
  case when p.told_openly is null then p.race else p.told_openly ->> 'race' end as open_race,
  p.ethnicity,
  case when p.told_openly is null then p.ethnicity else p.told_openly ->> 'ethnicity' end as open_ethnicity,
  k.classification,
  case when r.index_id is null then r.referral_basis else source.referral_basis end as case_basis,
  case when r.index_id is null then r.interviewer_id else source.interviewer_id end as interviewer_id,
  case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end is not null as assigned,
  case when r.index_id is null then r.interview_status else source.interview_status end as interview_status,
  case when r.index_id is null then r.reinterviewed_on else source.reinterviewed_on end is not null as reinterviewed,
  case when r.index_id is null then r.case_closed_on else source.case_closed_on end is not null as case_closed,
  case when r.disease_family = 'hiv'
    then coalesce(case when r.index_id is null then r.first_interview_assigned_on else source.first_interview_assigned_on end, case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end)
    else case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end end as assigned_on,
  case when r.index_id is null then r.interviewed_on else source.interviewed_on end as interviewed_on,
  case when r.index_id is null then r.case_closed_on else source.case_closed_on end as case_closed_on,
  r.created_on,
  case when (case when r.index_id is null then r.interviewed_on else source.interviewed_on end) >= (case when r.disease_family = 'hiv'
    then coalesce(case when r.index_id is null then r.first_interview_assigned_on else source.first_interview_assigned_on end, case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end)
    else case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end end) then (case when r.index_id is null then r.interviewed_on else source.interviewed_on end) - (case when r.disease_family = 'hiv'
    then coalesce(case when r.index_id is null then r.first_interview_assigned_on else source.first_interview_assigned_on end, case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end)
    else case when r.index_id is null then r.interview_assigned_on else source.interview_assigned_on end end) end as days_to_interview,
  case when r.index_id is null and coalesce(r.female_partners_in_period, r.male_partners_in_period, r.transgender_partners_in_period) is not null
    then coalesce(r.female_partners_in_period, 0) + coalesce(r.male_partners_in_period, 0) + coalesce(r.transgender_partners_in_period, 0) end as period_partners,
  r.referral_basis,
  r.named_how,
  r.index_id is not null and coalesce(case when r.index_id is null then r.interview_status else source.interview_status end = 'I', false) and coalesce(r.named_how in ('original', 're-interview'), false) as initiated,
  r.disposition,
  case when r.disposition in ('A', 'B', 'C', 'D', 'F', '2', '3', '4', '5', '6', '7') then 'examined'
    when r.disposition in ('E', '1') then 'known-before'
    when r.disposition in ('G', 'H', 'J', 'K', 'L', 'V', 'X', 'Z') then 'not-examined'
    when r.disposition is not null or r.closed_on is not null then 'closed' else 'open' end as exam_outcome,
  coalesce(r.source_spread = 'source', false) as is_source,
  case when r.disposition_on >= r.field_assigned_on then r.disposition_on - r.field_assigned_on end as days_to_disposition,
  app_person_number(p.id) as patient_number,
  p.county_fips as patient_county_fips,
  case when p.told_openly is null then p.county_fips else p.told_openly ->> 'county_fips' end as open_patient_county_fips,
  p.organization_ids as patient_organization_ids,
  p.facility_ids as patient_facility_ids,
  p.told_by as patient_told_by,
  p.half,
  cast(app_person_number(p.id) & 63 as integer) as person_place,
  case when r.index_id is null or source.organization_id = r.organization_id then r.organization_id end as seen_organization_id,
  case when r.index_id is null or source.facility_id = r.facility_id then r.facility_id end as seen_facility_id,
  r.patient_id as named_id,
  array_to_string(named.disease_families, ',') as named_families,
  named.organization_ids as named_organization_ids,
  named.facility_ids as named_facility_ids,
  named.restricted_at as named_restricted_ids,
  named.county_fips as named_county_fips,
  case when named.told_openly is null then named.county_fips else named.told_openly ->> 'county_fips' end as open_named_county_fips,
  named.told_by as named_told_by,
  r.case_report_id as of_case,
  p.told_openly is not null as told_openly
from partner_service r
left join case_report k on k.tenant_id = r.tenant_id and k.id = r.case_report_id
left join patient p on p.tenant_id = r.tenant_id and p.id = k.patient_id
left join patient named on named.tenant_id = r.tenant_id and named.id = r.patient_id
left join partner_service source on source.tenant_id = r.tenant_id and source.id = r.index_id
where p.id is not null and (r.patient_id is null or named.id is not null)
  and (r.index_id is null or source.id is not null);
