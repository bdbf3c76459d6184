-- Printed by npm run db:types from the declaration of the fact: change that, not this.
create view work_task_fact with (security_invoker = true) as
select
  t.tenant_id,
  t.id,
  k.patient_id,
  t.record_id as case_record_id,
  t.work,
  t.state,
  t.state <> 'withdrawn' as counts,
  t.priority,
  t.queue,
  t.made_on as created_on,
  t.due_on,
  t.organization_id,
  t.facility_id,
  k.program_id,
  k.task_id,
  t.county_fips,
  case when k.told_within is null then t.county_fips else k.told_within ->> 'county_fips' end as within_county_fips,
  t.disease_family,
  app_person_number(p.id) as patient_number,
  p.county_fips as patient_county_fips,
  case when p.told_openly is null then p.county_fips else p.told_openly ->> 'county_fips' end as open_patient_county_fips,
  p.organization_ids as patient_organization_ids,
  p.facility_ids as patient_facility_ids,
  p.told_by as patient_told_by,
  p.half,
  cast(app_person_number(p.id) & 63 as integer) as person_place
from work_task t
left join case_report k on k.tenant_id = t.tenant_id and k.id = t.record_id
left join patient p on p.tenant_id = t.tenant_id and p.id = k.patient_id
where p.id is not null;
