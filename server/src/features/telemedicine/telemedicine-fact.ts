import { telemedicineVisits } from '@caseway/contract/telemedicine-facts';
import { storedFact, weekdayOf, wholeDays } from '../../platform/analytics/facts.ts';
import {
  countyOfRecord,
  openBirthDate,
  openPerson,
  ownRecordColumns,
  personColumns,
  visibleWithRecord,
} from '../patients/person-columns.ts';
import { agesOn } from '../reference/age-band-sql.ts';
import { cancelledLate, lasted, waited } from './visit-times.ts';

export const telemedicineFact = storedFact(telemedicineVisits, {
  base: { table: 'telemedicine_visit', as: 'v' },
  joins: ['join patient p on p.tenant_id = v.tenant_id and p.id = v.patient_id'],
  open: openPerson,
  columns: {
    id: 'v.id',
    patientId: 'v.patient_id',
    status: 'v.status',
    counts: `v.status <> 'entered-in-error'`,
    visitType: 'v.visit_type',
    registration: `case when v.case_report_id is null then 'person' else 'case' end`,
    taskCategory: 'v.task_category',
    plannedOn: 'v.planned_on',
    createdOn: 'v.created_on',
    organizationId: 'v.organization_id',
    facilityId: 'v.facility_id',
    programId: 'v.program_id',
    providerId: 'v.provider_id',
    language: 'v.language',
    interpreter: 'v.interpreter',
    weekday: `case when v.starts_at is not null then ${weekdayOf('v.planned_on')} end`,
    startHour: 'v.start_hour',
    connection: 'v.connection',
    cancelledBy: 'v.cancelled_by',
    cancelledLate: cancelledLate('v'),
    daysToVisit: `case when v.starts_at is not null then ${wholeDays('v.created_on', 'v.planned_on')} end`,
    waitedMinutes: waited('v'),
    lastedMinutes: lasted('v'),
    countyFips: countyOfRecord('v'),
    diseaseFamily: 'v.disease_family',
    ...agesOn('v.planned_on', 'p.birth_date', openBirthDate),
    ...personColumns,
  },
  own: ownRecordColumns,
  visible: visibleWithRecord,
  person: 'patient_number',
  changedBy: { telemedicine_visit: { by: 'id' }, patient: { by: 'patient_id' } },
  orderedBy: 'planned_on',
});
