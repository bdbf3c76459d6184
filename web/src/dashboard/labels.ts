import {
  type AnySeries,
  columnOfFilter,
  type Dashboard,
  factOfSeries,
  restrictedFamilies,
} from '@caseway/contract/dashboard';
import type { Column, Fact } from '@caseway/contract/fact';
import { missingKey } from '@caseway/contract/label';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLabelsOf } from '../data/use-labels.ts';

/** The columns whose values a series labels. */
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
/** The codes of a column without a look-up. */
export const codesOf = (fact: Fact, column: string): readonly string[] | undefined => {
  const of: Column | undefined = fact.columns[column];
  return of?.kind === 'code' && typeof of.options !== 'string' ? of.options : undefined;
};
/** A filter's look-up. */
export const lookupOfFilter = (of: Dashboard, filter: string): string | undefined =>
  filter === of.restrictedFilter
    ? restrictedFamilies
    : listOf(of.facts[of.main]!, columnOfFilter(of, filter) ?? '');
/** The look-up of a column's filter, also for a listed text. */
const listOf = (fact: Fact, column: string): string | undefined => {
  const of: Column | undefined = fact.columns[column];
  return of?.kind === 'text' ? of.options : lookupOf(fact, column);
};

/** A dashboard's filters, in screen order. */
export const filtersOf = (of: Dashboard): string[] => [
  ...Object.keys(of.filters),
  ...Object.keys(of.textFilters),
  ...(of.restrictedFilter === undefined ? [] : [of.restrictedFilter]),
];

export function useFilterTitle(of: Dashboard): (filter: string) => string {
  const { t } = useTranslation('analytics');
  return (filter) =>
    filter === of.restrictedFilter ? t('filter.restricted') : t(`filter.${columnOfFilter(of, filter)}`);
}

/** The filters of a query that have a choice, with that choice. */
export const chosenIn = (filters: Readonly<Record<string, string[] | string>>): [string, string[]][] =>
  Object.entries(filters).flatMap(([name, value]): [string, string[]][] => {
    const values = [value].flat().filter((one) => one !== '');
    return values.length > 0 ? [[name, values]] : [];
  });

/** The label of a code without a look-up, from the texts of the list that has the fact's rows. */
export function labelOfCode(t: TFunction<'analytics'>, fact: Fact, column: string, key: string): string {
  const { records, words } = fact.counting ?? {};
  return t(`${records}:${words === undefined ? '' : `${words}.`}${column}.${key}` as never);
}

export interface ColumnLabels {
  /** The label of a column's value; never the code itself. */
  of(fact: Fact, column: string, key: string): string;
  /** The codes of a column of the main fact without a look-up. */
  optionsOf(column: string): { id: string; label: string }[];
  /** The loading state of the columns' look-ups. */
  state(fact: Fact, columns: readonly string[]): 'ready' | 'loading' | 'failed';
}

/** The labels of the values of every column a dashboard splits or filters by. */
export function useColumnLabels(of: Dashboard): ColumnLabels {
  const { t } = useTranslation('analytics');
  const names = useMemo(() => {
    const used = [
      ...Object.values(of.series).flatMap((series) =>
        columnsOf(series).map((column) => lookupOf(of.facts[factOfSeries(of, series)]!, column)),
      ),
      ...filtersOf(of).map((filter) => lookupOf(of.facts[of.main]!, columnOfFilter(of, filter) ?? '')),
    ];
    return [...new Set(used.filter((name) => name !== undefined))];
  }, [of]);
  const lookups = useLabelsOf(names);
  const labelOf = (fact: Fact, column: string, key: string): string => {
    if (key === missingKey) return t('common:filter.missing');
    const lookup = lookupOf(fact, column);
    if (lookup !== undefined) return lookups.get(lookup)!.of(key);
    const kind = fact.columns[column]?.kind;
    return kind === 'code' || kind === 'flag'
      ? labelOfCode(t, fact, column, key)
      : t('common:label.unknown.other');
  };
  return {
    of: labelOf,
    optionsOf: (column) => {
      const main = of.facts[of.main]!;
      return (codesOf(main, column) ?? []).map((id) => ({ id, label: labelOf(main, column, id) }));
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
