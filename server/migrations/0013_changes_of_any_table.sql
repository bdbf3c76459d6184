-- The outbox says in which table records have changed. Which tables there are follows from the facts that read them.
alter table outbox drop constraint outbox_kind_check;
update outbox set kind = 'case_report' where kind = 'case';
