-- Analytics of incident reports are a feature and a permission of their own: whoever sees the numbers of tests sees these
-- too, and a tenant that has incident reports has them.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select g.tenant_id, g.role_id, g.obj, 'incident-report-analytics/read', g.eft from role_grant g
where g.act = 'testing-analytics/read'
on conflict do nothing;
update policy_version set version = version + 1;

update tenant set tenant_features = tenant_features || '{incident-report-analytics}'
where 'incident-reports' = any (tenant_features) and not 'incident-report-analytics' = any (tenant_features);
