-- Shared views are changed by several people, and can be locked. Only a shared one is.
alter table analytics_preset add column version integer not null default 1;
alter table analytics_preset add column locked_by uuid;
alter table analytics_preset add constraint analytics_preset_locked
  check (locked_by is null or shared_with_org is not null);

-- The shared view with which a screen opens for people with a role.
create table role_opening (
  tenant_id uuid not null,
  -- As in analytics_preset.
  screen text not null,
  role_id uuid not null,
  preset_id uuid not null,
  primary key (tenant_id, screen, role_id)
);
alter table role_opening add foreign key (tenant_id) references tenant;
alter table role_opening add foreign key (tenant_id, role_id) references role on delete cascade;
alter table role_opening add foreign key (tenant_id, preset_id) references analytics_preset on delete cascade;
create index role_opening_of on role_opening (tenant_id, preset_id);
