-- The results of a person in the order of their timeline: a page of it is read from the index, however many there are.
create index result_timeline on result (patient_id, tenant_id, (coalesce(collected_on, reported_on, created_on)), id);
drop index result_patient;
alter index result_timeline rename to result_patient;
