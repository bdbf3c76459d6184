-- Which run of the job makes the file: one that was taken for dead and goes on writes nothing into the next one's.
alter table exported_file add column run uuid not null default '00000000-0000-0000-0000-000000000000';
alter table exported_piece add column run uuid not null default '00000000-0000-0000-0000-000000000000';
alter table exported_piece drop constraint exported_piece_pkey;
alter table exported_piece add primary key (tenant_id, file_id, run, number);
