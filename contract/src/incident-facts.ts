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

/** Columns of a report, and of each vaccine and reaction in it. */
const ofReport = {
  id,
  patientId: id,
  kind: code(incidentKinds),
  stage: code(incidentStages),
  /** It counts unless it was discarded. */
  counts: counting,
  /** A criterion is met, or the harm was severe. */
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

/** One row per incident report. Each report about no one counts as a separate person. */
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
    /** Neither closed nor discarded. */
    open: flag,
    /** Days from vaccination to the first sign. */
    daysToOnset: integer('counted'),
    /** Days from the incident, or the first sign, to the report. */
    daysToReport: integer('counted'),
  },
  counted,
);

/** One row per vaccine and reaction of a report: six for two vaccines and three reactions. */
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
