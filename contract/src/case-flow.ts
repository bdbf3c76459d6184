import { type CaseStatus, caseStatuses } from './case-reports.ts';
import { isMe } from './expression.ts';
import type { Effect, Workflow } from './workflow.ts';

const close = (...tasks: string[]): Effect[] => tasks.map((closeTasks) => ({ closeTasks }));
const stop = (...clocks: string[]): Effect[] => clocks.map((stopClock) => ({ stopClock }));
const start = (...clocks: string[]): Effect[] => clocks.map((startClock) => ({ startClock }));
const ended = [
  ...close('investigate', 'interview', 'approve'),
  ...stop('assign', 'start', 'complete', 'approve'),
];

/** What follows from a status, whatever it was before: who has to do what until when. */
const effects: Readonly<Record<CaseStatus, readonly Effect[]>> = {
  new: [...ended, ...start('assign')],
  assigned: [
    ...close('interview', 'approve'),
    ...stop('assign', 'approve'),
    ...start('start', 'complete'),
    { task: 'investigate', to: 'assignee', dueDays: 3 },
  ],
  under_investigation: [
    ...close('interview', 'approve'),
    ...stop('assign', 'start', 'approve'),
    ...start('complete'),
  ],
  awaiting_interview: [
    ...close('approve'),
    ...stop('assign', 'start', 'approve'),
    ...start('complete'),
    { task: 'interview', to: 'assignee', dueDays: 3 },
  ],
  complete: [
    ...close('investigate', 'interview'),
    ...stop('assign', 'start', 'complete'),
    ...start('approve'),
    { task: 'approve', to: 'supervisor', dueDays: 3 },
  ],
  approved: ended,
  closed: ended,
  no_follow_up: ended,
};

/** An investigation that goes on. */
const going = ['assigned', 'under_investigation', 'awaiting_interview'] as const;
const assign = ['case-reports/assign'] as const;
const investigate = ['case-reports/investigate'] as const;
const approve = ['case-reports/approve'] as const;

/**
 * The investigation of a case. It is assigned to an investigator, or one takes it; who has completed it does not approve it.
 * What is over is opened again with a reason, which stays in the history.
 */
export const caseFlow: Workflow<CaseStatus> = {
  id: 'CASE',
  version: 4,
  initial: 'new',
  states: caseStatuses,
  assignee: 'investigator',
  transitions: [
    {
      id: 'assign',
      from: ['new', ...going],
      to: 'assigned',
      may: assign,
      asks: ['investigator'],
      effects: effects.assigned,
    },
    {
      id: 'take',
      from: ['new'],
      to: 'under_investigation',
      may: investigate,
      set: { investigator: 'me' },
      effects: effects.under_investigation,
    },
    {
      id: 'start',
      from: ['assigned', 'awaiting_interview'],
      to: 'under_investigation',
      may: investigate,
      requires: ['investigator'],
      effects: effects.under_investigation,
    },
    {
      id: 'awaitInterview',
      from: ['assigned', 'under_investigation'],
      to: 'awaiting_interview',
      may: investigate,
      requires: ['investigator'],
      effects: effects.awaiting_interview,
    },
    {
      id: 'giveBack',
      from: going,
      to: 'new',
      may: [...investigate, ...assign],
      clear: ['investigator'],
      reason: 'required',
      effects: effects.new,
    },
    {
      id: 'complete',
      from: ['under_investigation', 'awaiting_interview'],
      to: 'complete',
      may: investigate,
      set: { completedBy: 'me' },
      refuse: [
        {
          id: 'unclassified',
          refuse: { field: 'classification', is: 'unknown' },
          at: ['classification'],
        },
      ],
      effects: effects.complete,
    },
    {
      id: 'approve',
      from: ['complete'],
      to: 'approved',
      may: approve,
      refuse: [{ id: 'own-work', refuse: isMe('completedBy'), at: ['completedBy'] }],
      effects: effects.approved,
    },
    { id: 'close', from: ['approved'], to: 'closed', may: approve, effects: effects.closed },
    {
      id: 'reopen',
      from: ['complete', 'approved', 'closed'],
      to: 'under_investigation',
      may: approve,
      clear: ['completedBy'],
      reason: 'required',
      effects: effects.under_investigation,
    },
    {
      id: 'noFollowUp',
      from: ['new', ...going],
      to: 'no_follow_up',
      may: assign,
      reason: 'required',
      effects: effects.no_follow_up,
    },
    {
      id: 'takeUp',
      from: ['no_follow_up'],
      to: 'new',
      may: assign,
      clear: ['investigator'],
      reason: 'required',
      effects: effects.new,
    },
  ],
  next: {
    new: ['assign', 'take'],
    assigned: ['start'],
    under_investigation: ['complete'],
    awaiting_interview: ['complete'],
    complete: ['approve'],
    approved: ['close'],
  },
  begun: [{ startClock: 'assign' }],
  needs: { assigned: ['investigator'] },
  rules: [],
  clocks: [
    { id: 'assign', days: 1, working: true },
    { id: 'start', days: 3 },
    { id: 'complete', days: 14 },
    { id: 'approve', days: 3 },
  ],
};
