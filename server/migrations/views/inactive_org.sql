-- Organizations, facilities and jurisdictions for which nobody acts any more.
create view inactive_org with (security_invoker = true) as
select tenant_id, id from organization where deactivated_at is not null
union all select tenant_id, id from facility where deactivated_at is not null
union all select managed_by_tenant_id, id from jurisdiction where deactivated_at is not null;
