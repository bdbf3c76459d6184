import type { CaseExplanation } from '@caseway/contract/case-rules';
import type { CaseDefinition } from '../case-rules/criteria.ts';
import { decide } from '../case-rules/decide.ts';
import type { EarlierCase } from '../case-rules/evaluate.ts';
import type { Finding } from '../case-rules/findings.ts';
import { definitionOf, versionFor } from '../case-rules/rules.ts';
import { isUndetermined } from '../case-rules/same-case.ts';
import type { Classification } from '../reference/schema.ts';
import type { CaseRecord } from './batch-state.ts';
import type { PatientRecord } from './patient-facts.ts';

/* What the case rules say of a case, and what of that is taken over: never against what a person has decided. */

/** What is kept in mind of an explanation, to see whether the next one says something else. */
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

export const caseDay = (record: CaseRecord): string =>
  record.collectedOn ?? record.onsetOn ?? record.reportedOn ?? record.createdOn;

/** The definition that decides about a case: that of its condition, or of a more precise one that a finding speaks for. */
export function definitionFor(record: CaseRecord, spoken?: CaseDefinition): CaseDefinition | undefined {
  const own = definitionOf(record.conditionCode);
  if (spoken && spoken !== own && isUndetermined(record.conditionCode) && !isUndetermined(spoken.files))
    return spoken;
  return own ?? spoken;
}

/** Cases of the same definition from before a day; what was ruled out is none. */
export const earlierCases = (
  definition: CaseDefinition,
  cases: readonly CaseRecord[],
  day: string,
  record?: CaseRecord,
): EarlierCase[] =>
  cases
    .filter(
      (each) =>
        each !== record &&
        each.classification !== 'not_a_case' &&
        definition.conditions.includes(each.conditionCode) &&
        caseDay(each) < day,
    )
    .map((each) => ({ condition: each.conditionCode, day: caseDay(each) }));

export function explain(
  definition: CaseDefinition,
  {
    day,
    findings,
    earlier,
    patient,
    only,
  }: {
    day: string;
    findings: readonly Finding[];
    earlier: readonly EarlierCase[];
    patient: Pick<PatientRecord, 'birthDate' | 'birthDatePrecision' | 'sexAtBirth' | 'stateFips'>;
    only?: string;
  },
): CaseExplanation {
  return decide(
    versionFor(definition, day),
    { day, findings, earlierCases: earlier, person: patient, facts: {} },
    only,
  );
}

/** The condition that a rule must stay with: one that a person or a line list has named. */
export function fixedCondition(record: CaseRecord, definition: CaseDefinition): string | undefined {
  const isOfRule =
    isUndetermined(record.conditionCode) || record.explained?.condition === record.conditionCode;
  return isOfRule || definition.conditions.length === 1 ? undefined : record.conditionCode;
}

export const classificationRank: Record<Classification, number> = {
  not_a_case: 0,
  unknown: 0,
  suspect: 1,
  probable: 2,
  confirmed: 3,
};

/** What an explanation does to a case. */
export interface Outcome {
  classification?: Classification;
  conditionCode?: string;
  /** Why somebody should look at it. */
  reviews: string[];
  /** The rule says something else than before. */
  isNews: boolean;
}

/**
 * What a new explanation does to a case. A classification that the rule gave follows the rule. One that a person gave
 * stays, and a rule that comes to say something else puts the case up for review. One that came with a report or a line
 * list is raised and never lowered, since its sender may know what Caseway does not.
 */
export function outcomeOf(
  record: CaseRecord,
  explanation: CaseExplanation,
  { isPositive }: { isPositive: boolean },
): Outcome {
  const before = record.explained;
  const isNews = before === null || saysElse(before, explainedOf(explanation));
  const outcome: Outcome = { reviews: [], isNews };
  const { classification, condition, flag } = explanation;
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

export const earliest = (days: readonly (string | null)[]): string | null =>
  days.reduce<string | null>(
    (least, day) => (day !== null && (least === null || day < least) ? day : least),
    null,
  );

/** A day that no result told stays, unless no result had told one before. */
export const earliestUnlessSet = (
  record: CaseRecord,
  before: string | null,
  after: string | null,
): string | null => (before === null ? earliest([record.collectedOn, after]) : record.collectedOn);
