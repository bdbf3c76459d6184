/**
 * The senders' notes on a case, and their visibility: rows `note`, `noted_at`, `id`, `organization_id`,
 * `facility_id`, `county_fips`. `tenant` is the SQL of the tenant; `c` is the case in the surrounding statement.
 * Notes of a result are for readers who see the result, notes of a line list for readers who see the case, and notes
 * of another place's list for readers who see the whole tenant. Notes of a result that now has another family are
 * left out. [P18]
 */
export const caseNotes = (tenant: string, c: string) => `
  select r.notes as note, coalesce(r.reported_at, r.resulted_at, r.collected_at) as noted_at, r.id, r.organization_id,
    r.facility_id, r.county_fips
  from case_result l join result r on r.tenant_id = l.tenant_id and r.id = l.result_id
  where l.tenant_id = ${tenant} and l.case_report_id = ${c}.id and r.superseded_by is null and r.notes is not null
    and coalesce(r.disease_family, ${c}.disease_family) = ${c}.disease_family
  union all
  select e.detail ->> 'text', e.at, e.id,
    case when e.detail -> 'toldBy' is null or e.detail -> 'toldBy' ? cast(${c}.organization_id as text) then ${c}.organization_id end,
    case when e.detail -> 'toldBy' is null or e.detail -> 'toldBy' ? cast(${c}.facility_id as text) then ${c}.facility_id end,
    ${c}.county_fips
  from case_event e
  where e.tenant_id = ${tenant} and e.case_report_id = ${c}.id and e.kind = 'note' and e.detail ->> 'source' = 'csv'
    and (e.detail -> 'toldBy' is null or app_told(array(
      select cast(told.id as uuid) from jsonb_array_elements_text(e.detail -> 'toldBy') as told (id))))`;

/** Notes as one text, the newest first. */
export const inOneText = `string_agg(note, e'\\n' order by noted_at desc nulls last, id)`;
