-- A task can be opened again while another one of the same kind is open. A transition gives none twice: its record is
-- locked when it looks for those that are open.
drop index work_task_open;
-- What is open of one record.
create index work_task_open on work_task (tenant_id, record_id) where state = 'open';
-- What one person has, or nobody yet. Not only what is open: a smaller index would be taken for the tasks of a record too.
create index work_task_account on work_task (account_id, tenant_id);
