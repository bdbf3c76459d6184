-- What patients agreed to, and when they were invited.

-- An answer is added and never changed: the latest of a kind counts, and those before say what held when.
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
  primary key (tenant_id, id),
  foreign key (tenant_id, patient_id) references patient
);
create index patient_consent_patient on patient_consent (tenant_id, patient_id, at);
alter table patient_consent enable row level security;
alter table patient_consent force row level security;
create policy patient_consent_visible on patient_consent for select using (
  tenant_id = (select app_tenant()) and ((select app_unrestricted())
    or exists (select from patient p where p.tenant_id = patient_consent.tenant_id and p.id = patient_id)));
create policy patient_consent_given on patient_consent for insert with check (
  tenant_id = (select app_tenant())
  and exists (select from patient p where p.tenant_id = patient_consent.tenant_id and p.id = patient_id));
revoke update, delete, truncate on patient_consent from caseway_app;

-- When a patient was last invited to see their results; null for members of staff.
alter table account add column invited_at timestamptz;
create unique index account_of_patient on account (patient_tenant_id, patient_id) where patient_id is not null;
