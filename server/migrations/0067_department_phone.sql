-- The telephone number of the department as people read it, below its name in messages; empty without one.
alter table tenant add column phone text not null default '';
alter table tenant add check (length(phone) <= 40);
