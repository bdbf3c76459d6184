import { caseWork } from '@caseway/contract/case-record';
import { clusterBases, indexBases, partnerBases } from '@caseway/contract/partner-flow';
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

/** Why someone is looked for: the case's own person, or someone they or others have named. */
export const basesOf = (index: string | null) =>
  index === null ? indexBases : [...partnerBases, ...clusterBases];

/** How partner services are shown. Their steps create and end tasks. */
export const partners = shownRecord<PartnerService>(partnerRecord, {
  old: [partnersOfCase, caseWork, workTaskRecord.endpoints.search],
  named: { patient: 'name', caseRecord: 'caseId', index: 'indexNumber', ownCase: 'ownCaseId' },
  offered: ({ index }) => ({ referralBasis: basesOf(index) }),
});

export const usePartnerWords = () => useRecordWords(partners);

/** A name for the record in lists and questions. */
export const whoIs = ({ name, number }: Pick<PartnerService, 'name' | 'number'>): string => name ?? number;

/** A case's interview period in words, and whether someone was there during it. */
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
