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
import { patientRecord } from './patient-record.ts';
import {
  byServer,
  byTransitions,
  type ChangeOf,
  choice,
  coded,
  day,
  entry,
  importedAs,
  inColumn,
  needed,
  reference,
  writtenNames,
} from './record.ts';
import { workOf } from './work-tasks.ts';

const kept = coded(z.string());

/** A case report: what users set, and what imports, case rules and merges change. */
export const caseRecord = patientRecord({
  id: 'case-reports',
  kind: 'case',
  noun: 'case report',
  table: 'case_report',
  access: { read: 'case-reports/read', write: 'case-reports/write' },
  name: 'caseId',
  fields: {
    caseId: byServer(needed(kept)),
    classification: importedAs(
      'classification|case classification|case type|case status|status|case definition|final classification|epi classification|clasificacion|clasificacion del caso|clasificacion final|estado del caso|tipo de caso',
      needed(choice(classifications)),
    ),
    status: byTransitions(needed(choice(caseStatuses))),
    /** The account of a tenant member. */
    investigator: byTransitions(reference('investigators')),
    /** Who completed the investigation; they cannot approve it. */
    completedBy: byTransitions(reference('investigators')),
    onsetOn: importedAs(
      'onset date|date of onset|date onset|dateonset|symptom onset|symptom onset date|date of symptom onset|illness onset date|illness onset|date of illness onset|fecha de inicio de sintomas|inicio de sintomas|fecha inicio sintomas|fis|fecha de inicio|date de debut des symptomes|date debut|date des premiers symptomes|dat sentom yo komanse|dat maladi a komanse',
      day(),
    ),
    collectedOn: importedAs(
      'sample date|date sample|date of sample|specimen collection date|collection date|date collected|date of collection|date of specimen collection|fecha de toma|fecha de muestra|fecha de toma de muestra',
      day(),
    ),
    reportedOn: importedAs(
      'report date|date of report|date reported|date reporting|reporting date|date of reporting|date of notification|notification date|date notified|fecha de notificacion|fecha de reporte|fecha de informe',
      day(),
    ),
    receivedOn: day(),
    outcome: importedAs(
      'outcome|case outcome|patient outcome|final outcome|vital status|desenlace|evolucion|resultado final|condicion final',
      choice(caseOutcomes),
    ),
    pregnant: importedAs('pregnant|pregnancy|pregnancy status|embarazada|embarazo', choice(yesNoUnknown)),
    hospitalized: importedAs(
      'hospitalized|hospitalised|was hospitalized|hospitalization|hospitalisation|admitted|hospitalizado|hospitalizada|hospitalizacion',
      choice(yesNoUnknown),
    ),
    visitType: importedAs(
      'visit type|type of visit|encounter type|visit mode|tipo de visita|tipo de consulta|modalidad',
      choice(visitTypes),
    ),
    condition: importedAs(
      'condition|disease|diagnosis|condition name|disease name|event|enfermedad|padecimiento|diagnostico|evento|maladie|maladi',
      inColumn('condition_code', byServer(needed(entry('conditions')))),
    ),
    county: inColumn('county_fips', byServer(entry('counties'))),
    /** The county's jurisdiction at first; sending the case elsewhere changes it. */
    jurisdiction: byTransitions(reference('jurisdictions')),
    facility: importedAs(
      'facility|hospital|health facility|hospital name|facility name|reporting facility|clinic|establecimiento|establecimiento de salud|unidad notificante|unidad medica|etablissement|centre de sante|hopital|sant sante|lopital',
      byServer(reference('facilities')),
    ),
    externalId: importedAs(
      'case id|caseid|case number|case no|id|study id|record id|unique id|unique key|uniquekey|linelist id|line list id|case identifier|epi id|id caso|numero de caso|id del caso|folio',
      byServer(kept),
    ),
    classifiedBy: byServer(needed(choice(classifiedBy))),
    reviewReason: byServer(kept),
    createdOn: byServer(needed(day())),
  },
  workflow: { of: 'status', flow: caseFlow },
  grid: caseReportGrid,
  answer: caseReport,
  form: [
    'classification',
    'onsetOn',
    'collectedOn',
    'reportedOn',
    'receivedOn',
    'outcome',
    'pregnant',
    'hospitalized',
    'visitType',
  ],
  bulk: ['outcome', 'hospitalized', 'visitType'],
  timeline: { at: ['createdOn'], shows: ['condition', 'classification', 'status'] },
});

/** What has to be done about a case, and by when. */
export const caseWork = workOf(caseRecord);

/** What can be changed in a case; missing fields stay as they are. */
export type CaseChange = ChangeOf<typeof caseRecord>;
export type CaseField = keyof CaseChange;
export const caseFields = writtenNames(caseRecord.fields) as CaseField[];

/** Drops a user's classification and lets the rule decide from now on. */
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
