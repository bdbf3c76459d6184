import { type Grid, type GridAnswer, type GridQuery, gridSearch } from '@caseway/contract/grid';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { z } from 'zod';
import { apiQuery, queryClient, useApi } from '../data/api.ts';
import { ofGrid } from '../data/of-grid.ts';
import { viewsOf } from '../data/saved-views.ts';
import { type AppError, isRefused } from '../data/transport.ts';
import { aheadMs } from '../loading/rows-ahead.ts';
import { type PagedControl, useGridView } from './grid-view.ts';
import { useWaitsForOpening } from './opening.ts';

/** A grid for a screen: its state, its rows, and every way to change both. [S3.10, S4.12] */
export interface GridState<Row> extends PagedControl, Pick<GridAnswer<Row>, 'groups' | 'groupOf'> {
  rows: readonly Row[];
  /** Matching rows on all pages; undefined until the first answer. */
  rowCount: number | undefined;
  /** `loading`: no page yet. `changing`: the previous page is shown until the next has loaded. */
  status: 'loading' | 'changing' | 'ready' | 'error';
  /** During an outage, loaded rows stay and only this reports the error. */
  query: Pick<UseQueryResult<unknown, AppError>, 'isError' | 'isFetching' | 'error' | 'refetch'>;
  /** Reloads the rows with the current filters. */
  refresh(): void;
  /** Replaces the visible rows (an edit, before the server has answered). */
  setRows(change: (rows: readonly Row[]) => readonly Row[]): void;
}

/** A grid's search endpoint, created once. */
const searchOf = ofGrid((grid: Grid) => gridSearch(grid));

export function useGrid<G extends Grid>(grid: G): GridState<z.infer<G['row']>> {
  type Row = z.infer<G['row']>;
  const control = useGridView(grid);
  const endpoint = searchOf(grid);
  const { request, ready, untouched } = control;
  const waits = useWaitsForOpening(viewsOf(grid), grid.id, untouched);
  const { page, pageSize } = request.paginationModel;
  const query = useApi(
    endpoint,
    { body: request },
    // A prefetched page is not fetched and rendered again as soon as it is shown.
    { enabled: ready && !waits, staleTime: page === 0 ? 0 : aheadMs },
  );
  const answer = query.data as GridAnswer<Row> | undefined;

  // Fetch the next page while this one is read.
  const more = answer !== undefined && !query.isPlaceholderData && (page + 1) * pageSize < answer.rowCount;
  useEffect(() => {
    if (!more) return;
    const next: GridQuery = { ...request, paginationModel: { page: page + 1, pageSize } };
    void queryClient.prefetchQuery({
      ...apiQuery(endpoint, { body: next }),
      staleTime: aheadMs,
      retry: false,
    });
  }, [more, endpoint, request, page, pageSize]);

  // There is nothing after the last page: go to the last one, even if its rows have been removed.
  const { setPaginationModel } = control;
  const lastPage = answer ? Math.max(0, Math.ceil(answer.rowCount / pageSize) - 1) : page;
  const beyond = !query.isPlaceholderData && page > lastPage;
  useEffect(() => {
    if (beyond) setPaginationModel({ page: lastPage, pageSize });
  }, [beyond, setPaginationModel, lastPage, pageSize]);

  const { queryKey } = apiQuery(endpoint, { body: request });
  return {
    ...control,
    rows: answer?.rows ?? [],
    rowCount: answer?.rowCount,
    groups: answer?.groups,
    groupOf: answer?.groupOf,
    status:
      query.isError && (answer === undefined || isRefused(query.error))
        ? 'error'
        : answer === undefined
          ? 'loading'
          : query.isPlaceholderData || beyond
            ? 'changing'
            : 'ready',
    query,
    refresh: () => void query.refetch(),
    setRows: (change) =>
      queryClient.setQueryData([...queryKey], (old: GridAnswer<Row> | undefined) =>
        old ? { ...old, rows: [...change(old.rows)] } : old,
      ),
  };
}
