-- How long things are kept is decided by whom they belong to. Null: for ever. The reasons are beside the settings.
alter table tenant add column raw_message_months integer default 24 check (raw_message_months between 3 and 1200);
-- Months of the audit log that stay in the database and on its screen; older ones may be moved to archive files.
alter table tenant add column audit_months integer default 72 check (audit_months between 12 and 1200);
alter table import_message add column raw_deleted_at timestamptz;
-- Since when no message of the import has a text that the rule would delete later.
alter table import add column raw_deleted_at timestamptz;
create index import_raw_kept on import (tenant_id, created_at) where raw_deleted_at is null;
