import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridWords } from '../../ui/grid/values.tsx';

/** The labels of a treatment's fields and codes. */
export function useTreatmentWords(): Required<GridWords> {
  const { t } = useTranslation('treatments');
  return useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (field: string, code: string) => {
        const words = { defaultValue: t('common:label.unknown.other') };
        switch (field) {
          case 'drug':
            return t(`drug.${code}`, words);
          case 'adequacy':
            return t(`adequacy.${code}`, words);
          case 'state':
            return t(`state.${code}`, words);
          default:
            return t(`source.${code}`, words);
        }
      },
    }),
    [t],
  );
}
