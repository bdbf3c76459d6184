import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridWords } from '../../ui/grid/values.tsx';

/** How the fields and codes of a report are called. */
export function useIncidentWords(): Required<GridWords> {
  const { t } = useTranslation('incident-reports');
  return useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (field: string, code: string) => {
        const list = field === 'vaccineGroups' ? 'vaccine' : field;
        return t(`choice.${list}.${code}`, { defaultValue: t('common:label.unknown.other') });
      },
    }),
    [t],
  );
}
