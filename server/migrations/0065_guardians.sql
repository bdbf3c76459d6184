-- Guardians of minors: the tenant's rules, and who sees the record of a child in the portal.
alter table tenant
  -- The age from which people have an account of their own, and until which a guardian sees their record.
  add column own_account_age integer not null default 13,
  add column guardian_until_age integer not null default 13,
  add column guardian_rights text[] not null default '{results,vaccinations,visits,reactions}',
  -- Sensitive disease families that a guardian sees nevertheless, until an age.
  add column guardian_families text[] not null default '{}',
  add column guardian_families_until_age integer not null default 12;
alter table tenant add check (own_account_age between 0 and 18);
alter table tenant add check (guardian_until_age between 0 and 18);
alter table tenant add check (guardian_families_until_age between 0 and 18);

create table guardian_link (
  tenant_id uuid not null,
  id uuid not null,
  child_id uuid not null,
  -- The person who sees the child's record; they sign in with their own account as a patient.
  guardian_id uuid not null,
  relation text not null check (relation in ('parent', 'legal-guardian', 'other')),
  evidence text not null check (evidence in ('in-person', 'document', 'court-order')),
  from_on date not null,
  -- The last day; null until the birthday that the rules name.
  until_on date check (until_on >= from_on),
  -- The place that linked them; null if the whole tenant did.
  org_id uuid,
  made_by uuid not null,
  made_at timestamptz not null default now(),
  ended_by uuid,
  ended_at timestamptz,
  end_reason text,
  primary key (tenant_id, id),
  check (child_id <> guardian_id)
);
alter table guardian_link add foreign key (tenant_id, child_id) references patient;
alter table guardian_link add foreign key (tenant_id, guardian_id) references patient;
create index guardian_link_child on guardian_link (child_id, tenant_id);
create index guardian_link_guardian on guardian_link (guardian_id, tenant_id) where ended_at is null;

-- A report about a child is about the child, not about the guardian who sent it.
alter table own_report add column child_id uuid;
