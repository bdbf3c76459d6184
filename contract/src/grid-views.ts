import { z } from 'zod';
import { type Grid, type GridQuery, gridQuery } from './grid.ts';
import { type ColumnSettings, columnSettings } from './grid-columns.ts';
import { rangeChoice } from './relative-range.ts';
import { type SavedView, type SavedViewCalls, savedViews } from './saved-views.ts';
import { type GridView, isSensitive } from './search-params.ts';

/**
 * The parts of a list that a saved view keeps: conditions, filters, order, days, groups, and columns if it
 * has its own; otherwise readers keep theirs. It has no search text and no condition on a name, birth date or
 * identifier, because it is shared and permanent. [P16]
 */
export type SavedGridView = Pick<
  GridView,
  'filterModel' | 'sortModel' | 'filters' | 'range' | 'rangeField' | 'grouping'
> & { columns?: ColumnSettings };
export type GridTab = SavedView<SavedGridView>;

/** The parts of a grid's view that a saved view keeps. */
export function savedGridView(grid: Grid): z.ZodType<SavedGridView> {
  const query = gridQuery(grid);
  return z
    .strictObject({
      filterModel: z.unknown(),
      sortModel: z.unknown(),
      filters: z.unknown(),
      range: z.union([rangeChoice, z.literal('all')]).nullable(),
      rangeField: z.string().optional(),
      grouping: z.unknown().optional(),
      columns: columnSettings.optional(),
    })
    .transform(({ range, columns, ...asked }, context): SavedGridView => {
      const parsed = query.safeParse(asked);
      if (!parsed.success) {
        for (const issue of parsed.error.issues) context.addIssue(issue as never);
        return z.NEVER;
      }
      const { filterModel, sortModel, filters, rangeField, grouping } = parsed.data as GridQuery;
      const refuse = (part: string, message: string) =>
        context.addIssue({ code: 'custom', message, path: [part], params: { code: 'invalid-value' } });
      if (isSensitive(grid, filterModel)) refuse('filterModel', 'a saved view has no names and no words');
      if (range !== null && !grid.defaultRange) refuse('range', 'this grid has no date range');
      return {
        filterModel,
        sortModel,
        filters,
        range,
        ...(rangeField !== undefined && { rangeField }),
        ...(grouping && { grouping }),
        ...(columns && { columns: columnsOf(grid, columns) }),
      };
    }) as unknown as z.ZodType<SavedGridView>;
}

/** Drops names that are not columns of the grid, such as removed columns. */
function columnsOf(grid: Grid, { order, hidden, pinned, widths }: ColumnSettings): ColumnSettings {
  const known = (name: string) => Object.hasOwn(grid.columns, name);
  return {
    order: order.filter(known),
    hidden: hidden.filter(known),
    pinned: pinned.filter(known),
    widths: Object.fromEntries(Object.entries(widths).filter(([name]) => known(name))),
  };
}

/** The endpoints of a list's saved views. */
export const gridViews = (grid: Grid): SavedViewCalls<SavedGridView> =>
  savedViews({
    screen: `the ${grid.id} grid`,
    path: `/api/web/grid/${grid.id}/views`,
    base: `/api/web/grid/${grid.id}`,
    access: grid.permission,
    feature: grid.feature,
    view: savedGridView(grid),
  });
