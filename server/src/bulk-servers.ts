import { caseServer } from './features/case-reports/case-server.ts';
import { contactServer } from './features/contacts/contact-server.ts';
import { visitServer } from './features/field-visits/visit-server.ts';
import { incidentServer } from './features/incident-reports/incident-server.ts';
import { partnerServer } from './features/partner-services/partner-server.ts';
import { shipmentServer } from './features/sample-shipments/shipment-server.ts';
import { telemedicineServer } from './features/telemedicine/telemedicine-server.ts';
import { workTaskServer } from './features/work-tasks/work-task-server.ts';
import type { Lookups } from './platform/grid/lookups.ts';
import type { PatientServer } from './platform/records/patient-record.ts';

/** Every record with bulk actions, for the job that runs them. */
export const bulkServers = (lookups: Lookups): readonly PatientServer[] =>
  [
    caseServer,
    contactServer,
    incidentServer,
    partnerServer,
    shipmentServer,
    telemedicineServer,
    visitServer,
    workTaskServer,
  ].map((serverOf) => serverOf(lookups));
