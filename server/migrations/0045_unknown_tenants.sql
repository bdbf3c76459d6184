-- A tenant that PostgreSQL's statistics do not know yet seems to have no rows. Every index that begins with tenant_id
-- then looks equally good, the smallest one is taken, and each look-up (those of foreign keys too) reads the whole
-- tenant: its first import got slower with every message. So an index of few different values is partial, which such a
-- look-up cannot use, and one by a record's id begins with that id.

drop index result_facility;
create index result_facility on result (tenant_id, facility_id, county_fips) where facility_id is not null;
drop index case_report_facility;
create index case_report_facility on case_report (tenant_id, facility_id, county_fips) where facility_id is not null;
drop index result_collected_on;
create index result_collected_on on result (tenant_id, collected_on) where collected_on is not null;
drop index case_report_created;
create index case_report_created on case_report (tenant_id, created_on) where created_on is not null;

drop index patient_identifier_patient;
create index patient_identifier_patient on patient_identifier (patient_id, tenant_id);
drop index patient_block_patient;
create index patient_block_patient on patient_block (patient_id, tenant_id);
drop index search_key_record;
create index search_key_record on search_key (record_id, record_kind, tenant_id);
drop index specimen_patient;
create index specimen_patient on specimen (patient_id, tenant_id);
drop index result_patient;
create index result_patient on result (patient_id, tenant_id);
drop index result_specimen;
create index result_specimen on result (specimen_id, tenant_id);
drop index case_report_patient;
create index case_report_patient on case_report (patient_id, tenant_id, condition_code);
drop index case_result_result;
create index case_result_result on case_result (result_id, tenant_id);
drop index case_event_case;
create index case_event_case on case_event (case_report_id, tenant_id, at);

-- Nothing asks by it: people are found by their search keys.
drop index patient_name_birth;
