import { testingRecords, textOfTestingRecord } from '@caseway/contract/testing-analytics';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { RecordsScreen } from '../../dashboard/RecordsScreen.tsx';

export default function TestingRecords() {
  const { t } = useTranslation('testing-analytics');
  return (
    <RecordsScreen
      grid={testingRecords}
      title={t('common:screen.testingRecords')}
      lead={t('records.lead')}
      column={useCallback((field: string) => t(`column.${field}`), [t])}
      textOf={textOfTestingRecord}
    />
  );
}
