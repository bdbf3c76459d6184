-- How long sessions of a tenant's people last. Of somebody who belongs to several tenants the shortest counts. [P13]
alter table tenant
  add column session_idle_minutes integer not null default 60 check (session_idle_minutes between 10 and 60),
  add column session_hours integer not null default 24 check (session_hours between 1 and 24);

alter table session
  -- As it was when the session began.
  add column idle_minutes integer not null default 60,
  -- By what was proven who it is: EMAIL, TOTP, …
  add column methods text[] not null default '{}',
  -- Network address it began from.
  add column address text;
