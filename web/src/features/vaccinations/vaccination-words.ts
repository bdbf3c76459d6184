import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridWords } from '../../ui/grid/values.tsx';

/** The labels of a vaccination's fields and codes; doses, sites and routes are those of incident reports. */
export function useVaccinationWords(): Required<GridWords> {
  const { t } = useTranslation(['vaccinations', 'incident-reports']);
  return useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (field: string, code: string) => {
        const words = { defaultValue: t('common:label.unknown.other') };
        return field === 'dose' || field === 'site' || field === 'route'
          ? t(`incident-reports:choice.${field}.${code}`, words)
          : t(`choice.${field}.${code}`, words);
      },
    }),
    [t],
  );
}

/** The vaccine's name. */
export const vaccineName = (
  { vaccine, otherVaccine }: { vaccine: string; otherVaccine: string | null },
  words: Pick<Required<GridWords>, 'choice'>,
): string => otherVaccine || words.choice('vaccine', vaccine);
