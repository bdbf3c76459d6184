import { code, day, id } from './fact.ts';
import { recordColumns } from './record-columns.ts';

/** Whether a visit was registered for a case, or for the person alone. */
export const visitRegistrations = ['case', 'person'] as const;

/** What is counted of any visit to a person. */
export const visitColumns = {
  id,
  patientId: id,
  registration: code(visitRegistrations),
  taskCategory: code('taskCategories'),
  createdOn: day('open'),
  ...recordColumns,
} as const;

/** The filters that the dashboards of visits have in common. [S3.11] */
export const visitFilters = {
  programFilter: 'programId',
  locationFilter: 'facilityId',
  taskCategoryFilter: 'taskCategory',
  diseaseFamilyFilter: 'diseaseFamily',
  sexFilter: 'sex',
  genderFilter: 'gender',
  raceFilter: 'race',
  ethnicityFilter: 'ethnicity',
} as const;
export const visitTextFilters = { statusFilter: 'status', registrationFilter: 'registration' } as const;
