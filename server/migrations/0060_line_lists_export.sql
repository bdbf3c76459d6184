-- Records behind numbers can be taken out as a file: by a permission of its own, which roles get that export cases and read
-- those records already.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select r.tenant_id, r.role_id, r.obj, 'line-lists/export', 'allow'
from role_grant r
join role_grant e on e.tenant_id = r.tenant_id and e.role_id = r.role_id and e.obj = r.obj
  and e.act = 'case-reports/export' and e.eft = 'allow'
where r.act = 'line-lists/read' and r.eft = 'allow'
on conflict do nothing;
update policy_version set version = version + 1;
