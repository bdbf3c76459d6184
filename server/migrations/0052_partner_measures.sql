-- The measures of partner services are a feature and a permission of their own: whoever sees the numbers of sexually
-- transmitted infections sees these too, and a tenant that has partner services has their numbers.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select g.tenant_id, g.role_id, g.obj, 'partner-service-analytics/read', g.eft from role_grant g
where g.act = 'sti-analytics/read'
on conflict do nothing;
update policy_version set version = version + 1;

update tenant set tenant_features = tenant_features || '{partner-service-analytics}'
where 'partner-services' = any (tenant_features) and not 'partner-service-analytics' = any (tenant_features);
