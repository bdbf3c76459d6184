import { type CaseStatus, caseStatuses } from './case-reports.ts';
import { empty, given } from './expression.ts';
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

const by = ['case-reports/write'] as const;
/** An investigation that goes on. */
const going = ['assigned', 'under_investigation', 'awaiting_interview'] as const;

/**
 * The investigation of a case. A case that is assigned has an investigator: a new case that is given to one is assigned, one
 * that loses its investigator waits again. What is over is opened again with a reason, which stays in the history.
 */
export const caseFlow: Workflow<CaseStatus> = {
  id: 'CASE',
  version: 3,
  initial: 'new',
  states: caseStatuses,
  assignee: 'investigator',
  transitions: [
    {
      id: 'assign',
      from: ['new', ...going],
      to: 'assigned',
      may: by,
      asks: ['investigator'],
      effects: effects.assigned,
    },
    {
      id: 'start',
      from: ['new', 'assigned', 'awaiting_interview'],
      to: 'under_investigation',
      may: by,
      asks: ['investigator'],
      requires: ['investigator'],
      effects: effects.under_investigation,
    },
    {
      id: 'awaitInterview',
      from: ['assigned', 'under_investigation'],
      to: 'awaiting_interview',
      may: by,
      asks: ['investigator'],
      requires: ['investigator'],
      effects: effects.awaiting_interview,
    },
    {
      id: 'giveBack',
      from: going,
      to: 'new',
      may: by,
      clear: ['investigator'],
      reason: 'required',
      effects: effects.new,
    },
    {
      id: 'complete',
      from: ['under_investigation', 'awaiting_interview'],
      to: 'complete',
      may: by,
      refuse: [
        {
          id: 'unclassified',
          refuse: { field: 'classification', is: 'unknown' },
          at: ['classification'],
        },
      ],
      effects: effects.complete,
    },
    { id: 'approve', from: ['complete'], to: 'approved', may: by, effects: effects.approved },
    { id: 'close', from: ['approved'], to: 'closed', may: by, effects: effects.closed },
    {
      id: 'reopen',
      from: ['complete', 'approved', 'closed'],
      to: 'under_investigation',
      may: by,
      reason: 'required',
      effects: effects.under_investigation,
    },
    {
      id: 'noFollowUp',
      from: ['new', ...going],
      to: 'no_follow_up',
      may: by,
      reason: 'required',
      effects: effects.no_follow_up,
    },
    {
      id: 'takeUp',
      from: ['no_follow_up'],
      to: 'new',
      may: by,
      clear: ['investigator'],
      reason: 'required',
      effects: effects.new,
    },
  ],
  next: {
    new: 'assign',
    assigned: 'start',
    under_investigation: 'complete',
    awaiting_interview: 'complete',
    complete: 'approve',
    approved: 'close',
  },
  following: [
    { id: 'given', from: ['new'], to: 'assigned', field: 'investigator', when: given('investigator') },
    { id: 'freed', from: ['assigned'], to: 'new', field: 'investigator', when: empty('investigator') },
  ],
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
