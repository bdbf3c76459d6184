-- Who administers a tenant can give what they have: the export of patients too.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select tenant_id, id, 'T', 'patients/export', 'allow' from role where code = 'tenant-administrator'
on conflict do nothing;
update policy_version set version = version + 1;
