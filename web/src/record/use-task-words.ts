import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridWords } from '../ui/grid/values.tsx';

/** The labels of a task's fields and codes. */
export function useTaskWords(): Required<GridWords> {
  const { t } = useTranslation('work-tasks');
  return useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (field: string, code: string) => {
        const words = { defaultValue: t('common:label.unknown.other') };
        switch (field) {
          case 'work':
            return t(`work.${code}`, words);
          case 'state':
            return t(`state.${code}`, words);
          case 'priority':
            return t(`priority.${code}`, words);
          default:
            return t(`queue.${code}`, words);
        }
      },
    }),
    [t],
  );
}

/** A task's title: its kind, what to do, or both. */
export const taskTitle = (
  t: TFunction<'work-tasks'>,
  { work, title }: { work: string; title: string | null },
) => (work === 'other' && title ? title : [t(`work.${work}`), title].filter(Boolean).join(': '));
