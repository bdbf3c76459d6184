import type { AnalyticsQuery } from '@caseway/contract/analytics';
import { type Dashboard, factOfSeries } from '@caseway/contract/dashboard';
import type { Grid } from '@caseway/contract/grid';
import type { RangeChoice } from '@caseway/contract/relative-range';
import { linkToGrid } from '@caseway/contract/search-params';

/** The query the numbers on the screen were counted with. */
export interface Counted {
  query: AnalyticsQuery;
  /** As chosen: a relative range stays relative in the address of the records. */
  range: RangeChoice;
}

/** A number on the screen: a tile, or a mark of a series. */
export type NumberMark = { measure: string } | { series: string; key: string; key2?: string | undefined };

interface List {
  grid: Grid;
  path: string;
}
/** The list of a fact's rows, or of the records they belong to, and its address. */
export type RecordsOf = Readonly<Record<string, List | undefined>>;
/** The list of each fact of a dashboard. */
export type ListsOf<D extends Dashboard> = Readonly<Record<keyof D['facts'] & string, List>>;

/**
 * The address of the records behind a number, which the server finds by the condition that counted them.
 * Undefined if no list has the fact's rows.
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
  // A continuum consists of measures.
  const asked = series?.form === 'continuum' && 'series' in mark ? { measure: mark.key } : mark;
  const { key2, ...number } = { key2: undefined, ...asked };
  return linkToGrid(list.grid, list.path, {
    range: list.grid.defaultRange ? 'all' : null,
    // Overrides what the list shows first, such as today's records.
    filters: list.grid.views?.codes.includes('all') ? { [list.grid.views.of]: ['all'] } : {},
    behind: {
      dashboard: of.id,
      ...number,
      ...(key2 !== undefined && { key2 }),
      filters: Object.fromEntries(Object.entries(query.filters).filter(([, value]) => value.length > 0)),
      ...(query.eventDate !== undefined && { eventDate: query.eventDate }),
      ...(series?.form === 'trend' && query.granularity !== undefined && { granularity: query.granularity }),
      range: isPeriod ? query.dateRangeValue : range,
    },
  });
}
