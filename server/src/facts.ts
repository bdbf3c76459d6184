import { careYearFact } from './features/case-reports/care-year-fact.ts';
import { caseFact } from './features/case-reports/case-fact.ts';
import { transitionFact } from './features/case-reports/transition-fact.ts';
import { fieldVisitAttemptFact, fieldVisitFact } from './features/field-visits/field-visit-facts.ts';
import { hivTestFact } from './features/hiv-analytics/hiv-test-fact.ts';
import { incidentFact, incidentReactionFact } from './features/incident-reports/incident-facts.ts';
import { partnerFact } from './features/partner-services/partner-fact.ts';
import { patientFact } from './features/patients/patient-fact.ts';
import { resultFact } from './features/results/result-fact.ts';
import { shipmentFact } from './features/sample-shipments/shipment-fact.ts';
import { telemedicineFact } from './features/telemedicine/telemedicine-fact.ts';
import { treatmentFact } from './features/treatments/treatment-fact.ts';
import { workTaskFact } from './features/work-tasks/work-task-fact.ts';
import type { StoredFact } from './platform/analytics/facts.ts';

/** Every fact that analytics and lists can query. */
export const facts: readonly StoredFact[] = [
  resultFact,
  caseFact,
  treatmentFact,
  patientFact,
  hivTestFact,
  careYearFact,
  incidentFact,
  incidentReactionFact,
  fieldVisitFact,
  fieldVisitAttemptFact,
  telemedicineFact,
  partnerFact,
  transitionFact,
  workTaskFact,
  shipmentFact,
];
