import type { Dashboard } from '../dashboard.ts';
import { caseReports, tenantCaseReports } from './case-reports.ts';
import { fieldVisits } from './field-visits.ts';
import { hiv } from './hiv.ts';
import { incidentReports } from './incident-reports.ts';
import { operations } from './operations.ts';
import { partnerServices } from './partner-services.ts';
import { sti } from './sti.ts';
import { telemedicine } from './telemedicine.ts';
import { testing } from './testing.ts';

export const dashboards: readonly Dashboard[] = [
  testing,
  sti,
  hiv,
  caseReports,
  tenantCaseReports,
  incidentReports,
  fieldVisits,
  telemedicine,
  partnerServices,
  operations,
];
