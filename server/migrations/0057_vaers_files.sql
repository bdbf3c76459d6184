-- Reports from files of VAERS: the number that they have there, and all cells as they were received.
alter table incident add column vaers_id text;
alter table incident add column as_received jsonb;
create index incident_vaers on incident (tenant_id, vaers_id) where vaers_id is not null;
