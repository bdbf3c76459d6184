import { weekdays } from './calendar.ts';
import { code, counting, day, fact, integer, ref, summed } from './fact.ts';
import {
  cancelledBy,
  connectionOutcomes,
  interpreterNeeds,
  telemedicineGrid,
  visitLengths,
} from './telemedicine.ts';
import { telemedicineStatuses, telemedicineVisitTypes } from './telemedicine-flow.ts';
import { visitColumns } from './visit-columns.ts';

/** The hours of the day in which a visit can begin. */
export const startHours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

/** One row per video visit. */
export const telemedicineVisits = fact(
  'telemedicine_visit',
  {
    ...visitColumns,
    status: code(telemedicineStatuses),
    /** It counts unless it was entered in error. */
    counts: counting,
    visitType: code(telemedicineVisitTypes),
    plannedOn: day('open'),
    providerId: ref('providers'),
    language: code('languages'),
    interpreter: code(interpreterNeeds),
    /** Of the start, in the tenant's time zone; empty without a time. */
    weekday: code(weekdays),
    startHour: code(startHours),
    connection: code(connectionOutcomes),
    cancelledBy: code(cancelledBy),
    cancelledLate: code(['yes', 'no']),
    /** Days from adding the visit to the visit; empty without a time. */
    daysToVisit: integer('counted'),
    waitedMinutes: integer('counted'),
    lastedMinutes: summed('counted', visitLengths.most),
  },
  {
    records: telemedicineGrid.id,
    words: 'choice',
    eventDates: ['plannedOn', 'createdOn'],
    enteredOn: 'createdOn',
    person: true,
    counted: 'counts',
    restrictedBy: 'diseaseFamily',
  },
);
