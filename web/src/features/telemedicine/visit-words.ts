import { anyRecord } from '@caseway/contract/record';
import { type TelemedicineVisit, telemedicineRecord, telemedicineRoom } from '@caseway/contract/telemedicine';
import { readTimeline } from '@caseway/contract/timeline';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useRecordText } from '../../record/use-record-text.ts';
import type { GridWords } from '../../ui/grid/values.tsx';

export const visit = anyRecord(telemedicineRecord);
const { endpoints } = telemedicineRecord;
/** What a change of a visit makes old. */
export const oldVisits = [
  endpoints.read,
  endpoints.history,
  endpoints.search,
  telemedicineRoom,
  readTimeline,
];

/** Whose visit it is, in any list or question. */
export const whose = ({ name, number }: Pick<TelemedicineVisit, 'name' | 'number'>): string => name ?? number;

/** How the fields and codes of a visit are called. */
export function useVisitWords(): Required<GridWords> {
  const { t } = useTranslation('telemedicine');
  return useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (field: string, code: string) =>
        t(`choice.${field}.${code}`, { defaultValue: t('common:label.unknown.other') }),
    }),
    [t],
  );
}

/** A value of a visit in words; who and which case are named as far as the visit itself says. */
export function useVisitText(row: TelemedicineVisit | null): (name: string, value: unknown) => string {
  const text = useRecordText(visit, useVisitWords());
  return (name, value) => {
    if (value === null || value === undefined || value === '') return text(name, value);
    if (name === 'patient') return row?.name ?? '';
    if (name === 'caseRecord') return row?.caseId ?? '';
    return text(name, value);
  };
}
