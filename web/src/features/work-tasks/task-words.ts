import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridWords } from '../../ui/grid/values.tsx';

/** How the fields and codes of a task are called. */
export function useTaskWords(): Required<GridWords> {
  const { t } = useTranslation('work-tasks');
  return useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (field: string, code: string) =>
        t(`${field}.${code}`, { defaultValue: t('common:label.unknown.other') }),
    }),
    [t],
  );
}
