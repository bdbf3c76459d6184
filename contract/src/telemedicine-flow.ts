import type { Expression } from './expression.ts';
import { is, not } from './expression.ts';
import type { Workflow } from './workflow.ts';

/** The purpose of a visit. None reveals a disease. */
export const telemedicineVisitTypes = [
  'first-visit',
  'follow-up',
  'results',
  'treatment',
  'counseling',
  'interview',
  'other',
] as const;

/** The statuses of a visit, as in a FHIR Appointment. */
export const telemedicineStatuses = [
  'proposed',
  'waitlisted',
  'booked',
  'arrived',
  'in-progress',
  'fulfilled',
  'cancelled',
  'no-show',
  'entered-in-error',
] as const;
export type TelemedicineStatus = (typeof telemedicineStatuses)[number];
/** Visits that are over. */
export const endedVisits = [
  'fulfilled',
  'cancelled',
  'no-show',
  'entered-in-error',
] as const satisfies readonly TelemedicineStatus[];
/** These take the provider's time; a visit that was held does not give it back. */
export const takingVisits = [
  'booked',
  'arrived',
  'in-progress',
  'fulfilled',
] as const satisfies readonly TelemedicineStatus[];

/** The permissions to create and book visits, and to conduct them. */
const book = ['telemedicine/write'] as const;
const hold = ['telemedicine/provide'] as const;
const time = ['provider', 'startsAt', 'minutes'] as const;
const held = ['arrivedAt', 'joinedAt', 'endedAt', 'connection'] as const;
const isOverdue: Expression = is('overdue', 'yes');

/** From the request for a visit to its end. No-shows are never automatic: someone records them. */
export const telemedicineFlow: Workflow<TelemedicineStatus> = {
  id: 'TELEMEDICINE',
  version: 1,
  initial: 'proposed',
  states: telemedicineStatuses,
  transitions: [
    { id: 'waitlist', from: ['proposed'], to: 'waitlisted', may: book },
    { id: 'book', from: ['proposed', 'waitlisted'], to: 'booked', may: book, asks: time, requires: time },
    { id: 'reschedule', from: ['booked'], to: 'booked', may: book, asks: time, requires: time },
    {
      id: 'arrive',
      from: ['booked'],
      to: 'arrived',
      may: [...book, ...hold],
      asks: ['consentVersion'],
      requires: ['consentVersion'],
      set: { arrivedAt: 'now', consentAt: 'now' },
    },
    { id: 'admit', from: ['arrived'], to: 'in-progress', may: hold, set: { joinedAt: 'now' } },
    { id: 'step-back', from: ['in-progress'], to: 'arrived', may: hold, clear: ['joinedAt'] },
    {
      id: 'finish',
      from: ['in-progress'],
      to: 'fulfilled',
      may: hold,
      asks: ['connection'],
      requires: ['connection'],
      set: { endedAt: 'now', measured: { code: 'by-hand' } },
    },
    {
      id: 'correct',
      from: ['fulfilled'],
      to: 'fulfilled',
      may: hold,
      asks: held,
      requires: held,
      reason: 'required',
    },
    {
      id: 'miss',
      from: ['booked'],
      to: 'no-show',
      may: [...book, ...hold],
      refuse: [{ id: 'too-early', refuse: not(isOverdue), at: ['startsAt'] }],
    },
    {
      id: 'cancel',
      from: ['proposed', 'waitlisted', 'booked', 'arrived'],
      to: 'cancelled',
      may: book,
      asks: ['cancelledBy', 'cancelledWhy'],
      requires: ['cancelledBy'],
      set: { cancelledAt: 'now' },
    },
    {
      id: 'reopen',
      from: ['cancelled'],
      to: 'proposed',
      may: book,
      clear: [
        ...time,
        'arrivedAt',
        'consentAt',
        'consentVersion',
        'cancelledAt',
        'cancelledBy',
        'cancelledWhy',
      ],
      reason: 'required',
    },
    { id: 'appear', from: ['no-show'], to: 'booked', may: [...book, ...hold], reason: 'required' },
    {
      id: 'resume',
      from: ['fulfilled'],
      to: 'in-progress',
      may: hold,
      clear: ['endedAt', 'measured', 'connection'],
      reason: 'required',
    },
    {
      id: 'retract',
      from: ['proposed', 'waitlisted', 'booked', 'cancelled', 'no-show'],
      to: 'entered-in-error',
      may: book,
      reason: 'required',
    },
  ],
  next: {
    proposed: ['book'],
    waitlisted: ['book'],
    booked: ['arrive'],
    arrived: ['admit'],
    'in-progress': ['finish'],
  },
  needs: {
    booked: time,
    arrived: [...time, 'arrivedAt', 'consentVersion'],
    'in-progress': [...time, 'joinedAt'],
    fulfilled: [...time, 'joinedAt', 'endedAt', 'connection'],
    'no-show': time,
    cancelled: ['cancelledBy'],
  },
  locked: ['entered-in-error'],
  rules: [],
};
