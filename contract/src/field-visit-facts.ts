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

/** One row per visit. */
export const fieldVisits = fact(
  'field_visit',
  {
    ...ofVisit,
    plannedFor: day('open'),
    dueOn: day('open'),
    doneOn: day('open'),
    workerId: ref('investigators'),
    result: code(visitResults),
    /** The outcome of the last attempt. */
    outcome: code(attemptOutcomeCodes),
    /** The number of attempts that count. */
    attemptCount: summed('counted', mostAttempts),
    /** For finished visits with a due date: whether they were on time. */
    inTime: code(['yes', 'no']),
    /** Days from adding the visit to its first attempt; empty if the attempt was earlier. */
    daysToAttempt: integer('counted'),
    daysToContact: integer('counted'),
    daysToDone: integer('counted'),
  },
  { ...counted, eventDates: ['plannedFor', 'doneOn', 'createdOn'], enteredOn: 'createdOn' },
);

/** One row per attempt, by date and time in the tenant's time zone. */
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
    /** A real attempt was made. */
    counts: counting,
    /** Someone spoke with the person. */
    reached: flag,
  },
  { ...counted, eventDates: ['attemptedOn'], enteredOn: 'attemptedOn', counted: 'counts' },
);
