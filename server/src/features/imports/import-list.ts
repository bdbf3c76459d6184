const counted = (tenant: string, states: string) =>
  `(select coalesce(sum(t.n), 0) from import_tally t
    where t.tenant_id = ${tenant} and t.import_id = i.id and t.kind = 'state' and t.key in (${states}))`;

/**
 * The imports of a tenant, given as SQL, with what the reader sees of their messages. An import without visible
 * messages is not in the list, unless the reader sent it. [P24]
 */
export const importList = (tenant: string) => `(
  select i.*, ${counted(tenant, "'taken', 'waiting', 'refused', 'duplicate'")} as messages,
    ${counted(tenant, "'taken'")} as taken, ${counted(tenant, "'waiting'")} as waiting,
    ${counted(tenant, "'refused'")} as refused, ${counted(tenant, "'duplicate'")} as duplicates,
    (select a.first_name || ' ' || a.last_name from account a where a.id = i.created_by) as created_by_name,
    (select f.name from facility f where f.tenant_id = ${tenant} and f.id = i.facility_id) as facility_name
  from import i
  where i.tenant_id = ${tenant} and ((select app_hidden_families()) = '{}' or i.created_by = (select app_account())
    or ${counted(tenant, "'taken', 'waiting', 'refused', 'duplicate'")} > 0))`;
