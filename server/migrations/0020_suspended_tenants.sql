-- Why the access of a tenant is suspended, in the words that its users read after they have signed in, and by whom.
alter table tenant
  add column suspended_reason text,
  add column suspended_by uuid;
