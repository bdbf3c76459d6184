import { classifications } from './case-reports.ts';
import { code, day, fact, flag, id, integer, ref, summed } from './fact.ts';
import { dispositions, indexBases, interviewStatuses, namings, referralBases } from './partner-flow.ts';
import { partnerGrid } from './partner-services.ts';
import { recordColumns } from './record-columns.ts';

/* What is counted of partner services: the words and sets of the CDC's program reports. */

/** Whose record it is: the case's own, or of somebody who was named for it. A cohort is neither partner nor cluster. */
export const partnerRoles = ['case', 'partner', 'cluster', 'cohort'] as const;

/**
 * What came of somebody, as the reports group dispositions: examined, or of HIV notified (A, B, C, D, F, 2 to 7); treated
 * or positive before (E, 1); not examined (G, H, J, K, L, V, X, Z); closed without any of these; or still open.
 */
export const examOutcomes = ['examined', 'known-before', 'not-examined', 'closed', 'open'] as const;
export const dispositionsOf: Readonly<
  Record<'examined' | 'known-before' | 'not-examined', readonly string[]>
> = {
  examined: [...'ABCDF234567'],
  'known-before': ['E', '1'],
  'not-examined': [...'GHJKLVXZ'],
};

/** More partners of a period than this count as this many in sums that protected readers see. */
const mostPartners = 50;

const columns = {
  id,
  /** The person of the case, also in the records of those who were named for it. */
  patientId: id,
  caseRecordId: id,
  role: code(partnerRoles),
  conditionCode: code('conditions'),
  ...recordColumns,
  /** Of the case. */
  classification: code(classifications),
  /** Of the case: by what it came to attention, and who interviews its person. */
  caseBasis: code(indexBases),
  interviewerId: ref('investigators'),
  /** Somebody is to interview the person of the case. */
  assigned: flag,
  interviewStatus: code(interviewStatuses),
  reinterviewed: flag,
  caseClosed: flag,
  /** Of HIV the first assignment of the interview, of all others the last one. */
  assignedOn: day('open'),
  interviewedOn: day('open'),
  caseClosedOn: day('open'),
  createdOn: day('open'),
  /** From that assignment; empty if the interview was before it. */
  daysToInterview: integer('counted'),
  /** As the person of the case has counted them, of any sex. */
  periodPartners: summed('counted', mostPartners),

  /** Of the record itself. */
  referralBasis: code(referralBases),
  namedHow: code(namings),
  /** Named in an interview by the person of the case, who was interviewed. */
  initiated: flag,
  disposition: code(dispositions),
  examOutcome: code(examOutcomes),
  isSource: flag,
  /** From the last assignment of the field follow-up; empty if the disposition was before it. */
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

/** One row for each record of partner services, with what it needs of its case. Persons are those of the cases. */
export const partnerRecords = fact('partner_service', columns, counting);

/** The same rows, of which those of one case are one: how many cases have somebody like that. */
export const partnerCases = fact('partner_service', columns, { ...counting, unit: 'caseRecordId' });
