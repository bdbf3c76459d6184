import { all, has, is, not } from './expression.ts';
import type { Effect, Workflow } from './workflow.ts';

/** The stage of the investigation, by its reports: first, interim, and final. */
export const incidentStages = ['received', 'in-review', 'first', 'interim', 'final', 'discarded'] as const;
export type IncidentStage = (typeof incidentStages)[number];
/** Stages after which no one works on it. */
export const endedStages = ['final', 'discarded'] as const satisfies readonly IncidentStage[];

/** What makes an adverse event serious (E2B(R3) E.i.3.2). An emergency room visit alone does not. */
export const seriousCriteria = [
  'death',
  'life-threatening',
  'hospitalization',
  'disability',
  'birth-defect',
  'other-important',
] as const;

const stop = (...clocks: string[]): Effect[] => clocks.map((stopClock) => ({ stopClock }));
const ended = stop('review', 'first', 'final');
const open = ['received', 'in-review', 'first', 'interim'] as const;
const isVaccine = is('kind', 'vaccine-adverse-event');

/**
 * From the incoming report to the final one, which a supervisor closes. The clocks are goals, not legal
 * deadlines: WHO asks for a review of a serious event within two days, a first report within seven, and an
 * assessment within thirty.
 */
export const incidentFlow: Workflow<IncidentStage> = {
  id: 'INCIDENT',
  version: 1,
  initial: 'received',
  states: incidentStages,
  assignee: 'investigator',
  begun: [{ startClock: 'review' }, { startClock: 'first' }, { startClock: 'final' }],
  transitions: [
    {
      id: 'review',
      from: ['received'],
      to: 'in-review',
      may: ['incident-reports/write'],
      asks: ['investigator'],
      requires: ['investigator'],
      effects: stop('review'),
    },
    {
      id: 'report',
      from: ['in-review'],
      to: 'first',
      may: ['incident-reports/write'],
      effects: stop('first'),
    },
    { id: 'follow-up', from: ['first'], to: 'interim', may: ['incident-reports/write'] },
    {
      id: 'close',
      from: ['in-review', 'first', 'interim'],
      to: 'final',
      may: ['incident-reports/close'],
      asks: ['classification', 'outcome', 'harm'],
      requires: [
        { field: 'classification', when: isVaccine },
        { field: 'harm', when: not(isVaccine) },
      ],
      effects: ended,
    },
    {
      id: 'discard',
      from: open,
      to: 'discarded',
      may: ['incident-reports/close'],
      reason: 'required',
      effects: ended,
    },
    {
      id: 'reopen',
      from: endedStages,
      to: 'in-review',
      may: ['incident-reports/close'],
      reason: 'required',
      effects: [{ startClock: 'final' }],
    },
  ],
  next: { received: ['review'], 'in-review': ['report'], first: ['close'], interim: ['close'] },
  rules: [
    {
      id: 'died-without-criterion',
      refuse: all(is('outcome', 'fatal'), not(has('seriousness', 'death')), isVaccine),
      at: ['outcome'],
    },
  ],
  clocks: [
    { id: 'review', days: 2 },
    { id: 'first', days: 7 },
    { id: 'final', days: 30 },
  ],
};
