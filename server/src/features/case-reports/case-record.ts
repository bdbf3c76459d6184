import type { CaseExplanation, ClassifiedBy } from '@caseway/contract/case-rules';
import type { Explained } from '../case-rules/outcome.ts';
import type { PatientRecord } from '../patients/patient-record.ts';
import type { Classification } from '../reference/schema.ts';
import type { CaseFacts } from './shared-cases.ts';

/* A case as the rules read and change it, and the writes about it. */

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
  visitType: string | null;
  source: string;
  externalId: string | null;
  reviewReason: string | null;
  classifiedBy: ClassifiedBy;
  /** The previous result of the rule. */
  explained: Explained | null;
  /** The current result of the rule; absent if the rule was not applied. */
  explanation?: CaseExplanation;
  /** The facts that its own place sees, if other places have reported different ones; null: all of the above. */
  within: CaseFacts | null;
  /** Something that its own place sees was added. */
  toldToOwn?: boolean;
  /** For a new case: the rule's explanation before another place added to it. */
  kept?: { explanation: CaseExplanation; concluded: string } | undefined;
  isNew: boolean;
  changed: boolean;
}

export interface ProgramRecord {
  id: string;
  programTypeId: string;
  organizationId: string | null;
  families: string[];
  testingTaskId: string | null;
  investigationTaskId: string | null;
}

export interface CaseNoteWrite {
  caseId: string;
  text: string;
  /** The organization and facility that reported it. No other place that shares the case sees it. */
  toldBy: readonly string[] | undefined;
}

export interface CaseEventWrite {
  caseId: string;
  kind: string;
  detail: Record<string, unknown>;
}

/** The writes about the cases of these people. */
export interface CaseWrites {
  patients: PatientRecord[];
  cases: CaseRecord[];
  caseResults: { caseId: string; resultId: string }[];
  caseEvents: CaseEventWrite[];
  /** Notes of line lists about cases; existing notes are not repeated. */
  caseNotes: CaseNoteWrite[];
}

/** The program that takes the results of a disease family: that of the organization, or else the tenant's own. */
export function programOf(
  programs: readonly ProgramRecord[],
  family: string | null,
  organizationId: string | null,
): ProgramRecord | undefined {
  if (!family) return undefined;
  const fitting = programs.filter(({ families }) => families.includes(family));
  return (
    fitting.find((program) => organizationId !== null && program.organizationId === organizationId) ??
    fitting.find((program) => program.organizationId === null)
  );
}
