import type { Grid, GridQuery } from '@caseway/contract/grid';
import { gridCounts } from '@caseway/contract/grid-counts';
import { useMemo } from 'react';
import { useApi } from './api.ts';
import { ofGrid } from './of-grid.ts';

/** The list whose records are counted, as shown. */
export interface CountedList {
  grid: Grid;
  request: GridQuery;
}

/** A grid's endpoint, created once. */
const countsOf = ofGrid((grid: Grid) => gridCounts(grid));

/**
 * How many records of a list each choice of a filter has, under everything else that is set; undefined while
 * unknown, and if counting takes too long. The filter's own choices do not matter, so it is requested once.
 */
export function useChoiceCounts(
  { grid, request }: CountedList,
  filter: string,
): ((id: string) => number | undefined) | undefined {
  const { [filter]: _, ...filters } = request.filters;
  const { sortModel: __, paginationModel: ___, ...asked } = request;
  const query = { ...asked, filters, sortModel: grid.defaultSort, paginationModel: { page: 0, pageSize: 1 } };
  const { data } = useApi(countsOf(grid), { body: { query, filter } }, { staleTime: 30_000 });
  return useMemo(() => {
    if (!data) return undefined;
    const counts = new Map(data.counts.map(({ id, count }) => [id, count]));
    return (id) => counts.get(id) ?? (data.complete ? 0 : undefined);
  }, [data]);
}
