import { caseStatuses } from './case-reports.ts';
import { code, counting, day, fact, id, integer, ref } from './fact.ts';

/** Columns by which numbers find a row about a case, as they do its case. */
export const ofCase = {
  organizationId: ref('organizations'),
  facilityId: ref('facilities'),
  programTypeId: ref('programTypes'),
  programId: ref('programs'),
  taskId: ref('tasks'),
  countyFips: code('counties'),
  diseaseFamily: code('diseaseFamilies'),
} as const;

/**
 * One row per transition of a case between statuses, with its duration in calendar days and in the tenant's
 * working days. The time to a milestone is on the transition that first reached it.
 */
export const transitions = fact(
  'transition',
  {
    id,
    patientId: id,
    caseRecordId: id,
    /** The status before. */
    status: code(caseStatuses),
    toStatus: code(caseStatuses),
    /** It counts unless it was undone. */
    counts: counting,
    happenedOn: day('open'),
    /** Since the case reached its former status. */
    daysInFormer: integer('counted'),
    workdaysInFormer: integer('counted'),
    daysToAssign: integer('counted'),
    workdaysToAssign: integer('counted'),
    daysToStart: integer('counted'),
    workdaysToStart: integer('counted'),
    daysToComplete: integer('counted'),
    workdaysToComplete: integer('counted'),
    daysToApprove: integer('counted'),
    workdaysToApprove: integer('counted'),
    ...ofCase,
  },
  {
    records: 'case-reports',
    eventDates: ['happenedOn'],
    enteredOn: 'happenedOn',
    person: true,
    counted: 'counts',
    restrictedBy: 'diseaseFamily',
  },
);
