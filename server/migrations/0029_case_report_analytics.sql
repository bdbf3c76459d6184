-- Analytics of case reports are features and permissions of their own: whoever sees the numbers of tests sees these too,
-- and a tenant that has case reports has them.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select g.tenant_id, g.role_id, g.obj, 'case-report-analytics/read', g.eft from role_grant g
where g.act = 'testing-analytics/read'
on conflict do nothing;
insert into role_grant (tenant_id, role_id, obj, act, eft)
select g.tenant_id, g.role_id, g.obj, 'tenant-case-report-analytics/read', g.eft from role_grant g
where g.act = 'testing-analytics/read' and g.obj = 'T'
on conflict do nothing;
update policy_version set version = version + 1;

update tenant
set tenant_features = tenant_features || '{case-report-analytics,tenant-case-report-analytics}'
where 'case-reports' = any (tenant_features);
