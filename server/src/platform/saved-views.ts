import type { SavedView, savedViews } from '@caseway/contract/saved-views';
import { v7 } from 'uuid';
import type { Tx } from './db/database.ts';
import type { App } from './http/app.ts';
import { AppError } from './http/app-error.ts';
import { type Call, serve } from './http/serve.ts';

/** A saved view as it is stored. */
export interface StoredView<View> {
  id: string;
  name: string;
  account_id: string;
  shared_with_org: string | null;
  filters: View;
}

const columns = 'id, name, account_id, shared_with_org, filters';

/** The saved views of a screen that the reader has, by name: their own, and those shared in the organization. */
export const readSavedViews = <View>(call: Call, screen: string): Promise<StoredView<View>[]> =>
  inOwn(call, (tx) =>
    tx.rows<StoredView<View>>(
      `select ${columns} from analytics_preset where tenant_id = $1 and screen = $2 order by lower(name), id`,
      [tx.tenantId, screen],
    ),
  );

/** A stored view in the form of an answer. */
export const savedViewOf = <View>(row: StoredView<View>, call: Call): SavedView<View> => ({
  id: row.id,
  name: row.name,
  shared: row.shared_with_org !== null,
  own: row.account_id === call.account.accountId,
  view: row.filters,
});

/** Serves making, changing and deleting the saved views of a screen. */
export function serveSavedViews<View>(
  app: App,
  { create, change, remove }: Omit<ReturnType<typeof savedViews<View>>, 'preset'>,
  screen: string,
  answer: (row: StoredView<View>, call: Call) => SavedView<View>,
): void {
  serve(app, create, (call) =>
    inOwn(call, async (tx) => {
      const [row] = await tx.rows<StoredView<View>>(
        `insert into analytics_preset (tenant_id, id, account_id, screen, name, shared_with_org, filters)
        values ($1, $2, $3, $4, $5, $6, $7)
        returning ${columns}`,
        [
          tx.tenantId,
          v7(),
          call.account.accountId,
          screen,
          call.body.name,
          sharedWith(call),
          JSON.stringify(call.body.view),
        ],
      );
      return answer(row!, call);
    }),
  );

  serve(app, change, (call) =>
    inOwn(call, async (tx) => {
      const [row] = await tx.rows<StoredView<View>>(
        // Its owner may act for another organization now; it stays shared where it was.
        `update analytics_preset set name = coalesce($4, name), filters = coalesce($5, filters),
          shared_with_org = case when $6 then coalesce(shared_with_org, $7) when not $6 then null
            else shared_with_org end
        where tenant_id = $1 and id = $2 and screen = $3 and account_id = $8
        returning ${columns}`,
        [
          tx.tenantId,
          call.params.id,
          screen,
          call.body.name ?? null,
          call.body.view === undefined ? null : JSON.stringify(call.body.view),
          call.body.shared ?? null,
          sharedWith(call),
          call.account.accountId,
        ],
      );
      if (!row) throw new AppError('not-found');
      return answer(row, call);
    }),
  );

  serve(app, remove, (call) =>
    inOwn(call, async (tx) => {
      const removed = await tx.run(
        'delete from analytics_preset where tenant_id = $1 and id = $2 and screen = $3 and account_id = $4',
        [tx.tenantId, call.params.id, screen, call.account.accountId],
      );
      if (removed === 0) throw new AppError('not-found');
      return {};
    }),
  );
}

/** The tenant that stores an organisation's saved views, whatever features its tenants have switched on. */
const inOwn = <T>(call: Call, work: (tx: Tx) => Promise<T>): Promise<T> =>
  call.withScope(work, { own: true });

/** The organisation that a saved view is shared with. Throws `forbidden` for people who may not share. */
function sharedWith(call: Call<unknown, unknown, { shared?: boolean | undefined }>): string | null {
  if (!call.body.shared) return null;
  if (!call.may('presets/share')) throw new AppError('forbidden', { permission: 'presets/share' });
  return call.org.id;
}
