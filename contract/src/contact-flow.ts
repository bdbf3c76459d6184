import type { Expression } from './expression.ts';
import { not } from './expression.ts';
import type { Workflow } from './workflow.ts';

/** The status of a contact's follow-up. `not-followed`: not a contact, or someone else follows up. */
export const contactStatuses = [
  'identified',
  'under-follow-up',
  'completed',
  'lost',
  'refused',
  'became-case',
  'not-followed',
] as const;
export type ContactStatus = (typeof contactStatuses)[number];
/** The follow-up of these is over. */
export const endedContacts = [
  'completed',
  'lost',
  'refused',
  'became-case',
  'not-followed',
] as const satisfies readonly ContactStatus[];

const may = ['contacts/write'] as const;
const open = ['identified', 'under-follow-up'] as const;
const ended = { endedOn: 'today' } as const;
const isOver: Expression = { field: 'followUntil', notAfter: 'endedOn' };
const followed = ['investigator', 'followUntil'] as const;

/** From a contact named by a case to the end of the follow-up, which always has a last day. */
export const contactFlow: Workflow<ContactStatus> = {
  id: 'CONTACT',
  version: 2,
  initial: 'identified',
  states: contactStatuses,
  assignee: 'investigator',
  transitions: [
    {
      id: 'start',
      from: ['identified'],
      to: 'under-follow-up',
      may,
      asks: ['investigator'],
      requires: followed,
      set: { startedOn: 'today' },
    },
    {
      id: 'assign',
      from: ['under-follow-up'],
      to: 'under-follow-up',
      may,
      asks: ['investigator'],
      requires: ['investigator'],
    },
    {
      id: 'complete',
      from: ['under-follow-up'],
      to: 'completed',
      may,
      set: ended,
      refuse: [{ id: 'not-over', refuse: not(isOver), at: ['followUntil'] }],
    },
    { id: 'lose', from: ['under-follow-up'], to: 'lost', may, set: ended, reason: 'required' },
    { id: 'refuse', from: open, to: 'refused', may, set: ended, reason: 'optional' },
    {
      id: 'convert',
      from: [...open, 'lost', 'completed'],
      to: 'became-case',
      may,
      asks: ['becameCase'],
      requires: ['becameCase'],
      set: ended,
    },
    { id: 'drop', from: open, to: 'not-followed', may, set: ended, reason: 'required' },
    {
      id: 'resume',
      from: ['completed', 'lost', 'refused', 'became-case'],
      to: 'under-follow-up',
      may,
      requires: [...followed, 'startedOn'],
      clear: ['endedOn', 'becameCase'],
      reason: 'required',
    },
    {
      id: 'take-up',
      from: ['refused', 'became-case', 'not-followed'],
      to: 'identified',
      may,
      clear: ['startedOn', 'endedOn', 'becameCase'],
      reason: 'required',
    },
  ],
  next: { identified: ['start'], 'under-follow-up': ['complete', 'convert'], lost: ['resume'] },
  needs: { 'under-follow-up': followed, 'became-case': ['becameCase'] },
  rules: [],
};
