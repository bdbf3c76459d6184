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

/** One row for each visit by video. */
export const telemedicineVisits = fact(
  'telemedicine_visit',
  {
    ...visitColumns,
    status: code(telemedicineStatuses),
    /** Whether it counts: it was not entered in error. */
    counts: counting,
    visitType: code(telemedicineVisitTypes),
    plannedOn: day('open'),
    providerId: ref('providers'),
    language: code('languages'),
    interpreter: code(interpreterNeeds),
    /** Of the start, where the tenant is; empty without a time. */
    weekday: code(weekdays),
    startHour: code(startHours),
    connection: code(connectionOutcomes),
    cancelledBy: code(cancelledBy),
    cancelledLate: code(['yes', 'no']),
    /** From the day on which it was added to that of the visit; empty without a time. */
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
