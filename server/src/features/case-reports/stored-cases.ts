import type { Tx } from '../../platform/db/database.ts';
import { idOf, type Read } from '../../platform/db/rows.ts';
import type { CaseRecord, ProgramRecord } from './case-record.ts';
import { selectedWithin } from './shared-cases.ts';

/** The cases of these people. */
export const loadCases = (
  tenantId: string,
  patientIds: readonly string[],
  read: Read,
): Promise<CaseRecord[]> =>
  read<CaseRecord>(
    `select id, patient_id as "patientId", condition_code as "conditionCode", disease_family as family, classification,
       onset_on as "onsetOn", collected_on as "collectedOn", reported_on as "reportedOn", received_on as "receivedOn",
       created_on as "createdOn", organization_id as "organizationId", facility_id as "facilityId",
       program_id as "programId", task_id as "taskId", jurisdiction_id as "jurisdictionId", county_fips as "countyFips",
       outcome, pregnant, hospitalized, visit_type as "visitType", source, external_id as "externalId", review_reason as "reviewReason",
       classified_by as "classifiedBy", explanation - '{classes,next,source,statement,validFrom,eventDay}'::text[] as explained,
       ${selectedWithin}, false as "isNew", false as changed
     from unnest($2::uuid[]) as k (patient), lateral (
       select * from case_report where tenant_id = $1 and patient_id = k.patient offset 0) as c
     order by id`,
    [tenantId, patientIds],
    idOf,
  );

export const loadPrograms = (tx: Tx, tenantId: string): Promise<ProgramRecord[]> =>
  tx.rows<ProgramRecord>(
    `select p.id, p.program_type_id as "programTypeId", p.organization_id as "organizationId", p.disease_families as families,
       (select t.id from task t where t.tenant_id = p.tenant_id and t.program_id = p.id and t.deactivated_at is null
         and t.task_category = 'testing' order by t.id limit 1) as "testingTaskId",
       (select t.id from task t where t.tenant_id = p.tenant_id and t.program_id = p.id and t.deactivated_at is null
         and t.task_category = 'case-investigation' order by t.id limit 1) as "investigationTaskId"
     from program p where p.tenant_id = $1 and p.deactivated_at is null order by p.id`,
    [tenantId],
  );

/**
 * Counties with the jurisdiction responsible for their residents. If there are several, the one with the fewest
 * counties.
 */
export async function loadJurisdictions(tx: Tx, tenantId: string): Promise<Map<string, string>> {
  const rows = await tx.rows<{ county: string; id: string }>(
    `select distinct on (c.county_fips) c.county_fips as county, c.jurisdiction_id as id
     from tenant_reporting r join jurisdiction_county c on c.jurisdiction_id = r.jurisdiction_id
     join jurisdiction j on j.id = r.jurisdiction_id and j.deactivated_at is null
     where r.tenant_id = $1 and r.ended_at is null
     order by c.county_fips, (select count(*) from jurisdiction_county o where o.jurisdiction_id = c.jurisdiction_id), c.jurisdiction_id`,
    [tenantId],
  );
  return new Map(rows.map(({ county, id }) => [county, id]));
}
