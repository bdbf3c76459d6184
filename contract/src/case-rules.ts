import { z } from 'zod';
import { day } from './date-range.ts';

/**
 * Why a case has its classification: the case definition, each criterion as met, not met or unknown, and what
 * would change the result. Criteria are codes, worded under `case-rules`.
 */

/** A criterion whose facts are not recorded is unknown, not false. */
export const criterionStates = ['met', 'not-met', 'unknown'] as const;
export type CriterionState = (typeof criterionStates)[number];

export const criterionKinds = [
  'all',
  'any',
  'none',
  'positive',
  'preliminary',
  'negative',
  'not-done',
  'different',
  'twice',
  'twice-apart',
  'twice-apart-months',
  'twice-within',
  'converted',
  'converted-months',
  'with-first-months',
  'rise',
  'near-onset',
  'not-long-after-onset',
  'age-from',
  'age-below',
  'first-time',
  'earlier-case',
  'sex',
  'place',
  'fact',
] as const;
export type CriterionKind = (typeof criterionKinds)[number];

/** One line of a tree written top down: its parent is the nearest line above with a smaller depth. */
export const criterion = z.object({
  depth: z.number().int(),
  kind: z.enum(criterionKinds),
  state: z.enum(criterionStates),
  /** The tests, facts or conditions it refers to. */
  what: z.array(z.string()).optional(),
  /** The number of days, months or dilutions it requires. */
  number: z.number().optional(),
  /** The results that decided it, as far as the reader may see them. */
  results: z.array(z.uuid()).optional(),
});
export type CriterionLine = z.infer<typeof criterion>;

const classification = z.enum(['confirmed', 'probable', 'suspect', 'not_a_case', 'unknown']);

export const ruleClass = z.object({
  classification,
  condition: z.string(),
  /** A subtype, such as stage 0 of an HIV infection. */
  variant: z.string().optional(),
  state: z.enum(criterionStates),
  criteria: z.array(criterion),
});

/** A later test contradicts the positive one behind the case. */
export const ruleFlags = ['confirmatory-negative'] as const;

export const caseExplanation = z.object({
  /** The definition with its year. */
  rule: z.string(),
  /** The position statement of the Council of State and Territorial Epidemiologists, or null. */
  statement: z.string().nullable(),
  source: z.string(),
  /** The first event year this version applies to. */
  validFrom: z.number().int(),
  /** The day of the event; its year selects the version. */
  eventDay: day,
  classification,
  condition: z.string(),
  variant: z.string().optional(),
  flag: z.enum(ruleFlags).optional(),
  /** Evidence against the case; absent if none. */
  against: z.array(criterion).optional(),
  /** The classes tried, strongest first, down to the one that applies. */
  classes: z.array(ruleClass),
  /** Stronger classes that more facts could lead to, with the missing criteria. */
  next: z.array(z.object({ classification, condition: z.string(), needs: z.array(criterion) })),
});
export type CaseExplanation = z.infer<typeof caseExplanation>;

/** Who classified the case: the rule, a person, or the report's sender. */
export const classifiedBy = ['rule', 'person', 'report'] as const;
export type ClassifiedBy = (typeof classifiedBy)[number];
