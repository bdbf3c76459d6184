import { code, counting, day, fact, id } from './fact.ts';
import { ofCase } from './transition-fact.ts';
import { workKinds, workPriorities, workQueues, workStates } from './work-tasks.ts';

/** One row per follow-up task about a case. */
export const workTasks = fact(
  'work_task',
  {
    id,
    patientId: id,
    caseRecordId: id,
    work: code(workKinds),
    state: code(workStates),
    /** It counts unless the transition that created it was undone. */
    counts: counting,
    priority: code(workPriorities),
    queue: code(workQueues),
    createdOn: day('open'),
    dueOn: day('open'),
    ...ofCase,
  },
  {
    records: 'work-tasks',
    eventDates: ['createdOn', 'dueOn'],
    enteredOn: 'createdOn',
    person: true,
    counted: 'counts',
    restrictedBy: 'diseaseFamily',
  },
);
