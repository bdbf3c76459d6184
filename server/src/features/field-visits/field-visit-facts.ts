import { fieldVisitAttempts, fieldVisits } from '@caseway/contract/field-visit-facts';
import { taskCategoryOfVisit } from '@caseway/contract/field-visits';
import {
  attemptOutcomeCodes,
  countsAsAttempt,
  countsAsContact,
  dayPartEnds,
  visitMethodCodes,
} from '@caseway/contract/visit-attempts';
import { type Beside, storedFact, weekdayOf, wholeDays } from '../../platform/analytics/facts.ts';
import {
  countyOfRecord,
  openBirthDate,
  openPerson,
  ownRecordColumns,
  personColumns,
  visibleWithRecord,
} from '../patients/person-columns.ts';
import { agesOn } from '../reference/age-band-sql.ts';

const among = (codes: readonly string[]) => `('${codes.join("', '")}')`;
const hasReached = `e.outcome in ${among(attemptOutcomeCodes.filter((outcome) => countsAsContact({ outcome })))}`;
const hasTried = visitMethodCodes
  .map((method) => {
    const outcomes = attemptOutcomeCodes.filter((outcome) => countsAsAttempt({ method, outcome }));
    return `e.method = '${method}' and e.outcome in ${among(outcomes)}`;
  })
  .join(' or ');

const ofVisit = {
  patientId: 'v.patient_id',
  status: 'v.status',
  visitType: 'v.visit_type',
  registration: `case when v.case_report_id is null then 'person' else 'case' end`,
  taskCategory: `case v.visit_type ${Object.entries(taskCategoryOfVisit)
    .map(([type, category]) => `when '${type}' then '${category}'`)
    .join(' ')} end`,
  createdOn: 'v.created_on',
  organizationId: 'v.organization_id',
  facilityId: 'v.facility_id',
  programId: 'v.program_id',
  countyFips: countyOfRecord('v'),
  diseaseFamily: 'v.disease_family',
  ...personColumns,
};

const attempts: Beside = {
  from: (tenant) => `field_visit_attempt e where e.tenant_id = ${tenant} and e.record_id = c.id`,
  columns: Object.fromEntries(
    [
      ['days_to_attempt', hasTried],
      ['days_to_contact', hasReached],
    ].map(([name, which]) => [
      name,
      { kind: 'integer', sql: wholeDays('c.created_on', `min(e.day) filter (where ${which})`) },
    ]),
  ),
};

export const fieldVisitFact = storedFact(fieldVisits, {
  base: { table: 'field_visit', as: 'v' },
  joins: ['join patient p on p.tenant_id = v.tenant_id and p.id = v.patient_id'],
  open: openPerson,
  columns: {
    ...ofVisit,
    ...agesOn('v.planned_for', 'p.birth_date', openBirthDate),
    outcome: 'v.last_outcome',
    inTime: `case when v.done_on <= v.due_on then 'yes' when v.done_on > v.due_on then 'no' end`,
    daysToAttempt: { stored: 'days_to_attempt' },
    daysToContact: { stored: 'days_to_contact' },
    daysToDone: wholeDays('v.created_on', 'v.done_on'),
  },
  own: ownRecordColumns,
  beside: [attempts],
  visible: visibleWithRecord,
  person: 'patient_number',
  changedBy: {
    field_visit: { by: 'id' },
    field_visit_attempt: { with: ['field_visit'] },
    patient: { by: 'patient_id' },
  },
  orderedBy: 'planned_for',
});

export const fieldVisitAttemptFact = storedFact(fieldVisitAttempts, {
  base: { table: 'field_visit_attempt', as: 'e' },
  joins: [
    'join field_visit v on v.tenant_id = e.tenant_id and v.id = e.record_id',
    'left join patient p on p.tenant_id = e.tenant_id and p.id = e.patient_id',
  ],
  where: 'p.id is not null',
  open: openPerson,
  columns: {
    visitId: 'e.record_id',
    ...ofVisit,
    ...agesOn('e.day', 'p.birth_date', openBirthDate),
    attemptedOn: 'e.day',
    weekday: weekdayOf('e.day'),
    dayPart: `case ${dayPartEnds.map(({ part, until }) => (until ? `when e.at_time < '${until}' then '${part}'` : `else '${part}'`)).join(' ')} end`,
    counts: hasTried,
    reached: hasReached,
  },
  own: ownRecordColumns,
  visible: visibleWithRecord,
  person: 'patient_number',
  changedBy: {
    field_visit_attempt: { with: ['field_visit'] },
    field_visit: { by: 'visit_id' },
    patient: { by: 'patient_id' },
  },
  orderedBy: 'attempted_on',
});
