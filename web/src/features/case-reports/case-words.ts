import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridWords } from '../../ui/grid/values.tsx';

/** How the fields and codes of a case are called. */
export function useCaseWords(): Required<GridWords> {
  const { t } = useTranslation('case-reports');
  return useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (field: string, code: string) => {
        const words = { defaultValue: t('common:label.unknown.other') };
        switch (field) {
          case 'classification':
            return t(`classification.${code}`, words);
          case 'status':
            return t(`status.${code}`, words);
          case 'outcome':
            return t(`outcome.${code}`, words);
          case 'classifiedBy':
            return t(`classifiedBy.${code}`, words);
          case 'source':
            return t(`source.${code}`, words);
          case 'visitType':
            return t(`visitType.${code}`, words);
          default:
            return t(`yesNoUnknown.${code}`, words);
        }
      },
    }),
    [t],
  );
}
