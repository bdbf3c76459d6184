-- The records that became part of a patient's: what was said for them, such as a refusal, holds for it as well.
create index patient_merged_into on patient (tenant_id, merged_into) where merged_into is not null;
