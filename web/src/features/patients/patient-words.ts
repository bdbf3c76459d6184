import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridWords } from '../../ui/grid/values.tsx';

/** How the fields and codes of a person are called. */
export function usePatientWords(): Required<GridWords> {
  const { t } = useTranslation('patients');
  return useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (_: string, code: string) =>
        t(`common:answers.${code}`, { defaultValue: t('common:label.unknown.other') }),
    }),
    [t],
  );
}

/** `Müller, Ana`; the known parts of a name. */
export const listName = (person: { lastName: string | null; firstName: string | null }): string =>
  [person.lastName, person.firstName].filter(Boolean).join(', ');
