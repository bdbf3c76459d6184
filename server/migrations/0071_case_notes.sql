-- The notes of a case are a column of its list: what was noted beside its results, and what line lists noted of it. The
-- view restates case_fact of 0057 with them; nothing else of it changes.

-- By which a case finds its notes without a look at everything else that has happened to it.
create index case_event_note on case_event (case_report_id, tenant_id) where kind = 'note';

-- What its senders have noted of a case, and whose it is: that of a result belongs to those who see the result, that of a
-- line list to those who see the case. None of a result that has come to be of another family. [P18]
create function app_case_notes(tenant uuid, report uuid, family text, organization uuid, facility uuid, county text)
  returns table (note text, noted_at timestamptz, id uuid, organization_id uuid, facility_id uuid, county_fips text)
  language sql stable parallel safe as $$
  select r.notes, coalesce(r.reported_at, r.resulted_at, r.collected_at), r.id, r.organization_id, r.facility_id, r.county_fips
  from case_result l join result r on r.tenant_id = l.tenant_id and r.id = l.result_id
  where l.tenant_id = tenant and l.case_report_id = report and r.superseded_by is null and r.notes is not null
    and coalesce(r.disease_family, family) = family
  union all
  select e.detail ->> 'text', e.at, e.id, organization, facility, county
  from case_event e
  where e.tenant_id = tenant and e.case_report_id = report and e.kind = 'note' and e.detail ->> 'source' = 'csv'
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
    then coalesce(app_fold(n.county_notes), '') end collate "C" as county_notes_key
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
