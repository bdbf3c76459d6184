import { caseRecord } from '@caseway/contract/case-record';
import { type CaseReport, caseReportGrid } from '@caseway/contract/case-reports';
import type { Column } from '@caseway/contract/grid';
import { labelIn } from '@caseway/contract/label';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { shownRecord } from '../../record/shown-record.ts';
import type { GridWords } from '../../ui/grid/values.tsx';
import { once } from '../../words/once.ts';

const columns: Readonly<Record<string, Column>> = caseReportGrid.columns;
const columnOf = (field: string): Column | undefined => columns[field];

/** The classifications that the condition allows; a case keeps its own, even if they have changed since. */
export const lawfulFor = (report: CaseReport, kept: string): string[] => [
  ...new Set<string>([...report.lawfulClassifications, kept]),
];

/** How cases are edited in their list. */
export const shownCases = shownRecord<CaseReport>(caseRecord, {
  called: ({ caseId }) => ({ caseId }),
  saved: 'case-reports:change.saved',
  mayEdit: ({ breakGlass }) => !breakGlass,
  offered: (report) => ({ classification: lawfulFor(report, report.classification) }),
});

/** Refusals common to all workflows; the other codes belong to cases. */
const ofWorkflows = new Set(['not-in-this-state', 'not-permitted', 'reason-needed', 'changed-since']);

/** The key of the text why a change or transition of a case is refused. */
export function faultKey(code: string, field?: string): string {
  if (ofWorkflows.has(code)) return `common:fault.${code}`;
  if (code !== 'required') return `case-reports:fault.${code}`;
  return field === 'jurisdiction'
    ? 'case-reports:fault.jurisdiction-needed'
    : 'case-reports:fault.investigator-needed';
}

/** The labels of a case's fields and codes. */
export function useCaseWords(): Required<GridWords> {
  const { t, i18n } = useTranslation('case-reports');
  return useMemo(
    () => ({
      column: (field: string) => {
        const own = columnOf(field)?.words;
        return own ? labelIn(own, i18n.language) : t(`column.${field}`);
      },
      choice: once((field, code) => {
        const own = columnOf(field)?.optionWords?.[code];
        if (own) return labelIn(own, i18n.language);
        const words = { defaultValue: t('common:label.unknown.other') };
        switch (field) {
          case 'classification':
            return t(`classification.${code}`, words);
          case 'status':
            return t(`status.${code}`, words);
          case 'outcome':
            return t(`outcome.${code}`, words);
          case 'classifiedBy':
            return t(`classifiedBy.${code}`, words);
          case 'source':
            return t(`source.${code}`, words);
          case 'visitType':
            return t(`visitType.${code}`, words);
          default:
            return t(`yesNoUnknown.${code}`, words);
        }
      }),
    }),
    [t, i18n.language],
  );
}
