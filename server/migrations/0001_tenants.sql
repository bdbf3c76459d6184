-- Tenants with their settings and words, and what belongs to the whole installation.

-- A text as grids compare and sort it: lower case, accents folded, typographic apostrophes plain, by code point.
-- platform/grid/fold.ts does the same to the question; a test compares both for every letter. Columns and indexes
-- store what it returns, so it belongs to the tables: a migration that changes it makes these again.
create or replace function app_fold(value text) returns text language sql immutable parallel safe
  return case when octet_length(value) = char_length(value) then lower(value collate "C")
    else translate(
      replace(replace(replace(replace(replace(replace(replace(replace(
        lower(regexp_replace(normalize(value, nfd), '[\u0300-\u036f]', '', 'g') collate "C"),
        'ß', 'ss'), 'ẞ', 'ss'), 'Æ', 'ae'), 'æ', 'ae'), 'Œ', 'oe'), 'œ', 'oe'), 'Þ', 'th'), 'þ', 'th'),
      'ĐđÐðŁłØøĦħŦŧŊŋƏıΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ‘’ʼʻ',
      'ddddlloohhttnnəiαβγδεζηθικλμνξοπρστυφχψωσабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ''''''''')
    end collate "C";

create table tenant (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  -- A tenant for training and tests. Only there are messages taken that their senders mark for training or debugging,
  -- and only from the senders named.
  not_for_production boolean not null default false,
  test_senders text[] not null default '{}',
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
  -- How long sessions of its people last. For someone who belongs to several tenants the shortest counts. [P13]
  session_idle_minutes integer not null default 60 check (session_idle_minutes between 10 and 60),
  session_hours integer not null default 24 check (session_hours between 1 and 24),
  -- Whether people need a second factor to act for an organization of the tenant. [P21]
  second_factor_required boolean not null default false,
  -- How long a hidden record stays open that someone opens in an emergency.
  break_glass_minutes integer not null default 60 check (break_glass_minutes between 5 and 480),
  -- Raised with every change, so that nobody overwrites what they have not seen.
  settings_version integer not null default 1,
  -- Steps of the first-run guide that someone has confirmed as they are.
  guide_checked text[] not null default '{}',
  -- Days after which the file of an import that was only tried, or has failed, is removed: long enough for a weekend.
  upload_days integer not null default 3 check (upload_days between 1 and 30),
  -- How long things are kept is decided by the tenant that they belong to. Null: for ever. The reasons are beside the
  -- settings.
  raw_message_months integer default 24 check (raw_message_months between 3 and 1200),
  -- Months of the audit log that stay in the database and on its screen; older ones may be moved to archive files.
  audit_months integer default 72 check (audit_months between 12 and 1200),
  -- Since when access is suspended, why, in the words that its users read after they have signed in, and by whom.
  suspended_at timestamptz,
  suspended_reason text,
  suspended_by uuid,
  created_at timestamptz not null default now()
);

-- Features that a tenant has switched off, or on trial on, for single organizations, facilities and jurisdictions.
-- What it has for itself is in its own row, which holds where there is no row here. [S1.6]
create table feature_switch (
  tenant_id uuid not null references tenant,
  org_type text not null check (org_type in ('O', 'F', 'PHJ')),
  org_id uuid not null,
  feature text not null check (feature ~ '^[a-z-]{1,40}$'),
  is_on boolean not null,
  primary key (tenant_id, org_type, org_id, feature)
);

-- Words in place of those of the product: on its screens …
create table label_override (
  tenant_id uuid not null references tenant,
  language text not null check (language in ('en', 'en-GB', 'es', 'ht')),
  -- `namespace:path`, as in the locales.
  key text not null,
  words text not null,
  primary key (tenant_id, language, key)
);

-- … and in its messages.
create table mail_text (
  tenant_id uuid not null references tenant,
  kind text not null,
  language text not null check (language in ('en', 'en-GB', 'es', 'ht')),
  subject text not null,
  body text not null,
  primary key (tenant_id, kind, language)
);

-- Who decided that something is kept for a shorter time, and until when it is kept as long as before: no
-- administrator alone can make anything disappear at once. Rows are added and never changed, so they outlive the log
-- whose time was shortened.
create table retention_change (
  tenant_id uuid not null references tenant,
  id uuid not null,
  setting text not null check (setting in ('rawMessageMonths', 'auditMonths', 'uploadDays')),
  -- Months or days; null: for ever.
  before integer,
  after integer not null,
  at timestamptz not null,
  held_until timestamptz not null,
  account_id uuid not null,
  primary key (tenant_id, id)
);

-- What a seeding is to make, and how far it is. A seeding that was broken off is continued from here, so that it
-- never has to remove anything: what else the tenant has is someone's work.
create table seeding (
  tenant_id uuid not null references tenant,
  name text not null,
  -- What the records are made from: size, seed, moment, and the places and people of the tenant at that moment.
  plan jsonb not null,
  -- The parts that are stored, each noted in the transaction that stores it.
  parts integer[] not null default '{}',
  -- The case number before the first of each year, once the numbers are taken.
  case_offsets jsonb,
  begun_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (tenant_id, name)
);

-- Which secret signs for this database, so that two servers with different ones are found out at the start. A code by
-- HMAC with the secret as its key: it tells one secret from another and nothing else.
create table secret_mark (
  one boolean primary key default true check (one),
  mark bytea not null,
  since timestamptz not null default now()
);

-- When a backup was last made, for the people who look after the system.
create table backup_made (
  id uuid primary key,
  -- The moment that it holds.
  at timestamptz not null,
  bytes bigint not null,
  encrypted boolean not null,
  rows bigint not null
);
