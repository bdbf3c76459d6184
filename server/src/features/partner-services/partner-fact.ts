import { dispositionsOf, partnerRecords } from '@caseway/contract/partner-facts';
import { partnerBases } from '@caseway/contract/partner-flow';
import { type OwnColumnSql, storedFact, wholeDays } from '../../platform/analytics/facts.ts';
import {
  openBirthDate,
  openPerson,
  ownPersonColumns,
  personColumns,
  visibleWithPerson,
} from '../patients/person-columns.ts';
import { agesOn } from '../reference/age-band-sql.ts';

const among = (codes: readonly string[]) => `('${codes.join("', '")}')`;

/** A column of the case's own record, for all rows of the case. */
const ofCase = (column: string) => `case when r.index_id is null then r.${column} else source.${column} end`;
const assignedOn = `case when r.disease_family = 'hiv'
    then coalesce(${ofCase('first_interview_assigned_on')}, ${ofCase('interview_assigned_on')})
    else ${ofCase('interview_assigned_on')} end`;
const isInterviewed = `coalesce(${ofCase('interview_status')} = 'I', false)`;
const inPeriod = ['female', 'male', 'transgender'].map((who) => `r.${who}_partners_in_period`);

/** A place that has told about a person, but not about the case, sees none of the row's columns from the case. */
const placeOf = (column: string) =>
  `case when r.index_id is null or source.${column} = r.${column} then r.${column} end`;

/** Who sees a row. A named person is hidden from readers who do not see that person, whatever they see of the case. */
const ownOfRecord: Readonly<Record<string, OwnColumnSql>> = {
  seen_organization_id: { sql: placeOf('organization_id'), as: 'code' },
  seen_facility_id: { sql: placeOf('facility_id'), as: 'code' },
  named_id: { sql: 'r.patient_id', as: 'id' },
  named_families: { sql: `array_to_string(named.disease_families, ',')`, as: 'code' },
  named_organization_ids: { sql: 'named.organization_ids', as: 'ids' },
  named_facility_ids: { sql: 'named.facility_ids', as: 'ids' },
  named_restricted_ids: { sql: 'named.restricted_at', as: 'ids' },
  named_county_fips: { sql: 'named.county_fips', as: 'code' },
  open_named_county_fips: {
    sql: `case when named.told_openly is null then named.county_fips else named.told_openly ->> 'county_fips' end`,
    as: 'code',
  },
  named_told_by: { sql: 'named.told_by', as: 'ids' },
};

/**
 * A row for each visible record of a case and person. `p` is the person of the case: in numbers, the records of
 * named people stay with it, so that a half of the persons has whole cases. [P17]
 */
export const partnerFact = storedFact(partnerRecords, {
  base: { table: 'partner_service', as: 'r' },
  joins: [
    'left join case_report k on k.tenant_id = r.tenant_id and k.id = r.case_report_id',
    'left join patient p on p.tenant_id = r.tenant_id and p.id = k.patient_id',
    'left join patient named on named.tenant_id = r.tenant_id and named.id = r.patient_id',
    'left join partner_service source on source.tenant_id = r.tenant_id and source.id = r.index_id',
  ],
  where: `p.id is not null and (r.patient_id is null or named.id is not null)
  and (r.index_id is null or source.id is not null)`,
  open: openPerson,
  within: 'k.told_within',
  columns: {
    patientId: 'k.patient_id',
    caseRecordId: 'r.case_report_id',
    role: `case when r.index_id is null then 'case' when r.referral_basis in ${among(partnerBases)} then 'partner'
    when r.referral_basis = 'C1' then 'cohort' else 'cluster' end`,
    conditionCode: 'k.condition_code',
    organizationId: 'k.organization_id',
    facilityId: 'k.facility_id',
    programId: 'k.program_id',
    countyFips: { sql: 'r.county_fips', within: `k.told_within ->> 'county_fips'` },
    ...agesOn(`coalesce(${assignedOn}, r.created_on)`, 'p.birth_date', openBirthDate),
    ...personColumns,
    classification: 'k.classification',
    caseBasis: ofCase('referral_basis'),
    interviewerId: ofCase('interviewer_id'),
    assigned: `${ofCase('interview_assigned_on')} is not null`,
    interviewStatus: ofCase('interview_status'),
    reinterviewed: `${ofCase('reinterviewed_on')} is not null`,
    caseClosed: `${ofCase('case_closed_on')} is not null`,
    assignedOn,
    interviewedOn: ofCase('interviewed_on'),
    caseClosedOn: ofCase('case_closed_on'),
    daysToInterview: wholeDays(`(${assignedOn})`, `(${ofCase('interviewed_on')})`),
    periodPartners: `case when r.index_id is null and coalesce(${inPeriod.join(', ')}) is not null
    then ${inPeriod.map((count) => `coalesce(${count}, 0)`).join(' + ')} end`,
    initiated: `r.index_id is not null and ${isInterviewed} and coalesce(r.named_how in ('original', 're-interview'), false)`,
    examOutcome: `case ${Object.entries(dispositionsOf)
      .map(([outcome, codes]) => `when r.disposition in ${among(codes)} then '${outcome}'`)
      .join('\n    ')}
    when r.disposition is not null or r.closed_on is not null then 'closed' else 'open' end`,
    isSource: `coalesce(r.source_spread = 'source', false)`,
    daysToDisposition: wholeDays('r.field_assigned_on', 'r.disposition_on'),
  },
  own: {
    ...ownPersonColumns,
    ...ownOfRecord,
    of_case: { sql: 'r.case_report_id', as: 'id', for: ['numbers'] },
  },
  visible: {
    ...visibleWithPerson,
    organization: 'seen_organization_id',
    facility: 'seen_facility_id',
    maybePerson: {
      families: 'named_families',
      organizations: 'named_organization_ids',
      facilities: 'named_facility_ids',
      restrictedAt: 'named_restricted_ids',
      county: 'named_county_fips',
      toldBy: 'named_told_by',
    },
  },
  person: 'patient_number',
  unit: 'of_case',
  changedBy: {
    partner_service: {
      rows: (ids, tenant) =>
        `select n.id from partner_service n where n.tenant_id = ${tenant} and n.index_id = any (${ids})
         union select unnest(${ids})`,
    },
    case_report: { by: 'case_record_id' },
    patient: {
      rows: (ids, tenant) =>
        `select n.id from partner_service n where n.tenant_id = ${tenant} and n.patient_id = any (${ids})
         union select n.id from partner_service n
           join case_report k on k.tenant_id = ${tenant} and k.id = n.case_report_id
           where n.tenant_id = ${tenant} and k.patient_id = any (${ids})`,
    },
  },
  orderedBy: 'assigned_on',
});
