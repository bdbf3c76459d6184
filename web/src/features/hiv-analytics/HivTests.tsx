import { hivTestRecords, textOfTestingRecord } from '@caseway/contract/testing-analytics';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { RecordsScreen } from '../../dashboard/RecordsScreen.tsx';

export default function HivTests() {
  const { t } = useTranslation('testing-analytics');
  return (
    <RecordsScreen
      grid={hivTestRecords}
      title={t('common:screen.hivTests')}
      lead={t('records.lead')}
      column={useCallback((field: string) => t(`column.${field}`), [t])}
      textOf={textOfTestingRecord}
    />
  );
}
