-- Users have versions, and a history that is read by those who administer them: a row has the organization that it was
-- written for. A change of the person after they have left has the tenant itself.
alter table membership add column version integer not null default 1;
alter table membership_offer add column version integer not null default 1;

create table user_history (
  tenant_id uuid not null,
  -- A membership, or the offer of one.
  record_id uuid not null,
  version integer not null,
  at timestamptz not null default clock_timestamp(),
  account_id uuid,
  -- As in record_history.
  changes jsonb not null,
  undoes integer,
  org_type text not null,
  org_id uuid not null,
  primary key (tenant_id, record_id, version)
);
alter table user_history add foreign key (tenant_id) references tenant;
