-- Tasks that people give and that repeat, and those of rules.
alter table work_task
  -- Given by a person, or because another one is done: by no transition.
  alter column transition drop not null,
  alter column flow_version drop not null,
  alter column made_version drop not null,
  add column title text,
  add column note text,
  -- When it is done there is a next one, so many days later, until a day.
  add column repeat_days integer,
  add column repeat_until date,
  -- The one that it repeats.
  add column repeats uuid,
  -- The rule that gives it at once, whatever the state of its record.
  add column rule text;
alter table work_task add constraint work_task_repeat_days_check check (repeat_days between 1 and 366);
-- A task that is done twice has one next.
create unique index work_task_repeats on work_task (tenant_id, repeats) where repeats is not null;
-- Once for each record.
create unique index work_task_rule on work_task (tenant_id, record_id, rule) where rule is not null;
