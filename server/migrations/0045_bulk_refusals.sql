-- The field that is in the way of a change of many, so that the reason can name it.
alter table bulk_refusal add column field text;
