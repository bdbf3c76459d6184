import { conditionsOf, type Grid, hasColumn } from '@caseway/contract/grid';
import { type GridTab, gridViews, type SavedGridView } from '@caseway/contract/grid-views';
import type { App } from '../http/app.ts';
import { type Call, serve } from '../http/serve.ts';
import { readSavedViews, savedViewOf, serveSavedViews } from '../saved-views.ts';

/** Serves the saved views of a list, and each person's default view. */
export function serveGridViews(app: App, grid: Grid): void {
  const { list, open, ...changes } = gridViews(grid);
  const screen = `grid/${grid.id}`;

  serve(app, list, async (call) => {
    const rows = await readSavedViews<SavedGridView>(call, screen);
    // A view may use a column that no longer exists, or that people at the reader's kind of place do not have.
    const isReadable = ({ name, view }: GridTab) =>
      changes.create.body!.safeParse({ name, shared: false, view }).success && isShownTo(grid, view, call);
    const presets = rows.map((row) => savedViewOf(row, call)).filter(isReadable);
    return { presets, opensWith: await readOpensWith(call, grid) };
  });

  serveSavedViews(app, changes, screen, savedViewOf);

  serve(app, open, async (call) => {
    const { opensWith } = call.body;
    await call.withScope(
      (tx) =>
        tx.run(
          `insert into grid_preference (tenant_id, account_id, grid, opens_with) values ($1, $2, $3, $4)
          on conflict (tenant_id, account_id, grid)
          do update set opens_with = excluded.opens_with, updated_at = excluded.updated_at`,
          [tx.tenantId, call.account.accountId, grid.id, opensWith],
        ),
      { own: true },
    );
    return { opensWith };
  });
}

async function readOpensWith(call: Call, { id }: Grid): Promise<string | null> {
  const [row] = await call.withScope(
    (tx) =>
      tx.rows<{ opens_with: string | null }>(
        'select opens_with from grid_preference where tenant_id = $1 and account_id = $2 and grid = $3',
        [tx.tenantId, call.account.accountId, id],
      ),
    { own: true },
  );
  return row?.opens_with ?? null;
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
