import { useTranslation } from 'react-i18next';
import { useAppSelector } from '../../session/store.ts';
import type { GridWords } from '../../ui/grid/values.tsx';

/** How the fields and codes of a case are called, in the wording of the organisation. [S1.5] */
export function useCaseWords(): Required<GridWords> {
  const { t } = useTranslation('case-reports');
  const context = useAppSelector((state) => state.authentication.selectedTenantOrg?.experience);
  return {
    column: (field) => t(`column.${field}`, { context }),
    choice: (field, code) => {
      const words = { defaultValue: t('common:label.unknown.other') };
      switch (field) {
        case 'classification':
          return t(`classification.${code}`, words);
        case 'status':
          return t(`status.${code}`, words);
        case 'outcome':
          return t(`outcome.${code}`, words);
        case 'source':
          return t(`source.${code}`, words);
        case 'visitType':
          return t(`visitType.${code}`, words);
        default:
          return t(`yesNoUnknown.${code}`, words);
      }
    },
  };
}
