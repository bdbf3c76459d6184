import { daysBetween } from '@caseway/contract/date-range';
import type { CaseAnswers } from '../../case-reports/case-answers.ts';
import {
  caseDay,
  definitionFor,
  earlierCases,
  earliest,
  earliestUnlessSet,
  explain,
  keepExplanation,
} from '../../case-reports/case-decision.ts';
import { findingOfObserved } from '../../case-reports/case-history.ts';
import type { CaseRecord } from '../../case-reports/case-record.ts';
import { borrowCounty, tellCase } from '../../case-reports/shared-cases.ts';
import type { CaseDefinition } from '../../case-rules/criteria.ts';
import { opensCase } from '../../case-rules/decide.ts';
import type { Finding } from '../../case-rules/findings.ts';
import { outcomeOf } from '../../case-rules/outcome.ts';
import { concerns, definitionsOf, familiesReading, speaksFor } from '../../case-rules/rules.ts';
import { sameCase } from '../../case-rules/same-case.ts';
import type { PatientRecord } from '../../patients/patient-record.ts';
import { statusEffect } from '../../results/result-status.ts';
import type { PlanContext, ResultWrite, StoredResult } from '../batch-state.ts';
import { seesResult } from '../sight.ts';
import type { Cases } from './plan-cases.ts';

/** Reviews that ask whether there is still a positive result. Another positive one ends them. */
const settledByPositive = ['result-withdrawn', 'result-no-longer-positive'];

/** The effect of a batch's results on its cases: which case a finding belongs to, and whether it opens one. */
export class ResultCases {
  readonly #cases: Cases;
  readonly #context: PlanContext;
  readonly #links = new Map<string, { caseId: string; resultId: string }>();
  /** Results of this batch. The sender knows them, even if another place ordered them. */
  readonly #sent = new Set<string>();

  constructor(cases: Cases, context: PlanContext) {
    this.#cases = cases;
    this.#context = context;
  }

  /** Links between results and cases. */
  get links(): { caseId: string; resultId: string }[] {
    return [...this.#links.values()];
  }

  /** Adds a result to the cases of the result that it replaces, and to the case that it opens or belongs to. */
  toCases(
    patient: PatientRecord,
    result: ResultWrite,
    now: StoredResult,
    before: StoredResult | undefined,
    answers: CaseAnswers,
  ): void {
    this.#cases.touch(patient.id, result.observed.diseaseFamily, patient.isNew);
    if (before) this.#cases.touch(before.patientId, before.family);
    this.#cases.later(() => this.#decideResult(patient, result, now, before, answers));
  }

  /**
   * A correction is about one of several people, and it is unknown which: the cases of the result are put up for
   * review.
   */
  doubted({ id, caseIds }: StoredResult): void {
    this.#cases.later(() => {
      for (const caseId of caseIds) this.#ofAnother(caseId, id);
    });
  }

  /** Puts up a case for review if a correction gives its result to someone else. */
  #ofAnother(caseId: string, resultId: string): void {
    const record = this.#cases.byId(caseId);
    if (!record) return;
    this.#cases.review(record, 'result-of-another-patient', { resultId });
    this.#cases.reconsider(record, { isPositive: false, resultId });
  }

  #decideResult(
    patient: PatientRecord,
    result: ResultWrite,
    now: StoredResult,
    before: StoredResult | undefined,
    answers: CaseAnswers,
  ): void {
    const { observed } = result;
    const finding = findingOfObserved(result.id, observed);
    const replaced =
      before?.family == null
        ? undefined
        : this.#cases.histories.remove({ patientId: before.patientId, family: before.family }, before.id);
    this.#sent.add(result.id);
    if (finding)
      this.#cases.histories.add(
        { patientId: patient.id, family: finding.family },
        {
          finding,
          caseIds: now.caseIds,
          organizationId: now.organizationId,
          facilityId: now.facilityId,
        },
      );

    const linked: CaseRecord[] = [];
    for (const caseId of before?.caseIds ?? []) {
      const record = this.#cases.byId(caseId);
      if (!record) continue;
      if (record.patientId !== patient.id) {
        this.#ofAnother(caseId, before!.id);
        continue;
      }
      this.#link(record, result.id);
      now.caseIds.push(record.id);
      record.changed = true;
      this.#cases.event(record, 'result-corrected', {
        resultId: result.id,
        replaces: before!.id,
        from: before!.category,
        to: observed.category,
      });
      const definition = definitionFor(record);
      const speaks =
        finding !== undefined &&
        finding.family === record.family &&
        (definition === undefined || speaksFor(definition, finding));
      // A result that was never positive, such as a negative confirmatory test, can be corrected without loss.
      const spoke =
        replaced === undefined ||
        definition === undefined ||
        (replaced.family === record.family && speaksFor(definition, replaced));
      linked.push(record);
      if (speaks) {
        this.#cases.updates(record);
        this.#cases.settle(record, settledByPositive, result.id);
      } else if (spoke)
        this.#cases.review(
          record,
          statusEffect(observed.hl7Status) === 'withdrawal'
            ? 'result-withdrawn'
            : 'result-no-longer-positive',
          { resultId: result.id },
        );
      this.#datesOf(record, result, answers, replaced);
      this.#cases.reconsider(record, { isPositive: speaks, resultId: result.id });
    }
    if (!finding) return;
    const day = finding.day ?? this.#context.today;
    for (const definition of familiesReading(finding.family).flatMap(definitionsOf)) {
      if (speaksFor(definition, finding)) {
        if (linked.some((record) => definitionFor(record, definition) === definition)) continue;
        this.#addPositive(patient, result, now, answers, definition, day);
      } else if (concerns(definition, finding)) this.#addOther(patient, result, now, definition, day);
    }
  }

  /** A finding that supports a case: it joins an existing one, or opens one if the rule says so. */
  #addPositive(
    patient: PatientRecord,
    result: ResultWrite,
    now: StoredResult,
    answers: CaseAnswers,
    definition: CaseDefinition,
    day: string,
  ): void {
    const about = { isPositive: true, resultId: result.id };
    const findings = this.#seenFindings(patient.id, definition.family);
    const existing = sameCase(this.#cases.dated(patient.id), definition, day, findings)?.record;
    if (existing) {
      if (now.caseIds.includes(existing.id)) return;
      this.#link(existing, result.id);
      now.caseIds.push(existing.id);
      this.#cases.event(existing, 'result-received', { resultId: result.id });
      existing.changed = true;
      this.#cases.settle(existing, settledByPositive, result.id);
      this.#datesOf(existing, result, answers);
      this.#cases.reconsider(existing, about, definition);
      this.#cases.updates(existing);
      return;
    }
    const cases = this.#cases.seen(patient.id);
    const explanation = explain(definition, {
      day,
      findings,
      earlier: earlierCases(definition, cases, day),
      onset: answers.onsetOn,
      patient,
    });
    if (!opensCase(explanation)) return;
    const record = this.#cases.open(patient, explanation.condition, explanation.classification, {
      source: this.#context.format === 'hl7' ? 'elr' : 'csv',
      externalId: null,
      organizationId: result.organizationId,
      facilityId: result.facilityId,
      countyFips: result.countyFips,
      classifiedBy: 'rule',
    });
    if (result.countyBorrowed) borrowCounty(record);
    keepExplanation(record, explanation);
    this.#cases.event(record, 'opened', {
      classification: record.classification,
      source: record.source,
      rule: explanation.rule,
    });
    this.#link(record, result.id);
    now.caseIds.push(record.id);
    this.#cases.event(record, 'result-received', { resultId: result.id });
    this.#datesOf(record, result, answers);
    if (explanation.flag) this.#cases.review(record, explanation.flag, { resultId: result.id });
  }

  /** A finding that supports no case can contradict one, such as a negative confirmatory test. */
  #addOther(
    patient: PatientRecord,
    result: ResultWrite,
    now: StoredResult,
    definition: CaseDefinition,
    day: string,
  ): void {
    for (const record of this.#cases.seen(patient.id)) {
      if (now.caseIds.includes(record.id) || definitionFor(record) !== definition) continue;
      const days = definition.evidenceDays;
      if (days !== null && Math.abs(daysBetween(caseDay(record), day)) > days) continue;
      const explanation = this.#cases.explained(record, definition);
      const outcome = outcomeOf(record, explanation, { isPositive: false });
      if (!outcome.isNews) continue;
      tellCase(record, result, () => {});
      this.#link(record, result.id);
      now.caseIds.push(record.id);
      this.#cases.event(record, 'result-received', { resultId: result.id });
      if (this.#cases.reportsRulings) this.#cases.updates(record);
      this.#cases.reconsider(record, { isPositive: false, resultId: result.id }, definition);
    }
  }

  #link(record: CaseRecord, resultId: string): void {
    this.#links.set(`${record.id} ${resultId}`, { caseId: record.id, resultId });
  }

  /** The results of a person that the sender may see or has just sent. They decide whether a case opens. [P23] */
  #seenFindings(patientId: string, family: string): Finding[] {
    return this.#cases.histories.findings(
      { patientId, family },
      (result) => this.#sent.has(result.finding.id) || seesResult(this.#context.sight, result),
    );
  }

  /**
   * The day of collection is the earliest of a case's current results; a correction moves it, unless a person has
   * set another day. The day of the report is the earliest ever. Answers at order entry fill blank fields.
   */
  #datesOf(
    record: CaseRecord,
    { id, observed, organizationId, facilityId }: ResultWrite,
    answers: CaseAnswers,
    replaced?: Finding,
  ): void {
    const collected = this.#collectedOn(record, { id, observed }, replaced);
    tellCase(record, { organizationId, facilityId }, (facts) => {
      if (facts === record) facts.collectedOn = collected;
      // Also what its own place has reported; for a correction, its current value.
      else if (facts.collectedOn === (replaced?.collectedOn ?? null))
        facts.collectedOn = observed.collectedOn ?? facts.collectedOn;
      else facts.collectedOn = earliest([facts.collectedOn, observed.collectedOn]);
      facts.reportedOn = earliest([facts.reportedOn, observed.reportedOn]);
      facts.onsetOn ??= answers.onsetOn;
      facts.pregnant ??= answers.pregnant;
      facts.hospitalized ??= answers.hospitalized;
      facts.visitType ??= answers.visitType;
    });
  }

  /** Sets the collection day of a case from a result, and records a change in its history. */
  #collectedOn(
    record: CaseRecord,
    { id, observed }: Pick<ResultWrite, 'id' | 'observed'>,
    replaced?: Finding,
  ): string | null {
    const of = { patientId: record.patientId, family: record.family };
    const others = this.#cases.histories
      .ofCase(of, record.id)
      .filter((finding) => finding.id !== id)
      .map(({ collectedOn }) => collectedOn);
    const before = earliest([...others, replaced?.collectedOn ?? null]);
    const after = earliest([...others, observed.collectedOn]);
    const isTold = record.collectedOn === null || record.collectedOn === before;
    const collectedOn = isTold ? (after ?? record.collectedOn) : earliestUnlessSet(record, before, after);
    if (collectedOn !== record.collectedOn) {
      if (record.collectedOn !== null)
        this.#cases.event(record, 'updated', {
          fields: ['collectedOn'],
          changes: { collectedOn: { from: record.collectedOn, to: collectedOn } },
          source: this.#context.format,
          resultId: id,
        });
      record.changed = true;
    }
    return collectedOn;
  }
}
