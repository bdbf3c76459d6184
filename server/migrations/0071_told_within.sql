-- What is known of a case without the reports of other places: an organization or facility that shares a case with others is
-- shown nothing else, and neither its version nor its time moves when another place adds to it. The columns of `case_report`
-- by name; null: everything on the row (imports/shared-cases.ts). [P1, P23]
alter table case_report add column told_within jsonb;
-- The county was taken from the person's record, where somebody else has told it: organizations and facilities are not
-- shown it.
alter table result add column county_borrowed boolean not null default false;

-- The same after a change that everybody who shares the case is shown.
create function app_within_next(told_within jsonb) returns jsonb language sql stable parallel safe
  return told_within || jsonb_build_object('version', cast(told_within ->> 'version' as integer) + 1, 'updated_at', now());

-- A case as the reader is shown one.
create function app_case_shown(report case_report) returns case_report language sql stable parallel safe
  return case when (report).told_within is null or coalesce(current_setting('app.org_type', true), '') not in ('O', 'F')
    then report else jsonb_populate_record(report, (report).told_within) end;

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
  case when p.told_openly is null then p.county_fips else p.told_openly ->> 'county_fips' end as open_patient_county_fips,
  r.county_borrowed
from result r
join patient p on p.tenant_id = r.tenant_id and p.id = r.patient_id
where r.superseded_by is null;

-- What another place's list notes of a case is for those who see the whole tenant.
create or replace function app_case_notes(tenant uuid, report uuid, family text, organization uuid, facility uuid, county text)
  returns table (note text, noted_at timestamptz, id uuid, organization_id uuid, facility_id uuid, county_fips text)
  language sql stable parallel safe as $$
  select r.notes, coalesce(r.reported_at, r.resulted_at, r.collected_at), r.id, r.organization_id, r.facility_id, r.county_fips
  from case_result l join result r on r.tenant_id = l.tenant_id and r.id = l.result_id
  where l.tenant_id = tenant and l.case_report_id = report and r.superseded_by is null and r.notes is not null
    and coalesce(r.disease_family, family) = family
  union all
  select e.detail ->> 'text', e.at, e.id,
    case when e.detail -> 'toldBy' is null or e.detail -> 'toldBy' ? organization::text then organization end,
    case when e.detail -> 'toldBy' is null or e.detail -> 'toldBy' ? facility::text then facility end, county
  from case_event e
  where e.tenant_id = tenant and e.case_report_id = report and e.kind = 'note' and e.detail ->> 'source' = 'csv'
    and (e.detail -> 'toldBy' is null or app_told(array(
      select cast(told.id as uuid) from jsonb_array_elements_text(e.detail -> 'toldBy') as told (id))))
$$;

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
  case when p.told_openly is null then p.county_fips else p.told_openly ->> 'county_fips' end as open_patient_county_fips,
  -- Beside all notes, where they differ, those of the organization, the facility and the county of the case itself; empty
  -- where none of the notes are.
  app_fold(n.notes) collate "C" as notes_key,
  case when n.organization_notes is distinct from n.notes
    then coalesce(app_fold(n.organization_notes), '') end collate "C" as organization_notes_key,
  case when n.facility_notes is distinct from n.notes
    then coalesce(app_fold(n.facility_notes), '') end collate "C" as facility_notes_key,
  case when n.county_notes is distinct from n.notes
    then coalesce(app_fold(n.county_notes), '') end collate "C" as county_notes_key,
  c.told_within is not null as told_within,
  cast(c.told_within ->> 'onset_on' as date) as within_onset_on,
  cast(c.told_within ->> 'collected_on' as date) as within_collected_on,
  cast(c.told_within ->> 'reported_on' as date) as within_reported_on,
  cast(c.told_within ->> 'updated_at' as timestamptz) as within_updated_at,
  app_fold(c.told_within ->> 'external_id') collate "C" as within_external_id_key,
  case when c.told_within is null then c.visit_type else c.told_within ->> 'visit_type' end as within_visit_type,
  case when c.told_within is null then c.county_fips else c.told_within ->> 'county_fips' end as within_county_fips,
  case when c.told_within is null then c.outcome else c.told_within ->> 'outcome' end as within_outcome,
  case when c.told_within is null then c.pregnant else c.told_within ->> 'pregnant' end as within_pregnant,
  case when c.told_within is null then c.jurisdiction_id else cast(c.told_within ->> 'jurisdiction_id' as uuid) end
    as within_jurisdiction_id
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
) s on true
left join lateral (
  select string_agg(note, e'\n' order by noted_at desc nulls last, id) as notes,
    string_agg(note, e'\n' order by noted_at desc nulls last, id)
      filter (where organization_id = c.organization_id) as organization_notes,
    string_agg(note, e'\n' order by noted_at desc nulls last, id) filter (where facility_id = c.facility_id) as facility_notes,
    string_agg(note, e'\n' order by noted_at desc nulls last, id) filter (where county_fips = c.county_fips) as county_notes
  from app_case_notes(c.tenant_id, c.id, c.disease_family, c.organization_id, c.facility_id, c.county_fips)
) n on true;
