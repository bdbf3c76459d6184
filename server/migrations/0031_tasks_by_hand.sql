-- A task can be opened again while another one of the same kind is open. A transition gives none twice: its record is
-- locked when it looks for those that are open.
drop index work_task_open;
-- What is open of one person, or of nobody yet.
create index work_task_open on work_task (tenant_id, account_id, due_on) where state = 'open';
