import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridWords } from '../../ui/grid/values.tsx';

/** How the fields and codes of a vaccination are called; doses, sites and ways are those of reports of incidents. */
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

/** What was given, in words. */
export const vaccineName = (
  { vaccine, otherVaccine }: { vaccine: string; otherVaccine: string | null },
  words: Pick<Required<GridWords>, 'choice'>,
): string => otherVaccine || words.choice('vaccine', vaccine);
