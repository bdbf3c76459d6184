import type { DateRange } from '@caseway/contract/date-range';
import { todayIn } from '@caseway/contract/date-range';
import type { FilterModel, Grid, GridQuery, PaginationModel, SortModel } from '@caseway/contract/grid';
import type { RangeChoice } from '@caseway/contract/relative-range';
import { savedFilter, saveFilter } from '@caseway/contract/saved-filter';
import {
  type GridView,
  gridFromParams,
  gridRequest,
  gridToParams,
  initialGridView,
  isBadLink,
  isSensitive,
} from '@caseway/contract/search-params';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { callApi } from '../api.ts';
import { AppError } from '../transport.ts';
import { gridViewSet } from './grids.ts';
import { stillHere } from './still-here.ts';
import { store, useAppSelector } from './store.ts';
import { useTimeZone } from './time-zone.ts';

/** The state of a grid, and every way to change it. [S3.10, S4.12] */
export interface GridControl {
  view: GridView;
  /** The same as a request, with today's days for a relative range. */
  request: GridQuery;
  /** The days that are shown; null for all of them, and if the grid has no range. */
  range: DateRange | null;
  /** False while the filter that the address names is on its way from the server. */
  ready: boolean;
  /** The part of the address that the grid did not understand; it shows its defaults then. */
  badLink: string | null;
  /** Today in the tenant's time zone. */
  today: string;
  setFilterModel(model: FilterModel): void;
  setSortModel(model: SortModel): void;
  setPaginationModel(model: PaginationModel): void;
  setFilters(filters: Record<string, string[]>): void;
  /** Null: the grid's default range. 'all': every day. */
  setRange(range: RangeChoice | 'all' | null): void;
  /** The date column for the range. */
  setRangeField(field: string): void;
  /** Removes filters and words; range, sort and columns stay. */
  clearFilters(): void;
}

/** The two endpoints that store a grid's filter. Made once for each grid. */
const savers = new WeakMap<
  Grid,
  { save: ReturnType<typeof saveFilter>; get: ReturnType<typeof savedFilter> }
>();
function saversOf(grid: Grid) {
  let both = savers.get(grid);
  if (!both) {
    both = { save: saveFilter(grid), get: savedFilter(grid) };
    savers.set(grid, both);
  }
  return both;
}

/** How an address is written by the grid itself; survives a reload with the history entry. */
const written = { replace: true, state: { own: true } };

/** A filter is stored on the server after this pause. */
const restMs = 800;

/**
 * The view of a grid: from the address, or, if that says nothing, what this tab showed last. Every change goes to both,
 * so that the address reproduces the screen and coming back finds it unchanged. A filter that may not be in an address
 * goes to the server instead, and its id into the address.
 */
export function useGridView(grid: Grid): GridControl {
  const { search, pathname, key, state: history } = useLocation();
  const navigate = useNavigate();
  const timeZone = useTimeZone();
  const today = todayIn(timeZone);
  const remembered = useAppSelector((state) => state.grids[grid.id]);

  const parsed = useMemo(
    () => (search === '' ? null : gridFromParams(grid, new URLSearchParams(search))),
    [grid, search],
  );
  const bad = parsed !== null && isBadLink(parsed) ? parsed.bad : null;
  const fromAddress = parsed !== null && !isBadLink(parsed) ? parsed : null;

  const own = (history as { own?: boolean } | null)?.own === true;
  // A change was made here and its address is not written yet: the old address is outdated.
  const changedAt = useRef<string | null>(null);
  const ahead = changedAt.current === key;
  const missing =
    !ahead && fromAddress?.savedFilter != null && fromAddress.savedFilter !== remembered?.savedFilter;
  const [lost, setLost] = useState<string | null>(null);
  const view = useMemo<GridView>(() => {
    if (ahead && remembered) return remembered;
    if (bad !== null) return initialGridView(grid);
    if (!fromAddress) return remembered ?? initialGridView(grid);
    // Filters that an address cannot contain are remembered here: under the id in the address, or, before the server
    // has given one, for an address that was written here. A link from elsewhere means what it says and nothing more.
    const sameFilter = remembered !== undefined && remembered.savedFilter === fromAddress.savedFilter;
    const kept =
      sameFilter &&
      isSensitive(grid, remembered.filterModel) &&
      (fromAddress.savedFilter !== null || (own && fromAddress.filterModel.items.length === 0));
    return kept ? { ...fromAddress, filterModel: remembered.filterModel } : fromAddress;
  }, [grid, bad, fromAddress, remembered, own, ahead]);

  const set = useCallback(
    (next: GridView) => {
      changedAt.current = key;
      store.dispatch(gridViewSet({ grid: grid.id, view: next }));
      const params = new URLSearchParams(gridToParams(grid, next)).toString();
      void navigate({ pathname, search: params }, written);
    },
    [grid, navigate, pathname, key],
  );

  // This tab shows a followed link from now on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address counts, nothing else.
  useEffect(() => {
    if (fromAddress && !own && !missing) store.dispatch(gridViewSet({ grid: grid.id, view }));
  }, [key]);

  // Coming back without an address: it is written again from memory.
  useEffect(() => {
    if (search !== '' || !remembered) return;
    const params = new URLSearchParams(gridToParams(grid, remembered)).toString();
    if (params !== '') void navigate({ pathname, search: params }, written);
  }, [search, remembered, grid, navigate, pathname]);

  const wanted = missing ? fromAddress.savedFilter : null;
  useEffect(() => {
    if (wanted === null || !fromAddress) return;
    const stop = new AbortController();
    callApi(saversOf(grid).get, { params: { id: wanted } }, stop.signal).then(
      ({ filterModel }) => {
        setLost(null);
        store.dispatch(
          gridViewSet({ grid: grid.id, view: { ...fromAddress, filterModel, savedFilter: wanted } }),
        );
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof AppError)) throw error;
        setLost(wanted);
        store.dispatch(gridViewSet({ grid: grid.id, view: { ...fromAddress, savedFilter: wanted } }));
      },
    );
    return () => stop.abort();
  }, [wanted, fromAddress, grid]);

  // A filter that may not be in the address is stored on the server after a pause.
  const keeping = useRef<FilterModel | null>(null);
  useEffect(() => {
    const { filterModel, savedFilter: id } = view;
    if (id !== null || !isSensitive(grid, filterModel) || keeping.current === filterModel) return;
    const isHere = stillHere();
    const timer = setTimeout(() => {
      if (!isHere()) return;
      keeping.current = filterModel;
      callApi(saversOf(grid).save, { body: { ...initialBody, filterModel } }).then(
        (answer) => {
          const now = store.getState().grids[grid.id];
          if (isHere() && now?.filterModel === filterModel) set({ ...now, savedFilter: answer.id });
        },
        (error: unknown) => {
          // The list is filtered anyway; only its address does not say so.
          if (!(error instanceof AppError)) throw error;
        },
      );
    }, restMs);
    return () => clearTimeout(timer);
  }, [grid, view, set]);

  const request = useMemo(() => gridRequest(grid, view, today), [grid, view, today]);
  return useMemo(() => {
    const fromFirstPage = (changes: Partial<GridView>) =>
      set({ ...view, ...changes, paginationModel: { ...view.paginationModel, page: 0 } });
    return {
      view,
      request,
      range: request.dateRangeValue ?? null,
      ready: !missing,
      badLink: bad ?? (lost !== null && lost === view.savedFilter ? 'saved' : null),
      today,
      setFilterModel: (filterModel) => fromFirstPage({ filterModel, savedFilter: null }),
      setSortModel: (sortModel) => fromFirstPage({ sortModel }),
      setPaginationModel: (paginationModel) => set({ ...view, paginationModel }),
      setFilters: (filters) => fromFirstPage({ filters }),
      setRange: (range) => fromFirstPage({ range }),
      setRangeField: (field) => {
        const { rangeField: _, ...rest } = view;
        set({
          ...rest,
          ...(field === grid.rangeFields?.[0] ? {} : { rangeField: field }),
          paginationModel: { ...view.paginationModel, page: 0 },
        });
      },
      clearFilters: () =>
        fromFirstPage({ filterModel: { items: [], logicOperator: 'and' }, filters: {}, savedFilter: null }),
    };
  }, [grid, view, request, today, missing, bad, lost, set]);
}

const initialBody: GridQuery = {
  filterModel: { items: [], logicOperator: 'and' },
  sortModel: [],
  paginationModel: { page: 0, pageSize: 25 },
  filters: {},
};
