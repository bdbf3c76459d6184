import { code, day, id } from './fact.ts';
import { recordColumns } from './record-columns.ts';

/** Whether a visit is registered for a case, or only for the person. */
export const visitRegistrations = ['case', 'person'] as const;

/** Columns that any visit to a person has for counting. */
export const visitColumns = {
  id,
  patientId: id,
  registration: code(visitRegistrations),
  taskCategory: code('taskCategories'),
  createdOn: day('open'),
  ...recordColumns,
} as const;

/** The filters that all visit dashboards share. [S3.11] */
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
