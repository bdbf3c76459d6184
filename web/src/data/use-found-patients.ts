import { type PatientRow, searchPatients } from '@caseway/contract/patients';
import { useEffect, useState } from 'react';
import { useMay } from '../session/permissions.ts';
import { useApi } from './api.ts';

/** Fewer letters find half of all people. */
const lettersAtLeast = 2;
const shownAtMost = 8;
const pauseMs = 250;

/**
 * People who match the typed text, as in the search box of the patient database. Nobody for those who may not see patients.
 * The typed text is in no address.
 */
export function useFoundPatients(typed: string): readonly PatientRow[] {
  const may = useMay();
  const wanted = typed.trim();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), pauseMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const isWanted = wanted.length >= lettersAtLeast && may('patients/read');
  const query = useApi(
    searchPatients,
    {
      body: {
        filterModel: { items: [], logicOperator: 'and', quickFilterValues: asked.split(/\s+/).slice(0, 10) },
        sortModel: [{ field: 'lastName', sort: 'asc' }],
        paginationModel: { page: 0, pageSize: shownAtMost },
        filters: {},
      },
    },
    { enabled: isWanted && asked === wanted, staleTime: 30_000, keepPrevious: false },
  );
  return isWanted && asked === wanted ? (query.data?.rows ?? []) : [];
}
