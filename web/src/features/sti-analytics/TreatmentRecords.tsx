import { type TreatmentRow, treatmentGrid } from '@caseway/contract/treatments';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { RecordsScreen } from '../../dashboard/RecordsScreen.tsx';

/** The treatments behind a number of STI analytics. */
export default function TreatmentRecords() {
  const { t } = useTranslation('treatments');
  return (
    <RecordsScreen
      grid={treatmentGrid}
      title={t('common:screen.treatments')}
      lead={t('records.lead')}
      column={useCallback((field: string) => t(`column.${field}`), [t])}
      textOf={useCallback(
        (row: TreatmentRow, field: string) => {
          const value = row[field as keyof TreatmentRow];
          if (field === 'drug') return t(`drug.${value}`);
          return field === 'adequacy' && value !== null ? t(`adequacy.${value}`) : value;
        },
        [t],
      )}
    />
  );
}
