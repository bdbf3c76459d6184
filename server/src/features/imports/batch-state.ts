import type { ImportFault } from '@caseway/contract/import-fault';
import type { CaseRecord, CaseWrites, ProgramRecord } from '../case-reports/case-record.ts';
import type { Pair } from '../patients/alike.ts';
import type { FactsContext } from '../patients/patient-facts.ts';
import type { PatientRecord } from '../patients/patient-record.ts';
import type { Organization, ResultStatus } from '../reported/report.ts';
import type { UnknownCode } from '../results/code-asked.ts';
import type { ObservedResult } from '../results/interpret.ts';
import type { NewTreatment, StoredTreatment } from '../treatments/stored-treatments.ts';
import type { Incoming, MessageState } from './batch/incoming.ts';
import type { Sight } from './sight.ts';

/* The state that a batch of messages is planned from, and the writes that the plan makes. */

// — What is stored —

export interface StoredResult {
  id: string;
  sourceKey: string;
  patientId: string;
  specimenId: string | null;
  contentHash: string;
  category: string;
  hl7Status: ResultStatus;
  /** When it was last reported. */
  reportedAt: string | null;
  family: string | null;
  caseIds: string[];
  organizationId: string | null;
  facilityId: string | null;
  /** The organization or facility whose import brought it; null: the tenant's own. */
  sentBy: string | null;
  /** A later version has replaced it. */
  isSuperseded: boolean;
}

export interface FacilityRecord {
  id: string;
  organizationId: string | null;
  matchName: string;
  clia: string | null;
  npi: string | null;
  postalCode: string | null;
  /** Whether the sender of the import can see it, apart from hidden disease families. */
  isSeen: boolean;
  /** Confirmed by a person. */
  isRegistered: boolean;
  /** Families of the records from there; `-` for records that name none. Stored until it is confirmed. */
  diseaseFamilies: string[];
  changed?: boolean;
  /** The requested id, if that facility was merged into this one. */
  mergedId?: string | null;
  /** Set if this batch makes it. */
  made?: { name: string; type: 'clinic' | 'laboratory'; organization: Organization };
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

/** Everything stored that this batch can touch, loaded in bulk. */
export interface BatchState {
  /** By `receivedKey`: the message that was received first. */
  messages: Map<string, { id: string; families: string[] }>;
  mappings: Map<string, StoredMapping>;
  results: Map<string, StoredResult[]>;
  patients: Map<string, PatientRecord>;
  /** Patients by their comparison keys. */
  byKey: Map<string, Set<string>>;
  cases: CaseRecord[];
  /** Cases by Caseway's number, if a list of treatments names it. */
  caseNumbers: Map<string, string>;
  /** Treatments of the people in a list of treatments. */
  treatments: StoredTreatment[];
  specimens: SpecimenRecord[];
  facilities: FacilityRecord[];
  programs: ProgramRecord[];
  jurisdictionOfCounty: Map<string, string>;
}

export interface PlanContext {
  importId: string;
  /** The place that the file was uploaded for; used if a message names no facility. */
  facilityId: string | null;
  organizationId: string | null;
  format: 'hl7' | 'csv';
  /** The condition that was chosen for every row of a line list. */
  condition: string | null;
  /** Today in the tenant's time zone. */
  today: string;
  facts: FactsContext;
  /** What its sender may see. */
  sight: Sight;
  /** Families that not every reader of the tenant may see. */
  restrictedFamilies: readonly string[];
  /** Senders whose messages for training and debugging are accepted: none in a production tenant. */
  testSenders: ReadonlySet<string>;
}

// — What the plan writes —

export interface MessageWrite {
  id: string;
  incoming: Incoming;
  state: MessageState;
  reason: string | null;
  duplicateOf: string | null;
  faults: readonly ImportFault[];
  waitingFor: string[];
  patientId: string | null;
  /** Disease families of its contents; includes `untold` if part of it has no known family. */
  families: string[];
  /** The results that it reports, known or new. */
  observed: readonly ObservedResult[];
}

export interface ResultWrite {
  id: string;
  patientId: string;
  specimenId: string | null;
  messageId: string;
  sourceKey: string;
  organizationId: string | null;
  facilityId: string | null;
  performingFacilityId: string | null;
  programTypeId: string | null;
  programId: string | null;
  taskId: string | null;
  ageYears: number | null;
  countyFips: string | null;
  /** The county was taken from the person's record, where only others have reported it. */
  countyBorrowed: boolean;
  observed: ObservedResult;
}

export interface SpecimenWrite extends SpecimenRecord {
  observed: ObservedResult;
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

export interface Plan extends CaseWrites {
  messages: MessageWrite[];
  specimens: SpecimenWrite[];
  /** Stored ones that a correction changes. */
  correctedSpecimens: SpecimenWrite[];
  results: ResultWrite[];
  /** Old result → the one that replaced it. */
  superseded: { id: string; by: string }[];
  /** Results that were sent again unchanged, with the time of the last report. */
  reportedAgain: { id: string; at: string }[];
  treatments: NewTreatment[];
  /** Stored treatments that other places also report, with everyone who has reported them. */
  treatmentsTold: Pick<StoredTreatment, 'id' | 'toldBy'>[];
  treatmentsAdded: StoredTreatment[];
  matches: Pair[];
  mappings: MappingWrite[];
  facilities: FacilityRecord[];
  /** Stored ones that have changed. */
  changedFacilities: FacilityRecord[];
  tallies: TallyWrite[];
}

export type Effect =
  | 'patientsCreated'
  /** Reports about someone who was already known; the same however the file was split into batches. */
  | 'patientsMatched'
  | 'pairsToReview'
  | 'resultsCreated'
  | 'resultsUnchanged'
  | 'resultsCorrected'
  | 'resultsWithdrawn'
  | 'resultsOutdated'
  | 'casesOpened'
  /** Reports that add to a case opened by an earlier one; the same however the file was split into batches. */
  | 'casesUpdated'
  | 'casesToReview'
  | 'treatmentsCreated'
  | 'treatmentsCompleted'
  | 'treatmentsUnchanged'
  | 'facilitiesCreated'
  /** Places that only reports of restricted families had named before; new for readers who may not see these. */
  | 'facilitiesMatched'
  /** Rows of a line list about people who are not cases. */
  | 'rowsNoCases';

/** The order of results with one key: current ones first, then the oldest. */
export const byVersion = (a: StoredResult, b: StoredResult) =>
  Number(a.isSuperseded) - Number(b.isSuperseded) || (a.id < b.id ? -1 : 1);
