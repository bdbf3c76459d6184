-- Imported files, their messages, and the codes of senders.

-- A file that was sent to be imported, and how far that has come.
create table import (
  tenant_id uuid not null references tenant,
  id uuid not null,
  file_name text not null,
  -- Null until the file has been looked into. hl7-queue is a table whose rows carry messages.
  format text check (format in ('hl7', 'csv', 'hl7-queue')),
  byte_size bigint not null default 0,
  sha256 text,
  -- The facility or organisation it was uploaded for, when that is known.
  facility_id uuid,
  organization_id uuid,
  state text not null check (state in ('queued', 'running', 'needs-mapping', 'done', 'failed', 'cancelled')),
  -- A dry run stores no message; what it found is in its tallies and its preview.
  dry_run boolean not null default false,
  preview jsonb,
  -- How far the file is committed: with each batch, in the batch's own transaction, so that it resumes where it
  -- stopped. byte_offset and next_index are also in resume_point, with what else the reader of the format needs.
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
  -- What the sender of an import may see: what it sends is joined to nobody else. Null: the whole tenant. [P23]
  sight jsonb,
  created_by uuid,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- Since when no message of the import has a text that the rule would delete later.
  raw_deleted_at timestamptz,
  primary key (tenant_id, id)
);
create index import_created on import (tenant_id, created_at);
create index import_sha256 on import (tenant_id, sha256);
create index import_raw_kept on import (tenant_id, created_at) where raw_deleted_at is null;

-- Files that wait to be imported, in pieces, where every server of this database finds them. Only the product itself
-- reads them: nobody is shown a file, only the messages that were read from it. [P29]
create table import_upload (
  tenant_id uuid not null,
  import_id uuid not null,
  -- Where the piece begins in the file, and how many bytes of the file it holds.
  byte_offset bigint not null,
  byte_length integer not null,
  -- zstd.
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, import_id, byte_offset)
);
-- It is compressed already.
alter table import_upload alter column bytes set storage external;

-- Every message or row as it was received.
create table import_message (
  tenant_id uuid not null,
  id uuid not null,
  import_id uuid not null,
  -- Position in its file: ordinal from 0, first line from 1. A corrected text has the position of what it corrects,
  -- one revision higher.
  index integer not null,
  revision integer not null default 0,
  line integer not null,
  -- Equal rows of one table are each a row of their own: this one is the n-th of its kind in its import. One that was
  -- received before repeats the row of the same count. Messages are not counted: theirs is always 1.
  occurrence integer not null default 1,
  -- Absent for a duplicate: its bytes are those of the message it repeats; and for a piece too large to be kept.
  raw bytea,
  raw_deleted_at timestamptz,
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
  -- Disease families of what it holds. {?} is for families that nobody can tell: without it beside them, what a
  -- message that was not understood is about would be guessed from its words, and a wrong guess would show it to
  -- people who may not see it. [P18]
  disease_families text[] not null default '{?}',
  -- A message is seen with its import: for which place it was uploaded, and who uploaded it.
  organization_id uuid,
  facility_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, import_id) references import
);
create unique index import_message_position on import_message (tenant_id, import_id, index, revision);
create index import_message_state on import_message (tenant_id, import_id, state, index);
create index import_message_rerun on import_message (tenant_id, import_id, index) where rerun;
create index import_message_waiting on import_message using gin (waiting_for) where state = 'waiting';
create index import_message_row on import_message (tenant_id, import_id, content_hash, occurrence)
  where message_type = 'row';
-- From which messages a record was made or changed.
create index import_message_patient on import_message (tenant_id, patient_id) where patient_id is not null;
-- Messages that were received before are looked up by their hash alone, for the same reason as results.
create index import_message_content on import_message using hash (content_hash) where state <> 'duplicate';

-- What became of an import, counted: kind state (taken, waiting, refused, duplicate), reason (`state:code`) and
-- effect (patientsCreated, resultsCreated, casesOpened, …). By disease families, so that a reader from whom some are
-- hidden gets the counts without them; {?} is for families that nobody can tell. A count is seen with its import, as
-- a message is.
create table import_tally (
  tenant_id uuid not null,
  import_id uuid not null,
  kind text not null check (kind in ('state', 'reason', 'effect')),
  key text not null,
  families text[] not null,
  n integer not null,
  organization_id uuid,
  facility_id uuid,
  created_by uuid,
  primary key (tenant_id, import_id, kind, key, families),
  foreign key (tenant_id, import_id) references import
);

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
  -- A sender's code is seen by those whose message waits for it: `organization or facility|who sent it|families` of
  -- each.
  waiting_at text[] not null default '{}',
  occurrences integer not null default 0,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  decided_by uuid,
  decided_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, kind, sender, system, code)
);

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
