-- By what records are found, and what people keep for themselves.

-- Normalized tokens by which patients and cases are found (decision record 0012): lower case, accents folded, digits
-- only for phones and identifiers.
create table search_key (
  tenant_id uuid not null,
  record_kind text not null check (record_kind in ('patient', 'case')),
  key text not null collate "C",
  record_id uuid not null,
  -- A search key is a piece of a name, and is seen with the person or the case that it finds. There are many, so they
  -- carry this in few columns. `places`: the organizations and facilities that know the person, or that the case
  -- belongs to; of a key that is not of the name, those that are shown it. `families`: with commas. `county`: that of
  -- the person or case; `county/other` where reports of families that are not restricted have another one or none.
  -- `apart`: null where everyone who is shown the person is shown the key. Otherwise `all`: they are, by this key;
  -- `at`: places with only restricted records; `closed`: only restricted reports have it.
  places uuid[],
  families text,
  county text,
  apart jsonb,
  primary key (tenant_id, record_kind, key, record_id)
) with (fillfactor = 90);
create index search_key_record on search_key (record_id, record_kind, tenant_id);

-- Grid filters that hold names, birth dates or identifiers: an address carries only their id, and everyone who works
-- for the same organization can follow it.
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

-- How someone has arranged a grid.
create table grid_preference (
  tenant_id uuid not null,
  account_id uuid not null,
  grid text not null,
  -- {"shown": [...], "order": [...], "pinned": {...}, "widths": {...}, "density"}.
  columns jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, account_id, grid)
);

-- account_id is the owner; everyone in its organization sees a shared preset.
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
