import { empty, given } from './expression.ts';
import type { Workflow } from './workflow.ts';

const assigned = [
  'accepted',
  'in_queue',
  'assigned',
  'under_investigation',
  'rejected_by_investigator',
  'complete',
  'reopened',
];

/** The general investigation of health departments: 14 transitions between 13 states. */
export const generalInvestigation: Workflow = {
  id: 'GENERAL',
  initial: 'new',
  states: [
    'new',
    'assigned_to_jurisdiction',
    'rejected_by_jurisdiction',
    ...assigned,
    'approved',
    'closed',
    'no_follow_up',
  ],
  transitions: [
    {
      id: 'route',
      from: ['new', 'assigned_to_jurisdiction', 'rejected_by_jurisdiction', 'closed', ...assigned],
      to: 'assigned_to_jurisdiction',
      asks: ['jurisdiction'],
      requires: ['jurisdiction'],
      clear: ['investigator', 'queue', 'startedOn', 'completedOn', 'reviewedOn', 'closedOn'],
    },
    { id: 'accept', from: ['assigned_to_jurisdiction'], to: 'accepted' },
    {
      id: 'reject',
      from: ['assigned_to_jurisdiction'],
      to: 'rejected_by_jurisdiction',
      reason: 'required',
      clear: ['jurisdiction'],
    },
    {
      id: 'queue',
      from: assigned,
      to: 'in_queue',
      asks: ['queue'],
      requires: ['queue'],
      clear: ['investigator', 'startedOn', 'completedOn'],
    },
    {
      id: 'assign',
      from: ['new', ...assigned],
      to: 'assigned',
      asks: ['investigator'],
      requires: ['investigator'],
      clear: ['queue', 'completedOn'],
    },
    { id: 'release', from: ['in_queue', 'assigned'], to: 'accepted', clear: ['queue', 'investigator'] },
    {
      id: 'take',
      from: ['accepted', 'in_queue', 'assigned', 'rejected_by_investigator', 'reopened'],
      to: 'under_investigation',
      set: { investigator: 'me', startedOn: 'today' },
      clear: ['queue'],
    },
    {
      id: 'giveBack',
      from: ['in_queue', 'assigned', 'under_investigation'],
      to: 'rejected_by_investigator',
      reason: 'required',
      clear: ['investigator', 'startedOn', 'queue'],
    },
    {
      id: 'complete',
      from: ['under_investigation', 'reopened'],
      to: 'complete',
      set: { completedOn: 'today' },
      refuse: [
        {
          id: 'unclassified',
          refuse: { any: [empty('classification'), { field: 'classification', is: 'unknown' }] },
          at: ['classification'],
        },
        {
          id: 'open-contacts',
          refuse: { some: 'contacts', where: { field: 'followUp', is: 'under_follow_up' } },
          at: ['contacts'],
        },
      ],
    },
    { id: 'approve', from: ['complete'], to: 'approved', set: { reviewedOn: 'today' } },
    {
      id: 'reopen',
      from: ['complete', 'approved', 'closed'],
      to: 'reopened',
      reason: 'required',
      clear: ['completedOn', 'reviewedOn', 'closedOn'],
    },
    { id: 'close', from: ['approved'], to: 'closed', set: { closedOn: 'today' } },
    {
      id: 'noFollowUp',
      from: ['new', 'accepted', 'in_queue', 'assigned'],
      to: 'no_follow_up',
      asks: ['noFollowUpReason'],
      requires: ['noFollowUpReason'],
      set: { closedOn: 'today' },
      clear: ['queue'],
    },
    {
      id: 'takeUp',
      from: ['no_follow_up'],
      to: 'accepted',
      reason: 'required',
      clear: ['closedOn', 'noFollowUpReason', 'investigator'],
    },
  ],
  rules: [
    {
      id: 'complete-needs-start',
      refuse: { all: [given('completedOn'), empty('startedOn')] },
      at: ['startedOn'],
    },
    {
      id: 'ends-before-start',
      refuse: {
        all: [
          given('startedOn'),
          given('completedOn'),
          { not: { field: 'startedOn', notAfter: 'completedOn' } },
        ],
      },
      at: ['completedOn'],
    },
    {
      id: 'queue-or-person',
      refuse: { all: [given('queue'), given('investigator')] },
      at: ['queue', 'investigator'],
    },
  ],
};
