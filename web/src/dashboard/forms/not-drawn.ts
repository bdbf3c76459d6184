import type { SeriesRow } from '@caseway/contract/analytics';
import { useTranslation } from 'react-i18next';

/** The number of rows that no bar or shape shows, in words; summed only if each of their numbers is shown. */
export function useNotDrawn(rowsInWords: (count: number) => string) {
  const { t } = useTranslation('analytics');
  return (form: 'map' | 'pyramid', rows: readonly SeriesRow[], count: string): string[] => {
    if (rows.length === 0) return [];
    const numbers = rows.map((row) => row.values[count]?.value ?? null);
    if (numbers.includes(null)) return [t(`screen.notDrawnSome.${form}`)];
    const sum = numbers.reduce<number>((all, number) => all + number!, 0);
    return [t(`screen.notDrawn.${form}`, { rows: rowsInWords(sum) })];
  };
}
