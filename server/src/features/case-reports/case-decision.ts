import type { CaseExplanation } from '@caseway/contract/case-rules';
import { daysBetween } from '@caseway/contract/date-range';
import { recordId } from '../../platform/db/record-id.ts';
import type { CaseDefinition } from '../case-rules/criteria.ts';
import { decide } from '../case-rules/decide.ts';
import type { EarlierCase } from '../case-rules/evaluate.ts';
import type { Finding } from '../case-rules/findings.ts';
import { explainedOf, type Outcome } from '../case-rules/outcome.ts';
import { definitionOf, versionFor } from '../case-rules/rules.ts';
import { type DatedCase, isUndetermined } from '../case-rules/same-case.ts';
import type { PatientRecord } from '../patients/patient-record.ts';
import { conditionByCode, familyOf } from '../reference/catalog.ts';
import type { CaseEventWrite, CaseRecord } from './case-record.ts';

/* What the case rules decide about a person's cases. */

export const caseDay = (record: CaseRecord): string =>
  record.collectedOn ?? record.onsetOn ?? record.reportedOn ?? record.createdOn;

/**
 * The definition that decides a case: that of its condition, or of a more specific condition that a finding points
 * to.
 */
export function definitionFor(record: CaseRecord, spoken?: CaseDefinition): CaseDefinition | undefined {
  const own = definitionOf(record.conditionCode);
  if (spoken && spoken !== own && isUndetermined(record.conditionCode) && !isUndetermined(spoken.files))
    return spoken;
  return own ?? spoken;
}

/**
 * Cases of the same definition before a day. Cases that were ruled out or are only suspected do not count as
 * history, nor does a case of the same event.
 */
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
        each.classification !== 'suspect' &&
        definition.conditions.includes(each.conditionCode) &&
        daysBetween(caseDay(each), day) > (conditionByCode(each.conditionCode)?.reReportDays ?? 0),
    )
    .map((each) => ({ condition: each.conditionCode, day: caseDay(each) }));

export function explain(
  definition: CaseDefinition,
  {
    day,
    findings,
    earlier,
    onset,
    patient,
    only,
  }: {
    day: string;
    findings: readonly Finding[];
    earlier: readonly EarlierCase[];
    /** The first day of the illness, if known. */
    onset: string | null;
    patient: Pick<PatientRecord, 'birthDate' | 'birthDatePrecision' | 'sexAtBirth' | 'stateFips'>;
    only?: string;
  },
): CaseExplanation {
  return decide(
    versionFor(definition, day),
    { day, findings, earlierCases: earlier, onset, person: patient, facts: {} },
    only,
  );
}

/** The condition that a rule must keep, because a person or a line list named it. */
export function fixedCondition(record: CaseRecord, definition: CaseDefinition): string | undefined {
  const isOfRule =
    isUndetermined(record.conditionCode) || record.explained?.condition === record.conditionCode;
  return isOfRule || definition.conditions.length === 1 ? undefined : record.conditionCode;
}

/** A case with its day, for the rules. */
export const dated = (record: CaseRecord): DatedCase & { record: CaseRecord } => ({
  id: record.id,
  conditionCode: record.conditionCode,
  family: record.family,
  classification: record.classification,
  day: caseDay(record),
  record,
});

/** What is known about a case when it is opened. */
type Opened = Omit<CaseRecord, keyof typeof unknownYet | 'id' | 'family'> & Partial<CaseRecord>;

const unknownYet = {
  onsetOn: null,
  collectedOn: null,
  reportedOn: null,
  outcome: null,
  pregnant: null,
  hospitalized: null,
  visitType: null,
  externalId: null,
  reviewReason: null,
  explained: null,
  within: null,
  isNew: true,
  changed: true,
};

/** A new case. */
export const newCase = (opened: Opened): CaseRecord => ({
  id: recordId(),
  family: familyOf(opened.conditionCode)!.code,
  ...unknownYet,
  ...opened,
});

/** Stores the rule's explanation of a case. */
export function keepExplanation(record: CaseRecord, explanation: CaseExplanation): void {
  record.explanation = explanation;
  record.explained = explainedOf(explanation);
}

/**
 * Applies the effect of a new explanation to a case, without reviews. Returns its events, with the result that
 * caused it.
 */
export function takeOver(
  record: CaseRecord,
  explanation: CaseExplanation,
  { classification, conditionCode, isNews }: Outcome,
  resultId?: string,
): CaseEventWrite[] {
  const events: CaseEventWrite[] = [];
  const event = (kind: string, detail: Record<string, unknown>) =>
    events.push({ caseId: record.id, kind, detail });
  if (isNews && record.explained)
    event('explanation-changed', {
      from: record.explained,
      to: explainedOf(explanation),
      ...(resultId !== undefined && { resultId }),
    });
  keepExplanation(record, explanation);
  record.changed = true;
  if (classification !== undefined) {
    const { rule } = explanation;
    event('classification-changed', { from: record.classification, to: classification, rule });
    record.classification = classification;
  }
  if (conditionCode !== undefined) {
    event('condition-changed', { from: record.conditionCode, to: conditionCode });
    record.conditionCode = conditionCode;
  }
  return events;
}

export const earliest = (days: readonly (string | null)[]): string | null =>
  days.reduce<string | null>(
    (least, day) => (day !== null && (least === null || day < least) ? day : least),
    null,
  );

/** A day stays if no result gives one, unless no result gave one before either. */
export const earliestUnlessSet = (
  record: CaseRecord,
  before: string | null,
  after: string | null,
): string | null => (before === null ? earliest([record.collectedOn, after]) : record.collectedOn);
