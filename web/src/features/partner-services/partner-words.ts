import { caseWork } from '@caseway/contract/case-record';
import {
  interviewPeriod,
  isInPeriod,
  type PartnerService,
  partnerRecord,
  partnersOfCase,
} from '@caseway/contract/partner-services';
import { anyRecord } from '@caseway/contract/record';
import { readTimeline } from '@caseway/contract/timeline';
import { workTaskRecord } from '@caseway/contract/work-tasks';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useRecordText } from '../../record/use-record-text.ts';
import type { GridWords } from '../../ui/grid/values.tsx';
import { useFormats } from '../../words/formats.ts';

export const partner = anyRecord(partnerRecord);
const { endpoints } = partnerRecord;
/** What a change of partner services makes old. */
export const oldPartners = [
  endpoints.read,
  endpoints.history,
  endpoints.search,
  partnersOfCase,
  readTimeline,
  // Steps give tasks, and end them.
  caseWork,
  workTaskRecord.endpoints.search,
];

/** Who it is, in any list or question. */
export const whoIs = ({ name, number }: Pick<PartnerService, 'name' | 'number'>): string => name ?? number;

/** How the fields and codes of partner services are called. */
export function usePartnerWords(): Required<GridWords> {
  const { t } = useTranslation('partner-services');
  return useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (field: string, code: string) =>
        t(`choice.${field}.${code}`, { defaultValue: t('common:label.unknown.other') }),
    }),
    [t],
  );
}

/** A value in words; who and which case are named as far as the record itself says. */
export function usePartnerText(row: PartnerService | null): (name: string, value: unknown) => string {
  const { t } = useTranslation('partner-services');
  const text = useRecordText(partner, usePartnerWords());
  return (name, value) => {
    if (!value) return text(name, value);
    if (name === 'patient') return (value === row?.patient && row.name) || t('record.otherPerson');
    if (name === 'caseRecord') return row?.caseId ?? '';
    if (name === 'index') return row?.indexNumber ?? '';
    if (name === 'ownCase') return (value === row?.ownCase && row.ownCaseId) || t('record.otherCase');
    return text(name, value);
  };
}

/** The interview period of a case in words, and whether somebody was there in it. */
export function usePeriodWords() {
  const { t } = useTranslation('partner-services');
  const { today, dayInWords } = useFormats();
  return {
    of(row: PartnerService): string {
      const period = interviewPeriod(row, today);
      return period
        ? t('period.of', { start: dayInWords(period.start), end: dayInWords(period.end) })
        : t('period.unknown');
    },
    whether(row: PartnerService): string | null {
      const period = row.index === null ? null : interviewPeriod(row, today);
      const isIn = period && isInPeriod(row, period);
      return isIn === null ? null : t(isIn ? 'period.in' : 'period.out');
    },
  };
}
