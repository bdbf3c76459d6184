import type { Expression } from './expression.ts';
import { not } from './expression.ts';
import type { Workflow } from './workflow.ts';

/** The status of a case's follow-up. `stopped`: no longer needed. */
export const caseFollowUpStatuses = ['under-follow-up', 'completed', 'lost', 'refused', 'stopped'] as const;
type CaseFollowUpStatus = (typeof caseFollowUpStatuses)[number];

const may = ['contacts/write'] as const;
const from = ['under-follow-up'] as const;
const ended = { endedOn: 'today' } as const;
const isOver: Expression = { field: 'lastOn', notAfter: 'endedOn' };

/** Starts with its days, and ends on the last day or earlier with a reason. */
export const caseFollowUpFlow: Workflow<CaseFollowUpStatus> = {
  id: 'CASE-FOLLOW-UP',
  version: 1,
  initial: 'under-follow-up',
  states: caseFollowUpStatuses,
  transitions: [
    {
      id: 'move',
      from,
      to: 'under-follow-up',
      may,
      asks: ['firstOn', 'lastOn'],
      requires: ['firstOn', 'lastOn'],
      reason: 'required',
    },
    {
      id: 'complete',
      from,
      to: 'completed',
      may,
      set: ended,
      refuse: [{ id: 'not-over', refuse: not(isOver), at: ['lastOn'] }],
    },
    { id: 'lose', from, to: 'lost', may, set: ended, reason: 'required' },
    { id: 'refuse', from, to: 'refused', may, set: ended, reason: 'required' },
    { id: 'stop', from, to: 'stopped', may, set: ended, reason: 'required' },
    {
      id: 'resume',
      from: ['completed', 'lost', 'refused', 'stopped'],
      to: 'under-follow-up',
      may,
      asks: ['firstOn', 'lastOn'],
      requires: ['firstOn', 'lastOn'],
      clear: ['endedOn'],
      reason: 'required',
    },
  ],
  next: { 'under-follow-up': ['complete'], lost: ['resume'] },
  rules: [],
};
