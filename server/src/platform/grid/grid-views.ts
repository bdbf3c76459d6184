import { conditionsOf, type Grid, hasColumn } from '@caseway/contract/grid';
import { gridViews, type SavedGridView } from '@caseway/contract/grid-views';
import type { App } from '../http/app.ts';
import type { Call } from '../http/serve.ts';
import { serveSavedViews } from '../saved-views.ts';

/** Serves the saved views of a list, and its default views. */
export function serveGridViews(app: App, grid: Grid): void {
  const calls = gridViews(grid);
  serveSavedViews(app, calls, {
    screen: `grid/${grid.id}`,
    preference: grid.id,
    // A view may use a column that no longer exists, or that people at the reader's kind of place do not have.
    isReadable: ({ name, view }, call) =>
      calls.create.body!.safeParse({ name, shared: false, view }).success && isShownTo(grid, view, call),
  });
}

/** Whether people at the reader's kind of place have every column of a view. */
const isShownTo = (
  { columns }: Grid,
  { filterModel, sortModel, grouping }: SavedGridView,
  call: Call,
): boolean =>
  [
    ...[...conditionsOf(filterModel), ...sortModel].map(({ field }) => field),
    ...(grouping ? [grouping.by] : []),
  ].every((field) => hasColumn(columns[field] ?? { kind: 'text' }, call.org.orgType));
