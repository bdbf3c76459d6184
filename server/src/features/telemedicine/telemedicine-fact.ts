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
    counts: `v.status <> 'entered-in-error'`,
    registration: `case when v.case_report_id is null then 'person' else 'case' end`,
    weekday: `case when v.starts_at is not null then ${weekdayOf('v.planned_on')} end`,
    cancelledLate: cancelledLate('v'),
    daysToVisit: `case when v.starts_at is not null then ${wholeDays('v.created_on', 'v.planned_on')} end`,
    waitedMinutes: waited('v'),
    lastedMinutes: lasted('v'),
    countyFips: countyOfRecord('v'),
    ...agesOn('v.planned_on', 'p.birth_date', openBirthDate),
    ...personColumns,
  },
  own: ownRecordColumns,
  visible: visibleWithRecord,
  person: 'patient_number',
  changedBy: { telemedicine_visit: { by: 'id' }, patient: { by: 'patient_id' } },
  orderedBy: 'planned_on',
});
