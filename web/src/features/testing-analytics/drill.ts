import type { AnalyticsQuery } from '@caseway/contract/analytics';
import type { RangeChoice } from '@caseway/contract/relative-range';
import { linkToGrid } from '@caseway/contract/search-params';
import { recordsBehind, type TestingMark, testingRecords } from '@caseway/contract/testing-analytics';

/** The query that the numbers on the screen were counted with. */
export interface Counted {
  query: AnalyticsQuery;
  /** As it was chosen: a range that moves with today also does so in the address of the records. */
  range: RangeChoice;
  granularity: 'day' | 'week';
}

export const recordsPath = '/analytics/testing/records';

/** The address of the records behind a number; undefined if the filters leave none. */
export function recordsOf({ query, range, granularity }: Counted, mark: TestingMark): string | undefined {
  const behind = recordsBehind(query, mark, granularity);
  if (!behind) return undefined;
  const isPartOfRange = 'series' in mark && mark.series === 'trend';
  return linkToGrid(testingRecords, recordsPath, {
    filters: behind.filters,
    filterModel: behind.filterModel,
    rangeField: behind.rangeField,
    range: isPartOfRange ? behind.dateRangeValue : range,
  });
}
