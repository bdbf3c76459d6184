import { type CaseReportRow, searchCaseReports } from '@caseway/contract/case-reports';
import { useMemo } from 'react';
import { useApi } from './api.ts';
import { foundOptions, useTypedSearch } from './use-typed-search.ts';

const latest = {
  permission: 'case-reports/read',
  sort: { field: 'createdOn', sort: 'desc' },
  atMost: 6,
} as const;

/** The latest cases that match the typed text, by name, birth date, telephone or number. */
function useFoundCases(typed: string): readonly CaseReportRow[] {
  const { body, isAsked } = useTypedSearch(typed, latest);
  const query = useApi(searchCaseReports, { body }, { ...foundOptions, enabled: isAsked });
  return isAsked ? (query.data?.rows ?? []) : [];
}

/** Cases that match the typed text, by number and person. */
export function useFoundCaseLabels(typed: string): readonly { id: string; label: string }[] {
  const cases = useFoundCases(typed);
  return useMemo(
    () =>
      cases.map(({ id, caseId, lastName, firstName }) => ({
        id,
        label: [caseId, [lastName, firstName].filter(Boolean).join(', ')].filter(Boolean).join(' · '),
      })),
    [cases],
  );
}
