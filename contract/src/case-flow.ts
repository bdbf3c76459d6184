import { type CaseStatus, caseStatuses } from './case-reports.ts';
import { isMe } from './expression.ts';
import type { Effect, Workflow } from './workflow.ts';

const close = (...tasks: string[]): Effect[] => tasks.map((closeTasks) => ({ closeTasks }));
const stop = (...clocks: string[]): Effect[] => clocks.map((stopClock) => ({ stopClock }));
const start = (...clocks: string[]): Effect[] => clocks.map((startClock) => ({ startClock }));
const ended = [
  ...close('investigate', 'interview', 'approve'),
  ...stop('accept', 'assign', 'start', 'complete', 'approve'),
];
const waits = [...ended, ...start('assign')];
const goesOn = [
  ...close('interview', 'approve'),
  ...stop('accept', 'assign', 'start', 'approve'),
  ...start('complete'),
];

/** What each status causes, whatever the status before: who has to do what by when. */
const effects: Readonly<Record<CaseStatus, readonly Effect[]>> = {
  new: waits,
  assigned_to_jurisdiction: [...ended, ...start('accept')],
  rejected_by_jurisdiction: waits,
  accepted: waits,
  assigned: [
    ...close('interview', 'approve'),
    ...stop('accept', 'assign', 'approve'),
    ...start('start', 'complete'),
    { task: 'investigate', to: 'assignee', dueDays: 3 },
  ],
  rejected_by_investigator: waits,
  under_investigation: goesOn,
  awaiting_interview: [
    ...close('approve'),
    ...stop('accept', 'assign', 'start', 'approve'),
    ...start('complete'),
    { task: 'interview', to: 'assignee', dueDays: 3 },
  ],
  complete: [
    ...close('investigate', 'interview'),
    ...stop('accept', 'assign', 'start', 'complete'),
    ...start('approve'),
    { task: 'approve', to: 'supervisor', dueDays: 3 },
  ],
  approved: ended,
  closed: ended,
  reopened: goesOn,
  no_follow_up: ended,
};

/** An open investigation that has an investigator. */
const begun = ['under_investigation', 'awaiting_interview', 'reopened'] as const;
const going = ['assigned', ...begun] as const;
/** It still needs an investigator. */
const waiting = ['new', 'accepted', 'rejected_by_investigator'] as const;
const atJurisdiction = ['assigned_to_jurisdiction', 'rejected_by_jurisdiction'] as const;
const assign = ['case-reports/assign'] as const;
const investigate = ['case-reports/investigate'] as const;
const approve = ['case-reports/approve'] as const;
/** A jurisdiction answers cases sent to it, and can change nothing else in them. */
const answers = { may: ['case-reports/accept'], mayAlone: true } as const;

/**
 * The investigation of a case. It can be sent to a jurisdiction, which accepts or rejects it. An investigator
 * is assigned or takes it; reassigning a running case keeps its status. The person who completes it cannot
 * approve it. Reopening needs a reason, which the history keeps.
 */
export const caseFlow: Workflow<CaseStatus> = {
  id: 'CASE',
  version: 7,
  initial: 'new',
  states: caseStatuses,
  assignee: 'investigator',
  transitions: [
    {
      id: 'route',
      from: [...waiting, ...atJurisdiction, ...going],
      to: 'assigned_to_jurisdiction',
      may: ['case-reports/route'],
      asks: ['jurisdiction'],
      requires: ['jurisdiction'],
      clear: ['investigator', 'completedBy'],
      reason: 'optional',
      effects: effects.assigned_to_jurisdiction,
    },
    {
      id: 'accept',
      from: ['assigned_to_jurisdiction'],
      to: 'accepted',
      ...answers,
      effects: effects.accepted,
    },
    {
      id: 'reject',
      from: ['assigned_to_jurisdiction'],
      to: 'rejected_by_jurisdiction',
      ...answers,
      reason: 'required',
      effects: [...effects.rejected_by_jurisdiction, { notify: 'sender', text: 'rejected' }],
    },
    {
      id: 'assign',
      from: [...waiting, 'rejected_by_jurisdiction', ...going],
      to: 'assigned',
      // A running case continues with another investigator, in the same status.
      keeps: begun,
      may: assign,
      asks: ['investigator'],
      requires: ['investigator'],
      effects: effects.assigned,
    },
    {
      id: 'take',
      from: waiting,
      to: 'under_investigation',
      may: investigate,
      set: { investigator: 'me' },
      effects: effects.under_investigation,
    },
    {
      id: 'start',
      from: ['assigned', 'awaiting_interview', 'reopened'],
      to: 'under_investigation',
      may: investigate,
      requires: ['investigator'],
      effects: effects.under_investigation,
    },
    {
      id: 'awaitInterview',
      from: ['assigned', 'under_investigation', 'reopened'],
      to: 'awaiting_interview',
      may: investigate,
      requires: ['investigator'],
      effects: effects.awaiting_interview,
    },
    {
      id: 'giveBack',
      from: going,
      to: 'rejected_by_investigator',
      may: [...investigate, ...assign],
      clear: ['investigator'],
      reason: 'required',
      effects: [...effects.rejected_by_investigator, { notify: 'supervisor', text: 'given-back' }],
    },
    {
      id: 'complete',
      from: begun,
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
      to: 'reopened',
      may: approve,
      clear: ['completedBy'],
      reason: 'required',
      effects: [...effects.reopened, { notify: 'assignee', text: 'reopened' }],
    },
    {
      id: 'noFollowUp',
      from: [...waiting, 'rejected_by_jurisdiction', ...going],
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
    assigned_to_jurisdiction: ['accept'],
    rejected_by_jurisdiction: ['route', 'assign'],
    accepted: ['assign', 'take'],
    assigned: ['start'],
    rejected_by_investigator: ['assign', 'take'],
    under_investigation: ['complete'],
    awaiting_interview: ['complete'],
    complete: ['approve'],
    approved: ['close'],
    reopened: ['start', 'complete'],
  },
  begun: [{ startClock: 'assign' }],
  needs: { assigned: ['investigator'], assigned_to_jurisdiction: ['jurisdiction'] },
  rules: [],
  milestones: [
    { id: 'assign', states: ['assigned'] },
    { id: 'start', states: ['under_investigation', 'awaiting_interview'] },
    { id: 'complete', states: ['complete'] },
    { id: 'approve', states: ['approved', 'closed'] },
  ],
  clocks: [
    { id: 'accept', days: 1, working: true },
    { id: 'assign', days: 1, working: true },
    { id: 'start', days: 3 },
    { id: 'complete', days: 14 },
    { id: 'approve', days: 3 },
  ],
};
