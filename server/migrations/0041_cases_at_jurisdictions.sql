-- Cases that were sent to a jurisdiction, given back or opened again have a status of their own.
alter table case_report drop constraint case_report_status_check;
alter table case_report add constraint case_report_status_check check (status in ('new', 'assigned_to_jurisdiction',
  'rejected_by_jurisdiction', 'accepted', 'assigned', 'rejected_by_investigator', 'under_investigation',
  'awaiting_interview', 'complete', 'approved', 'closed', 'reopened', 'no_follow_up'));

-- Whoever could assign cases can send them to a jurisdiction, and who was denied that is denied it. A jurisdiction whose
-- people read its cases answers for those that it is sent; so can whoever gives its people their roles.
insert into role_grant (tenant_id, role_id, obj, act, eft)
select tenant_id, role_id, obj, 'case-reports/route', eft from role_grant where act = 'case-reports/assign'
on conflict do nothing;
insert into role_grant (tenant_id, role_id, obj, act, eft)
select tenant_id, role_id, obj, 'case-reports/accept', eft from role_grant
where act = 'case-reports/read' and obj = 'PHJ' or act = 'roles/write' and obj = 'T'
on conflict do nothing;
update policy_version set version = version + 1;
