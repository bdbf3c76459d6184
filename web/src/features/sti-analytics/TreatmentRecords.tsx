import { type TreatmentRow, treatmentGrid } from '@caseway/contract/treatments';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { RecordsScreen } from '../../dashboard/RecordsScreen.tsx';

const cellOf = (row: TreatmentRow, field: string): unknown => row[field as keyof TreatmentRow];

export default function TreatmentRecords() {
  const { t } = useTranslation('treatments');
  return (
    <RecordsScreen
      grid={treatmentGrid}
      title={t('common:screen.treatments')}
      lead={t('records.lead')}
      column={useCallback((field: string) => t(`column.${field}`), [t])}
      choice={useCallback(
        (field: string, code: string) => t(field === 'drug' ? `drug.${code}` : `adequacy.${code}`),
        [t],
      )}
      textOf={cellOf}
    />
  );
}
