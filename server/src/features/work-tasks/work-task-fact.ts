import { workTasks } from '@caseway/contract/work-task-fact';
import { storedFact } from '../../platform/analytics/facts.ts';
import { asCase, besideCase, changedWithCase, joinsOfCase } from '../case-reports/of-case.ts';
import { openPerson, ownPersonColumns, visibleWithPerson } from '../patients/person-columns.ts';

export const workTaskFact = storedFact(workTasks, {
  base: { table: 'work_task', as: 't' },
  ...joinsOfCase,
  open: openPerson,
  columns: {
    ...asCase,
    counts: `t.state <> 'withdrawn'`,
    createdOn: 't.made_on',
  },
  own: ownPersonColumns,
  beside: besideCase,
  visible: visibleWithPerson,
  person: 'patient_number',
  changedBy: { work_task: { by: 'id' }, ...changedWithCase },
  orderedBy: 'created_on',
});
