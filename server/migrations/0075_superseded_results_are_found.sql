-- The results that one result has replaced are found by that result. Without this index the record of a case read all
-- results of its tenant.
create index result_superseded_by on result (tenant_id, superseded_by) where superseded_by is not null;
