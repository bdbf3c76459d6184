-- Changes of somebody's mail address or telephone number that wait to be confirmed at the new and at the present
-- place. The codes are derived from the id and the server's secret and stand nowhere.
create table contact_change (
  id uuid primary key,
  account_id uuid not null references account,
  kind text not null check (kind in ('EMAIL', 'PHONE')),
  value text not null,
  -- What it replaces; null for a first telephone number.
  previous text,
  -- How the present place is asked.
  present_by text not null check (present_by in ('EMAIL', 'SMS')),
  tries integer not null default 0,
  expires_at timestamptz not null,
  completed_at timestamptz,
  created_at timestamptz not null default now()
);
create index contact_change_account on contact_change (account_id, created_at);
alter table contact_change enable row level security;
alter table contact_change force row level security;
create policy contact_change_identity on contact_change using ((select app_scope()) = 'identity');
