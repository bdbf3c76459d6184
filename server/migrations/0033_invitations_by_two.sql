-- An address or number that came with a file, and that nobody has confirmed, opens no record by the word of one person:
-- one asks for the invitation, another makes sure with the patient that it is theirs and sends it.

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
  -- How whoever confirmed it made sure with the patient.
  checked text check (checked in ('in-person', 'phone', 'document')),
  primary key (tenant_id, id),
  foreign key (tenant_id, patient_id) references patient,
  check ((decision is null) = (decided_at is null) and (decision is null) = (decided_by is null)),
  constraint portal_invitation_by_two
    check (decision is distinct from 'confirmed' or decided_by <> asked_by and checked is not null)
);
create unique index portal_invitation_waiting on portal_invitation (tenant_id, patient_id) where decision is null;
create index portal_invitation_patient on portal_invitation (tenant_id, patient_id, asked_at);
alter table portal_invitation enable row level security;
alter table portal_invitation force row level security;
-- Seen with the patient; written together with the account that it is about.
create policy portal_invitation_visible on portal_invitation for select using (
  (select app_scope()) = 'identity'
  or tenant_id = (select app_tenant()) and ((select app_unrestricted())
    or exists (select from patient p where p.tenant_id = portal_invitation.tenant_id and p.id = patient_id)));
create policy portal_invitation_asked on portal_invitation for insert
  with check ((select app_scope()) = 'identity');
create policy portal_invitation_decided on portal_invitation for update
  using ((select app_scope()) = 'identity');
create policy portal_invitation_not_patients on portal_invitation as restrictive
  using (coalesce((select app_scope()), '') <> 'patient');
revoke delete, truncate on portal_invitation from caseway_app;

-- From which messages a record was made or changed.
create index import_message_patient on import_message (tenant_id, patient_id) where patient_id is not null;
