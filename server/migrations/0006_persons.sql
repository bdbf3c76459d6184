-- Persons of whom there are records, and who may be the same person.

create table patient (
  tenant_id uuid not null references tenant,
  id uuid not null,
  last_name text,
  first_name text,
  middle_name text,
  name_suffix text,
  -- Aliases, maiden names, earlier spellings: [{"last","first","middle","use"}].
  other_names jsonb not null default '[]',
  birth_date date,
  birth_date_precision text check (birth_date_precision in ('day', 'month', 'year')),
  -- The first and the last day of birth that a stated age allows, where no birth date is known: it tells people apart.
  born_from date,
  born_to date,
  sex_at_birth text,
  gender_identity text,
  sexual_orientation text,
  -- CDC race codes as answered, and the one category counted: 'multiple' when several were answered.
  races text[] not null default '{}',
  race text,
  ethnicity text,
  -- What the sender wrote for race and ethnicity, so that another question can be derived later.
  raw_demographics jsonb not null default '{}',
  language_code text,
  deceased boolean,
  deceased_on date,
  street text,
  street2 text,
  city text,
  state_fips text,
  postal_code text,
  county_fips text,
  country_code text,
  phones text[] not null default '{}',
  emails text[] not null default '{}',
  -- Organizations and facilities that have tested or reported this person.
  organization_ids uuid[] not null default '{}',
  facility_ids uuid[] not null default '{}',
  -- Families of which there are results or cases; `-` for a result of no known family. Empty: nothing is recorded
  -- yet, and everyone who sees the place sees the person. Readers who may not see restricted families do not see a
  -- person of whom there are only such records, in lists, counts, search and pairs alike. [P18]
  disease_families text[] not null default '{}',
  -- The organizations and facilities that know the person only by records of restricted families: they do not show
  -- the person to readers who may not see these, whatever other places know. [P18, P23]
  restricted_at uuid[] not null default '{}',
  -- Who has reported everything that is in the row: null, the tenant alone or all who see the person. Other
  -- organizations and facilities that see the person are shown name, birth date and sex, and no number but those they
  -- have reported. [P23]
  told_by uuid[],
  -- What is known of a person without the reports of restricted families: readers who may not see these are shown
  -- nothing else, and nothing disappears when such a report comes. Null: everything in the row. The columns of
  -- `patient` by name, and `keys`, by which these readers find the person (imports/open-facts.ts). [P18]
  told_openly jsonb,
  merged_into uuid,
  -- When the report was made that last gave address, phones and the like: an older one only fills blanks.
  informed_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
-- The records that became part of a patient's: what was said for them, such as a refusal, holds for it as well.
create index patient_merged_into on patient (tenant_id, merged_into) where merged_into is not null;

-- A number of a person. It is seen with the person, and carries what decides about that.
create table patient_identifier (
  tenant_id uuid not null,
  patient_id uuid not null,
  -- HL7 table 0203 type (MR, SS, PI …) and who assigned it.
  kind text not null,
  assigner text not null default '',
  value text not null,
  -- Who has reported the number, and the restricted families whose reports alone have it; null: others have it too.
  told_by uuid[],
  told_in text[],
  -- As in the row of the person; the open county is what is known without restricted reports.
  disease_families text[],
  organization_ids uuid[],
  facility_ids uuid[],
  restricted_at uuid[],
  county_fips text,
  open_county_fips text,
  primary key (tenant_id, kind, assigner, value, patient_id),
  foreign key (tenant_id, patient_id) references patient
);
-- An index by a record's id begins with that id, here and in other tables: those that begin with tenant_id look
-- equally good to PostgreSQL as long as it has no statistics of a tenant, and the smallest one would be read whole
-- (decision record 0049).
create index patient_identifier_patient on patient_identifier (patient_id, tenant_id);

-- Under which keys a patient is compared with reports and with other patients (identifiers, birth date with a name's
-- sound, telephone, …): only those who share one are compared. Only the importer reads it.
create table patient_block (
  tenant_id uuid not null,
  key text not null collate "C",
  patient_id uuid not null,
  primary key (tenant_id, key, patient_id)
);
create index patient_block_patient on patient_block (patient_id, tenant_id);

-- Pairs that may be one person and wait for a decision; and merges, so that they can be undone.
create table patient_match (
  tenant_id uuid not null,
  id uuid not null,
  patient_id uuid not null,
  candidate_id uuid not null,
  score real not null,
  -- How each compared part agreed: {"lastName": 0.9, "birthDate": 1, …}.
  parts jsonb not null,
  state text not null default 'open' check (state in ('open', 'same', 'different')),
  -- What a merge moved, to put it back: {"results": [...], "cases": [...], …}.
  moved jsonb,
  decided_by uuid,
  decided_at timestamptz,
  -- disease_families of both, by which the pair is seen.
  patient_families text[],
  candidate_families text[],
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, patient_id) references patient,
  foreign key (tenant_id, candidate_id) references patient
);
create unique index patient_match_pair on patient_match (tenant_id, patient_id, candidate_id);
create index patient_match_open on patient_match (tenant_id, created_at) where state = 'open';
