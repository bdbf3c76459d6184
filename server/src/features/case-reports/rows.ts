import { type CaseReportRow, caseReportGrid, yesNoUnknown } from '@caseway/contract/case-reports';
import type { Column } from '@caseway/contract/grid';
import { caseAnswerColumns } from '@caseway/contract/investigation-form';
import type { Tx } from '../../platform/db/database.ts';
import { pageColumns } from '../../platform/grid/fact-source.ts';
import { answerOf, caseFact } from './case-fact.ts';
import { caseNotes, inOneText } from './case-notes.ts';

/** The columns of a case for the grid and the record, from `caseTablesWithResults`. */
export const caseColumns = `c.id, c.patient_id as "patientId", ${pageColumns(caseReportGrid, caseFact)},
  answered.answers, ordered.name as "providerName", ordered.npi as "providerNpi", ordered.phone as "providerPhone", noted.notes`;

/**
 * `c`: the case as the reader sees it; `report`: as stored, used to find and lock it. [P1, P23] `p`: the person as
 * the reader sees them [P18]; `told`: whether the reader may know more than name, birth date and sex. [P23]
 */
export const caseTables = `case_report report cross join lateral app_case_shown(report, report.told_within) c
  join patient stored on stored.tenant_id = report.tenant_id and stored.id = report.patient_id
  cross join lateral app_shown(stored, stored.told_openly, c.disease_family) p
  cross join lateral (select app_told(p.told_by) as told) told`;

/**
 * The same, with the columns of `caseColumns` for the provider who ordered the newest valid test, and for the
 * senders' notes. The tenant is `$1`.
 */
export const caseTablesWithResults = `${caseTables}
  left join lateral (select r.provider_name as name, r.provider_npi as npi, r.provider_phone as phone from case_result cr
    join result r on r.tenant_id = cr.tenant_id and r.id = cr.result_id
    where cr.tenant_id = $1 and cr.case_report_id = c.id and r.superseded_by is null
      and num_nonnulls(r.provider_name, r.provider_npi, r.provider_phone) > 0
    order by coalesce(r.reported_at, r.resulted_at, r.collected_at) desc nulls last, r.id limit 1) ordered on true
  left join lateral (select jsonb_strip_nulls(jsonb_build_object(${caseAnswerColumns
    .map(({ name, ...question }) => `'${name}', ${answerOf(question)}`)
    .join(', ')})) as answers
    from case_answer_key k where k.tenant_id = $1 and k.case_report_id = c.id) answered on true
  left join lateral (select ${inOneText} as notes from (${caseNotes('$1', 'c')}) n) noted on true`;

/** A row from the database. */
export type StoredCaseRow = Omit<CaseReportRow, 'updatedAt'> & { updatedAt: Date };

/** The cases with these ids that the reader may see, in any order. */
export async function readCaseRows(tx: Tx, ids: readonly string[]): Promise<CaseReportRow[]> {
  const rows = await tx.rows<StoredCaseRow>(
    `select ${caseColumns} from ${caseTablesWithResults} where report.tenant_id = $1 and report.id = any($2::uuid[])`,
    [tx.tenantId, ids],
  );
  return rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }));
}

/** The locale key for the words of a fixed code. */
export function codeGroup(field: string): string {
  const columns: Readonly<Record<string, Column>> = caseReportGrid.columns;
  return columns[field]?.options === yesNoUnknown ? 'yesNoUnknown' : field;
}

/** The value of a column in a row. An answer is among the row's answers. */
export const cellOf = (row: CaseReportRow, field: string): unknown =>
  field in row ? row[field as keyof CaseReportRow] : row.answers[field];
