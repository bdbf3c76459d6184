import { daysBetween } from '@caseway/contract/date-range';
import type { ImportFault } from '@caseway/contract/import-fault';
import { matchName } from '../../platform/match-name.ts';
import { type CaseDecision, conditionByCode, familyByCode, familyOf } from '../reference/catalog.ts';
import type { Classification, Condition } from '../reference/schema.ts';
import { familiesOfRaw } from './families-in-text.ts';
import {
  interpret,
  type MappedCodes,
  mappingKey,
  type ObservedResult,
  type UnknownCode,
} from './interpret.ts';
import { blockKeys, type Comparison, compare, type PreparedPerson } from './matching.ts';
import { type DatedCase, numberedAs } from './numbered-case.ts';
import {
  ageInYears,
  dayOfRow,
  type FactsContext,
  factsOfCase,
  factsOfReport,
  newPatient,
  type PatientFacts,
  type PatientRecord,
  prepareFacts,
  saysNo,
  saysYes,
  seenBy,
  tellsWho,
  updatePatient,
} from './patient-facts.ts';
import { recordId } from './record-id.ts';
import type { Answer, CaseReportRow, LabReport, Organization, ResultStatus } from './report.ts';
import { type ResultKey, replaces, resultKeys, shortHash, statusEffect } from './result-key.ts';

/**
 * What a batch of messages does, worked out in memory from what is stored: no I/O here, so that a batch costs a
 * constant number of statements, whatever it holds.
 */

// — What comes in —

/** One message or row as it was read. */
export interface Incoming {
  /** Position in its file. */
  index: number;
  line: number;
  revision: number;
  /** Absent for a piece too large to be kept. */
  raw: Buffer | undefined;
  charset: string;
  /** SHA-256, hex: equal for a message that is received again. */
  contentHash: string;
  /** Equal rows of one table are told apart by their count: the how-many-eth it is. Messages are not counted. */
  occurrence: number;
  controlId: string | null;
  type: string | null;
  sender: string | null;
  faults: readonly ImportFault[];
  content:
    | { kind: 'report'; report: LabReport }
    | { kind: 'case'; row: CaseReportRow; condition: string }
    | { kind: 'waiting'; reason: string }
    | { kind: 'refused'; reason: string };
  /** The stored message this one is run again from; then its row is changed, not made. */
  stored?: StoredMessage;
  /** The message whose text was corrected to this one. */
  corrects?: StoredMessage;
}

/** A message that is stored already, as far as its counting goes. */
export interface StoredMessage {
  id: string;
  importId: string;
  state: MessageState;
  reason: string | null;
  families: string[] | null;
}

export type MessageState = 'taken' | 'waiting' | 'refused' | 'duplicate';

/** What of a message is looked up before a batch is worked out. */
export interface Digest {
  facts: PatientFacts;
  prepared: PreparedPerson;
  /** The keys under which its person is compared. */
  keys: string[];
  /** The keys of its results. */
  results: ResultKey[][];
  /** Whether it says who its person is. */
  tellsWho: boolean;
}

/** Undefined for a message that tells of no person. */
export function digestOf({ content, sender }: Incoming, context: FactsContext): Digest | undefined {
  if (content.kind !== 'report' && content.kind !== 'case') return undefined;
  const facts =
    content.kind === 'report'
      ? factsOfReport(content.report, sender ?? '', context)
      : factsOfCase(content.row, sender ?? '', context);
  const prepared = prepareFacts(facts);
  const results = content.kind === 'report' ? resultKeys(content.report) : [];
  return { facts, prepared, keys: blockKeys(prepared), results, tellsWho: tellsWho(facts) };
}

/**
 * The keys of a message's results. A row of a table that gives no number of order or specimen, and does not say who
 * its person is, is an observation of its own each time it stands in a table; any other row that tells the same is
 * the same result.
 */
export function resultKeysOf({ content, contentHash, occurrence }: Incoming, digest: Digest): ResultKey[][] {
  if (content.kind !== 'report' || content.report.header.format !== 'csv' || digest.tellsWho)
    return digest.results;
  return digest.results.map((keys) =>
    keys.map((key) =>
      key.strength === 'message'
        ? { ...key, key: shortHash(`${key.key} ${contentHash} ${occurrence}`) }
        : key,
    ),
  );
}

/** How messages that were received before are looked up. */
export const receivedKey = ({ contentHash, occurrence }: Pick<Incoming, 'contentHash' | 'occurrence'>) =>
  `${contentHash} ${occurrence}`;

// — What is stored —

export interface StoredResult {
  id: string;
  sourceKey: string;
  patientId: string;
  specimenId: string | null;
  contentHash: string;
  category: string;
  hl7Status: ResultStatus;
  reportedAt: string | null;
  family: string | null;
  caseIds: string[];
  /** A later version has taken its place. */
  isSuperseded: boolean;
}

export interface CaseRecord {
  id: string;
  patientId: string;
  conditionCode: string;
  family: string;
  classification: Classification;
  onsetOn: string | null;
  collectedOn: string | null;
  reportedOn: string | null;
  receivedOn: string | null;
  createdOn: string;
  organizationId: string | null;
  facilityId: string | null;
  programId: string | null;
  taskId: string | null;
  jurisdictionId: string | null;
  countyFips: string | null;
  outcome: string | null;
  pregnant: string | null;
  hospitalized: string | null;
  source: string;
  externalId: string | null;
  reviewReason: string | null;
  isNew: boolean;
  changed: boolean;
}

export interface FacilityRecord {
  id: string;
  organizationId: string | null;
  matchName: string;
  clia: string | null;
  npi: string | null;
  postalCode: string | null;
  /** Set on one that this batch makes. */
  made?: { name: string; type: 'clinic' | 'laboratory'; organization: Organization };
}

export interface ProgramRecord {
  id: string;
  programTypeId: string;
  organizationId: string | null;
  families: string[];
  testingTaskId: string | null;
  investigationTaskId: string | null;
}

export interface SpecimenRecord {
  id: string;
  patientId: string;
  accession: string | null;
  typeCode: string | null;
}

export interface StoredMapping {
  id: string;
  state: 'open' | 'mapped' | 'ignored';
  target: string | null;
}

/** Patients compared per key at most: a key that more share tells nothing. The longest known come first. */
export const patientsPerKey = 100;

/** Everything stored that this batch can touch, loaded in bulk. */
export interface BatchState {
  /** By `receivedKey`: the message that was received first. */
  messages: Map<string, { id: string; families: string[] | null }>;
  mappings: Map<string, StoredMapping>;
  results: Map<string, StoredResult[]>;
  patients: Map<string, PatientRecord>;
  /** Patients by the keys under which they are compared. */
  byKey: Map<string, Set<string>>;
  cases: CaseRecord[];
  specimens: SpecimenRecord[];
  facilities: FacilityRecord[];
  programs: ProgramRecord[];
  jurisdictionOfCounty: Map<string, string>;
}

export interface PlanContext {
  importId: string;
  /** Where it was uploaded for; used where a message names no facility. */
  facilityId: string | null;
  organizationId: string | null;
  format: 'hl7' | 'csv';
  /** The condition that was chosen for every row of a line list. */
  condition: string | null;
  /** Today in the tenant's time zone. */
  today: string;
  facts: FactsContext;
}

// — What is to be written —

export interface MessageWrite {
  id: string;
  incoming: Incoming;
  state: MessageState;
  reason: string | null;
  duplicateOf: string | null;
  faults: readonly ImportFault[];
  waitingFor: string[];
  patientId: string | null;
  families: string[] | null;
}

export interface ResultWrite {
  id: string;
  patientId: string;
  specimenId: string | null;
  messageId: string;
  organizationId: string | null;
  facilityId: string | null;
  performingFacilityId: string | null;
  programTypeId: string | null;
  programId: string | null;
  taskId: string | null;
  ageYears: number | null;
  countyFips: string | null;
  observed: ObservedResult;
}

export interface SpecimenWrite extends SpecimenRecord {
  observed: ObservedResult;
}

export interface CaseEventWrite {
  caseId: string;
  kind: string;
  detail: Record<string, unknown>;
}

export interface MatchWrite {
  patientId: string;
  candidateId: string;
  comparison: Comparison;
}

export interface MappingWrite extends UnknownCode {
  id: string;
  isNew: boolean;
  occurrences: number;
}

export interface TallyWrite {
  kind: 'state' | 'reason' | 'effect';
  key: string;
  families: string[];
  n: number;
}

export interface Plan {
  messages: MessageWrite[];
  patients: PatientRecord[];
  specimens: SpecimenWrite[];
  results: ResultWrite[];
  /** Old result → the one that took its place. */
  superseded: { id: string; by: string }[];
  cases: CaseRecord[];
  caseResults: { caseId: string; resultId: string }[];
  caseEvents: CaseEventWrite[];
  matches: MatchWrite[];
  mappings: MappingWrite[];
  facilities: FacilityRecord[];
  tallies: TallyWrite[];
}

export type Effect =
  | 'patientsCreated'
  /** Reports about somebody who was known before them; the same however the file was cut into batches. */
  | 'patientsMatched'
  | 'pairsToReview'
  | 'resultsCreated'
  | 'resultsUnchanged'
  | 'resultsCorrected'
  | 'resultsWithdrawn'
  | 'resultsOutdated'
  | 'casesOpened'
  /** Reports that add to a case opened by an earlier one; the same however the file was cut into batches. */
  | 'casesUpdated'
  | 'casesToReview'
  | 'facilitiesCreated';

/** Stands for families nobody can tell. */
export const untold = '?';

const pairsKept = 5;
const classificationRank: Record<Classification, number> = {
  not_a_case: 0,
  unknown: 0,
  suspect: 1,
  probable: 2,
  confirmed: 3,
};
/** Conditions that a person refines: a syphilis of unknown stage becomes a primary one. */
const isUndetermined = (code: string) => /-(undetermined|unknown-stage)$/.test(code);

export class Planner {
  readonly #state: BatchState;
  readonly #context: PlanContext;
  readonly #mapped: MappedCodes;
  /** The keys under which a patient that has changed is found now. */
  readonly #keysOfPatient = new Map<string, readonly string[]>();
  readonly #casesOfPatient = new Map<string, CaseRecord[]>();
  readonly #caseById = new Map<string, CaseRecord>();
  /** The cases that the message under way has opened or added to. */
  readonly #casesOfMessage = new Set<string>();
  readonly #casesByNumber = new Map<string, CaseRecord[]>();
  readonly #specimenIds = new Map<string, string>();
  readonly #facilityById = new Map<string, FacilityRecord>();
  readonly #facilitiesByName = new Map<string, FacilityRecord[]>();
  readonly #facilityByNumber = new Map<string, FacilityRecord>();
  readonly #mappings = new Map<string, MappingWrite>();
  readonly #tallies = new Map<string, TallyWrite>();
  readonly #messages: MessageWrite[] = [];
  readonly #specimens: SpecimenWrite[] = [];
  readonly #results = new Map<string, ResultWrite>();
  readonly #superseded = new Map<string, string>();
  readonly #caseResults = new Map<string, { caseId: string; resultId: string }>();
  readonly #caseEvents: CaseEventWrite[] = [];
  readonly #matches: MatchWrite[] = [];
  readonly #facilities: FacilityRecord[] = [];

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
    for (const record of state.cases) this.#indexCase(record);
    for (const specimen of state.specimens) this.#specimenIds.set(specimenKey(specimen), specimen.id);
    for (const facility of state.facilities) this.#indexFacility(facility);
  }

  /** Everything that is to be written. To be called once, after the last message. */
  finish(): Plan {
    return {
      messages: this.#messages,
      patients: [...this.#state.patients.values()].filter(
        (patient) => patient.changed || patient.keysChanged,
      ),
      specimens: this.#specimens,
      results: [...this.#results.values()],
      superseded: [...this.#superseded].map(([id, by]) => ({ id, by })),
      cases: [...this.#caseById.values()].filter((record) => record.isNew || record.changed),
      caseResults: [...this.#caseResults.values()],
      caseEvents: this.#caseEvents,
      matches: this.#matches,
      mappings: [...this.#mappings.values()],
      facilities: this.#facilities,
      tallies: [...this.#tallies.values()],
    };
  }

  /** Works out one message; the next one sees what it did. */
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
      families: null,
    };
    const known = incoming.stored ? undefined : this.#state.messages.get(receivedKey(incoming));
    const { content } = incoming;
    this.#casesOfMessage.clear();
    if (known) {
      write.state = 'duplicate';
      write.duplicateOf = known.id;
      write.families = known.families;
    } else if (content.kind === 'report') {
      this.#addReport(write, content.report, digest!);
    } else if (content.kind === 'case') {
      this.#addCaseRow(write, content.row, content.condition, digest!);
    } else {
      write.state = content.kind;
      write.reason = content.reason;
      write.families = incoming.raw ? familiesOfRaw(incoming.raw.toString('latin1')) : null;
    }
    if (!known) this.#state.messages.set(receivedKey(incoming), { id, families: write.families });
    this.#messages.push(write);
    this.#count(write);
    return write;
  }

  // — Messages —

  #count(write: MessageWrite): void {
    const { incoming } = write;
    // What is run again or corrected is counted where it is now, and no more where it was.
    const before = incoming.stored ?? incoming.corrects;
    if (before) {
      this.#tally('state', before.state, before.families, -1);
      if (before.reason) this.#tally('reason', `${before.state}:${before.reason}`, before.families, -1);
    }
    this.#tally('state', write.state, write.families, 1);
    if (write.reason) this.#tally('reason', `${write.state}:${write.reason}`, write.families, 1);
  }

  #tally(kind: TallyWrite['kind'], key: string, families: readonly string[] | null, n: number): void {
    const list = families ?? [untold];
    const place = [kind, key, ...list].join('\u0000');
    const tally = this.#tallies.get(place);
    if (tally) tally.n += n;
    else this.#tallies.set(place, { kind, key, families: [...list], n });
  }

  #effect(effect: Effect, families: readonly string[] | null, n = 1): void {
    this.#tally('effect', effect, families, n);
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
      // Run again, it was counted before.
      if (!write.incoming.stored) mapping.occurrences += 1;
      write.waitingFor.push(mapping.id);
    }
  }

  // — Laboratory reports —

  #addReport(write: MessageWrite, report: LabReport, digest: Digest): void {
    const { facts } = digest;
    const sender = write.incoming.sender ?? '';
    const { results, unknown, families } = interpret(
      report,
      sender,
      this.#mapped,
      resultKeysOf(write.incoming, digest),
    );
    write.families = families;
    if (unknown.length > 0) {
      this.#ask(write, unknown);
      write.state = 'waiting';
      write.reason = unknown.some(({ kind }) => kind === 'test') ? 'test-unknown' : 'value-unknown';
    }
    if (results.length === 0) return;

    const reportedAt = results.reduce<string | null>(
      (latest, { reportedAt: at }) => (at && (!latest || at > latest) ? at : latest),
      null,
    );
    const patient = this.#patientFor(digest, reportedAt, families, results);
    write.patientId = patient.id;

    const answers = answersOf(report);
    for (const observed of results) {
      const facility = this.#facilityFor(observed.order.facility, 'clinic') ?? this.#given();
      const performer = this.#facilityFor(observed.performer ?? sendingLaboratory(report), 'laboratory');
      const organizationId = facility?.organizationId ?? this.#context.organizationId;
      seenBy(patient, organizationId, facility?.id ?? null);
      const program = this.#programFor(observed.diseaseFamily, organizationId);
      this.#addResult(
        write,
        patient,
        observed,
        {
          id: recordId(),
          patientId: patient.id,
          specimenId: null,
          messageId: write.id,
          organizationId,
          facilityId: facility?.id ?? null,
          performingFacilityId: performer?.id ?? null,
          programTypeId: program?.programTypeId ?? null,
          programId: program?.id ?? null,
          taskId: program?.testingTaskId ?? null,
          ageYears: ageInYears(patient, report.age, observed.collectedOn ?? observed.reportedOn),
          countyFips:
            facts.countyFips ??
            (facts.postalCode === null && facts.city === null ? patient.countyFips : null),
          observed,
        },
        answers,
      );
    }
  }

  #addResult(
    write: MessageWrite,
    patient: PatientRecord,
    observed: ObservedResult,
    result: ResultWrite,
    answers: CaseAnswers,
  ): void {
    const key = observed.key.key;
    const family = observed.diseaseFamily ? [observed.diseaseFamily] : [];
    const all = this.#state.results.get(key) ?? [];
    const mine = all.filter(({ patientId }) => patientId === patient.id);
    // An earlier version once more, and not one that was reported later to take its place again.
    const repeated = mine.some(
      ({ isSuperseded, contentHash, reportedAt }) =>
        isSuperseded &&
        contentHash === observed.contentHash &&
        (observed.reportedAt === null || (reportedAt !== null && observed.reportedAt <= reportedAt)),
    );
    if (repeated) {
      this.#effect('resultsUnchanged', family);
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
        this.#effect('resultsUnchanged', family);
        return;
      }
      if (!replacing(stored)) {
        this.#effect('resultsOutdated', family);
        return;
      }
    } else {
      // The same number for somebody else is another result; a correction of an order moves it to the right person.
      const others = all.filter(({ isSuperseded }) => !isSuperseded);
      const wasMoved = mine.length > 0;
      const corrects =
        observed.key.strength === 'order' && (effect === 'correction' || effect === 'withdrawal');
      const [only] = others;
      if (others.length === 1 && (corrects || wasMoved) && replacing(only!)) stored = only;
      else if (others.length === 1 && wasMoved) {
        this.#effect('resultsOutdated', family);
        return;
      }
      // Whose result it corrects cannot be told; none is taken away, and somebody has to look.
      else if (corrects) doubted = others;
    }
    result.specimenId =
      stored && stored.patientId === patient.id && stored.specimenId
        ? stored.specimenId
        : this.#specimenFor(patient.id, observed);
    this.#results.set(result.id, result);
    const now: StoredResult = {
      id: result.id,
      sourceKey: key,
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
    this.#state.results.set(key, [...all, now].sort(byVersion));
    for (const { id, caseIds } of doubted) for (const caseId of caseIds) this.#ofAnother(caseId, id);
    if (stored) {
      this.#superseded.set(stored.id, result.id);
      this.#effect(effect === 'withdrawal' ? 'resultsWithdrawn' : 'resultsCorrected', family);
    } else {
      this.#effect('resultsCreated', family);
    }
    this.#toCases(patient, result, now, stored, answers);
    if (write.patientId === null) write.patientId = patient.id;
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

  // — Patients —

  /**
   * The patient a report is about: the one whose results it reports again, else the one its identifiers or name speak
   * for, else a new one; with those that might be the same put before a person.
   */
  #patientFor(
    digest: Digest,
    reportedAt: string | null,
    families: readonly string[] | null,
    results: readonly ObservedResult[],
  ): PatientRecord {
    const { facts, prepared, keys } = digest;
    const again = this.#patientAgain(digest, results);
    if (again) return this.#known(again, facts, reportedAt, families);

    const candidates = new Set<string>();
    for (const key of keys) {
      const ids = [...(this.#state.byKey.get(key) ?? [])];
      // Of very many the same ones as if they had been stored and loaded.
      if (ids.length > patientsPerKey) ids.sort();
      for (const id of ids.slice(0, patientsPerKey)) candidates.add(id);
    }
    let best: { patient: PatientRecord; comparison: Comparison } | undefined;
    const doubtful: MatchWrite[] = [];
    for (const id of candidates) {
      const patient = this.#state.patients.get(id);
      if (!patient) continue;
      const comparison = compare(prepared, patient.prepared);
      if (comparison.decision === 'same') {
        const better =
          !best ||
          comparison.score > best.comparison.score ||
          (comparison.score === best.comparison.score && id < best.patient.id);
        if (better) best = { patient, comparison };
      } else if (comparison.decision === 'review')
        doubtful.push({ patientId: '', candidateId: id, comparison });
    }
    if (best) return this.#known(best.patient, facts, reportedAt, families);

    const patient = newPatient(recordId(), facts, reportedAt);
    this.#state.patients.set(patient.id, patient);
    this.#indexPatient(patient);
    this.#effect('patientsCreated', families);
    doubtful.sort(
      (a, b) => b.comparison.score - a.comparison.score || (a.candidateId < b.candidateId ? -1 : 1),
    );
    for (const match of doubtful.slice(0, pairsKept)) {
      this.#matches.push({ ...match, patientId: patient.id });
      this.#effect('pairsToReview', families);
    }
    return patient;
  }

  /**
   * The patient whose results a report reports again under their numbers. The same number speaks for the same person,
   * so that other spellings and dates are taken for corrected ones; not so another given name, and of a correction not
   * even a similar one, since corrections are made for results that were given to the wrong twin.
   */
  #patientAgain({ prepared }: Digest, results: readonly ObservedResult[]): PatientRecord | undefined {
    const corrects = results.some(({ hl7Status }) =>
      ['correction', 'withdrawal'].includes(statusEffect(hl7Status)),
    );
    let likely: PatientRecord | undefined;
    for (const { patientId } of results.flatMap(({ key }) => this.#state.results.get(key.key) ?? [])) {
      const patient = this.#state.patients.get(patientId);
      if (!patient) continue;
      const { decision, parts } = compare(prepared, patient.prepared);
      if (decision === 'same') return patient;
      const unnamed = prepared.names.length === 0 || patient.prepared.names.length === 0;
      const contradicted = [parts.birthDate, parts.age, parts.sex, parts.identifier].includes(0);
      if (
        unnamed
          ? decision === 'review' || !contradicted
          : decision === 'review' && (parts.firstName ?? 1) > (corrects ? 0.7 : 0)
      )
        likely ??= patient;
    }
    return likely;
  }

  /** A report about somebody who was known before it. */
  #known(
    patient: PatientRecord,
    facts: PatientFacts,
    reportedAt: string | null,
    families: readonly string[] | null,
  ): PatientRecord {
    this.#effect('patientsMatched', families);
    updatePatient(patient, facts, reportedAt);
    this.#indexPatient(patient);
    return patient;
  }

  #indexPatient(patient: PatientRecord): void {
    if (!patient.keysChanged) return;
    const keys = blockKeys(patient.prepared);
    for (const key of this.#keysOfPatient.get(patient.id) ?? patient.keysBefore?.comparison ?? [])
      if (!keys.includes(key)) this.#state.byKey.get(key)?.delete(patient.id);
    for (const key of keys) {
      const ids = this.#state.byKey.get(key);
      if (ids) ids.add(patient.id);
      else this.#state.byKey.set(key, new Set([patient.id]));
    }
    this.#keysOfPatient.set(patient.id, keys);
  }

  // — Facilities and programs —

  #indexFacility(facility: FacilityRecord): void {
    this.#facilityById.set(facility.id, facility);
    const same = this.#facilitiesByName.get(facility.matchName);
    if (same) same.push(facility);
    else this.#facilitiesByName.set(facility.matchName, [facility]);
    for (const number of [facility.clia && `clia ${facility.clia}`, facility.npi && `npi ${facility.npi}`])
      if (number && !this.#facilityByNumber.has(number)) this.#facilityByNumber.set(number, facility);
  }

  #given(): FacilityRecord | undefined {
    return this.#context.facilityId ? this.#facilityById.get(this.#context.facilityId) : undefined;
  }

  /** The facility of this name or number; an unknown one is made, to be confirmed by a person. */
  #facilityFor(
    organization: Organization | undefined,
    type: 'clinic' | 'laboratory',
  ): FacilityRecord | undefined {
    if (!organization) return undefined;
    const { clia, npi } = organization;
    const byNumber =
      (clia && this.#facilityByNumber.get(`clia ${clia}`)) ||
      (npi && this.#facilityByNumber.get(`npi ${npi}`));
    if (byNumber) return byNumber;
    const name = matchName(organization.name ?? '');
    if (name === '') return undefined;
    const postalCode = organization.address?.zip?.slice(0, 5) ?? null;
    const conflict = (a: string | null | undefined, b: string | null | undefined) =>
      Boolean(a && b && a !== b);
    // Many places share a name: another ZIP code or number is another place.
    const found = (this.#facilitiesByName.get(name) ?? []).find(
      (facility) =>
        !conflict(facility.postalCode?.slice(0, 5), postalCode) &&
        !conflict(facility.clia, clia) &&
        !conflict(facility.npi, npi),
    );
    if (found) return found;
    const made: FacilityRecord = {
      id: recordId(),
      organizationId: null,
      matchName: name,
      clia: clia ?? null,
      npi: npi ?? null,
      postalCode,
      made: { name: organization.name!, type, organization },
    };
    this.#facilities.push(made);
    this.#indexFacility(made);
    this.#effect('facilitiesCreated', []);
    return made;
  }

  /** The program that a disease family's results belong to: that of the organisation, else the tenant's own. */
  #programFor(family: string | null, organizationId: string | null): ProgramRecord | undefined {
    if (!family) return undefined;
    const programs = this.#state.programs.filter(({ families }) => families.includes(family));
    return (
      programs.find((program) => organizationId !== null && program.organizationId === organizationId) ??
      programs.find((program) => program.organizationId === null)
    );
  }

  // — Cases —

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
    this.#caseEvents.push({ caseId: record.id, kind, detail });
  }

  #review(record: CaseRecord, reason: string, about: { resultId: string } | { caseId: string }): void {
    record.reviewReason = reason;
    record.changed = true;
    this.#event(record, 'review-needed', { reason, ...about });
    this.#effect('casesToReview', [record.family]);
  }

  /** Puts up a case for review whose result a correction gives to somebody else. */
  #ofAnother(caseId: string, resultId: string): void {
    const record = this.#caseById.get(caseId);
    if (record) this.#review(record, 'result-of-another-patient', { resultId });
  }

  /** Counts the message under way as one that adds to the case, once, and not when it has opened it itself. */
  #updates(record: CaseRecord): void {
    if (this.#casesOfMessage.has(record.id)) return;
    this.#casesOfMessage.add(record.id);
    this.#effect('casesUpdated', [record.family]);
  }

  #link(record: CaseRecord, resultId: string): void {
    this.#caseResults.set(`${record.id} ${resultId}`, { caseId: record.id, resultId });
  }

  /** Brings a result to the cases of the one it replaces, and to the case it opens or belongs to. */
  #toCases(
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
    const program = this.#programFor(family, given.organizationId);
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
    this.#effect('casesOpened', [family]);
    return record;
  }

  /** The patient's case a finding belongs to: of the same condition, within its re-report window; the nearest in time. */
  #caseFor(patientId: string, condition: Condition, day: string): CaseRecord | undefined {
    const near = (this.#casesOfPatient.get(patientId) ?? []).flatMap((record) => {
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

  #addCaseRow(write: MessageWrite, row: CaseReportRow, conditionCode: string, digest: Digest): void {
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
      this.#facilityFor(
        row.facility ? { name: row.facility, identifiers: [], phones: [] } : undefined,
        'clinic',
      ) ?? this.#given();
    const organizationId = facility?.organizationId ?? this.#context.organizationId;
    const place = { organizationId, facilityId: facility?.id ?? null };
    const { same: numbered, doubtful } = row.caseId
      ? this.#numbered(row.caseId, conditionCode, { ...told, day }, digest, place)
      : {};
    const patient = numbered
      ? this.#known(this.#state.patients.get(numbered.patientId)!, facts, null, families)
      : this.#patientFor(digest, null, families, []);
    write.patientId = patient.id;
    seenBy(patient, organizationId, facility?.id ?? null);

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

/** The order in which results of one key are looked at: those that count first, the longest known first. */
export const byVersion = (a: StoredResult, b: StoredResult) =>
  Number(a.isSuperseded) - Number(b.isSuperseded) || (a.id < b.id ? -1 : 1);

const caseDay = (record: CaseRecord) =>
  record.collectedOn ?? record.onsetOn ?? record.reportedOn ?? record.createdOn;

const specimenKey = ({ patientId, accession, typeCode }: Omit<SpecimenRecord, 'id'>) =>
  `${patientId}\u0000${accession}\u0000${typeCode}`;

/** Who performs a test when no observation says so. */
function sendingLaboratory({ header }: LabReport): Organization | undefined {
  const name = header.sendingFacility?.name;
  return name || header.sendingClia
    ? { name, clia: header.sendingClia, identifiers: [], phones: [] }
    : undefined;
}

interface CaseAnswers {
  onsetOn: string | null;
  pregnant: string | null;
  hospitalized: string | null;
}

/** What was asked about the person when the test was ordered, as far as a case report holds it. */
function answersOf(report: LabReport): CaseAnswers {
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

export const categoryOfFamily = (family: string): string => familyByCode(family)?.category ?? '';
