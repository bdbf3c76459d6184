import type { Column, Grid } from '@caseway/contract/grid';
import type { z } from 'zod';
import type { FilterDeclaration } from '../FilterBar.tsx';
import type { GridWords } from './values.tsx';

/** Whether a row can lack a value, which can then be chosen: an open case without an investigator. */
export const canBeMissing = (grid: Grid, field: string): boolean => {
  const row = grid.row as { shape?: Readonly<Record<string, z.ZodType>> };
  const column: Column = grid.columns[field]!;
  return column.many === true || row.shape?.[field]?.safeParse(null).success === true;
};

/** The filters above a list, each named like its column. */
export const declaredFilters = (
  grid: Grid,
  { column: titleOf, choice }: Required<GridWords>,
): FilterDeclaration[] =>
  Object.entries(grid.narrows ?? {}).map(([name, field]) => {
    const { options } = grid.columns[field]!;
    return {
      name,
      label: titleOf(field),
      ...(typeof options === 'string'
        ? { lookup: options }
        : { options: (options ?? []).map((id) => ({ id, label: choice(field, id) })) }),
      ...(canBeMissing(grid, field) && { missing: true }),
    };
  });
