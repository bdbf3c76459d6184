-- Tasks about a person without a case.
alter table work_task
  -- Null: about the person alone.
  alter column record_id drop not null,
  -- Also of a task of a case.
  add column patient_id uuid,
  -- Who sees a task without a case: as the person, whose county is in county_fips then.
  add column disease_families text[],
  add column organization_ids uuid[],
  add column facility_ids uuid[],
  add column restricted_at uuid[],
  add column open_county_fips text;
-- The record_id says it.
alter table work_task drop column record_kind;
alter table work_task add foreign key (tenant_id, patient_id) references patient;

alter table work_task_history
  add column patient_id uuid,
  add column disease_families text[],
  add column organization_ids uuid[],
  add column facility_ids uuid[],
  add column restricted_at uuid[],
  add column open_county_fips text;

update work_task t set patient_id = c.patient_id
from case_report c where c.tenant_id = t.tenant_id and c.id = t.record_id;
update work_task_history h set patient_id = t.patient_id
from work_task t where t.tenant_id = h.tenant_id and t.id = h.record_id;

create index work_task_patient on work_task (patient_id, tenant_id);
create index work_task_history_patient on work_task_history (patient_id, tenant_id);
