import type { CaseReportRow } from '@caseway/contract/case-reports';
import type { Tx } from '../../platform/db/database.ts';

/** The columns of a case for the grid and the record, from `caseTablesWithResults`. */
export const caseColumns = `c.id, c.case_id as "caseId", c.patient_id as "patientId", p.last_name as "lastName",
  p.first_name as "firstName", p.birth_date as "birthDate",
  cast(extract(year from age(c.created_on, p.birth_date)) as integer) as age,
  p.sex_at_birth as sex, case when told then p.race end as race, case when told then p.ethnicity end as ethnicity, c.condition_code as condition, c.disease_family as "diseaseFamily",
  c.classification, c.status, c.onset_on as "onsetOn", c.collected_on as "collectedOn",
  c.reported_on as "reportedOn", c.received_on as "receivedOn", c.created_on as "createdOn",
  c.county_fips as county, case when told then p.city end as city, c.facility_id as facility, c.program_id as program, c.task_id as task,
  c.visit_type as "visitType", c.jurisdiction_id as jurisdiction, c.investigator_id as investigator,
  c.outcome, c.pregnant, c.source, c.external_id as "externalId", ordered.name as "providerName", ordered.npi as "providerNpi",
  ordered.phone as "providerPhone", noted.notes, c.updated_at as "updatedAt"`;

/**
 * `c`: the case as the reader sees it; `report`: as it is stored, used to find and lock it. [P1, P23] `p`: the person
 * as the reader sees them [P18]; `told`: whether the reader may know more than name, birth date and sex. [P23]
 */
export const caseTables = `case_report report cross join lateral app_case_shown(report) c
  join patient stored on stored.tenant_id = report.tenant_id and stored.id = report.patient_id
  cross join lateral app_shown(stored, c.disease_family) p
  cross join lateral (select app_told(p.told_by) as told) told`;

/** The same, with the columns of `caseColumns` for who ordered the newest valid test, and for the notes of senders. */
export const caseTablesWithResults = `${caseTables}
  left join lateral (select r.provider_name as name, r.provider_npi as npi, r.provider_phone as phone from case_result cr
    join result r on r.tenant_id = cr.tenant_id and r.id = cr.result_id
    where cr.tenant_id = c.tenant_id and cr.case_report_id = c.id and r.superseded_by is null
      and num_nonnulls(r.provider_name, r.provider_npi, r.provider_phone) > 0
    order by coalesce(r.reported_at, r.resulted_at, r.collected_at) desc nulls last, r.id limit 1) ordered on true
  left join lateral (select string_agg(note, e'\\n' order by noted_at desc nulls last, id) as notes
    from app_case_notes(c.tenant_id, c.id, c.disease_family, c.organization_id, c.facility_id, c.county_fips)) noted on true`;

/** A row as the database gives it. */
export type StoredCaseRow = Omit<CaseReportRow, 'updatedAt'> & { updatedAt: Date };

/** The cases of these ids that the reader may see, in any order. */
export async function readCaseRows(tx: Tx, ids: readonly string[]): Promise<CaseReportRow[]> {
  const rows = await tx.rows<StoredCaseRow>(
    `select ${caseColumns} from ${caseTablesWithResults} where report.tenant_id = $1 and report.id = any($2::uuid[])`,
    [tx.tenantId, ids],
  );
  return rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }));
}

/** Where the locales have the words for a fixed code. */
export const codeGroup = (field: string): string => (field === 'pregnant' ? 'yesNoUnknown' : field);
