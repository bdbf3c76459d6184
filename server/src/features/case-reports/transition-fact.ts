import { transitions } from '@caseway/contract/transition-fact';
import { storedFact } from '../../platform/analytics/facts.ts';
import { openPerson, ownPersonColumns, visibleWithPerson } from '../patients/person-columns.ts';
import { asCase, besideCase, changedWithCase, joinsOfCase } from './of-case.ts';

export const transitionFact = storedFact(transitions, {
  base: { table: 'case_report_transition', as: 't' },
  ...joinsOfCase,
  open: openPerson,
  columns: {
    id: 't.id',
    ...asCase,
    status: 't.from_state',
    toStatus: 't.to_state',
    counts: 't.counts',
    happenedOn: 't.on_day',
    daysInFormer: 't.days',
    workdaysInFormer: 't.workdays',
    daysToAssign: 't.days_to_assign',
    workdaysToAssign: 't.workdays_to_assign',
    daysToStart: 't.days_to_start',
    workdaysToStart: 't.workdays_to_start',
    daysToComplete: 't.days_to_complete',
    workdaysToComplete: 't.workdays_to_complete',
    daysToApprove: 't.days_to_approve',
    workdaysToApprove: 't.workdays_to_approve',
  },
  own: ownPersonColumns,
  beside: besideCase,
  visible: visibleWithPerson,
  person: 'patient_number',
  changedBy: { case_report_transition: { with: ['case_report'] }, ...changedWithCase },
  orderedBy: 'happened_on',
});
