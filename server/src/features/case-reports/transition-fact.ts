import { transitions } from '@caseway/contract/transition-fact';
import { storedFact } from '../../platform/analytics/facts.ts';
import { openPerson, ownPersonColumns, visibleWithPerson } from '../patients/person-columns.ts';
import { asCase, besideCase, changedWithCase, joinsOfCase } from './of-case.ts';

export const transitionFact = storedFact(transitions, {
  base: { table: 'case_report_transition', as: 't' },
  ...joinsOfCase,
  open: openPerson,
  columns: {
    ...asCase,
    status: 't.from_state',
    toStatus: 't.to_state',
    happenedOn: 't.on_day',
    daysInFormer: 't.days',
    workdaysInFormer: 't.workdays',
  },
  own: ownPersonColumns,
  beside: besideCase,
  visible: visibleWithPerson,
  person: 'patient_number',
  changedBy: { case_report_transition: { with: ['case_report'] }, ...changedWithCase },
  orderedBy: 'happened_on',
});
