import { type CaseStatus, caseStatuses } from './case-reports.ts';
import { empty, given } from './expression.ts';
import { type Actor, act, type Workflow } from './workflow.ts';

/**
 * The status of a case, as people set it: any follows any other, since a correction leads everywhere. A case that is
 * assigned has an investigator: a new case that is given to one is assigned, one that loses its investigator waits again.
 */
export const caseFlow: Workflow<CaseStatus> = {
  id: 'CASE',
  version: 1,
  initial: 'new',
  states: caseStatuses,
  transitions: caseStatuses.map((to) => ({
    id: to,
    from: caseStatuses.filter((status) => status !== to),
    to,
    may: ['case-reports/write'],
    asks: ['investigator'],
    ...(to === 'assigned' && { requires: ['investigator'] }),
  })),
  following: [
    { id: 'given', from: ['new'], to: 'assigned', field: 'investigator', when: given('investigator') },
    { id: 'freed', from: ['assigned'], to: 'new', field: 'investigator', when: empty('investigator') },
  ],
  rules: [],
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
