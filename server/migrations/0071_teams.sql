-- Teams of a tenant's staff, and the tasks that are given to them.
create table team (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  name text not null,
  -- Accounts of the tenant's staff.
  member_ids uuid[] not null default '{}',
  deactivated_at timestamptz,
  primary key (tenant_id, id)
);
alter table team add foreign key (tenant_id) references tenant;

-- The team whose members can take the task; with an account, somebody has it.
alter table work_task add column team_id uuid;
alter table work_task add foreign key (tenant_id, team_id) references team;
create index work_task_team on work_task (team_id, tenant_id) where team_id is not null;
