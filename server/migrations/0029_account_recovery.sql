-- Somebody who has lost every way to sign in asks to be let in again. What was typed is stored in the same way for a name
-- that nobody has; a job finds out whose it is, and forgets what is of nobody. [P12]
create table account_recovery (
  id uuid primary key,
  name text not null,
  email text not null,
  reason text not null,
  language_code text not null,
  -- The network it came from, by which requests are limited, and, for the log, the address and the request.
  network text not null,
  address text,
  request_id text,
  account_id uuid references account,
  state text not null default 'asked' check (state in
    ('asked', 'nothing', 'open', 'approved', 'completed', 'declined', 'cancelled', 'expired')),
  created_at timestamptz not null default now(),
  -- Until when it can be decided; once approved, until when the code is good.
  expires_at timestamptz not null,
  usable_at timestamptz,
  -- Keyed, so that the table alone tells nothing of the codes that end or stop it.
  complete_hash bytea unique,
  stop_hash bytea unique,
  -- Where it was told to: every place known before.
  told_emails text[] not null default '{}',
  told_phone text,
  ended_at timestamptz,
  ended_by uuid,
  note text,
  check ((account_id is null) = (state in ('asked', 'nothing')))
);
create index account_recovery_created on account_recovery (created_at);
create index account_recovery_account on account_recovery (account_id, created_at);
create unique index account_recovery_open on account_recovery (account_id) where state in ('open', 'approved');

-- Who found out who is asking, how, and what they acted for.
create table recovery_approval (
  tenant_id uuid not null references tenant,
  recovery_id uuid not null references account_recovery on delete cascade,
  account_id uuid not null references account,
  org_type text not null check (org_type in ('T', 'O', 'F')),
  org_id uuid not null,
  verified_by text not null check (verified_by in ('call', 'person', 'colleague', 'other')),
  verification text not null,
  at timestamptz not null default now(),
  primary key (tenant_id, recovery_id, account_id)
);
create index recovery_approval_recovery on recovery_approval (recovery_id);

do $$
declare t text;
begin
  foreach t in array array['account_recovery', 'recovery_approval'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy %1$s_identity on %1$I using ((select app_scope()) = ''identity'')', t);
    execute format('create policy %1$s_not_patients on %1$I as restrictive
      using (coalesce((select app_scope()), '''') <> ''patient'')', t);
  end loop;
end $$;
