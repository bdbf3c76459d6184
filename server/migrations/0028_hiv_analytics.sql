-- HIV analytics is a feature and a permission of its own: for whoever sees restricted families and the numbers of tests or
-- the lists behind them, in every tenant that has testing analytics.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select g.tenant_id, g.role_id, g.obj, 'hiv-analytics/read', g.eft from role_grant g
where g.act = 'restricted-families/read' and exists (select from role_grant o where o.tenant_id = g.tenant_id
  and o.role_id = g.role_id and o.obj = g.obj and o.act = 'line-lists/read' and o.eft = 'allow')
on conflict do nothing;
update policy_version set version = version + 1;

update tenant set tenant_features = tenant_features || '{hiv-analytics}'
where 'testing-analytics' = any (tenant_features);
