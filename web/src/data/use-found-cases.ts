import { type CaseReportRow, searchCaseReports } from '@caseway/contract/case-reports';
import { useEffect, useMemo, useState } from 'react';
import { useMay } from '../session/permissions.ts';
import { useApi } from './api.ts';

/** Fewer letters find half of all people. */
const lettersAtLeast = 2;
const shownAtMost = 6;
const pauseMs = 250;

/**
 * The latest cases that match the typed text, as in the list's search box: by name, birth date, telephone or number.
 * Empty for people who may not see cases. The typed text is in no address.
 */
export function useFoundCases(typed: string): { cases: readonly CaseReportRow[]; isLooking: boolean } {
  const may = useMay();
  const wanted = typed.trim();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), pauseMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const isWanted = wanted.length >= lettersAtLeast && may('case-reports/read');
  const query = useApi(
    searchCaseReports,
    {
      body: {
        filterModel: { items: [], logicOperator: 'and', quickFilterValues: asked.split(/\s+/).slice(0, 10) },
        sortModel: [{ field: 'createdOn', sort: 'desc' }],
        paginationModel: { page: 0, pageSize: shownAtMost },
        filters: {},
      },
    },
    { enabled: isWanted && asked === wanted, staleTime: 30_000, keepPrevious: false },
  );
  return {
    cases: isWanted && asked === wanted ? (query.data?.rows ?? []) : [],
    isLooking: isWanted && (asked !== wanted || query.isFetching),
  };
}

/** Cases that match what is typed, by number and person. */
export function useFoundCaseLabels(typed: string): readonly { id: string; label: string }[] {
  const { cases } = useFoundCases(typed);
  return useMemo(
    () =>
      cases.map(({ id, caseId, lastName, firstName }) => ({
        id,
        label: [caseId, [lastName, firstName].filter(Boolean).join(', ')].filter(Boolean).join(' · '),
      })),
    [cases],
  );
}
