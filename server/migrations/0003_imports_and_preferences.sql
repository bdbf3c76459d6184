-- Imports -----------------------------------------------------------------------------------------------

create table import (
  tenant_id uuid not null references tenant,
  id uuid not null,
  file_name text not null,
  -- Null until somebody has looked into the file. hl7-queue is a table whose rows carry messages.
  format text check (format in ('hl7', 'csv', 'hl7-queue')),
  byte_size bigint not null default 0,
  sha256 text,
  -- The facility or organisation it was uploaded for, when that is known.
  facility_id uuid,
  organization_id uuid,
  state text not null check (state in ('queued', 'running', 'needs-mapping', 'done', 'failed', 'cancelled')),
  -- A dry run stores no message; what it found stands in its tallies and its preview.
  dry_run boolean not null default false,
  preview jsonb,
  -- How far the file is committed: with each batch, in the batch's own transaction, so that it resumes where it
  -- stopped. byte_offset and next_index also stand in resume_point, with what else the reader of the format needs.
  byte_offset bigint not null default 0,
  next_index integer not null default 0,
  resume_point jsonb,
  file_read boolean not null default false,
  -- Messages that were asked to be run again, and how many of them have been.
  rerun_total integer not null default 0,
  rerun_done integer not null default 0,
  -- Column mapping, condition, date order, … of a CSV file, and its header.
  options jsonb not null default '{}',
  -- Faults of the file itself: envelope counts, character set.
  notes jsonb not null default '[]',
  error text,
  created_by uuid,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (tenant_id, id)
);
create index import_created on import (tenant_id, created_at);
create index import_sha256 on import (tenant_id, sha256);
alter table import enable row level security;
alter table import force row level security;
create policy import_visible on import using (
  tenant_id = (select app_tenant()) and ((select app_whole_tenant())
    or organization_id = (select app_org('O'))
    or facility_id = (select app_org('F'))));

-- Every message or row as it was received.
create table import_message (
  tenant_id uuid not null,
  id uuid not null,
  import_id uuid not null,
  -- Position in its file: ordinal from 0, first line from 1. A corrected text stands at the position of what it
  -- corrects, one revision higher.
  index integer not null,
  revision integer not null default 0,
  line integer not null,
  -- Absent for a duplicate: its bytes are those of the message it repeats; and for a piece too large to be kept.
  raw bytea,
  charset text not null default 'utf-8',
  content_hash bytea not null,
  duplicate_of uuid,
  -- The message with the corrected text that took this one's place in the counts.
  corrected_by uuid,
  control_id text,
  message_type text,
  sender text,
  state text not null check (state in ('taken', 'waiting', 'refused', 'duplicate')),
  -- Why it waits or was refused: a stable code, worded in the locales.
  reason text,
  -- [{"severity","code","place","line","message","params"}]; no value of a patient in it.
  faults jsonb not null default '[]',
  -- Entries of code_mapping it waits for.
  waiting_for uuid[] not null default '{}',
  -- Asked to be run again and not yet done.
  rerun boolean not null default false,
  patient_id uuid,
  -- Disease families of what it holds; null while nobody can tell: it may hold any.
  disease_families text[],
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, import_id) references import
);
create unique index import_message_position on import_message (tenant_id, import_id, index, revision);
create index import_message_hash on import_message (tenant_id, content_hash) where state <> 'duplicate';
create index import_message_state on import_message (tenant_id, import_id, state, index);
create index import_message_rerun on import_message (tenant_id, import_id, index) where rerun;
create index import_message_waiting on import_message using gin (waiting_for) where state = 'waiting';
alter table import_message enable row level security;
alter table import_message force row level security;
-- What cannot be told to be of another family is shown to those from whom nothing is hidden and to whoever sent it.
create policy import_message_visible on import_message using (
  tenant_id = (select app_tenant())
  and ((select app_unrestricted())
    or exists (select from import i where i.tenant_id = import_message.tenant_id and i.id = import_id
      and case when disease_families is null then i.created_by = (select app_account())
        else not disease_families && (select app_hidden_families())::text[] end)));

-- What became of an import, counted: kind state (taken, waiting, refused, duplicate), reason (`state:code`) and
-- effect (patientsCreated, resultsCreated, casesOpened, …). By disease families, so that a reader from whom some are
-- hidden gets counts without them; {?} stands for families nobody can tell.
create table import_tally (
  tenant_id uuid not null,
  import_id uuid not null,
  kind text not null check (kind in ('state', 'reason', 'effect')),
  key text not null,
  families text[] not null,
  n integer not null,
  primary key (tenant_id, import_id, kind, key, families),
  foreign key (tenant_id, import_id) references import
);
alter table import_tally enable row level security;
alter table import_tally force row level security;
create policy import_tally_visible on import_tally using (
  tenant_id = (select app_tenant())
  and ((select app_unrestricted())
    or exists (select from import i where i.tenant_id = import_tally.tenant_id and i.id = import_id
      and case when '?' = any (families) then i.created_by = (select app_account())
        else not families && (select app_hidden_families())::text[] end)));

-- One row per import with the counts its reader may see: messages = taken + waiting + refused + duplicates.
create view import_list with (security_invoker = true) as
select i.*, coalesce(t.taken + t.waiting + t.refused + t.duplicates, 0) as messages, coalesce(t.taken, 0) as taken,
  coalesce(t.waiting, 0) as waiting, coalesce(t.refused, 0) as refused, coalesce(t.duplicates, 0) as duplicates,
  (select a.first_name || ' ' || a.last_name from account a where a.id = i.created_by) as created_by_name,
  (select f.name from facility f where f.tenant_id = i.tenant_id and f.id = i.facility_id) as facility_name
from import i
left join lateral (
  select coalesce(sum(n) filter (where key = 'taken'), 0) as taken,
    coalesce(sum(n) filter (where key = 'waiting'), 0) as waiting,
    coalesce(sum(n) filter (where key = 'refused'), 0) as refused,
    coalesce(sum(n) filter (where key = 'duplicate'), 0) as duplicates
  from import_tally
  where tenant_id = i.tenant_id and import_id = i.id and kind = 'state') t on true;

-- Codes that senders use: the queue of unknown ones, and what a person mapped them to.
create table code_mapping (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('test', 'value')),
  sender text not null,
  system text not null,
  -- The sender's code; for words without a code the words themselves, with system `text`.
  code text not null,
  -- How the sender words it.
  text text not null default '',
  state text not null default 'open' check (state in ('open', 'mapped', 'ignored')),
  -- kind test: a LOINC code. kind value: a result category.
  target text,
  -- The disease family its words or its target speak for: hidden from those who may not see it.
  disease_family text,
  occurrences integer not null default 0,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  decided_by uuid,
  decided_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, kind, sender, system, code)
);
alter table code_mapping enable row level security;
alter table code_mapping force row level security;
create policy code_mapping_visible on code_mapping using (
  tenant_id = (select app_tenant())
  and (disease_family is null or disease_family <> all ((select app_hidden_families())::text[])));

-- How the columns of a CSV file with this header were mapped, so that the next such file maps itself.
create table csv_mapping (
  tenant_id uuid not null,
  signature text not null,
  mapping jsonb not null,
  options jsonb not null default '{}',
  decided_by uuid,
  decided_at timestamptz not null default now(),
  primary key (tenant_id, signature)
);
alter table csv_mapping enable row level security;
alter table csv_mapping force row level security;
create policy csv_mapping_visible on csv_mapping using (tenant_id = (select app_tenant()));

-- What people keep for themselves -----------------------------------------------------------------------

-- Grid filters that hold names, birth dates or identifiers: an address carries only their id, and whoever works for
-- the same organisation can follow it.
create table saved_filter (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  org_id uuid not null,
  grid text not null,
  filter_model jsonb not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create table grid_preference (
  tenant_id uuid not null,
  account_id uuid not null,
  grid text not null,
  -- {"shown": [...], "order": [...], "pinned": {...}, "widths": {...}, "density"}.
  columns jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, account_id, grid)
);
-- account_id is the owner; a shared preset is seen by everyone in its organisation.
create table analytics_preset (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  screen text not null,
  name text not null,
  shared_with_org uuid,
  filters jsonb not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
alter table saved_filter enable row level security;
alter table saved_filter force row level security;
create policy saved_filter_visible on saved_filter for select using (
  tenant_id = (select app_tenant()) and (account_id = (select app_account())
    or org_id = nullif(current_setting('app.org_id', true), '')::uuid));
create policy saved_filter_own on saved_filter for all using (
  tenant_id = (select app_tenant()) and account_id = (select app_account()));
alter table grid_preference enable row level security;
alter table grid_preference force row level security;
create policy grid_preference_own on grid_preference using (
  tenant_id = (select app_tenant()) and account_id = (select app_account()));
alter table analytics_preset enable row level security;
alter table analytics_preset force row level security;
create policy analytics_preset_visible on analytics_preset for select using (
  tenant_id = (select app_tenant()) and (account_id = (select app_account())
    or shared_with_org = nullif(current_setting('app.org_id', true), '')::uuid));
create policy analytics_preset_own on analytics_preset for all using (
  tenant_id = (select app_tenant()) and account_id = (select app_account()));
