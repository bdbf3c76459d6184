-- Transitions of a case have permissions of their own: whoever could change cases keeps all of them, and who was denied that
-- is denied them.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select tenant_id, role_id, obj, 'case-reports/assign', eft from role_grant where act = 'case-reports/write'
on conflict do nothing;
insert into role_grant (tenant_id, role_id, obj, act, eft)
select tenant_id, role_id, obj, 'case-reports/investigate', eft from role_grant where act = 'case-reports/write'
on conflict do nothing;
insert into role_grant (tenant_id, role_id, obj, act, eft)
select tenant_id, role_id, obj, 'case-reports/approve', eft from role_grant where act = 'case-reports/write'
on conflict do nothing;
update policy_version set version = version + 1;

-- Who has completed the investigation, and so does not approve it.
alter table case_report add column completed_by_id uuid;
update case_report c set completed_by_id = h.account_id
from case_report_history h
where h.tenant_id = c.tenant_id and h.record_id = c.id and c.status in ('complete', 'approved', 'closed')
  and h.version = (select max(o.version) from case_report_history o
    where o.tenant_id = c.tenant_id and o.record_id = c.id and o.undoes is null
      and o.changes -> 'status' ->> 'to' = 'complete');
