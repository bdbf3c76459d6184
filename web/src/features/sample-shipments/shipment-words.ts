import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridWords } from '../../ui/grid/values.tsx';

/** How the fields and codes of a shipment are called. */
export function useShipmentWords(): Required<GridWords> {
  const { t } = useTranslation('sample-shipments');
  return useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (field: string, code: string) =>
        t(`choice.${field}.${code}`, { defaultValue: t('common:label.unknown.other') }),
    }),
    [t],
  );
}
