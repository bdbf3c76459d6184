import { daysBetween } from '@caseway/contract/date-range';
import { type CaseDecision, conditionByCode, familyOf } from '../reference/catalog.ts';
import type { Classification, Condition } from '../reference/schema.ts';
import type {
  BatchState,
  CaseEventWrite,
  CaseRecord,
  MessageWrite,
  PlanContext,
  ResultWrite,
  StoredResult,
} from './batch-state.ts';
import type { Digest } from './incoming.ts';
import { compare } from './matching.ts';
import { type DatedCase, numberedAs } from './numbered-case.ts';
import { dayOfRow, type PatientRecord, recordedWith, saysNo, saysYes, seenBy } from './patient-facts.ts';
import type { Patients } from './plan-patients.ts';
import type { Places } from './plan-places.ts';
import { recordId } from './record-id.ts';
import type { Answer, CaseReportRow, LabReport } from './report.ts';
import { statusEffect } from './result-key.ts';
import { seesCase, seesPerson } from './sight.ts';
import type { Tallies } from './tallies.ts';

const classificationRank: Record<Classification, number> = {
  not_a_case: 0,
  unknown: 0,
  suspect: 1,
  probable: 2,
  confirmed: 3,
};
/** Conditions that a person refines: a syphilis of unknown stage becomes a primary one. */
const isUndetermined = (code: string) => /-(undetermined|unknown-stage)$/.test(code);

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

  /** Another message begins. */
  begin(): void {
    this.#casesOfMessage.clear();
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

  #review(record: CaseRecord, reason: string, about: { resultId: string } | { caseId: string }): void {
    record.reviewReason = reason;
    record.changed = true;
    this.#event(record, 'review-needed', { reason, ...about });
    this.#tallies.effect('casesToReview', [record.family]);
  }

  /** Puts up a case for review whose result a correction gives to somebody else. */
  ofAnother(caseId: string, resultId: string): void {
    const record = this.#caseById.get(caseId);
    if (record) this.#review(record, 'result-of-another-patient', { resultId });
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
    const { observed } = result;
    const decision = observed.caseDecision;
    let linked: CaseRecord | undefined;
    for (const caseId of before?.caseIds ?? []) {
      const record = this.#caseById.get(caseId);
      if (!record) continue;
      if (record.patientId !== patient.id) {
        this.ofAnother(caseId, before!.id);
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
      if (decision && decision.condition.family === record.family) linked = record;
      else
        this.#review(
          record,
          statusEffect(observed.hl7Status) === 'withdrawal'
            ? 'result-withdrawn'
            : 'result-no-longer-positive',
          { resultId: result.id },
        );
    }
    if (!decision) return;
    if (linked) {
      this.#updates(linked);
      this.#strengthen(linked, decision, result, answers);
      return;
    }
    const day = observed.collectedOn ?? observed.reportedOn ?? this.#context.today;
    const existing = this.#caseFor(patient.id, decision.condition, day);
    if (existing) {
      this.#link(existing, result.id);
      now.caseIds.push(existing.id);
      this.#event(existing, 'result-received', { resultId: result.id });
      this.#strengthen(existing, decision, result, answers);
      this.#updates(existing);
      return;
    }
    const record = this.#openCase(patient, decision.condition.code, decision.classification, {
      source: this.#context.format === 'hl7' ? 'elr' : 'csv',
      externalId: null,
      organizationId: result.organizationId,
      facilityId: result.facilityId,
      countyFips: result.countyFips,
    });
    this.#event(record, 'opened', { classification: record.classification, source: record.source });
    this.#link(record, result.id);
    now.caseIds.push(record.id);
    this.#event(record, 'result-received', { resultId: result.id });
    this.#datesOf(record, result, answers);
  }

  #openCase(
    patient: PatientRecord,
    conditionCode: string,
    classification: Classification,
    given: Pick<CaseRecord, 'source' | 'externalId' | 'organizationId' | 'facilityId' | 'countyFips'>,
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
      reviewReason: null,
      isNew: true,
      changed: true,
      ...given,
    };
    this.#indexCase(record);
    this.#casesOfMessage.add(record.id);
    this.#tallies.effect('casesOpened', [family]);
    return record;
  }

  /** The patient's case a finding belongs to: of the same condition, within its re-report window; the nearest in time. */
  #caseFor(patientId: string, condition: Condition, day: string): CaseRecord | undefined {
    const near = (this.#casesOfPatient.get(patientId) ?? []).flatMap((record) => {
      if (!seesCase(this.#context.sight, record)) return [];
      const same =
        record.conditionCode === condition.code ||
        (record.family === condition.family &&
          (isUndetermined(condition.code) || isUndetermined(record.conditionCode)));
      if (!same) return [];
      const window = conditionByCode(record.conditionCode)?.reReportDays ?? null;
      const distance = Math.abs(daysBetween(caseDay(record), day));
      return window === null || distance <= window ? [{ record, distance }] : [];
    });
    near.sort((a, b) => a.distance - b.distance || (a.record.id < b.record.id ? -1 : 1));
    return near[0]?.record;
  }

  /** Raises a case's classification, never lowers it, and makes its condition more precise. */
  #strengthen(record: CaseRecord, decision: CaseDecision, result: ResultWrite, answers: CaseAnswers): void {
    record.changed = true;
    if (record.classification === 'not_a_case')
      this.#review(record, 'positive-after-ruled-out', { resultId: result.id });
    else if (classificationRank[decision.classification] > classificationRank[record.classification]) {
      this.#event(record, 'classification-changed', {
        from: record.classification,
        to: decision.classification,
      });
      record.classification = decision.classification;
    }
    if (isUndetermined(record.conditionCode) && !isUndetermined(decision.condition.code)) {
      this.#event(record, 'condition-changed', { from: record.conditionCode, to: decision.condition.code });
      record.conditionCode = decision.condition.code;
    }
    this.#datesOf(record, result, answers);
  }

  /** A case's dates are the earliest that its results tell; what was asked at the order fills what is blank. */
  #datesOf(record: CaseRecord, { observed }: ResultWrite, answers: CaseAnswers): void {
    const earliest = (a: string | null, b: string | null) => (a && b ? (a < b ? a : b) : (a ?? b));
    record.collectedOn = earliest(record.collectedOn, observed.collectedOn);
    record.reportedOn = earliest(record.reportedOn, observed.reportedOn);
    record.onsetOn ??= answers.onsetOn;
    record.pregnant ??= answers.pregnant;
    record.hospitalized ??= answers.hospitalized;
  }

  // — Line lists —

  /** The case that an earlier row with the number of this one told of, or one that it may have told of. */
  #numbered(
    number: string,
    conditionCode: string,
    row: DatedCase,
    { prepared }: Digest,
    place: Pick<CaseRecord, 'organizationId' | 'facilityId'>,
  ): { same?: CaseRecord; doubtful?: CaseRecord } {
    let doubtful: CaseRecord | undefined;
    for (const record of this.#casesByNumber.get(number) ?? []) {
      const patient = this.#state.patients.get(record.patientId);
      if (record.conditionCode !== conditionCode || !patient) continue;
      const { sight } = this.#context;
      if (!seesCase(sight, record) || !seesPerson(sight, patient, [record.family])) continue;
      const { parts } = compare(prepared, patient.prepared);
      const at =
        record.organizationId !== place.organizationId || record.facilityId !== place.facilityId
          ? 'another'
          : place.organizationId === null && place.facilityId === null
            ? 'untold'
            : 'same';
      const found = numberedAs(number, row, { ...record, day: caseDay(record) }, parts, at);
      if (found === 'same') return { same: record };
      if (found === 'doubtful') doubtful ??= record;
    }
    return { doubtful };
  }

  /** What one row of a line list tells: a new case, or more about one that is known. */
  addRow(write: MessageWrite, row: CaseReportRow, conditionCode: string, digest: Digest): void {
    const { facts } = digest;
    const family = familyOf(conditionCode)!.code;
    const families = [family];
    write.families = families;
    const yesOrNo = (value: boolean | undefined) => (value === undefined ? null : value ? 'yes' : 'no');
    const told = {
      classification: row.classification === 'not-a-case' ? 'not_a_case' : (row.classification ?? null),
      onsetOn: row.onset?.day ?? null,
      collectedOn: row.specimenCollected?.day ?? null,
      reportedOn: row.reported?.day ?? row.diagnosed?.day ?? null,
      outcome: row.outcome && row.outcome !== 'unknown' ? row.outcome : null,
      hospitalized: yesOrNo(row.wasHospitalized ?? (row.hospitalized ? true : undefined)),
      pregnant: yesOrNo(row.pregnant),
    } as const;
    const day = dayOfRow(row) ?? this.#context.today;

    const facility =
      this.#places.facilityFor(
        row.facility ? { name: row.facility, identifiers: [], phones: [] } : undefined,
        'clinic',
      ) ?? this.#places.given();
    const organizationId = facility?.organizationId ?? this.#context.organizationId;
    const place = { organizationId, facilityId: facility?.id ?? null };
    const { same: numbered, doubtful } = row.caseId
      ? this.#numbered(row.caseId, conditionCode, { ...told, day }, digest, place)
      : {};
    const patient = numbered
      ? this.#patients.known(this.#state.patients.get(numbered.patientId)!, facts, null, families)
      : this.#patients.patientFor(digest, null, families, []);
    write.patientId = patient.id;
    seenBy(patient, organizationId, facility?.id ?? null);
    this.#patients.told(patient, facts, [organizationId, facility?.id ?? null]);

    const near = numbered ?? this.#caseFor(patient.id, conditionByCode(conditionCode)!, day);
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
      });
    if (!known) {
      this.#event(record, 'opened', { classification: record.classification, source: 'csv' });
      if (doubtful) this.#review(record, 'number-used-again', { caseId: doubtful.id });
    }
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
  }
}

const caseDay = (record: CaseRecord) =>
  record.collectedOn ?? record.onsetOn ?? record.reportedOn ?? record.createdOn;

export interface CaseAnswers {
  onsetOn: string | null;
  pregnant: string | null;
  hospitalized: string | null;
}

/** What was asked about the person when the test was ordered, as far as a case report holds it. */
export function answersOf(report: LabReport): CaseAnswers {
  const answers = [...report.answers, ...report.orders.flatMap((order) => order.answers)];
  const find = (question: Answer['question']) => answers.find((answer) => answer.question === question);
  const yesOrNo = (question: Answer['question']) => {
    const values = find(question)?.values ?? [];
    return saysYes(values) ? 'yes' : saysNo(values) ? 'no' : null;
  };
  const onset = find('onset')?.values.find((value) => value.kind === 'time');
  const pregnant =
    find('pregnant')?.values.flatMap((value) => (value.kind === 'coded' ? value.coded.codes : [])) ?? [];
  return {
    onsetOn: onset?.time.day ?? null,
    // SNOMED CT: pregnant, not pregnant.
    pregnant: pregnant.some(({ code }) => code === '77386006')
      ? 'yes'
      : pregnant.some(({ code }) => code === '60001007')
        ? 'no'
        : yesOrNo('pregnant'),
    hospitalized: yesOrNo('hospitalized'),
  };
}
