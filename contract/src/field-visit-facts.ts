import { weekdays } from './calendar.ts';
import { code, counting, day, fact, flag, id, integer, ref, summed } from './fact.ts';
import { visitResults, visitStatuses } from './field-visit-flow.ts';
import { fieldVisitGrid, fieldVisitTypes } from './field-visits.ts';
import { attemptOutcomeCodes, dayParts, mostAttempts, visitMethodCodes } from './visit-attempts.ts';
import { visitColumns } from './visit-columns.ts';

const ofVisit = {
  ...visitColumns,
  status: code(visitStatuses),
  visitType: code(fieldVisitTypes),
} as const;

const counted = {
  records: fieldVisitGrid.id,
  words: 'choice',
  person: true,
  restrictedBy: 'diseaseFamily',
} as const;

/** One row for each visit. */
export const fieldVisits = fact(
  'field_visit',
  {
    ...ofVisit,
    plannedFor: day('open'),
    dueOn: day('open'),
    doneOn: day('open'),
    workerId: ref('investigators'),
    result: code(visitResults),
    /** Of the last attempt. */
    outcome: code(attemptOutcomeCodes),
    /** How many attempts count. */
    attemptCount: summed('counted', mostAttempts),
    /** Of those that are done and had a day, whether it was by then. */
    inTime: code(['yes', 'no']),
    /** From the day on which it was added; empty where that was later. */
    daysToAttempt: integer('counted'),
    daysToContact: integer('counted'),
    daysToDone: integer('counted'),
  },
  { ...counted, eventDates: ['plannedFor', 'doneOn', 'createdOn'], enteredOn: 'createdOn' },
);

/** One row for each attempt, on the day and at the time of the tenant. */
export const fieldVisitAttempts = fact(
  'field_visit_attempt',
  {
    ...ofVisit,
    visitId: id,
    attemptedOn: day('open'),
    weekday: code(weekdays),
    dayPart: code(dayParts),
    method: code(visitMethodCodes),
    outcome: code(attemptOutcomeCodes),
    /** Somebody has really tried. */
    counts: counting,
    /** The person was spoken to. */
    reached: flag,
  },
  { ...counted, eventDates: ['attemptedOn'], enteredOn: 'attemptedOn', counted: 'counts' },
);
