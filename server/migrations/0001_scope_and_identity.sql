-- The settings of a transaction, read once per query. withScope sets all of them with SET LOCAL; outside it
-- they are absent or the empty string, and then no tenant row is visible.

create function app_scope() returns text language sql stable parallel safe
  return nullif(current_setting('app.scope', true), '');

create function app_tenant() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.tenant_id', true), '')::uuid;

create function app_account() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.account_id', true), '')::uuid;

-- The chosen organisation's id when it is of this type, else null.
create function app_org(org_type text) returns uuid language sql stable parallel safe
  return case when current_setting('app.org_type', true) = org_type
    then nullif(current_setting('app.org_id', true), '')::uuid end;

-- Whether the reader sees every organisation and facility of the tenant: the service itself, and T and A.
create function app_whole_tenant() returns boolean language sql stable parallel safe
  return coalesce(current_setting('app.scope', true) = 'service', false)
    or (coalesce(current_setting('app.scope', true) = 'org', false)
        and coalesce(current_setting('app.org_type', true) in ('T', 'A'), false));

-- Restricted disease families that the reader may not see; empty for the service.
create function app_hidden_families() returns text[] language sql stable parallel safe
  return string_to_array(coalesce(current_setting('app.hidden_families', true), ''), ',');

-- Whether nothing within the tenant is hidden from the reader, so that a child row needs no look at its parent.
create function app_unrestricted() returns boolean language sql stable parallel safe
  return app_whole_tenant() and coalesce(current_setting('app.hidden_families', true), '') = '';

-- Organisations of the platform -------------------------------------------------------------------------

create table tenant (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  experience text not null default 'PUBLIC_HEALTH',
  state_fips text,
  time_zone text not null default 'America/New_York',
  default_language text not null default 'en',
  tenant_languages text[] not null default '{en}',
  external_languages text[] not null default '{en}',
  tenant_features text[] not null default '{}',
  beta_features text[] not null default '{}',
  small_cell_threshold integer not null default 11 check (small_cell_threshold >= 0),
  -- Families restricted beyond those that the reference data restricts.
  restricted_families text[] not null default '{}',
  gender_identity_kept boolean not null default true,
  suspended_at timestamptz,
  created_at timestamptz not null default now()
);
alter table tenant enable row level security;
alter table tenant force row level security;
create policy tenant_visible on tenant
  using ((select app_scope()) in ('identity', 'system') or id = (select app_tenant()));

create table organization (
  tenant_id uuid not null references tenant,
  id uuid not null,
  name text not null,
  experience text not null default 'PUBLIC_HEALTH',
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
alter table organization enable row level security;
alter table organization force row level security;
create policy organization_visible on organization
  using (tenant_id = (select app_tenant()) or (select app_scope()) = 'identity');

create table facility (
  tenant_id uuid not null references tenant,
  id uuid not null,
  organization_id uuid,
  name text not null,
  -- The name as senders' spellings are compared: lower case, accents folded, punctuation gone.
  match_name text not null,
  facility_type text not null default 'clinic',
  clia text,
  npi text,
  street text,
  city text,
  state_fips text,
  postal_code text,
  county_fips text,
  phone text,
  -- False for one that the importer made from a report and nobody has confirmed.
  registered boolean not null default true,
  experience text not null default 'HEALTH_CARE',
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, organization_id) references organization
);
create index facility_clia on facility (tenant_id, clia) where clia is not null;
create index facility_match_name on facility (tenant_id, match_name);
alter table facility enable row level security;
alter table facility force row level security;
create policy facility_visible on facility
  using (tenant_id = (select app_tenant()) or (select app_scope()) = 'identity');

-- Jurisdictions are shared: tenants report to them. They hold no record of a person.
create table jurisdiction (
  id uuid primary key,
  name text not null,
  parent_id uuid references jurisdiction,
  managed_by_tenant_id uuid not null references tenant,
  experience text not null default 'PUBLIC_HEALTH',
  created_at timestamptz not null default now()
);
create table jurisdiction_county (
  jurisdiction_id uuid not null references jurisdiction,
  county_fips text not null check (county_fips ~ '^[0-9]{5}$'),
  primary key (jurisdiction_id, county_fips)
);

-- Which tenants report to a jurisdiction: it sees residents of its counties in those tenants alone.
create table tenant_reporting (
  tenant_id uuid not null references tenant,
  jurisdiction_id uuid not null references jurisdiction,
  primary key (tenant_id, jurisdiction_id)
);
alter table tenant_reporting enable row level security;
alter table tenant_reporting force row level security;
create policy tenant_reporting_visible on tenant_reporting
  using ((select app_scope()) in ('identity', 'system') or tenant_id = (select app_tenant()));

-- Counties whose residents a jurisdiction reader sees in the tenant of this transaction; null for other readers.
create function app_counties() returns text[] language sql stable parallel safe
  return (select array_agg(c.county_fips) from jurisdiction_county c
          where c.jurisdiction_id = app_org('PHJ')
            and exists (select from tenant_reporting r
                        where r.tenant_id = app_tenant() and r.jurisdiction_id = c.jurisdiction_id));

-- People who sign in ------------------------------------------------------------------------------------

-- One account may belong to organisations of several tenants, so it is owned by none. It is seen by sign-in
-- (scope identity) and, by name, within a tenant it is a member of.
create table account (
  id uuid primary key,
  cognito_account_id text unique,
  -- Compared without regard to case, so it is kept in lower case.
  username text not null unique check (username = lower(username)),
  last_name text not null,
  first_name text not null,
  middle_name text,
  phone text,
  email text not null,
  language_code text not null default 'en',
  time_zone text not null default 'America/New_York',
  -- A patient's account names the record it may see.
  patient_tenant_id uuid,
  patient_id uuid,
  disabled_at timestamptz,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now()
);

create index account_email on account (lower(email));
create index account_phone on account (phone) where phone is not null;
create index account_patient on account (patient_id) where patient_id is not null;

create table membership (
  tenant_id uuid not null references tenant,
  id uuid not null,
  account_id uuid not null references account,
  org_type text not null check (org_type in ('T', 'O', 'F', 'PHJ')),
  org_id uuid not null,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, account_id, org_type, org_id)
);
create index membership_account on membership (account_id);
alter table membership enable row level security;
alter table membership force row level security;
create policy membership_visible on membership
  using ((select app_scope()) = 'identity' or tenant_id = (select app_tenant()));

alter table account enable row level security;
alter table account force row level security;
create policy account_visible on account
  using ((select app_scope()) = 'identity'
    or exists (select from membership m
               where m.tenant_id = (select app_tenant()) and m.account_id = account.id));

create table role (
  tenant_id uuid not null references tenant,
  id uuid not null,
  code text not null,
  label text not null,
  label_i18n jsonb not null default '{}',
  primary key (tenant_id, id),
  unique (tenant_id, code)
);
create table role_parent (
  tenant_id uuid not null,
  role_id uuid not null,
  parent_id uuid not null,
  primary key (tenant_id, role_id, parent_id),
  foreign key (tenant_id, role_id) references role on delete cascade,
  foreign key (tenant_id, parent_id) references role on delete cascade
);
-- obj is the kind of permission subject a grant is for; for O and F it holds on the organisation or facility
-- that the member belongs to.
create table role_grant (
  tenant_id uuid not null,
  role_id uuid not null,
  obj text not null check (obj in ('A', 'T', 'O', 'F', 'PHJ')),
  act text not null check (act ~ '^[a-z-]+/[a-z-]+$'),
  eft text not null check (eft in ('allow', 'deny')),
  primary key (tenant_id, role_id, obj, act, eft),
  foreign key (tenant_id, role_id) references role on delete cascade
);
create table membership_role (
  tenant_id uuid not null,
  membership_id uuid not null,
  role_id uuid not null,
  primary key (tenant_id, membership_id, role_id),
  foreign key (tenant_id, membership_id) references membership on delete cascade,
  foreign key (tenant_id, role_id) references role
);
-- Raised with every change of roles, grants or memberships of a tenant; compiled policies are kept by it.
create table policy_version (
  tenant_id uuid primary key references tenant,
  version bigint not null default 1
);
do $$
declare t text;
begin
  foreach t in array array['role', 'role_parent', 'role_grant', 'membership_role', 'policy_version'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy %I on %I using ((select app_scope()) = ''identity'' or tenant_id = (select app_tenant()))',
      t || '_visible', t);
  end loop;
end $$;

-- A request to sign in, waiting for its secret. subject is a keyed hash of the account, or of the name that was
-- given when nobody has it: limits are counted by it in the same way, so that both look the same. A one-time code is
-- derived from the challenge's id and the server's secret and stands nowhere. A challenge whose code was held back,
-- because too many were sent, is never answered rightly.
create table sign_in_challenge (
  id uuid primary key,
  audience text not null check (audience in ('staff', 'patient')),
  subject bytea not null,
  account_id uuid references account,
  method text not null check (method in ('EMAIL', 'SMS', 'TOTP', 'PASSKEY')),
  sent boolean not null,
  tries integer not null default 0,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  created_at timestamptz not null default now()
);
create index sign_in_challenge_subject on sign_in_challenge (subject, created_at);
create index sign_in_challenge_expires on sign_in_challenge (expires_at);
create table sign_in_failure (
  subject bytea not null,
  at timestamptz not null default now(),
  id uuid not null,
  primary key (subject, at, id)
);
create table session (
  id uuid primary key,
  audience text not null check (audience in ('staff', 'patient')),
  account_id uuid not null references account,
  refresh_hash bytea not null,
  -- The token just replaced: within the grace a replay of it gets the same successor.
  previous_hash bytea,
  rotated_at timestamptz,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_because text,
  user_agent text
);
create index session_account on session (account_id) where revoked_at is null;
do $$
declare t text;
begin
  foreach t in array array['sign_in_challenge', 'sign_in_failure', 'session'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy %I on %I using ((select app_scope()) = ''identity'')', t || '_identity', t);
  end loop;
end $$;

-- Who did what, with whose record. Written in the transaction that reads or changes; never changed afterwards.
create table audit_event (
  tenant_id uuid not null,
  id uuid not null,
  at timestamptz not null default now(),
  account_id uuid,
  org_type text,
  org_id uuid,
  action text not null,
  record_kind text,
  record_ids uuid[] not null default '{}',
  detail jsonb not null default '{}',
  request_id text,
  address text,
  primary key (tenant_id, id)
);
create index audit_event_at on audit_event (tenant_id, at);
alter table audit_event enable row level security;
alter table audit_event force row level security;
create policy audit_event_visible on audit_event for select using (tenant_id = (select app_tenant()));
create policy audit_event_written on audit_event for insert
  with check (tenant_id = (select app_tenant()) or (select app_scope()) = 'identity');
revoke update, delete, truncate on audit_event from caseway_app;

-- Changes that the analytics replicas follow. Ordered by transaction: a reader takes what lies below the oldest
-- running transaction, so that nothing committed late is skipped.
create table outbox (
  tenant_id uuid not null,
  id uuid not null,
  xid xid8 not null default pg_current_xact_id(),
  kind text not null check (kind in ('result', 'case', 'patient')),
  record_ids uuid[] not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index outbox_xid on outbox (tenant_id, xid);
alter table outbox enable row level security;
alter table outbox force row level security;
create policy outbox_visible on outbox using (tenant_id = (select app_tenant()));
