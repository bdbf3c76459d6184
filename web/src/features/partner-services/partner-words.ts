import { caseWork } from '@caseway/contract/case-record';
import {
  interviewPeriod,
  isInPeriod,
  type PartnerService,
  partnerRecord,
  partnersOfCase,
} from '@caseway/contract/partner-services';
import { workTaskRecord } from '@caseway/contract/work-tasks';
import { useTranslation } from 'react-i18next';
import { shownRecord, useRecordWords } from '../../record/shown-record.ts';
import { useFormats } from '../../words/formats.ts';

/** How partner services are shown. Their steps give tasks, and end them. */
export const partners = shownRecord<PartnerService>(partnerRecord, {
  old: [partnersOfCase, caseWork, workTaskRecord.endpoints.search],
  named: { patient: 'name', caseRecord: 'caseId', index: 'indexNumber', ownCase: 'ownCaseId' },
});

export const usePartnerWords = () => useRecordWords(partners);

/** Who it is, in any list or question. */
export const whoIs = ({ name, number }: Pick<PartnerService, 'name' | 'number'>): string => name ?? number;

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
