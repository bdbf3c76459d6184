-- People who sign in, where they are members, and their roles.

-- An account can belong to organizations of several tenants, so no tenant owns it.
create table account (
  id uuid primary key,
  cognito_account_id text unique,
  -- Compared without regard to case, so it is kept in lower case.
  username text not null check (username = lower(username)),
  last_name text not null,
  first_name text not null,
  middle_name text,
  -- `castellanos, erin maria`: as lists of people sort and search them.
  name_key text collate "C" generated always as (
    app_fold(last_name || ', ' || first_name || coalesce(' ' || middle_name, ''))) stored,
  phone text,
  -- A number that an administrator has typed says where someone of the staff can be reached. That telephone could be
  -- anyone's, so nobody signs in with it before the person has confirmed it. Patients' numbers come with an
  -- invitation that two people made sure of.
  phone_confirmed boolean not null default false,
  -- The number that codes are sent to, and by which people sign in.
  sign_in_phone text
    generated always as (case when phone_confirmed or patient_id is not null then phone end) stored,
  -- Some patients have only a telephone.
  email text,
  language_code text not null default 'en',
  time_zone text not null default 'America/New_York',
  -- The record that a patient's account may see.
  patient_tenant_id uuid,
  patient_id uuid,
  -- When a patient was last invited to see their results; null for members of staff.
  invited_at timestamptz,
  -- An account is seen by its colleagues. It carries where the person is or was a member: `tenant`, and in it
  -- `tenant/T` for the tenant's own staff and `tenant/organization` for what people act for.
  member_of text[] not null default '{}',
  disabled_at timestamptz,
  -- Since when there is a second factor (authenticator app or passkey); null where there is none.
  second_factor_at timestamptz,
  created_at timestamptz not null default now(),
  constraint account_email_of_staff check (email is not null or patient_id is not null)
);
create index account_email on account (lower(email));
create index account_patient on account (patient_id) where patient_id is not null;
-- A patient's name does not stand in the way of a member of staff with the same address, and says nothing about the
-- patient.
create unique index account_staff_username on account (username) where patient_id is null;
create unique index account_patient_username on account (username) where patient_id is not null;
create unique index account_of_patient on account (patient_tenant_id, patient_id) where patient_id is not null;
create index account_sign_in_phone on account (sign_in_phone) where sign_in_phone is not null;

-- What changes at every sign-in. Accounts are on every server when tables are spread over several, and cannot be
-- written while one of these is away; this is on the first server alone. [P22, P5]
create table account_state (
  account_id uuid primary key,
  -- As in the row of the account: colleagues see the state by it.
  member_of text[] not null default '{}',
  last_sign_in_at timestamptz,
  -- Since and until when, after too many wrong codes, no code is right.
  locked_at timestamptz,
  locked_until timestamptz
);

-- For which organization someone with an account acts.
create table membership (
  tenant_id uuid not null references tenant,
  id uuid not null,
  account_id uuid not null references account,
  org_type text not null check (org_type in ('T', 'O', 'F', 'PHJ')),
  org_id uuid not null,
  ended_at timestamptz,
  -- Someone who has left stays in the list of users as the tenant, or an organization in it, knew the person on that
  -- day. The account goes on elsewhere, and its new address, number, name and sign-ins are no business of a former
  -- employer. [P1]
  left_as jsonb,
  -- When the last invitation was asked for; null for people who were not invited.
  invited_at timestamptz,
  invited_by uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, account_id, org_type, org_id)
);
create index membership_account on membership (account_id);
create index membership_org on membership (tenant_id, org_type, org_id);

-- People who have an account already are brought into a tenant by nobody but themselves: an invitation of their
-- address is an offer, which counts nowhere until they accept it. To the person who invites, it looks like that of an
-- address that nobody has. [P1, P12]
create table membership_offer (
  tenant_id uuid not null references tenant,
  id uuid not null,
  -- Stands in for the person until they accept: the id of an account says when it was made, and is the same
  -- everywhere.
  person_id uuid not null,
  account_id uuid not null references account,
  org_type text not null check (org_type in ('T', 'O', 'F', 'PHJ')),
  org_id uuid not null,
  role_ids uuid[] not null,
  -- The person as the one who invited them knows them.
  email text not null,
  first_name text not null,
  middle_name text,
  last_name text not null,
  phone text,
  language_code text not null,
  time_zone text not null,
  name_key text collate "C" generated always as (
    app_fold(last_name || ', ' || first_name || coalesce(' ' || middle_name, ''))) stored,
  -- Whose rights it rests on, and for which organization they acted.
  invited_by uuid not null,
  inviter_org_type text not null check (inviter_org_type in ('T', 'O', 'F')),
  inviter_org_id uuid not null,
  invited_at timestamptz not null default now(),
  -- Refused or withdrawn; one that is accepted becomes a membership.
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, account_id, org_type, org_id)
);
create index membership_offer_account on membership_offer (account_id);
create index membership_offer_person on membership_offer (tenant_id, person_id);

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

-- obj is the kind of permission subject that a grant is for; for O and F it holds in the organization or facility
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
  -- Which roles someone has is seen with the membership: whose it is, and in what.
  account_id uuid,
  org_type text,
  org_id uuid,
  primary key (tenant_id, membership_id, role_id),
  foreign key (tenant_id, membership_id) references membership on delete cascade,
  foreign key (tenant_id, role_id) references role
);
create index membership_role_role on membership_role (tenant_id, role_id);

-- Raised with every change of roles, grants or memberships of a tenant; compiled policies are kept by it.
create table policy_version (
  tenant_id uuid primary key references tenant,
  version bigint not null default 1
);
