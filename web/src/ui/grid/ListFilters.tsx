import type { Grid } from '@caseway/contract/grid';
import { viewIn } from '@caseway/contract/search-params';
import { memo, type ReactNode, useContext } from 'react';
import type { GridControl } from '../../view/grid-view.ts';
import { FilterBar, type FilterDeclaration } from '../FilterBar.tsx';
import { ColumnFiltersContext } from './column-filters.ts';

/** The filters beside a list's search box, with the number of its records for each choice. Clear keeps the active tab. */
export const ListFilters = memo(function ListFilters({
  grid,
  state,
  filters,
  before,
}: {
  grid: Grid;
  state: GridControl;
  filters: readonly FilterDeclaration[];
  /** The date range. */
  before?: ReactNode;
}) {
  const { view, request } = state;
  const columns = useContext(ColumnFiltersContext);
  return (
    <FilterBar
      filters={filters}
      values={view.filters}
      onChange={(chosen) => state.setFilters(chosen as Record<string, string[]>)}
      onClear={() => state.setFilters(viewIn(grid, view.filters))}
      before={before}
      counted={{ grid, request }}
      columns={columns}
      inRow
    />
  );
});
