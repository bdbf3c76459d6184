import { visitTypes } from './case-reports.ts';
import { code, counting, day, fact, flag, id, integer } from './fact.ts';
import { incidentStages } from './incident-flow.ts';
import {
  doses,
  harmLevels,
  incidentCategories,
  incidentClassifications,
  incidentEvents,
  incidentGrid,
  incidentKinds,
  incidentOutcomes,
  reporterRoles,
  vaccines,
} from './incident-reports.ts';
import { recordColumns } from './record-columns.ts';

/** What is counted of a report, and of each vaccine and reaction in it. */
const ofReport = {
  id,
  patientId: id,
  kind: code(incidentKinds),
  stage: code(incidentStages),
  /** Whether it counts: it was not discarded. */
  counts: counting,
  /** One of the criteria is met, or the harm was severe. */
  serious: code(['yes', 'no']),
  receivedOn: day('open'),
  vaccinatedOn: day('open'),
  occurredOn: day('open'),
  createdOn: day('open'),
  ...recordColumns,
  visitType: code(visitTypes),
} as const;

const counted = {
  records: incidentGrid.id,
  words: 'choice',
  eventDates: ['receivedOn', 'vaccinatedOn', 'occurredOn', 'createdOn'],
  enteredOn: 'createdOn',
  person: true,
  counted: 'counts',
  restrictedBy: 'diseaseFamily',
} as const;

/** One row for each report of an incident; of those about nobody, each counts as one of a person of its own. */
export const incidents = fact(
  'incident',
  {
    ...ofReport,
    /** Whether it is about a person. */
    ofPerson: flag,
    category: code(incidentCategories),
    event: code(incidentEvents),
    harm: code(harmLevels),
    outcome: code(incidentOutcomes),
    classification: code(incidentClassifications),
    reporterRole: code(reporterRoles),
    died: flag,
    hospitalized: flag,
    emergencyVisit: flag,
    /** Nobody has closed or discarded it. */
    open: flag,
    /** From the vaccination to the first sign. */
    daysToOnset: integer('counted'),
    /** From the incident, or the first sign, to the report. */
    daysToReport: integer('counted'),
  },
  counted,
);

/** One row for each vaccine and reaction of a report: of two vaccines and three reactions, six. */
export const incidentReactions = fact(
  'incident_reaction',
  {
    ...ofReport,
    incidentId: id,
    vaccine: code(vaccines),
    dose: code(doses),
    reaction: code('vaxAdverseReactions'),
  },
  { ...counted, unit: 'incidentId' },
);
