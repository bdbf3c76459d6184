-- Whether people need a second factor to act for an organisation of the tenant. [P21]
alter table tenant add column second_factor_required boolean not null default false;

alter table account
  -- Since when somebody has a second factor (authenticator app or passkey); null for those who have none.
  add column second_factor_at timestamptz,
  -- Until when no code is right any more, after too many wrong ones.
  add column locked_until timestamptz;

-- Whether a second factor was given; of a patient, whether the date of birth was right.
alter table session add column second_check boolean not null default false;

-- What was proven before: empty at the first challenge of a sign-in. What is challenged with EMAIL or SMS is answered
-- with the code sent, else with any second factor that the account has.
alter table sign_in_challenge
  add column proven text[] not null default '{}',
  -- Begun without a name: the passkey that answers says whose it is.
  add column nameless boolean not null default false;

-- A foreign key is looked up for those alone who have an account, which takes time that tells. [P12] Accounts are
-- disabled and never deleted.
alter table sign_in_challenge drop constraint sign_in_challenge_account_id_fkey;

-- The secret of an authenticator app is derived from its seed and the server's secret, and stands nowhere.
create table totp_authenticator (
  account_id uuid primary key references account,
  seed uuid not null,
  -- The time step of the last code that was taken: it and those before it are never taken again.
  last_step bigint not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create table passkey (
  id uuid primary key,
  account_id uuid not null references account,
  -- As WebAuthn writes it, base64url.
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  -- Whether it is kept beyond one device.
  synced boolean not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_account on passkey (account_id);
create table recovery_code (
  account_id uuid not null references account,
  -- Keyed, so that the table alone tells nothing of the codes.
  hash bytea not null,
  used_at timestamptz,
  primary key (account_id, hash)
);
do $$
declare t text;
begin
  foreach t in array array['totp_authenticator', 'passkey', 'recovery_code'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy %I on %I using ((select app_scope()) = ''identity'')', t || '_identity', t);
  end loop;
end $$;
