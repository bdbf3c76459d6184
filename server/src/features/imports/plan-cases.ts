import { daysBetween } from '@caseway/contract/date-range';
import type { CaseDefinition } from '../case-rules/criteria.ts';
import { opensCase } from '../case-rules/decide.ts';
import type { Finding } from '../case-rules/findings.ts';
import { classificationRank, explainedOf, outcomeOf } from '../case-rules/outcome.ts';
import { concerns, definitionsOf, speaksFor } from '../case-rules/rules.ts';
import { type DatedCase, isUndetermined, nearestCase, sameCase, windowOf } from '../case-rules/same-case.ts';
import { conditionByCode, familyOf } from '../reference/catalog.ts';
import type { Classification, Condition } from '../reference/schema.ts';
import type {
  BatchState,
  CaseEventWrite,
  CaseNoteWrite,
  CaseRecord,
  MessageWrite,
  PlanContext,
  ResultWrite,
  StoredResult,
} from './batch-state.ts';
import type { CaseAnswers } from './case-answers.ts';
import {
  caseDay,
  definitionFor,
  earlierCases,
  earliest,
  earliestUnlessSet,
  explain,
  fixedCondition,
} from './case-decision.ts';
import { findingOfObserved, Histories, type PersonFamily } from './case-history.ts';
import type { Digest } from './incoming.ts';
import { notesOf } from './interpret.ts';
import { type DatedCase as NumberedRow, numberedCase, toldByRow } from './line-list-cases.ts';
import { dayOfRow, type PatientRecord, recordedWith, seenBy } from './patient-facts.ts';
import type { Patients } from './plan-patients.ts';
import type { Places } from './plan-places.ts';
import { recordId } from './record-id.ts';
import type { CaseReportRow } from './report.ts';
import { statusEffect } from './result-key.ts';
import { isWithin, seesCase, seesPerson, seesResult } from './sight.ts';
import type { Tallies } from './tallies.ts';

/** A line list says of the person of a case that they are none. */
const reportedAsNoCase = 'reported-as-no-case';

/** Reviews that ask whether there is still a positive result. */
const settledByPositive: ReadonlySet<string> = new Set(['result-withdrawn', 'result-no-longer-positive']);

/** The cases of a batch: which one a finding or a row of a line list belongs to, and what it does to it. */
export class Cases {
  readonly #state: BatchState;
  readonly #context: PlanContext;
  readonly #tallies: Tallies;
  readonly #patients: Patients;
  readonly #places: Places;
  readonly #casesOfPatient = new Map<string, CaseRecord[]>();
  readonly #caseById = new Map<string, CaseRecord>();
  readonly #casesByNumber = new Map<string, CaseRecord[]>();
  /** The cases that the message under way has opened or added to. */
  readonly #casesOfMessage = new Set<string>();
  readonly #caseResults = new Map<string, { caseId: string; resultId: string }>();
  readonly events: CaseEventWrite[] = [];
  readonly notes: CaseNoteWrite[] = [];
  /** What is done once the other results of the people are known, in the order of the messages. */
  readonly #later: (() => void)[] = [];
  readonly #touched = new Map<string, PersonFamily>();
  #histories = new Histories();

  constructor(state: BatchState, context: PlanContext, tallies: Tallies, patients: Patients, places: Places) {
    this.#state = state;
    this.#context = context;
    this.#tallies = tallies;
    this.#patients = patients;
    this.#places = places;
    for (const record of state.cases) this.#indexCase(record);
  }

  get changed(): CaseRecord[] {
    return [...this.#caseById.values()].filter(({ isNew, changed }) => isNew || changed);
  }

  get results(): { caseId: string; resultId: string }[] {
    return [...this.#caseResults.values()];
  }

  /** The people and families whose other results are looked at. */
  get touched(): PersonFamily[] {
    return [...this.#touched.values()];
  }

  #touch(patientId: string, family: string | null, isNew = false): void {
    if (family !== null && !isNew) this.#touched.set(`${patientId} ${family}`, { patientId, family });
  }

  /** Another message begins. */
  begin(): void {
    this.#casesOfMessage.clear();
    this.#later.push(() => this.#casesOfMessage.clear());
  }

  /** Decides about the cases of all messages, with what is stored of the people they touch. */
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
    if (record.externalId !== null) this.#number(record, record.externalId);
  }

  #number(record: CaseRecord, number: string): void {
    const numbered = this.#casesByNumber.get(number);
    if (numbered) numbered.push(record);
    else this.#casesByNumber.set(number, [record]);
  }

  #event(record: CaseRecord, kind: string, detail: Record<string, unknown>): void {
    this.events.push({ caseId: record.id, kind, detail });
  }

  /**
   * Whether the import may report what the rule says of a case: that rests on all results of the person, and a sender who
   * sees only their own would learn of the others. [P23]
   */
  get #tells(): boolean {
    return !isWithin(this.#context.sight);
  }

  #review(
    record: CaseRecord,
    reason: string,
    about: { resultId: string } | { caseId: string } | { messageId: string },
    isCounted = true,
  ): void {
    record.reviewReason = reason;
    record.changed = true;
    this.#event(record, 'review-needed', { reason, ...about });
    if (isCounted) this.#tallies.effect('casesToReview', [record.family]);
  }

  /** A positive result takes the place of the one that was withdrawn, and nobody needs to look at the case for that. */
  #settle(record: CaseRecord, resultId: string): void {
    const reason = record.reviewReason;
    if (reason === null || !settledByPositive.has(reason)) return;
    record.reviewReason = null;
    record.changed = true;
    this.#event(record, 'review-settled', { reason, resultId });
  }

  /** A correction is about one of several people, and nothing tells which: the cases of the result are looked at. */
  doubted({ id, caseIds }: StoredResult): void {
    this.#later.push(() => {
      for (const caseId of caseIds) this.#ofAnother(caseId, id);
    });
  }

  /** Puts up a case for review whose result a correction gives to somebody else. */
  #ofAnother(caseId: string, resultId: string): void {
    const record = this.#caseById.get(caseId);
    if (!record) return;
    this.#review(record, 'result-of-another-patient', { resultId });
    this.#reconsider(record, { isPositive: false, resultId });
  }

  /** Counts the message under way as one that adds to the case, once, and not when it has opened it itself. */
  #updates(record: CaseRecord): void {
    if (this.#casesOfMessage.has(record.id)) return;
    this.#casesOfMessage.add(record.id);
    this.#tallies.effect('casesUpdated', [record.family]);
  }

  #link(record: CaseRecord, resultId: string): void {
    this.#caseResults.set(`${record.id} ${resultId}`, { caseId: record.id, resultId });
  }

  /** Brings a result to the cases of the one it replaces, and to the case it opens or belongs to. */
  toCases(
    patient: PatientRecord,
    result: ResultWrite,
    now: StoredResult,
    before: StoredResult | undefined,
    answers: CaseAnswers,
  ): void {
    this.#touch(patient.id, result.observed.diseaseFamily, patient.isNew);
    if (before) this.#touch(before.patientId, before.family);
    this.#later.push(() => this.#decideResult(patient, result, now, before, answers));
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
        : this.#histories.remove({ patientId: before.patientId, family: before.family }, before.id);
    if (finding)
      this.#histories.add(
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
      const record = this.#caseById.get(caseId);
      if (!record) continue;
      if (record.patientId !== patient.id) {
        this.#ofAnother(caseId, before!.id);
        continue;
      }
      this.#link(record, result.id);
      now.caseIds.push(record.id);
      record.changed = true;
      this.#event(record, 'result-corrected', {
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
      linked.push(record);
      if (speaks) {
        this.#updates(record);
        this.#settle(record, result.id);
      } else
        this.#review(
          record,
          statusEffect(observed.hl7Status) === 'withdrawal'
            ? 'result-withdrawn'
            : 'result-no-longer-positive',
          { resultId: result.id },
        );
      this.#datesOf(record, result, answers, replaced);
      this.#reconsider(record, { isPositive: speaks, resultId: result.id });
    }
    if (!finding) return;
    const day = finding.day ?? this.#context.today;
    for (const definition of definitionsOf(finding.family)) {
      if (speaksFor(definition, finding)) {
        if (linked.some((record) => definitionFor(record, definition) === definition)) continue;
        this.#addPositive(patient, result, now, answers, definition, day);
      } else if (concerns(definition, finding)) this.#addOther(patient, result, now, definition, day);
    }
  }

  /** A finding that speaks for a case: it joins the one it belongs to, or opens one where the rule says so. */
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
    const existing = sameCase(this.#dated(patient.id), definition, day, findings)?.record;
    if (existing) {
      if (now.caseIds.includes(existing.id)) return;
      this.#link(existing, result.id);
      now.caseIds.push(existing.id);
      this.#event(existing, 'result-received', { resultId: result.id });
      existing.changed = true;
      this.#settle(existing, result.id);
      this.#datesOf(existing, result, answers);
      this.#reconsider(existing, about, definition);
      this.#updates(existing);
      return;
    }
    const cases = this.#seen(patient.id);
    const explanation = explain(definition, {
      day,
      findings,
      earlier: earlierCases(definition, cases, day),
      patient,
    });
    if (!opensCase(explanation)) return;
    const record = this.#openCase(patient, explanation.condition, explanation.classification, {
      source: this.#context.format === 'hl7' ? 'elr' : 'csv',
      externalId: null,
      organizationId: result.organizationId,
      facilityId: result.facilityId,
      countyFips: result.countyFips,
      classifiedBy: 'rule',
    });
    record.explanation = explanation;
    record.explained = explainedOf(explanation);
    this.#event(record, 'opened', {
      classification: record.classification,
      source: record.source,
      rule: explanation.rule,
    });
    this.#link(record, result.id);
    now.caseIds.push(record.id);
    this.#event(record, 'result-received', { resultId: result.id });
    this.#datesOf(record, result, answers);
    if (explanation.flag) this.#review(record, explanation.flag, { resultId: result.id });
  }

  /** A finding that speaks for no case can speak against one: a confirmatory test that is negative. */
  #addOther(
    patient: PatientRecord,
    result: ResultWrite,
    now: StoredResult,
    definition: CaseDefinition,
    day: string,
  ): void {
    for (const record of this.#seen(patient.id)) {
      if (now.caseIds.includes(record.id) || definitionFor(record) !== definition) continue;
      const days = definition.evidenceDays;
      if (days !== null && Math.abs(daysBetween(caseDay(record), day)) > days) continue;
      const explanation = this.#explained(record, definition);
      const outcome = outcomeOf(record, explanation, { isPositive: false });
      if (!outcome.isNews) continue;
      this.#link(record, result.id);
      now.caseIds.push(record.id);
      this.#event(record, 'result-received', { resultId: result.id });
      if (this.#tells) this.#updates(record);
      this.#reconsider(record, { isPositive: false, resultId: result.id }, definition);
    }
  }

  #explained(record: CaseRecord, definition: CaseDefinition) {
    const day = caseDay(record);
    const cases = this.#casesOfPatient.get(record.patientId) ?? [];
    return explain(definition, {
      day,
      findings: this.#histories.findings({ patientId: record.patientId, family: definition.family }),
      earlier: earlierCases(definition, cases, day, record),
      patient: this.#state.patients.get(record.patientId)!,
      only: fixedCondition(record, definition),
    });
  }

  /** What the rule would say of a case of a line list: shown beside what its sender says, which counts. */
  #explainRow(record: CaseRecord): void {
    const definition = definitionFor(record);
    if (!definition) return;
    record.explanation = this.#explained(record, definition);
    record.explained = explainedOf(record.explanation);
  }

  /** Applies the rule to a case once more, and keeps why it says what it says. */
  #reconsider(
    record: CaseRecord,
    { isPositive, resultId }: { isPositive: boolean; resultId: string },
    spoken?: CaseDefinition,
  ): void {
    const definition = definitionFor(record, spoken);
    if (!definition) return;
    const explanation = this.#explained(record, definition);
    const outcome = outcomeOf(record, explanation, { isPositive });
    const { rule } = explanation;
    if (outcome.isNews && record.explained)
      this.#event(record, 'explanation-changed', { from: record.explained, to: explainedOf(explanation) });
    record.explanation = explanation;
    record.explained = explainedOf(explanation);
    record.changed = true;
    if (outcome.classification !== undefined) {
      this.#event(record, 'classification-changed', {
        from: record.classification,
        to: outcome.classification,
        rule,
      });
      record.classification = outcome.classification;
    }
    if (outcome.conditionCode !== undefined) {
      this.#event(record, 'condition-changed', { from: record.conditionCode, to: outcome.conditionCode });
      record.conditionCode = outcome.conditionCode;
    }
    for (const reason of outcome.reviews)
      this.#review(record, reason, { resultId }, this.#tells || reason === 'positive-after-ruled-out');
  }

  #openCase(
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
    const record: CaseRecord = {
      id: recordId(),
      patientId: patient.id,
      conditionCode,
      family,
      classification,
      onsetOn: null,
      collectedOn: null,
      reportedOn: null,
      receivedOn: this.#context.today,
      createdOn: this.#context.today,
      programId: program?.id ?? null,
      taskId: program?.investigationTaskId ?? null,
      jurisdictionId: given.countyFips
        ? (this.#state.jurisdictionOfCounty.get(given.countyFips) ?? null)
        : null,
      outcome: null,
      pregnant: null,
      hospitalized: null,
      visitType: null,
      reviewReason: null,
      explained: null,
      isNew: true,
      changed: true,
      ...given,
    };
    this.#indexCase(record);
    this.#casesOfMessage.add(record.id);
    this.#tallies.effect('casesOpened', [family]);
    return record;
  }

  /** The patient's cases that the sender may see: a finding is joined to no other. [P23] */
  #seen(patientId: string): CaseRecord[] {
    return (this.#casesOfPatient.get(patientId) ?? []).filter((record) =>
      seesCase(this.#context.sight, record),
    );
  }

  /** The results of a person that the sender may see: they decide whether a case opens. [P23] */
  #seenFindings(patientId: string, family: string): Finding[] {
    return this.#histories.findings({ patientId, family }, (place) => seesResult(this.#context.sight, place));
  }

  /** The patient's cases with their days. */
  #dated(patientId: string): (DatedCase & { record: CaseRecord })[] {
    return this.#seen(patientId).map((record) => ({
      id: record.id,
      conditionCode: record.conditionCode,
      family: record.family,
      classification: record.classification,
      day: caseDay(record),
      record,
    }));
  }

  /** The case of a condition that a row of a line list is about: within its re-report window, the nearest in time. */
  #caseOfRow(patientId: string, condition: Condition, day: string): CaseRecord | undefined {
    const same = this.#dated(patientId).filter(
      ({ conditionCode, family }) =>
        conditionCode === condition.code ||
        (family === condition.family && (isUndetermined(condition.code) || isUndetermined(conditionCode))),
    );
    return nearestCase(same, day, windowOf)?.record;
  }

  /**
   * The day of collection is the earliest that a case's results tell now; a correction moves it, unless somebody has set
   * another day. The day of the report is the earliest ever. What was asked at the order fills what is blank.
   */
  #datesOf(
    record: CaseRecord,
    { id, observed }: ResultWrite,
    answers: CaseAnswers,
    replaced?: Finding,
  ): void {
    const of = { patientId: record.patientId, family: record.family };
    const others = this.#histories
      .ofCase(of, record.id)
      .filter((finding) => finding.id !== id)
      .map(({ collectedOn }) => collectedOn);
    const before = earliest([...others, replaced?.collectedOn ?? null]);
    const after = earliest([...others, observed.collectedOn]);
    const isTold = record.collectedOn === null || record.collectedOn === before;
    const collectedOn = isTold ? (after ?? record.collectedOn) : earliestUnlessSet(record, before, after);
    if (collectedOn !== record.collectedOn) {
      if (record.collectedOn !== null)
        this.#event(record, 'updated', {
          fields: ['collectedOn'],
          changes: { collectedOn: { from: record.collectedOn, to: collectedOn } },
          source: this.#context.format,
        });
      record.collectedOn = collectedOn;
      record.changed = true;
    }
    record.reportedOn = earliest([record.reportedOn, observed.reportedOn]);
    record.onsetOn ??= answers.onsetOn;
    record.pregnant ??= answers.pregnant;
    record.hospitalized ??= answers.hospitalized;
    record.visitType ??= answers.visitType;
  }

  // — Line lists —

  /** The case that an earlier row with the number of this one told of, or one that it may have told of. */
  #numbered(
    number: string,
    conditionCode: string,
    row: NumberedRow,
    { prepared }: Digest,
    place: Pick<CaseRecord, 'organizationId' | 'facilityId'>,
  ): { same?: CaseRecord; doubtful?: CaseRecord } {
    const { sight } = this.#context;
    const candidates = (this.#casesByNumber.get(number) ?? []).flatMap((record) => {
      const person = this.#state.patients.get(record.patientId);
      const isSeen = person && seesCase(sight, record) && seesPerson(sight, person, [record.family]);
      return isSeen && record.conditionCode === conditionCode ? [{ record, person: person.prepared }] : [];
    });
    return numberedCase(number, row, prepared, place, candidates);
  }

  /** What one row of a line list tells: a new case, or more about one that is known. */
  addRow(write: MessageWrite, row: CaseReportRow, conditionCode: string, digest: Digest): void {
    const { facts } = digest;
    const family = familyOf(conditionCode)!.code;
    const families = [family];
    write.families = families;
    const told = toldByRow(row);
    const day = dayOfRow(row) ?? this.#context.today;

    const facility =
      this.#places.facilityFor(
        row.facility ? { name: row.facility, identifiers: [], phones: [] } : undefined,
        'clinic',
        family,
      ) ?? this.#places.given();
    // Of a row that opens no case, too: nothing else says who may know of the place.
    this.#places.recordedAt(facility?.id ?? null, family);
    const organizationId = facility?.organizationId ?? this.#context.organizationId;
    const place = { organizationId, facilityId: facility?.id ?? null };
    const { same: numbered, doubtful } = row.caseId
      ? this.#numbered(row.caseId, conditionCode, { ...told, day }, digest, place)
      : {};
    if (told.classification === 'not_a_case') {
      this.#tallies.effect('rowsNoCases', families);
      const person = this.#patients.knownAs(digest, families);
      const known = numbered ?? (person && this.#caseOfRow(person.id, conditionByCode(conditionCode)!, day));
      // Who is well is not kept as a person; of a case that is known, somebody decides.
      if (known && known.classification !== 'not_a_case' && known.reviewReason !== reportedAsNoCase)
        this.#review(known, reportedAsNoCase, { messageId: write.id });
      return;
    }
    const patient = numbered
      ? this.#patients.known(this.#state.patients.get(numbered.patientId)!, facts, null, families)
      : this.#patients.patientFor(digest, null, families, []);
    write.patientId = patient.id;
    seenBy(patient, organizationId, facility?.id ?? null);
    this.#patients.told(patient, facts, [organizationId, facility?.id ?? null]);

    const near = numbered ?? this.#caseOfRow(patient.id, conditionByCode(conditionCode)!, day);
    // Another number of the same list is another case.
    const known =
      near?.externalId === null || !row.caseId || near?.externalId === row.caseId ? near : undefined;
    if (known?.externalId === null && row.caseId) {
      known.externalId = row.caseId;
      known.changed = true;
      this.#number(known, row.caseId);
    }
    const record =
      known ??
      this.#openCase(patient, conditionCode, told.classification ?? 'unknown', {
        source: 'csv',
        externalId: row.caseId ?? null,
        organizationId,
        facilityId: facility?.id ?? null,
        countyFips: facts.countyFips,
        classifiedBy: 'report',
      });
    if (!known) {
      this.#event(record, 'opened', { classification: record.classification, source: 'csv' });
      if (doubtful) this.#review(record, 'number-used-again', { caseId: doubtful.id });
    }
    const note = row.notes === undefined ? null : notesOf([row.notes], family);
    if (note !== null) this.notes.push({ caseId: record.id, text: note });
    const changes: string[] = [];
    // A later row of the same case tells what is known now; what it leaves out stays.
    for (const [field, value] of Object.entries(told) as [keyof typeof told, string | null][]) {
      if (value === null || record[field] === value) continue;
      if (field === 'classification') {
        if (classificationRank[value as Classification] <= classificationRank[record.classification])
          continue;
        if (known) this.#event(record, 'classification-changed', { from: record.classification, to: value });
      }
      (record as unknown as Record<string, string>)[field] = value;
      record.changed = true;
      changes.push(field);
    }
    if (known && changes.length > 0) {
      this.#event(record, 'updated', { fields: changes, source: 'csv' });
      this.#updates(record);
    }
    if (record.isNew || record.changed) {
      this.#touch(patient.id, family, patient.isNew);
      this.#later.push(() => this.#explainRow(record));
    }
  }
}
