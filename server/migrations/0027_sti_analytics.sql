-- STI analytics, where testing analytics are: the feature, and the permission of the roles that every tenant began with.
update tenant set tenant_features = tenant_features || '{sti-analytics}'
where 'testing-analytics' = any (tenant_features) and not 'sti-analytics' = any (tenant_features);
insert into role_grant (tenant_id, role_id, obj, act, eft)
select distinct g.tenant_id, g.role_id, g.obj, 'sti-analytics/read', 'allow' from role_grant g
join role r on r.tenant_id = g.tenant_id and r.id = g.role_id
where g.eft = 'allow' and (r.code in ('read-only-analyst', 'case-investigator') and g.act = 'testing-analytics/read'
  or r.code = 'disease-intervention-specialist' and g.act = 'line-lists/read')
on conflict do nothing;
update policy_version set version = version + 1;
