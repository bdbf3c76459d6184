import { type DateRange, todayIn } from '@caseway/contract/date-range';
import type {
  FilterModel,
  Grid,
  GridQuery,
  Grouping,
  PaginationModel,
  SortModel,
} from '@caseway/contract/grid';
import type { RangeChoice } from '@caseway/contract/relative-range';
import { savedFilter, saveFilter } from '@caseway/contract/saved-filter';
import {
  type GridView,
  gridCodec,
  gridRequest,
  initialGridView,
  isSensitive,
  type ViewCodec,
  viewIn,
} from '@caseway/contract/search-params';
import { useMemo } from 'react';
import { callApi } from '../data/api.ts';
import { ofGrid } from '../data/of-grid.ts';
import { useTimeZone } from '../session/time-zone.ts';
import { type Keeper, useAddressView } from './address-view.ts';
import { useSame } from './use-same.ts';

/** A grid's state, and every way to change it. [S3.10, S4.12] */
export interface GridControl {
  view: GridView;
  /** The view as a request, with today's days for a relative range. */
  request: GridQuery;
  /** The days shown; null for all days, and for a grid without a range. */
  range: DateRange | null;
  /** False while the filter named in the address is loading. */
  ready: boolean;
  /** The part of the address that was not understood; the grid then shows its defaults. */
  badLink: string | null;
  /** The address has retired names; the grid is without them. */
  hasRetired: boolean;
  /** No one has chosen yet what it shows. */
  untouched: boolean;
  /** Today in the tenant's time zone. */
  today: string;
  /** Shows exactly this: everything else is as at first, except the page size. */
  show(view: Partial<GridView>): void;
  setFilterModel(model: FilterModel): void;
  setSortModel(model: SortModel): void;
  setPaginationModel(model: PaginationModel): void;
  setFilters(filters: Record<string, string[]>): void;
  /** Null for the grid's default range, 'all' for every day. */
  setRange(range: RangeChoice | 'all' | null): void;
  /** The range's date column. */
  setRangeField(field: string): void;
  /** Null: not grouped. The page is the one of the toggled group; the first by default. */
  setGrouping(grouping: Grouping | null, page?: number): void;
  /** Shows all records, not only those behind a number. */
  removeBehind(): void;
  /** Removes filters and search text; tab, range, sort and columns stay. */
  clearFilters(): void;
}

/**
 * With the same control on the first page: one object for every page, for what looks the same on all of them and is
 * not rendered again when the page is turned.
 */
export interface PagedControl extends GridControl {
  onFirstPage: GridControl;
}

const initialBody: GridQuery = {
  filterModel: { items: [], logicOperator: 'and' },
  sortModel: [],
  paginationModel: { page: 0, pageSize: 25 },
  filters: {},
};

interface GridParts {
  codec: ViewCodec<GridView>;
  keeper: Keeper<GridView, FilterModel>;
}
/** How a grid's view is written, and where a filter goes that no address may have. Created once per grid. */
const gridParts = ofGrid((grid: Grid): GridParts => {
  const [save, get] = [saveFilter(grid), savedFilter(grid)];
  return {
    codec: gridCodec(grid),
    keeper: {
      param: 'saved',
      idOf: (view) => view.savedFilter,
      partOf: ({ filterModel }) => (isSensitive(grid, filterModel) ? filterModel : null),
      withPart: (view, filterModel, id) => ({ ...view, filterModel, savedFilter: id }),
      save: async (filterModel) => (await callApi(save, { body: { ...initialBody, filterModel } })).id,
      load: async (id, signal) => (await callApi(get, { params: { id } }, signal)).filterModel,
    },
  };
});

/** A grid's view. A filter that may not be in an address goes to the server, and its id into the address. */
export function useGridView(grid: Grid): PagedControl {
  const { codec, keeper } = gridParts(grid);
  const { view: shown, ready, badLink, hasRetired, untouched, set } = useAddressView(codec, keeper);
  const today = todayIn(useTimeZone());
  const paginationModel = useSame(shown.paginationModel);
  const view = useSame({ ...shown, paginationModel: { ...paginationModel, page: 0 } });
  const onFirstPage = useMemo((): GridControl => {
    const request = gridRequest(grid, view, today);
    const fromFirstPage = (changes: Partial<GridView>) =>
      set({ ...view, ...changes, paginationModel: { ...view.paginationModel, page: 0 } });
    return {
      view,
      request,
      range: request.dateRangeValue ?? null,
      ready,
      badLink,
      hasRetired,
      untouched,
      today,
      show: (shown) =>
        set({
          ...initialGridView(grid),
          ...shown,
          paginationModel: { page: 0, pageSize: view.paginationModel.pageSize },
        }),
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
      setGrouping: (grouping, page = 0) => {
        const { grouping: _, ...rest } = view;
        set({
          ...rest,
          ...(grouping && { grouping }),
          paginationModel: { ...view.paginationModel, page },
        });
      },
      removeBehind: () => {
        const { behind: _, ...rest } = view;
        set({ ...rest, range: null, paginationModel: { ...view.paginationModel, page: 0 } });
      },
      clearFilters: () =>
        fromFirstPage({
          filterModel: { items: [], logicOperator: 'and' },
          filters: viewIn(grid, view.filters),
          savedFilter: null,
        }),
    };
  }, [grid, view, today, ready, badLink, hasRetired, untouched, set]);
  return useMemo(
    () => ({
      ...onFirstPage,
      view: { ...onFirstPage.view, paginationModel },
      request: { ...onFirstPage.request, paginationModel },
      onFirstPage,
    }),
    [onFirstPage, paginationModel],
  );
}
