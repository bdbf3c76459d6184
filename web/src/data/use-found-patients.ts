import { type PatientRow, patientPerson } from '@caseway/contract/patients';
import { useApi } from './api.ts';
import { foundOptions, useTypedSearch } from './use-typed-search.ts';

const people = {
  permission: 'patients/read',
  sort: { field: 'lastName', sort: 'asc' },
  atMost: 8,
} as const;

/** People who match the typed text, as in the search box of the patient database. */
export function useFoundPatients(typed: string): readonly PatientRow[] {
  const { body, isAsked } = useTypedSearch(typed, people);
  const query = useApi(patientPerson.endpoints.search, { body }, { ...foundOptions, enabled: isAsked });
  return isAsked ? (query.data?.rows ?? []) : [];
}
