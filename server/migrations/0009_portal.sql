-- What patients are shown, agreed to, and are invited to.

-- A tenant's own rules on which results a patient sees only after someone has spoken with them: of a family, or of
-- one of its conditions ('' is every condition). A result without a rule follows app_held.
create table held_result_rule (
  tenant_id uuid not null references tenant,
  disease_family text not null,
  condition_code text not null default '',
  result_category text not null,
  held boolean not null,
  primary key (tenant_id, disease_family, condition_code, result_category)
);

-- An answer of a patient is added and never changed: the latest of a kind counts, and those before say what held
-- when. It is seen with the person, and carries what decides about that.
create table patient_consent (
  tenant_id uuid not null,
  id uuid not null,
  patient_id uuid not null,
  kind text not null check (kind in ('email', 'text', 'sharing')),
  given boolean not null,
  -- Which words were agreed to, and in which language they were read.
  wording text not null,
  language_code text not null,
  account_id uuid not null,
  -- False: a member of staff noted what the patient said.
  by_patient boolean not null,
  at timestamptz not null default now(),
  -- As in the row of the person; the open county is what is known without restricted reports.
  disease_families text[],
  organization_ids uuid[],
  facility_ids uuid[],
  restricted_at uuid[],
  county_fips text,
  open_county_fips text,
  primary key (tenant_id, id),
  foreign key (tenant_id, patient_id) references patient
);
create index patient_consent_patient on patient_consent (tenant_id, patient_id, at);
revoke update, delete, truncate on patient_consent from caseway_app;
-- What the row carries goes with the person.
grant update (disease_families, organization_ids, facility_ids, restricted_at, county_fips, open_county_fips)
  on patient_consent to caseway_app;

-- An address or number that came with a file and that nobody has confirmed opens no record because one person says
-- so: one asks for the invitation, another makes sure with the patient that it is theirs, and sends it. It is seen
-- with the person, and carries what decides about that.
create table portal_invitation (
  tenant_id uuid not null,
  id uuid not null,
  patient_id uuid not null,
  -- How it is to be sent, and where.
  by text not null check (by in ('EMAIL', 'SMS')),
  value text not null,
  language_code text not null,
  asked_by uuid not null,
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Null while it waits.
  decision text check (decision in ('confirmed', 'refused', 'withdrawn', 'replaced')),
  decided_by uuid,
  decided_at timestamptz,
  -- How the one who confirmed it made sure with the patient.
  checked text check (checked in ('in-person', 'phone', 'document')),
  -- As in the row of the person; the open county is what is known without restricted reports.
  disease_families text[],
  organization_ids uuid[],
  facility_ids uuid[],
  restricted_at uuid[],
  county_fips text,
  open_county_fips text,
  primary key (tenant_id, id),
  foreign key (tenant_id, patient_id) references patient,
  check ((decision is null) = (decided_at is null) and (decision is null) = (decided_by is null)),
  constraint portal_invitation_by_two
    check (decision is distinct from 'confirmed' or decided_by <> asked_by and checked is not null)
);
create unique index portal_invitation_waiting on portal_invitation (tenant_id, patient_id) where decision is null;
create index portal_invitation_patient on portal_invitation (tenant_id, patient_id, asked_at);
revoke delete, truncate on portal_invitation from caseway_app;
