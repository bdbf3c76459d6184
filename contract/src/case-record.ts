import { z } from 'zod';
import { caseFlow } from './case-flow.ts';
import {
  caseOutcomes,
  caseReport,
  caseReportGrid,
  caseStatuses,
  classifications,
  visitTypes,
  yesNoUnknown,
} from './case-reports.ts';
import { classifiedBy } from './case-rules.ts';
import { endpoint } from './endpoint.ts';
import {
  byServer,
  type ChangeOf,
  choice,
  coded,
  day,
  entry,
  inColumn,
  needed,
  patientRecord,
  reference,
  writtenNames,
} from './record.ts';
import { workOf } from './work-tasks.ts';

const kept = coded(z.string());

/** A case report: what people set, and what imports, the case rules and merges change of it. */
export const caseRecord = patientRecord({
  id: 'case-reports',
  kind: 'case',
  noun: 'case report',
  table: 'case_report',
  access: { read: 'case-reports/read', write: 'case-reports/write' },
  name: 'caseId',
  fields: {
    caseId: byServer(needed(kept)),
    classification: needed(choice(classifications)),
    status: needed(choice(caseStatuses)),
    /** Account of a member of the tenant. */
    investigator: reference('investigators'),
    onsetOn: day(),
    collectedOn: day(),
    reportedOn: day(),
    receivedOn: day(),
    outcome: choice(caseOutcomes),
    pregnant: choice(yesNoUnknown),
    hospitalized: choice(yesNoUnknown),
    visitType: choice(visitTypes),
    condition: inColumn('condition_code', byServer(needed(entry('conditions')))),
    county: inColumn('county_fips', byServer(entry('counties'))),
    jurisdiction: byServer(reference('jurisdictions')),
    facility: byServer(reference('facilities')),
    externalId: byServer(kept),
    classifiedBy: byServer(needed(choice(classifiedBy))),
    reviewReason: byServer(kept),
    createdOn: byServer(needed(day())),
  },
  workflow: { of: 'status', flow: caseFlow },
  grid: caseReportGrid,
  answer: caseReport,
  form: [
    'classification',
    'status',
    'investigator',
    'onsetOn',
    'collectedOn',
    'reportedOn',
    'receivedOn',
    'outcome',
    'pregnant',
    'hospitalized',
    'visitType',
  ],
  bulk: ['investigator', 'status'],
  timeline: { at: ['createdOn'], shows: ['condition', 'classification', 'status'] },
});

/** What has to be done about a case, and until when. */
export const caseWork = workOf(caseRecord);

/** What can be changed about a case; absent fields stay as they are. */
export type CaseChange = ChangeOf<typeof caseRecord>;
export type CaseField = keyof CaseChange;
export const caseFields = writtenNames(caseRecord.fields) as CaseField[];

/** Replaces a person's classification with the rule's, and lets the rule decide from now on. */
export const followCaseRule = endpoint({
  method: 'POST',
  path: '/api/web/case-reports/:id/follow-rule',
  access: 'case-reports/write',
  deed: 'change',
  summary: 'Let the case rule classify a case report again',
  patientData: true,
  params: z.strictObject({ id: z.uuid() }),
  body: z.strictObject({ version: z.number().int() }),
  response: caseReport,
});
