import { daysBetween } from '@caseway/contract/date-range';
import { conditionByCode } from '../reference/catalog.ts';
import type { CaseDefinition } from './criteria.ts';
import { evaluate } from './evaluate.ts';
import type { Finding } from './findings.ts';

/** The parts of a case that decide whether a finding belongs to it. */
export interface DatedCase {
  id: string;
  conditionCode: string;
  family: string;
  classification: string;
  /** The day of the event. */
  day: string;
}

/** A case that was ruled out longer ago than this is unrelated to a new finding. */
const ruledOutDays = 365;

/** Conditions that become more specific later: syphilis of unknown stage becomes primary syphilis. */
export const isUndetermined = (code: string): boolean => /-(undetermined|unknown-stage)$/.test(code);

/** How long a later positive belongs to a case, in days. */
export function windowOf({ conditionCode, classification }: DatedCase): number {
  const days = conditionByCode(conditionCode)?.reReportDays ?? Number.POSITIVE_INFINITY;
  return classification === 'not_a_case' ? Math.min(days, ruledOutDays) : days;
}

/**
 * The nearest case in time whose window, in days, includes the day; `window` gives none for cases that do not count.
 */
export function nearestCase<Case extends DatedCase>(
  cases: readonly Case[],
  day: string,
  window: (one: Case) => number | undefined,
): Case | undefined {
  let nearest: { one: Case; distance: number } | undefined;
  for (const one of cases) {
    const distance = Math.abs(daysBetween(one.day, day));
    if (distance > (window(one) ?? -1)) continue;
    if (!nearest || distance < nearest.distance || (distance === nearest.distance && one.id < nearest.one.id))
      nearest = { one, distance };
  }
  return nearest?.one;
}

/**
 * The person's case that a finding belongs to: one of the same definition within its re-report window, the nearest
 * in time. Some definitions count by the calendar year. Some require a sign of a new infection after the window;
 * without it, the finding belongs to the earlier case. `findings` are the person's findings of the disease family.
 */
export function sameCase<Case extends DatedCase>(
  cases: readonly Case[],
  definition: CaseDefinition,
  day: string,
  findings: readonly Finding[],
): Case | undefined {
  const same = cases.filter(
    ({ conditionCode, family }) =>
      definition.conditions.includes(conditionCode) ||
      (family === definition.family && (isUndetermined(conditionCode) || isUndetermined(definition.files))),
  );
  const { newCase } = definition;
  const whenever = () => Number.POSITIVE_INFINITY;
  if (newCase === 'calendar-year')
    return nearestCase(
      same.filter((one) => one.day.slice(0, 4) === day.slice(0, 4)),
      day,
      whenever,
    );
  const within = nearestCase(same, day, windowOf);
  if (within || newCase === undefined) return within;
  const earlier = nearestCase(
    same.filter(({ classification }) => classification !== 'not_a_case'),
    day,
    whenever,
  );
  if (!earlier) return undefined;
  const event = { day, findings, earlierCases: [], onset: null, person: nobody, facts: {} };
  // On the same day: the new finding, compared with earlier ones.
  return evaluate(newCase, event, 0).state === 'met' ? undefined : earlier;
}

/** Tests show a new infection, not who the person is. */
const nobody = { birthDate: null, birthDatePrecision: null, sexAtBirth: null, stateFips: null };
