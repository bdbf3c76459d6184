-- The transitions of cases and what each has taken, from now on. Of a milestone that one does not reach first there is null.
create table case_report_transition (
  tenant_id uuid not null,
  id uuid not null,
  record_id uuid not null,
  -- The version of the case that made it, and the last one that took it back or did it again.
  version integer not null,
  last_version integer not null,
  -- It was not taken back.
  counts boolean not null default true,
  from_state text not null,
  to_state text not null,
  on_day date not null,
  -- Since the case came to its former status, by the calendar and in days of work.
  days integer,
  workdays integer,
  days_to_assign integer,
  workdays_to_assign integer,
  days_to_start integer,
  workdays_to_start integer,
  days_to_complete integer,
  workdays_to_complete integer,
  days_to_approve integer,
  workdays_to_approve integer,
  -- It is seen with the case.
  disease_family text,
  organization_id uuid,
  facility_id uuid,
  county_fips text,
  primary key (tenant_id, id)
);
alter table case_report_transition add foreign key (tenant_id, record_id) references case_report;
create index case_report_transition_record on case_report_transition (record_id, tenant_id);

-- The day on which a task was given, where the tenant is.
alter table work_task add column made_on date;
update work_task k set made_on = cast(k.made_at at time zone t.time_zone as date) from tenant t where t.id = k.tenant_id;
alter table work_task alter column made_on set not null;

-- The operational overview is a feature and a permission of its own: whoever sees the numbers of all cases of a tenant sees
-- these too.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select g.tenant_id, g.role_id, g.obj, 'operations-analytics/read', g.eft from role_grant g
where g.act = 'tenant-case-report-analytics/read'
on conflict do nothing;
update policy_version set version = version + 1;

update tenant set tenant_features = tenant_features || '{operations-analytics}'
where 'tenant-case-report-analytics' = any (tenant_features)
  and not 'operations-analytics' = any (tenant_features);
