import type { CaseExplanation, ClassifiedBy } from '@caseway/contract/case-rules';
import type { Classification } from '../reference/schema.ts';
import { isUndetermined } from './same-case.ts';

/* The parts of an explanation that are applied; they never override a person's decision. */

/** The parts of an explanation that are stored, to see whether the next one differs. */
export type Explained = Pick<CaseExplanation, 'rule' | 'classification' | 'condition' | 'variant' | 'flag'>;

export const explainedOf = ({
  rule,
  classification,
  condition,
  variant,
  flag,
}: CaseExplanation): Explained => ({
  rule,
  classification,
  condition,
  ...(variant ? { variant } : {}),
  ...(flag ? { flag } : {}),
});

const saysElse = (a: Explained, b: Explained) =>
  a.rule !== b.rule ||
  a.classification !== b.classification ||
  a.condition !== b.condition ||
  (a.variant ?? null) !== (b.variant ?? null) ||
  (a.flag ?? null) !== (b.flag ?? null);

/** The parts of a case that decide what a rule may change. */
export interface DecidedCase {
  conditionCode: string;
  classification: Classification;
  classifiedBy: ClassifiedBy;
  /** The rule's previous result; null if no rule was applied to the case. */
  explained: Explained | null;
}

export const classificationRank: Record<Classification, number> = {
  not_a_case: 0,
  unknown: 0,
  suspect: 1,
  probable: 2,
  confirmed: 3,
};

/** The effect of an explanation on a case. */
export interface Outcome {
  classification?: Classification;
  conditionCode?: string;
  /** Why a person should review it. */
  reviews: string[];
  /** A contradiction that is gone: the case no longer needs a review because of it. */
  settles: Explained['flag'];
  /** The rule's result has changed. */
  isNews: boolean;
}

/**
 * The effect of a new explanation on a case. A classification from the rule follows the rule. One from a person
 * stays, and a new result of the rule puts the case up for review. One from a report or line list is raised but
 * never lowered, because its sender may know what Caseway does not.
 */
export function outcomeOf(
  record: DecidedCase,
  explanation: CaseExplanation,
  { isPositive }: { isPositive: boolean },
): Outcome {
  const before = record.explained;
  const isNews = before === null || saysElse(before, explainedOf(explanation));
  const { classification, condition, flag } = explanation;
  const outcome: Outcome = { reviews: [], settles: flag ? undefined : before?.flag, isNews };
  const differs = classification !== record.classification;
  if (record.classifiedBy === 'rule') {
    if (differs) outcome.classification = classification;
  } else if (record.classification === 'not_a_case' && isPositive) {
    outcome.reviews.push('positive-after-ruled-out');
  } else if (record.classifiedBy === 'report') {
    if (classificationRank[classification] > classificationRank[record.classification])
      outcome.classification = classification;
    else if (differs && isNews && before !== null) outcome.reviews.push('rule-differs');
  } else if (differs && isNews) outcome.reviews.push('rule-differs');
  const isCase = classification !== 'not_a_case' && explanation.classes.at(-1)?.state === 'met';
  const mayName =
    record.classifiedBy === 'rule' ||
    (record.classifiedBy === 'report' && isUndetermined(record.conditionCode));
  if (isCase && mayName && condition !== record.conditionCode) outcome.conditionCode = condition;
  if (flag && flag !== before?.flag) outcome.reviews.push(flag);
  return outcome;
}
