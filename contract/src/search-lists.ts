import { caseFollowUpGrid } from './case-follow-ups.ts';
import { caseReportGrid } from './case-reports.ts';
import { contactGrid } from './contacts.ts';
import { fieldVisitGrid } from './field-visits.ts';
import type { Grid } from './grid.ts';
import { importGrid } from './imports.ts';
import { incidentGrid } from './incident-reports.ts';
import { partnerGrid } from './partner-services.ts';
import { patientGrid } from './patients.ts';
import { facilities, jurisdictions, locations, organizations, programs } from './places.ts';
import { shipmentGrid, unassignedGrid } from './sample-shipments.ts';
import type { FoundKind } from './search.ts';
import { telemedicineGrid } from './telemedicine.ts';
import { userGrids } from './users.ts';

/**
 * A list included in the global search, which finds its records exactly as the list's own search box does.
 */
export interface SearchList {
  grid: Grid;
  /** The columns that name a record, and those that tell it apart from others. */
  title: readonly string[];
  detail: readonly string[];
  /** The columns with a person's last and first name, also found by names that look or sound alike. */
  named?: readonly [last: string, first: string];
}

const user = { title: ['name'], detail: ['email'] };

export const searchLists: Readonly<Record<FoundKind, SearchList>> = {
  patients: {
    grid: patientGrid,
    title: ['lastName', 'firstName'],
    detail: ['birthDate', 'city'],
    named: ['lastName', 'firstName'],
  },
  'case-reports': {
    grid: caseReportGrid,
    title: ['lastName', 'firstName'],
    detail: ['caseId', 'condition', 'birthDate'],
    named: ['lastName', 'firstName'],
  },
  contacts: { grid: contactGrid, title: ['name'], detail: ['number', 'condition'] },
  'case-follow-ups': { grid: caseFollowUpGrid, title: ['name'], detail: ['number', 'condition'] },
  'partner-services': { grid: partnerGrid, title: ['name'], detail: ['number', 'condition'] },
  'field-visits': { grid: fieldVisitGrid, title: ['name'], detail: ['number', 'plannedFor'] },
  telemedicine: { grid: telemedicineGrid, title: ['name'], detail: ['number', 'plannedOn'] },
  'incident-reports': {
    grid: incidentGrid,
    title: ['lastName', 'firstName'],
    detail: ['number', 'receivedOn'],
  },
  'sample-shipments': { grid: shipmentGrid, title: ['number'], detail: ['caseId', 'sentOn'] },
  'unassigned-specimens': { grid: unassignedGrid, title: ['accession'], detail: ['collectedAt'] },
  imports: { grid: importGrid, title: ['fileName'], detail: ['facilityName', 'createdAt'] },
  'tenant-users': { grid: userGrids.T, ...user },
  'organization-users': { grid: userGrids.O, ...user },
  'facility-users': { grid: userGrids.F, ...user },
  'jurisdiction-users': { grid: userGrids.PHJ, ...user },
  organizations: { grid: organizations.grid, title: ['name'], detail: ['contactName'] },
  facilities: { grid: facilities.grid, title: ['name'], detail: ['city'] },
  jurisdictions: { grid: jurisdictions.grid, title: ['name'], detail: [] },
  programs: { grid: programs.grid, title: ['label'], detail: [] },
  locations: { grid: locations.grid, title: ['displayName'], detail: [] },
};
