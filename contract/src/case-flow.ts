import { type CaseStatus, caseStatuses } from './case-reports.ts';
import { empty, given } from './expression.ts';
import { type Actor, act, type Effect, type Workflow } from './workflow.ts';

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

/**
 * The status of a case, as people set it: any follows any other, since a correction leads everywhere. A case that is
 * assigned has an investigator: a new case that is given to one is assigned, one that loses its investigator waits again.
 */
export const caseFlow: Workflow<CaseStatus> = {
  id: 'CASE',
  version: 2,
  initial: 'new',
  states: caseStatuses,
  assignee: 'investigator',
  transitions: caseStatuses.map((to) => ({
    id: to,
    from: caseStatuses.filter((status) => status !== to),
    to,
    may: ['case-reports/write'],
    asks: ['investigator'],
    ...(to === 'assigned' && { requires: ['investigator'] }),
    effects: effects[to],
  })),
  next: {
    new: 'assigned',
    assigned: 'under_investigation',
    under_investigation: 'complete',
    awaiting_interview: 'complete',
    complete: 'approved',
    approved: 'closed',
  },
  following: [
    { id: 'given', from: ['new'], to: 'assigned', field: 'investigator', when: given('investigator') },
    { id: 'freed', from: ['assigned'], to: 'new', field: 'investigator', when: empty('investigator') },
  ],
  rules: [],
  clocks: [
    { id: 'assign', days: 1, working: true },
    { id: 'start', days: 3 },
    { id: 'complete', days: 14 },
    { id: 'approve', days: 3 },
  ],
};

/** Whether a change of the status lacks what the new one needs: an assigned case has an investigator. */
export function lacksInvestigator(
  current: { status: CaseStatus; investigator: string | null },
  change: { status?: CaseStatus | undefined; investigator?: string | null | undefined },
  actor: Actor,
): boolean {
  if (change.status === undefined || change.status === current.status) return false;
  const { status: state, investigator } = current;
  const entered = change.investigator === undefined ? {} : { investigator: change.investigator };
  const outcome = act(caseFlow, { state, values: { investigator } }, change.status, entered, actor);
  return !outcome.done && outcome.refusals.some(({ at }) => at.includes('investigator'));
}
