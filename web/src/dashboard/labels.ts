import { missingKey } from '@caseway/contract/analytics';
import type { AnySeries, Dashboard } from '@caseway/contract/dashboard';
import { factOfSeries } from '@caseway/contract/dashboard';
import type { Column, Fact } from '@caseway/contract/fact';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLabelsOf } from '../data/use-labels.ts';

/** The columns whose values a series names. */
export function columnsOf(series: AnySeries): string[] {
  switch (series.form) {
    case 'pyramid':
      return [series.by, series.sides];
    case 'heat':
      return [series.by, series.across];
    case 'table':
      return [series.by, ...(series.across === undefined ? [] : [series.across])];
    case 'pairs':
      return [series.left, series.right];
    case 'bars':
    case 'map':
    case 'box':
    case 'epidemic-curve':
      return [series.by];
    default:
      return [];
  }
}

/** The look-up with the labels of a column's values. */
export const lookupOf = (fact: Fact, column: string): string | undefined => {
  const of: Column | undefined = fact.columns[column];
  return of?.kind === 'code' && typeof of.options === 'string' ? of.options : undefined;
};
/** The look-up of the column that a list filter narrows. */
export const lookupOfFilter = (of: Dashboard, filter: string): string | undefined =>
  lookupOf(of.facts[of.main]!, of.filters[filter] ?? '');

export interface ColumnLabels {
  /** A value of a column of a fact, in words. A code is never its own label. */
  of(fact: Fact, column: string, key: string): string;
  /** The entries of a column's look-up in its own order. */
  state(fact: Fact, columns: readonly string[]): 'ready' | 'loading' | 'failed';
}

/** The labels of the values of every column that a dashboard splits or filters by. */
export function useColumnLabels(of: Dashboard): ColumnLabels {
  const { t } = useTranslation('analytics');
  const names = useMemo(() => {
    const used = [
      ...Object.values(of.series).flatMap((series) =>
        columnsOf(series).map((column) => lookupOf(of.facts[factOfSeries(of, series)]!, column)),
      ),
      ...Object.keys(of.filters).map((filter) => lookupOfFilter(of, filter)),
    ];
    return [...new Set(used.filter((name) => name !== undefined))];
  }, [of]);
  const lookups = useLabelsOf(names);
  return {
    of: (fact, column, key) => {
      if (key === missingKey) return t('common:filter.missing');
      const lookup = lookupOf(fact, column);
      if (lookup !== undefined) return lookups.get(lookup)!.of(key);
      const kind = fact.columns[column]?.kind;
      return kind === 'code' || kind === 'flag'
        ? t(`class.${column}.${key}`)
        : t('common:label.unknown.other');
    },
    state: (fact, columns) => {
      const wanted = columns.flatMap((column) => lookups.get(lookupOf(fact, column) ?? '') ?? []);
      return wanted.some(({ loading }) => loading)
        ? 'loading'
        : wanted.some(({ failed }) => failed)
          ? 'failed'
          : 'ready';
    },
  };
}
