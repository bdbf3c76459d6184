-- The first and the last day of birth that a stated age allows, where no birth date is known: it tells people apart.
alter table patient add column born_from date, add column born_to date;
