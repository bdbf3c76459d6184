import { type Calendar, workdaysBetween } from './calendar.ts';
import { daysBetween } from './date-range.ts';
import type { Workflow } from './workflow.ts';

/*
 * How long records take from one state to the next, counted only from their transitions, in calendar days and
 * in the tenant's working days. The first day is not counted.
 */

/** A transition that counts, because it was not undone. */
export interface Moved {
  readonly to: string;
  readonly on: string;
}

export interface Took {
  readonly days: number;
  readonly workdays: number;
}

/**
 * The time of a transition: since the record came to its former state, and for each milestone reached for the
 * first time, since the one before. Nothing for a milestone not reached or reached again, or if the start of
 * the former state is unknown.
 */
export function timesOf(
  { initial, milestones = [] }: Pick<Workflow, 'initial' | 'milestones'>,
  { made, earlier }: { made: string; earlier: readonly Moved[] },
  { from, to, on }: Moved & { readonly from: string },
  calendar: Calendar,
): { former: Took | null; milestones: readonly (Took | null)[] } {
  const since = (day: string): Took => ({
    days: Math.max(0, daysBetween(day, on)),
    workdays: workdaysBetween(day, on, calendar),
  });
  const last = earlier.at(-1);
  if ((last?.to ?? initial) !== from) return { former: null, milestones: milestones.map(() => null) };
  const firstIn = (states: readonly string[]) => earlier.find((one) => states.includes(one.to))?.on;
  /** The states of a milestone and of later ones: taking a case assigns and starts it at once. */
  const reaching = milestones.map((_, index) => milestones.slice(index).flatMap(({ states }) => states));
  return {
    former: since(last?.on ?? made),
    milestones: reaching.map((states, index) => {
      if (!states.includes(to) || firstIn(states) !== undefined) return null;
      return since(index === 0 ? made : (firstIn(reaching[index - 1]!) ?? on));
    }),
  };
}
