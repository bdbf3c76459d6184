/**
 * Whether the records and details of an event `e` are withheld: those of an emergency access, from readers who see
 * none of its cases. Privacy officers see them. [P24]
 */
const withheld = (tenant: string) => `case
  when e.action = 'break-glass/listed' or e.action not like 'break-glass/%' and not e.detail ? 'breakGlass' then false
  when app_service() or app_privacy_officer() then false
  else not exists (select from case_report c where c.tenant_id = ${tenant} and c.id = any (e.record_ids))
    and not exists (select from break_glass b join case_report c on c.tenant_id = b.tenant_id and c.id = b.case_report_id
      where b.tenant_id = ${tenant} and b.id = any (e.record_ids)) end`;

/** The part of a tenant's audit log that the reader sees; the tenant is given as SQL. */
export const auditList = (tenant: string) => `(
  select e.tenant_id, e.id, e.at, e.account_id, e.org_type, e.org_id, e.action, e.record_kind,
    case when ${withheld(tenant)} then '{}'::uuid[] else e.record_ids end as record_ids, e.wide,
    case when ${withheld(tenant)} then 0 else cardinality(e.record_ids) end as records,
    case when ${withheld(tenant)} then '{}'::jsonb else e.detail end as detail,
    case when ${withheld(tenant)} then null else e.detail ->> 'reason' end as reason,
    case when ${withheld(tenant)} then null else e.detail -> 'filteredBy' end as filtered_by,
    case when ${withheld(tenant)} or e.record_kind <> 'case' or cardinality(e.record_ids) <> 1 then null
      else (select c.case_id from case_report c where c.tenant_id = ${tenant} and c.id = e.record_ids[1]) end as case_number,
    e.request_id, e.address, e.lane,
    e.number, e.hash, a.name_key as who_key, a.first_name || ' ' || a.last_name as who,
    coalesce(o.name, f.name, j.name, t.name) as organization,
    coalesce(e.deed, case
      when e.action like 'sign-in/%' or e.action like 'session/%' or e.action like 'account/%' then 'sign-in'
      when e.action = 'export' or e.action like 'GET %/file' then 'export'
      when e.action like 'POST /api/web/grid/%/search' then 'search'
      when e.action like 'POST /api/web/analytics/%' then 'numbers'
      when e.action like 'GET %' then 'read'
      when split_part(e.action, '/', 1) in
        ('user', 'role', 'setting', 'directory', 'tenant', 'job', 'audit', 'break-glass', 'recovery') then 'administration'
      else 'change' end) as deed,
    ${withheld(tenant)} as withheld,
    case when a.patient_id is null then a.username end as account
  from audit_event e
  left join account a on a.id = e.account_id
  left join tenant t on e.org_type in ('T', 'A') and t.id = e.tenant_id
  left join organization o on e.org_type = 'O' and o.tenant_id = e.tenant_id and o.id = e.org_id
  left join facility f on e.org_type = 'F' and f.tenant_id = e.tenant_id and f.id = e.org_id
  left join jurisdiction j on e.org_type = 'PHJ' and j.id = e.org_id
  where e.tenant_id = ${tenant})`;
