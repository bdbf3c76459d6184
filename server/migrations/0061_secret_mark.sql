-- Which secret signs for this database, so that two servers with different ones are found out at the start. A code by
-- HMAC with the secret as its key: it tells one secret from another and nothing else.
create table secret_mark (
  one boolean primary key default true check (one),
  mark bytea not null,
  since timestamptz not null default now()
);
alter table secret_mark enable row level security;
alter table secret_mark force row level security;
create policy secret_mark_system on secret_mark using ((select app_scope()) = 'system');
create policy secret_mark_not_patients on secret_mark as restrictive
  using (coalesce((select app_scope()), '') <> 'patient');
