import type { Grid } from '@caseway/contract/grid';
import { createContext } from 'react';

/** The columns of a list that rules can filter by. */
export const filterable = (grid: Grid): string[] =>
  Object.keys(grid.columns).filter((name) => grid.columns[name]!.filterable !== false);

/** Offered beside a list's own filters, so that a column is found where a filter is sought. */
export interface ColumnFilters {
  columns: readonly { id: string; label: string }[];
  /** Opens the builder with a rule on the column. */
  open(field: string, anchor: HTMLElement): void;
}
export const ColumnFiltersContext = createContext<ColumnFilters | null>(null);
