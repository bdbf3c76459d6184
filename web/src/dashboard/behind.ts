import type { AnalyticsQuery } from '@caseway/contract/analytics';
import { type Dashboard, factOfSeries } from '@caseway/contract/dashboard';
import type { Grid } from '@caseway/contract/grid';
import type { RangeChoice } from '@caseway/contract/relative-range';
import { linkToGrid } from '@caseway/contract/search-params';

/** The query that the numbers on the screen were counted with. */
export interface Counted {
  query: AnalyticsQuery;
  /** As it was chosen: a range that moves with today also does so in the address of the records. */
  range: RangeChoice;
}

/** A number on the screen: a tile, or a mark of a series. */
export type NumberMark = { measure: string } | { series: string; key: string; key2?: string | undefined };

/** The list that has the rows of each fact, and where it is. */
export type RecordsOf = Readonly<Record<string, { grid: Grid; path: string } | undefined>>;

/**
 * The address of the records behind a number: the server finds them by the condition with which it counted them.
 * Undefined if no list has the rows of its fact.
 */
export function linkBehind(
  of: Dashboard,
  records: RecordsOf,
  { query, range }: Counted,
  mark: NumberMark,
): string | undefined {
  const series = 'series' in mark ? of.series[mark.series]! : undefined;
  const fact = series
    ? factOfSeries(of, series)
    : Object.keys(of.facts).find(
        (one) => of.facts[one] === of.measures[(mark as { measure: string }).measure]!.fact,
      )!;
  const list = records[fact];
  if (!list) return undefined;
  // A day stays in the range in which it was counted.
  const isPeriod = series?.form === 'trend' || series?.form === 'epidemic-curve';
  const { key2, ...number } = { key2: undefined, ...mark };
  return linkToGrid(list.grid, list.path, {
    range: list.grid.defaultRange ? 'all' : null,
    // Whatever the list shows first, such as the records of today.
    filters: list.grid.views?.codes.includes('all') ? { [list.grid.views.of]: ['all'] } : {},
    behind: {
      dashboard: of.id,
      ...number,
      ...(key2 !== undefined && { key2 }),
      filters: Object.fromEntries(Object.entries(query.filters).filter(([, value]) => value.length > 0)),
      ...(query.eventDate !== undefined && { eventDate: query.eventDate }),
      range: isPeriod ? query.dateRangeValue : range,
    },
  });
}
