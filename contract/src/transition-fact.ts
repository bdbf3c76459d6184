import { caseStatuses } from './case-reports.ts';
import { code, counting, day, fact, id, integer, ref } from './fact.ts';

/** Where a row that is about a case is found by numbers: as its case. */
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
 * One row for each transition of a case from one status to another, with what it has taken: by the calendar, and in the
 * days on which the tenant works. How long a case took to a milestone stands with the transition that reached it first.
 */
export const transitions = fact(
  'transition',
  {
    id,
    patientId: id,
    caseRecordId: id,
    /** The status that it left. */
    status: code(caseStatuses),
    toStatus: code(caseStatuses),
    /** Whether it counts: it was not taken back. */
    counts: counting,
    happenedOn: day('open'),
    /** Since the case came to its former status. */
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
