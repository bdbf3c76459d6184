import type { ImportFaultCode } from '@caseway/contract/import-fault';
import { recordId } from '../../../platform/db/record-id.ts';
import { answersOf, type CaseAnswers } from '../../case-reports/case-answers.ts';
import type { Histories, PersonFamily } from '../../case-reports/case-history.ts';
import { openlyShown } from '../../patients/open-facts.ts';
import { ageInYears } from '../../patients/patient-facts.ts';
import { type PatientRecord, recordedWith, seenBy } from '../../patients/patient-record.ts';
import type { LabReport } from '../../reported/report.ts';
import { type MappedCodes, mappingKey, type UnknownCode } from '../../results/code-asked.ts';
import { familiesNamedIn, familiesOfRaw, untold } from '../../results/families-in-text.ts';
import { interpret, type ObservedResult } from '../../results/interpret.ts';
import { replaces } from '../../results/result-key.ts';
import { statusEffect } from '../../results/result-status.ts';
import {
  type BatchState,
  byVersion,
  type MappingWrite,
  type MessageWrite,
  type Plan,
  type PlanContext,
  type ResultWrite,
  type SpecimenRecord,
  type SpecimenWrite,
  type StoredResult,
} from '../batch-state.ts';
import { textOf } from '../formats/file-reader.ts';
import { hasSent, isWithin, keysSeenBy, placeOf, seesPerson, seesResult } from '../sight.ts';
import { type Digest, type Incoming, receivedKey, resultKeysOf } from './incoming.ts';
import { Cases } from './plan-cases.ts';
import { Patients } from './plan-patients.ts';
import { Places, sendingLaboratory } from './plan-places.ts';
import { ResultCases } from './plan-result-cases.ts';
import { RowCases } from './plan-row-cases.ts';
import { Treatments } from './plan-treatments.ts';
import { Tallies } from './tallies.ts';

/**
 * The effect of a batch of messages, computed in memory from what is stored. There is no I/O here, so a batch costs
 * a constant number of statements, whatever its contents.
 */
export class Planner {
  readonly #state: BatchState;
  readonly #context: PlanContext;
  readonly #mapped: MappedCodes;
  readonly #tallies = new Tallies();
  readonly #patients: Patients;
  readonly #places: Places;
  readonly #cases: Cases;
  readonly #resultCases: ResultCases;
  readonly #rowCases: RowCases;
  readonly #treatments: Treatments;
  readonly #specimenIds = new Map<string, string>();
  readonly #mappings = new Map<string, MappingWrite>();
  readonly #messages: MessageWrite[] = [];
  readonly #specimens: SpecimenWrite[] = [];
  readonly #correctedSpecimens = new Map<string, SpecimenWrite>();
  readonly #results = new Map<string, ResultWrite>();
  readonly #superseded = new Map<string, string>();
  /** Results that were sent again unchanged, and when they were last reported. */
  readonly #reportedAgain = new Map<string, string>();

  constructor(state: BatchState, context: PlanContext) {
    this.#state = state;
    this.#context = context;
    this.#mapped = new Map(
      [...state.mappings].flatMap(([key, mapping]) =>
        mapping.state === 'open'
          ? []
          : [[key, { target: mapping.state === 'mapped' ? mapping.target : null }] as const],
      ),
    );
    this.#patients = new Patients(state, context, this.#tallies);
    this.#places = new Places(state, context, this.#tallies);
    this.#cases = new Cases(state, context, this.#tallies, this.#places);
    this.#resultCases = new ResultCases(this.#cases, context);
    this.#rowCases = new RowCases(this.#cases, state, context, this.#tallies, this.#patients, this.#places);
    this.#treatments = new Treatments(
      this.#cases,
      state,
      context,
      this.#tallies,
      this.#patients,
      this.#places,
    );
    // A stored specimen of another place would reveal when it was taken, and what it is.
    if (!isWithin(context.sight))
      for (const specimen of state.specimens) this.#specimenIds.set(specimenKey(specimen), specimen.id);
  }

  /** The people and families whose other results the case rules read. */
  get touched(): PersonFamily[] {
    return this.#cases.touched;
  }

  /** Everything to write. Call it once, after the last message, with the stored state of `touched`. */
  finish(histories: Histories): Plan {
    this.#cases.decide(histories);
    return {
      messages: this.#messages,
      patients: this.#patients.changed,
      specimens: this.#specimens,
      correctedSpecimens: [...this.#correctedSpecimens.values()],
      results: [...this.#results.values()],
      superseded: [...this.#superseded].map(([id, by]) => ({ id, by })),
      reportedAgain: [...this.#reportedAgain].map(([id, at]) => ({ id, at })),
      cases: this.#cases.changed,
      caseResults: this.#resultCases.links,
      caseEvents: this.#cases.events,
      caseNotes: this.#rowCases.notes,
      treatments: this.#treatments.made,
      treatmentsTold: this.#treatments.told,
      treatmentsAdded: this.#treatments.added,
      matches: this.#patients.matches,
      mappings: [...this.#mappings.values()],
      facilities: this.#places.made,
      changedFacilities: this.#places.changed,
      tallies: this.#tallies.all,
    };
  }

  /** Processes one message. The next one sees its effects. */
  add(incoming: Incoming, digest: Digest | undefined): MessageWrite {
    const id = incoming.stored?.id ?? recordId();
    const write: MessageWrite = {
      id,
      incoming,
      state: 'taken',
      reason: null,
      duplicateOf: null,
      faults: incoming.faults,
      waitingFor: [],
      patientId: null,
      families: [untold],
      observed: [],
    };
    const known = incoming.stored ? undefined : this.#state.messages.get(receivedKey(incoming));
    const { content } = incoming;
    this.#cases.begin();
    if (known) {
      write.state = 'duplicate';
      write.duplicateOf = known.id;
      write.families = known.families;
    } else if (content.kind === 'report' && isTestMessage(content.report) && !this.#takesTestsOf(incoming)) {
      write.state = 'waiting';
      write.reason = testReason;
      if (incoming.raw) write.families = familiesOfRaw(textOf(incoming.raw, incoming.charset));
    } else if (content.kind === 'report') {
      this.#addReport(write, content.report, digest!);
    } else if (content.kind === 'case') {
      this.#rowCases.addRow(write, content.row, content.condition, digest!);
    } else if (content.kind === 'treatment') {
      this.#treatments.addRow(write, content.row, content.condition, digest!);
    } else {
      write.state = content.kind;
      write.reason = content.reason;
      if (incoming.raw) write.families = familiesOfRaw(textOf(incoming.raw, incoming.charset));
    }
    if (!known) this.#state.messages.set(receivedKey(incoming), { id, families: write.families });
    this.#messages.push(write);
    this.#count(write);
    return write;
  }

  #takesTestsOf({ sender }: Incoming): boolean {
    return this.#context.testSenders.has(sender ?? '');
  }

  #count(write: MessageWrite): void {
    const { incoming } = write;
    // A message that is run again or corrected is counted with its new state, and no longer with its old one.
    const before = incoming.stored ?? incoming.corrects;
    if (before) {
      this.#tallies.count('state', before.state, before.families, -1);
      if (before.reason)
        this.#tallies.count('reason', `${before.state}:${before.reason}`, before.families, -1);
    }
    this.#tallies.count('state', write.state, write.families, 1);
    if (write.reason) this.#tallies.count('reason', `${write.state}:${write.reason}`, write.families, 1);
  }

  #ask(write: MessageWrite, codes: readonly UnknownCode[]): void {
    for (const code of codes) {
      const key = mappingKey(code);
      const stored = this.#state.mappings.get(key);
      let mapping = this.#mappings.get(key);
      if (!mapping) {
        mapping = { ...code, id: stored?.id ?? recordId(), isNew: !stored, occurrences: 0 };
        this.#mappings.set(key, mapping);
      }
      // A message that is run again was counted before. A code that appears only because another one was mapped was
      // not.
      const before = write.incoming.stored ?? write.incoming.corrects;
      if (!before?.waitingFor.includes(mapping.id)) mapping.occurrences += 1;
      write.waitingFor.push(mapping.id);
    }
  }

  #addReport(write: MessageWrite, report: LabReport, digest: Digest): void {
    const { facts } = digest;
    const sender = write.incoming.sender ?? '';
    const { results, unknown, doubts, families } = interpret(
      report,
      sender,
      this.#mapped,
      resultKeysOf(write.incoming, digest),
    );
    write.families = families;
    write.observed = results;
    const { raw, charset } = write.incoming;
    // The person who maps it sees all of its text.
    if (raw && (unknown.length > 0 || doubts.length > 0))
      write.families = [
        ...new Set([...families, ...familiesNamedIn(textOf(raw, charset), this.#context.restrictedFamilies)]),
      ].sort();
    if (unknown.length > 0) {
      this.#ask(write, unknown);
      write.state = 'waiting';
      write.reason = unknown.some(({ kind }) => kind === 'test') ? 'test-unknown' : 'value-unknown';
    }
    if (doubts.length > 0) {
      write.faults = [...write.faults, ...doubts];
      write.state = 'waiting';
      write.reason ??= doubts[0]!.code;
    }
    if (results.length === 0) return;

    const reportedAt = results.reduce<string | null>(
      (latest, { reportedAt: at }) => (at && (!latest || at > latest) ? at : latest),
      null,
    );
    const patient = this.#patients.patientFor(digest, reportedAt, families, results);
    write.patientId = patient.id;

    const answers = answersOf(report);
    const tellers: (string | null)[] = [];
    for (const observed of results) {
      const { diseaseFamily } = observed;
      const { restrictedFamilies } = this.#context;
      const facility =
        this.#places.facilityFor(observed.order.facility, 'clinic', diseaseFamily) ?? this.#places.given();
      const performer =
        this.#places.facilityFor(observed.performer, 'laboratory', diseaseFamily) ??
        this.#places.facilityFor(sendingLaboratory(report), 'laboratory', diseaseFamily);
      const organizationId = facility?.organizationId ?? this.#context.organizationId;
      seenBy(patient, organizationId, facility?.id ?? null, restrictedFamilies.includes(diseaseFamily ?? ''));
      tellers.push(organizationId, facility?.id ?? null);
      recordedWith(patient, observed.diseaseFamily);
      for (const place of [facility, performer]) this.#places.recordedAt(place?.id ?? null, diseaseFamily);
      const program = this.#places.programFor(diseaseFamily, organizationId);
      // Only a place that reported where the person lives, or that sees every report, may know the county. [P23]
      const viewers = [organizationId, facility?.id ?? null].filter((one) => one !== null);
      const isToldElsewhere = !this.#patients.isToldTo(patient, viewers);
      // The part of the result that everyone may see contains nothing that only restricted reports say. [P18]
      const person = restrictedFamilies.includes(observed.diseaseFamily ?? '')
        ? patient
        : openlyShown(patient);
      const isBorrowed =
        facts.countyFips === null &&
        facts.postalCode === null &&
        facts.city === null &&
        !isWithin(this.#context.sight);
      this.#addResult(
        write,
        patient,
        observed,
        {
          id: recordId(),
          patientId: patient.id,
          specimenId: null,
          messageId: write.id,
          sourceKey: observed.key.key,
          organizationId,
          facilityId: facility?.id ?? null,
          performingFacilityId: performer?.id ?? null,
          programTypeId: program?.programTypeId ?? null,
          programId: program?.id ?? null,
          taskId: program?.testingTaskId ?? null,
          ageYears: ageInYears(
            isWithin(this.#context.sight) ? facts : person,
            report.age,
            observed.collectedOn ?? observed.reportedOn,
          ),
          countyFips: facts.countyFips ?? (isBorrowed ? person.countyFips : null),
          countyBorrowed: isBorrowed && person.countyFips !== null && isToldElsewhere,
          observed,
        },
        answers,
      );
    }
    this.#patients.told(patient, facts, tellers);
  }

  #addResult(
    write: MessageWrite,
    patient: PatientRecord,
    observed: ObservedResult,
    result: ResultWrite,
    answers: CaseAnswers,
  ): void {
    const { sight } = this.#context;
    const family = observed.diseaseFamily ? [observed.diseaseFamily] : [];
    // Records that the sender may not see are ignored: another result can have the number.
    const known = keysSeenBy(sight, observed.key.key).flatMap((one) => this.#state.results.get(one) ?? []);
    const all = known.filter((one) => {
      if (hasSent(sight, one)) return true;
      const whose = this.#state.patients.get(one.patientId);
      return seesResult(sight, one) && (!whose || seesPerson(sight, whose, write.families));
    });
    const isTaken = known.some(
      (one) => !one.isSuperseded && one.patientId === patient.id && !all.includes(one),
    );
    const key = isTaken ? keysSeenBy(sight, observed.key.key).at(-1)! : observed.key.key;
    result.sourceKey = key;
    const mine = all.filter(({ patientId }) => patientId === patient.id);
    // An earlier version again, unless it was reported later to replace the current one again.
    const repeated = mine.some(
      ({ isSuperseded, contentHash, reportedAt }) =>
        isSuperseded &&
        contentHash === observed.contentHash &&
        (observed.reportedAt === null || (reportedAt !== null && observed.reportedAt <= reportedAt)),
    );
    if (repeated) {
      this.#known(write, family);
      return;
    }
    const effect = statusEffect(observed.hl7Status);
    const arriving = { status: observed.hl7Status, reportedAt: observed.reportedAt ?? undefined };
    const replacing = ({ hl7Status, reportedAt }: StoredResult) =>
      replaces(arriving, { status: hl7Status, reportedAt: reportedAt ?? undefined });
    let stored = mine.find(({ isSuperseded }) => !isSuperseded);
    let doubted: readonly StoredResult[] = [];
    if (stored) {
      if (stored.contentHash === observed.contentHash) {
        // Too late: another version that was reported before the current one.
        const at = observed.reportedAt;
        if (at !== null && (stored.reportedAt === null || at > stored.reportedAt)) {
          stored.reportedAt = at;
          this.#reportedAgain.set(stored.id, at);
        }
        this.#known(write, family);
        return;
      }
      if (!replacing(stored)) {
        this.#tallies.effect('resultsOutdated', family);
        return;
      }
    } else {
      // The same number for someone else is another result; a correction of an order moves it to the right person.
      const others = all.filter(({ isSuperseded }) => !isSuperseded);
      const wasMoved = mine.length > 0;
      const corrects =
        observed.key.strength === 'order' && (effect === 'correction' || effect === 'withdrawal');
      const [only] = others;
      if (others.length === 1 && (corrects || wasMoved) && replacing(only!)) stored = only;
      else if (others.length === 1 && wasMoved) {
        this.#tallies.effect('resultsOutdated', family);
        return;
      }
      // It is unknown whose result it corrects. None is removed, and a person has to review it.
      else if (corrects) doubted = others;
    }
    result.specimenId =
      stored && stored.patientId === patient.id && stored.specimenId
        ? stored.specimenId
        : this.#specimenFor(patient.id, observed);
    if (stored && result.specimenId === stored.specimenId) this.#correctSpecimen(result.specimenId, result);
    this.#results.set(result.id, result);
    const now: StoredResult = {
      id: result.id,
      sourceKey: key,
      organizationId: result.organizationId,
      facilityId: result.facilityId,
      sentBy: placeOf(sight),
      patientId: patient.id,
      specimenId: result.specimenId,
      contentHash: observed.contentHash,
      category: observed.category,
      hl7Status: observed.hl7Status,
      reportedAt: observed.reportedAt,
      family: observed.diseaseFamily,
      caseIds: [],
      isSuperseded: false,
    };
    if (stored) stored.isSuperseded = true;
    this.#state.results.set(key, [...(this.#state.results.get(key) ?? []), now].sort(byVersion));
    for (const one of doubted) this.#resultCases.doubted(one);
    if (stored) {
      this.#superseded.set(stored.id, result.id);
      this.#tallies.effect(effect === 'withdrawal' ? 'resultsWithdrawn' : 'resultsCorrected', family);
    } else {
      this.#tallies.effect('resultsCreated', family);
    }
    this.#resultCases.toCases(patient, result, now, stored, answers);
    if (write.patientId === null) write.patientId = patient.id;
  }

  /** Handles a known result. A message that is run again finds the result that it stored itself, which is not news. */
  #known({ incoming }: MessageWrite, family: string[]): void {
    if (!incoming.stored) this.#tallies.effect('resultsUnchanged', family);
  }

  /** A correction repeats when its specimen was taken and came in. */
  #correctSpecimen(specimenId: string, { patientId, observed }: ResultWrite): void {
    if (observed.collectedAt === null) return;
    const made = this.#specimens.find(({ id }) => id === specimenId);
    const { collectedAt, receivedAt } = observed;
    if (made)
      made.observed = { ...made.observed, collectedAt, receivedAt: receivedAt ?? made.observed.receivedAt };
    else
      this.#correctedSpecimens.set(specimenId, {
        id: specimenId,
        patientId,
        accession: observed.accession,
        typeCode: null,
        observed,
      });
  }

  #specimenFor(patientId: string, observed: ObservedResult): string {
    const typeCode = observed.specimen?.type?.codes.find(({ code }) => code !== undefined)?.code ?? null;
    const record = { id: recordId(), patientId, accession: observed.accession, typeCode };
    const key = specimenKey(record);
    const known = observed.accession === null ? undefined : this.#specimenIds.get(key);
    if (known) return known;
    this.#specimenIds.set(key, record.id);
    this.#specimens.push({ ...record, observed });
    return record.id;
  }
}

/** Why a message waits that its sender has marked for training or debugging. */
export const testReason = 'processing-id-test' satisfies ImportFaultCode;
/** HL7 table 0103: training and debugging. */
const isTestMessage = ({ header: { processingId } }: LabReport): boolean =>
  processingId === 'T' || processingId === 'D';

const specimenKey = ({ patientId, accession, typeCode }: Omit<SpecimenRecord, 'id'>) =>
  `${patientId}\u0000${accession}\u0000${typeCode}`;
