import { all, any, type Expression, empty, given, not, oneOf } from './expression.ts';
import type { Effect, Workflow } from './workflow.ts';

/**
 * The status of a visit. It follows from its fields: the worker, whether they are out, the attempts and the
 * result.
 */
export const visitStatuses = ['open', 'assigned', 'on-the-way', 'attempted', 'done', 'cancelled'] as const;
export type VisitStatus = (typeof visitStatuses)[number];
/** Visits that are over. */
export const endedVisits = ['done', 'cancelled'] as const satisfies readonly VisitStatus[];

/** How it ended. */
export const visitResults = ['cooperative', 'uncooperative', 'unavailable', 'not-found'] as const;
/** Minutes until a worker who sets out is expected back. */
export const minutesOut = ['30', '60', '90', '120', '180', '240', '360', '480'] as const;

const goes = ['field-visits/write'] as const;
const plans = ['field-visits/assign'] as const;
const waiting = ['open', 'assigned', 'attempted'] as const;
const isTried = { field: 'attemptCount', atLeast: 1 } as const;
const isTriedOften = { field: 'attemptDays', atLeast: 3 } as const;
const ended = { doneOn: 'today' } as const;
/** If no one was met, the person still has to be found: a supervisor decides how the case continues. */
const nobodyMet: Effect & { when: Expression } = {
  task: 'review',
  about: 'caseRecord',
  to: 'supervisor',
  dueDays: 3,
  working: true,
  when: oneOf('result', 'unavailable', 'not-found'),
};

/**
 * From the request for a visit to its result. Attempts are not transitions: adding one changes the status.
 */
export const fieldVisitFlow: Workflow<VisitStatus> = {
  id: 'FIELD_VISIT',
  version: 3,
  initial: 'open',
  states: visitStatuses,
  assignee: 'worker',
  derive: [
    { state: 'cancelled', when: given('cancelledOn') },
    { state: 'done', when: given('doneOn') },
    { state: 'on-the-way', when: given('minutesOut') },
    { state: 'attempted', when: all(given('worker'), isTried) },
    { state: 'assigned', when: given('worker') },
    { state: 'open', when: all() },
  ],
  transitions: [
    {
      id: 'assign',
      from: waiting,
      may: plans,
      asks: ['worker', 'plannedFor', 'dueOn'],
      requires: ['worker', 'plannedFor'],
    },
    { id: 'take', from: ['open'], may: goes, set: { worker: 'me' } },
    {
      id: 'set-out',
      from: ['assigned', 'attempted'],
      may: goes,
      asks: ['minutesOut'],
      requires: ['minutesOut'],
    },
    { id: 'come-back', from: ['on-the-way'], may: goes, clear: ['minutesOut'] },
    {
      id: 'finish',
      from: ['on-the-way', 'attempted'],
      may: goes,
      asks: ['result'],
      requires: ['result'],
      refuse: [
        { id: 'no-attempt', refuse: not(isTried), at: ['attemptCount'] },
        {
          id: 'too-few-attempts',
          refuse: all(oneOf('result', 'unavailable', 'not-found'), not(isTriedOften)),
          at: ['result'],
        },
      ],
      set: ended,
      clear: ['minutesOut'],
      effects: [nobodyMet],
    },
    {
      // The person has died, or no one should go there again: the planner of the visits takes
      // responsibility.
      id: 'finish-early',
      from: ['assigned', 'on-the-way', 'attempted'],
      may: plans,
      asks: ['result'],
      requires: ['result'],
      set: ended,
      clear: ['minutesOut'],
      reason: 'required',
      effects: [nobodyMet],
    },
    { id: 'cancel', from: waiting, may: plans, set: { cancelledOn: 'today' }, reason: 'required' },
    {
      id: 'reopen',
      from: endedVisits,
      may: plans,
      clear: ['result', 'doneOn', 'cancelledOn'],
      reason: 'required',
      effects: [{ closeTasks: 'review' }],
    },
  ],
  next: {
    open: ['assign', 'take'],
    assigned: ['set-out'],
    'on-the-way': ['come-back'],
    attempted: ['finish', 'set-out'],
  },
  needs: { done: ['result'] },
  rules: [
    {
      id: 'nobody-goes',
      refuse: all(empty('worker'), any(given('minutesOut'), given('doneOn'))),
      at: ['worker'],
    },
  ],
};
