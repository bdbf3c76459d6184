-- The record whose transition gave a task, where the task is about another record; null where it is about the same one.
alter table work_task add column caused_by uuid;
create index work_task_caused_by on work_task (caused_by, tenant_id) where caused_by is not null;
