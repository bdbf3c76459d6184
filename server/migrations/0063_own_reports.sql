-- What patients reported in the portal, as they sent it: they read it whatever staff write into the incident report.
create table own_report (
  tenant_id uuid not null,
  -- The id of the incident report.
  id uuid not null,
  account_id uuid not null,
  on_day date not null,
  sent_at timestamptz not null,
  said jsonb not null,
  primary key (tenant_id, id)
);
alter table own_report add foreign key (tenant_id, id) references incident;
create index own_report_account on own_report (tenant_id, account_id, sent_at desc);
