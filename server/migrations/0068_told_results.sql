-- The results of which the owner of an account has been told by email, or would have been without a refusal.
create table told_result (
  tenant_id uuid not null,
  account_id uuid not null,
  result_id uuid not null,
  told_at timestamptz not null,
  primary key (tenant_id, account_id, result_id)
);
alter table told_result add foreign key (tenant_id, result_id) references result on delete cascade;
create index told_result_result on told_result (tenant_id, result_id);
