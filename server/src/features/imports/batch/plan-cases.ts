import {
  caseDay,
  dated,
  definitionFor,
  earlierCases,
  explain,
  fixedCondition,
  newCase,
  takeOver,
} from '../../case-reports/case-decision.ts';
import { Histories, type PersonFamily } from '../../case-reports/case-history.ts';
import type { CaseEventWrite, CaseRecord } from '../../case-reports/case-record.ts';
import type { CaseDefinition } from '../../case-rules/criteria.ts';
import { outcomeOf } from '../../case-rules/outcome.ts';
import { familiesReading } from '../../case-rules/rules.ts';
import type { DatedCase } from '../../case-rules/same-case.ts';
import { type PatientRecord, recordedWith } from '../../patients/patient-record.ts';
import { familyOf } from '../../reference/catalog.ts';
import type { Classification } from '../../reference/schema.ts';
import type { BatchState, PlanContext } from '../batch-state.ts';
import { isWithin, seesCase } from '../sight.ts';
import type { Places } from './plan-places.ts';
import type { Tallies } from './tallies.ts';

/** The cases of a batch, from results and line lists: found, opened, decided by the case rules, put up for review. */
export class Cases {
  readonly #state: BatchState;
  readonly #context: PlanContext;
  readonly #tallies: Tallies;
  readonly #places: Places;
  readonly #casesOfPatient = new Map<string, CaseRecord[]>();
  readonly #caseById = new Map<string, CaseRecord>();
  readonly #casesByNumber = new Map<string, CaseRecord[]>();
  /** The cases that the current message has opened or added to. */
  readonly #casesOfMessage = new Set<string>();
  /** Cases that this batch has opened, including at another place that ordered what the sender sends. */
  readonly #opened = new Set<string>();
  readonly events: CaseEventWrite[] = [];
  /** Steps that run once the people's other results are known, in the order of the messages. */
  readonly #later: (() => void)[] = [];
  readonly #touched = new Map<string, PersonFamily>();
  #histories = new Histories();

  constructor(state: BatchState, context: PlanContext, tallies: Tallies, places: Places) {
    this.#state = state;
    this.#context = context;
    this.#tallies = tallies;
    this.#places = places;
    for (const record of state.cases) this.#indexCase(record);
  }

  get changed(): CaseRecord[] {
    return [...this.#caseById.values()].filter(({ isNew, changed }) => isNew || changed);
  }

  /** The people and families whose other results are needed. */
  get touched(): PersonFamily[] {
    return [...this.#touched.values()];
  }

  /** The people's histories after their cases are decided. */
  get histories(): Histories {
    return this.#histories;
  }

  /** Requests a person's other results before their cases are decided. */
  touch(patientId: string, family: string | null, isNew = false): void {
    if (family === null || isNew) return;
    for (const reading of familiesReading(family))
      this.#touched.set(`${patientId} ${reading}`, { patientId, family: reading });
  }

  /** Begins another message. */
  begin(): void {
    this.#casesOfMessage.clear();
    this.#later.push(() => this.#casesOfMessage.clear());
  }

  /** Runs work once the people's other results are known. */
  later(work: () => void): void {
    this.#later.push(work);
  }

  /** Decides the cases of all messages, with the stored records of their people. */
  decide(histories: Histories): void {
    this.#histories = histories;
    for (const work of this.#later) work();
    this.#later.length = 0;
  }

  #indexCase(record: CaseRecord): void {
    this.#caseById.set(record.id, record);
    const list = this.#casesOfPatient.get(record.patientId);
    if (list) list.push(record);
    else this.#casesOfPatient.set(record.patientId, [record]);
    if (record.externalId !== null) this.number(record, record.externalId);
  }

  /** From now on, the case is found by a line list number. */
  number(record: CaseRecord, number: string): void {
    const numbered = this.#casesByNumber.get(number);
    if (numbered) numbered.push(record);
    else this.#casesByNumber.set(number, [record]);
  }

  numbered(number: string): readonly CaseRecord[] {
    return this.#casesByNumber.get(number) ?? [];
  }

  byId(id: string): CaseRecord | undefined {
    return this.#caseById.get(id);
  }

  event(record: CaseRecord, kind: string, detail: Record<string, unknown>): void {
    this.events.push({ caseId: record.id, kind, detail });
  }

  /**
   * Whether the import may report the rule's result for a case. It is based on all results of the person, and would
   * reveal others to a sender who sees only their own. [P23]
   */
  get reportsRulings(): boolean {
    return !isWithin(this.#context.sight);
  }

  /** Puts a case up for review. */
  review(
    record: CaseRecord,
    reason: string,
    about: { resultId: string } | { caseId: string } | { messageId: string },
    isCounted = true,
  ): void {
    record.reviewReason = reason;
    record.changed = true;
    this.event(record, 'review-needed', { reason, ...about });
    if (isCounted) this.#tallies.effect('casesToReview', [record.family]);
  }

  /** Counts the current message once as one that adds to the case, unless it opened the case. */
  updates(record: CaseRecord): void {
    if (this.#casesOfMessage.has(record.id)) return;
    this.#casesOfMessage.add(record.id);
    this.#tallies.effect('casesUpdated', [record.family]);
  }

  /** Closes the review of a case that was put up for one of these reasons. */
  settle(record: CaseRecord, reasons: readonly string[], resultId: string): void {
    const reason = record.reviewReason;
    if (reason === null || !reasons.includes(reason)) return;
    record.reviewReason = null;
    record.changed = true;
    this.event(record, 'review-settled', { reason, resultId });
  }

  /** The result of the case rules for a case. */
  explained(record: CaseRecord, definition: CaseDefinition) {
    const day = caseDay(record);
    const cases = this.#casesOfPatient.get(record.patientId) ?? [];
    return explain(definition, {
      day,
      findings: this.#histories.findings({ patientId: record.patientId, family: definition.family }),
      earlier: earlierCases(definition, cases, day, record),
      onset: record.onsetOn,
      patient: this.#state.patients.get(record.patientId)!,
      only: fixedCondition(record, definition),
    });
  }

  /** Applies the rule to a case again, and stores the explanation. */
  reconsider(
    record: CaseRecord,
    { isPositive, resultId }: { isPositive: boolean; resultId: string },
    spoken?: CaseDefinition,
  ): void {
    const definition = definitionFor(record, spoken);
    if (!definition) return;
    const explanation = this.explained(record, definition);
    const outcome = outcomeOf(record, explanation, { isPositive });
    this.events.push(...takeOver(record, explanation, outcome, resultId));
    if (outcome.settles !== undefined) this.settle(record, [outcome.settles], resultId);
    for (const reason of outcome.reviews)
      this.review(record, reason, { resultId }, this.reportsRulings || reason === 'positive-after-ruled-out');
  }

  open(
    patient: PatientRecord,
    conditionCode: string,
    classification: Classification,
    given: Pick<
      CaseRecord,
      'source' | 'externalId' | 'organizationId' | 'facilityId' | 'countyFips' | 'classifiedBy'
    >,
  ): CaseRecord {
    const family = familyOf(conditionCode)!.code;
    recordedWith(patient, family);
    this.#places.recordedAt(given.facilityId, family);
    const program = this.#places.programFor(family, given.organizationId);
    const record = newCase({
      patientId: patient.id,
      conditionCode,
      classification,
      receivedOn: this.#context.today,
      createdOn: this.#context.today,
      programId: program?.id ?? null,
      taskId: program?.investigationTaskId ?? null,
      jurisdictionId: given.countyFips
        ? (this.#state.jurisdictionOfCounty.get(given.countyFips) ?? null)
        : null,
      ...given,
    });
    this.#indexCase(record);
    this.#casesOfMessage.add(record.id);
    this.#opened.add(record.id);
    this.#tallies.effect('casesOpened', [family]);
    return record;
  }

  /** The patient's cases that the sender may see or has just opened. A finding is joined to no other. [P23] */
  seen(patientId: string): CaseRecord[] {
    return (this.#casesOfPatient.get(patientId) ?? []).filter(
      (record) => this.#opened.has(record.id) || seesCase(this.#context.sight, record),
    );
  }

  /** The patient's cases with their days. */
  dated(patientId: string): (DatedCase & { record: CaseRecord })[] {
    return this.seen(patientId).map(dated);
  }
}
