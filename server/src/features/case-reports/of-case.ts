import type { Beside } from '../../platform/analytics/facts.ts';

/*
 * Columns of facts from the case that a row `t` is about, by its `record_id`. The row is visible and searchable like
 * the case.
 */

/** A row of a case or person that the reader does not see is left out. */
export const joinsOfCase = {
  joins: [
    'left join case_report k on k.tenant_id = t.tenant_id and k.id = t.record_id',
    'left join patient p on p.tenant_id = t.tenant_id and p.id = k.patient_id',
  ],
  where: 'p.id is not null',
  within: 'k.told_within',
};

export const asCase = {
  patientId: 'k.patient_id',
  caseRecordId: 't.record_id',
  organizationId: 't.organization_id',
  facilityId: 't.facility_id',
  programTypeId: { stored: 'program_type_id' },
  programId: 'k.program_id',
  taskId: 'k.task_id',
  countyFips: { sql: 't.county_fips', within: `k.told_within ->> 'county_fips'` },
  diseaseFamily: 't.disease_family',
};

/** The program type. A database of several servers would refuse it as an outer join. */
export const ofProgram: Beside = {
  from: (tenant) => `program g where g.tenant_id = ${tenant} and g.id = c.program_id`,
  columns: { program_type_id: { kind: 'code', sql: '(array_agg(g.program_type_id))[1]' } },
};
export const besideCase = [ofProgram];

export const changedWithCase = {
  case_report: { by: 'case_record_id' },
  patient: { by: 'patient_id' },
  program: { by: 'program_id' },
};
