-- Sessions, second factors and lost access. When tables are spread over several servers, these are on the first one
-- only, and accounts and tenants on each: no key leads from here to them. Accounts and tenants are never deleted.

create table session (
  id uuid primary key,
  audience text not null check (audience in ('staff', 'patient')),
  account_id uuid not null,
  refresh_hash bytea not null,
  -- The token that was just replaced: within the grace, a replay of it gets the same successor.
  previous_hash bytea,
  rotated_at timestamptz,
  user_agent text,
  -- Network address it began from.
  address text,
  -- As it was when the session began.
  idle_minutes integer not null default 60,
  -- How the person proved who they are: EMAIL, TOTP, …
  methods text[] not null default '{}',
  -- Whether a second factor was given; of a patient, whether the date of birth was right.
  second_check boolean not null default false,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_because text
);
create index session_account on session (account_id) where revoked_at is null;

-- A request to sign in that waits for its secret. What it is answered goes by the name that was typed, whether anyone
-- has it or not: two names of one account say nothing about each other. What is sent goes by the account. A one-time
-- code is derived from the challenge's id and the server's secret, and is stored nowhere. A challenge whose code was
-- held back, because too many were sent, has no right answer. [P11, P12]
create table sign_in_challenge (
  id uuid primary key,
  audience text not null check (audience in ('staff', 'patient')),
  -- Keyed hash of the account, or of the name where nobody has it: limits are counted by it in the same way, so that
  -- both look the same.
  subject bytea not null,
  -- Keyed hash of what was typed.
  named bytea not null,
  account_id uuid,
  -- A family shares an address: the accounts that a patient's challenge can be about. The date of birth decides.
  candidates uuid[] not null default '{}',
  -- Begun without a name: the passkey that answers says whose it is.
  nameless boolean not null default false,
  -- The browser, where someone has signed in with it before. It has an allowance of its own for messages and wrong
  -- answers, so that strangers cannot use up that of the account.
  device uuid,
  method text not null check (method in ('EMAIL', 'SMS', 'TOTP', 'PASSKEY', 'BIRTH_DATE')),
  -- What was proven before: empty at the first challenge of a sign-in. One with EMAIL or SMS is answered with the
  -- code that was sent, others with any second factor of the account.
  proven text[] not null default '{}',
  sent boolean not null,
  -- Whether this name alone would have had a message sent: the time for the next one in the answer is counted by it.
  promised boolean not null default true,
  tries integer not null default 0,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  created_at timestamptz not null default now()
);
create index sign_in_challenge_subject on sign_in_challenge (subject, created_at);
create index sign_in_challenge_expires on sign_in_challenge (expires_at);
create index sign_in_challenge_named on sign_in_challenge (named, created_at);
-- Finds the last codes of an account.
create index sign_in_challenge_account on sign_in_challenge (account_id, created_at) where account_id is not null;

-- Wrong answers, by which their number is limited.
create table sign_in_failure (
  subject bytea not null,
  -- Whose wrong answer it was, so that unlocking an account removes those of its known browsers as well.
  account_id uuid,
  at timestamptz not null default now(),
  id uuid not null,
  primary key (subject, at, id)
);
create index sign_in_failure_account on sign_in_failure (account_id) where account_id is not null;

-- The secret of an authenticator app is derived from its seed and the server's secret, and is stored nowhere.
create table totp_authenticator (
  account_id uuid primary key,
  seed uuid not null,
  -- The time step of the last code that was taken: it and those before it are never taken again.
  last_step bigint not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);

create table passkey (
  id uuid primary key,
  account_id uuid not null,
  -- As WebAuthn writes it, base64url.
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  -- Whether it is kept beyond one device.
  synced boolean not null,
  name text not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index passkey_account on passkey (account_id);

create table recovery_code (
  account_id uuid not null,
  -- Keyed, so that the table alone says nothing about the codes.
  hash bytea not null,
  used_at timestamptz,
  primary key (account_id, hash)
);

-- Changes of someone's email address or telephone number that wait to be confirmed at the new and at the present one.
-- The codes are derived from the id and the server's secret, and are stored nowhere.
create table contact_change (
  id uuid primary key,
  account_id uuid not null,
  kind text not null check (kind in ('EMAIL', 'PHONE')),
  value text not null,
  -- What it replaces; null for a first telephone number.
  previous text,
  -- How the present place is asked.
  present_by text not null check (present_by in ('EMAIL', 'SMS')),
  tries integer not null default 0,
  expires_at timestamptz not null,
  completed_at timestamptz,
  created_at timestamptz not null default now()
);
create index contact_change_account on contact_change (account_id, created_at);

-- Someone who has lost every way to sign in asks to be let in again. What was typed is stored in the same way for a
-- name that nobody has; a job finds out whose it is, and deletes what is nobody's. [P12]
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
  account_id uuid,
  state text not null default 'asked' check (state in
    ('asked', 'nothing', 'open', 'approved', 'completed', 'declined', 'cancelled', 'expired')),
  created_at timestamptz not null default now(),
  -- Until when it can be decided; once approved, until when the code is good.
  expires_at timestamptz not null,
  usable_at timestamptz,
  -- Keyed, so that the table alone says nothing about the codes that end or stop it.
  complete_hash bytea unique,
  stop_hash bytea unique,
  -- Where a message about it went: every place that was known before.
  told_emails text[] not null default '{}',
  told_phone text,
  ended_at timestamptz,
  ended_by uuid,
  note text,
  -- For which tenant a recovery was declined: the note that was written with it is for nobody else to read.
  ended_in uuid,
  check ((account_id is null) = (state in ('asked', 'nothing')))
);
create index account_recovery_created on account_recovery (created_at);
create index account_recovery_account on account_recovery (account_id, created_at);
create unique index account_recovery_open on account_recovery (account_id) where state in ('open', 'approved');

-- Who has found out who is asking, how, and for which organization they acted.
create table recovery_approval (
  tenant_id uuid not null,
  recovery_id uuid not null references account_recovery on delete cascade,
  account_id uuid not null,
  org_type text not null check (org_type in ('T', 'O', 'F')),
  org_id uuid not null,
  verified_by text not null check (verified_by in ('call', 'person', 'colleague', 'other')),
  verification text not null,
  at timestamptz not null default now(),
  primary key (tenant_id, recovery_id, account_id)
);
create index recovery_approval_recovery on recovery_approval (recovery_id);
