import { classifications } from './case-reports.ts';
import { code, day, fact, flag, id, integer, ref, summed } from './fact.ts';
import { dispositions, indexBases, interviewStatuses, namings, referralBases } from './partner-flow.ts';
import { partnerGrid } from './partner-services.ts';
import { recordColumns } from './record-columns.ts';

/* Facts for partner services, in the terms and sets of the CDC's program reports. */

/**
 * Whose record it is: the case's own, or that of someone named for it. A cohort is neither partner nor
 * cluster.
 */
export const partnerRoles = ['case', 'partner', 'cluster', 'cohort'] as const;

/**
 * The outcome, as the reports group dispositions: examined, or for HIV notified (A, B, C, D, F, 2 to 7);
 * treated or positive before (E, 1); not examined (G, H, J, K, L, V, X, Z); closed without any of these; or
 * still open.
 */
export const examOutcomes = ['examined', 'known-before', 'not-examined', 'closed', 'open'] as const;
export const dispositionsOf: Readonly<
  Record<'examined' | 'known-before' | 'not-examined', readonly string[]>
> = {
  examined: [...'ABCDF234567'],
  'known-before': ['E', '1'],
  'not-examined': [...'GHJKLVXZ'],
};

/** The most partners per period that count in protected sums. */
const mostPartners = 50;

const columns = {
  id,
  /** The case's person, also in the records of people named for the case. */
  patientId: id,
  caseRecordId: id,
  role: code(partnerRoles),
  conditionCode: code('conditions'),
  ...recordColumns,
  /** The case's classification. */
  classification: code(classifications),
  /** How the case came to attention, and who interviews its person. */
  caseBasis: code(indexBases),
  interviewerId: ref('investigators'),
  /** An interviewer is assigned. */
  assigned: flag,
  interviewStatus: code(interviewStatuses),
  reinterviewed: flag,
  caseClosed: flag,
  /** For HIV the first assignment of the interview, otherwise the last. */
  assignedOn: day('open'),
  interviewedOn: day('open'),
  caseClosedOn: day('open'),
  createdOn: day('open'),
  /** Days from that assignment; empty if the interview was earlier. */
  daysToInterview: integer('counted'),
  /** Partners of any sex, as counted by the case's person. */
  periodPartners: summed('counted', mostPartners),

  /** The record's own basis. */
  referralBasis: code(referralBases),
  namedHow: code(namings),
  /** Named in an interview by the case's person. */
  initiated: flag,
  disposition: code(dispositions),
  examOutcome: code(examOutcomes),
  isSource: flag,
  /** Days from the last assignment of the field follow-up; empty if the disposition was earlier. */
  daysToDisposition: integer('counted'),
} as const;

const counting = {
  records: partnerGrid.id,
  words: 'choice',
  eventDates: ['assignedOn', 'interviewedOn', 'caseClosedOn', 'createdOn'],
  enteredOn: 'createdOn',
  person: true,
  restrictedBy: 'diseaseFamily',
} as const;

/** One row per partner services record, with what it needs from its case. Persons are the cases' persons. */
export const partnerRecords = fact('partner_service', columns, counting);

/** The same rows, counted once per case: how many cases have someone like that. */
export const partnerCases = fact('partner_service', columns, { ...counting, unit: 'caseRecordId' });
