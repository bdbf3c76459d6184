import {
  type FieldVisit,
  fieldVisitRecord,
  visitAttempts,
  visitsOfCase,
} from '@caseway/contract/field-visits';
import { anyRecord } from '@caseway/contract/record';
import { readTimeline } from '@caseway/contract/timeline';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useRecordText } from '../../record/use-record-text.ts';
import type { GridWords } from '../../ui/grid/values.tsx';

export const fieldVisit = anyRecord(fieldVisitRecord);
const { endpoints } = fieldVisitRecord;
/** What a change of a visit makes old. */
export const oldVisits = [
  endpoints.read,
  endpoints.history,
  endpoints.search,
  visitsOfCase,
  visitAttempts.read,
  readTimeline,
];

/** The field whose words the codes of another one have. */
const sameWords: Readonly<Record<string, string>> = { lastOutcome: 'outcome', visitTypeFilter: 'visitType' };

/** How the fields and codes of a visit are called. */
export function useVisitWords(): Required<GridWords> {
  const { t } = useTranslation('field-visits');
  return useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (field: string, code: string) =>
        t(`choice.${sameWords[field] ?? field}.${code}`, { defaultValue: t('common:label.unknown.other') }),
    }),
    [t],
  );
}

/** A value of a visit in words; who and which case are named as far as the visit itself says. */
export function useVisitText(row: FieldVisit | null): (name: string, value: unknown) => string {
  const { t } = useTranslation('field-visits');
  const text = useRecordText(fieldVisit, useVisitWords());
  return (name, value) => {
    if (!value) return text(name, value);
    if (name === 'patient') return (value === row?.patient && row.name) || t('record.otherPerson');
    if (name === 'caseRecord') return (value === row?.caseRecord && row.caseId) || t('record.otherCase');
    return text(name, value);
  };
}

/** Who it is, in any list or question. */
export const whoIs = ({ name, number }: Pick<FieldVisit, 'name' | 'number'>): string => name ?? number;
