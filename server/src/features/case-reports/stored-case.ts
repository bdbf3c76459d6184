import type { CaseChange } from '@caseway/contract/case-record';
import type { CaseReport } from '@caseway/contract/case-reports';
import type { Tx } from '../../platform/db/database.ts';
import type { AnyRow } from '../../platform/records/record-server.ts';
import { caseTables } from './rows.ts';

/** What a change of a case needs to know besides the fields that people set. */
export type StoredCase = AnyRow &
  Pick<
    CaseReport,
    | 'condition'
    | 'createdOn'
    | 'birthDate'
    | 'reviewReason'
    | 'classifiedBy'
    | 'caseId'
    | 'status'
    | 'investigator'
    | 'completedBy'
    | 'jurisdiction'
    | 'county'
    | keyof CaseChange
  > & {
    /** The rule's classification; null if no rule was applied. */
    ruleSays: CaseReport['classification'] | null;
  };

/** Cases in the form for changes, as the reader sees them. */
export async function readStored(tx: Tx, ids: readonly string[]): Promise<StoredCase[]> {
  return tx.rows<StoredCase>(
    `select c.id, c.case_id as "caseId", c.version, true as active, c.condition_code as condition, c.classification, c.status,
      c.investigator_id as investigator, c.completed_by_id as "completedBy",
      c.jurisdiction_id as jurisdiction, c.county_fips as county, c.onset_on as "onsetOn", c.collected_on as "collectedOn",
      c.reported_on as "reportedOn", c.received_on as "receivedOn", c.created_on as "createdOn", c.outcome, c.pregnant,
      c.hospitalized, c.visit_type as "visitType", c.review_reason as "reviewReason", c.classified_by as "classifiedBy",
      c.explanation ->> 'classification' as "ruleSays", p.birth_date as "birthDate"
    from ${caseTables}
    where report.tenant_id = $1 and report.id = any($2::uuid[])`,
    [tx.tenantId, ids],
  );
}
