import type { SavedView, SavedViewCalls } from '@caseway/contract/saved-views';
import { v7 } from 'uuid';
import type { Tx } from './db/database.ts';
import type { App } from './http/app.ts';
import { AppError, refused } from './http/app-error.ts';
import { type Call, serve } from './http/serve.ts';
import { inOwn, type OpenedScreen, readOpening, serveOpenings } from './view-openings.ts';

/** A saved view as it is stored. */
interface StoredView<View> {
  id: string;
  name: string;
  account_id: string;
  shared_with_org: string | null;
  filters: View;
  version: number;
  locked_by: string | null;
  /** The name of who locked it, if the reader may see it. */
  locked_by_name: string | null;
}

/** A screen whose views are saved. */
interface ViewedScreen<View> extends OpenedScreen {
  /** A stored view without what no longer exists. */
  current?: (view: View) => { view: View; retired: string[] };
  /** Whether the reader can be shown a view. */
  isReadable: (view: SavedView<View>, call: Call) => boolean;
}

const columns = `p.id, p.name, p.account_id, p.shared_with_org, p.filters, p.version, p.locked_by,
  (select nullif(concat_ws(' ', a.first_name, a.last_name), '') from account a where a.id = p.locked_by) as locked_by_name`;

/**
 * Serves a screen's saved views, and the one with which it opens. A shared one is changed by its owner and by people
 * of its organization who may share views, while it is not locked.
 */
export function serveSavedViews<View>(
  app: App,
  calls: SavedViewCalls<View>,
  given: ViewedScreen<View>,
): void {
  const { screen, current } = given;
  const answer = (row: StoredView<View>, call: Call): SavedView<View> => {
    const { view, retired } = current?.(row.filters) ?? { view: row.filters, retired: [] };
    return {
      id: row.id,
      name: row.name,
      shared: row.shared_with_org !== null,
      own: isOwn(row, call),
      changeable: isOwn(row, call) || call.may('presets/share'),
      locked: row.locked_by === null ? null : { by: row.locked_by_name ?? '' },
      version: row.version,
      view,
      ...(retired.length > 0 && { retired }),
    };
  };
  const readOne = async (tx: Tx, id: string) => {
    const [row] = await tx.rows<StoredView<View>>(
      `select ${columns} from analytics_preset p where p.tenant_id = $1 and p.id = $2 and p.screen = $3`,
      [tx.tenantId, id, screen],
    );
    if (!row) throw new AppError('not-found');
    return row;
  };
  /** A view that the caller may change, once nobody else is changing it. */
  const takeOne = async (tx: Tx, call: Call, id: string) => {
    await tx.rows(
      'select from analytics_preset where tenant_id = $1 and id = $2 and screen = $3 for update',
      [tx.tenantId, id, screen],
    );
    const row = await readOne(tx, id);
    if (!isOwn(row, call)) mayShare(call);
    return row;
  };

  serve(app, calls.list, (call) =>
    inOwn(call, async (tx) => {
      const rows = await tx.rows<StoredView<View>>(
        `select ${columns} from analytics_preset p where p.tenant_id = $1 and p.screen = $2 order by lower(p.name), p.id`,
        [tx.tenantId, screen],
      );
      const presets = rows.map((row) => answer(row, call)).filter((preset) => given.isReadable(preset, call));
      const { opensWith, forRoles } = await readOpening(tx, call, given);
      const isShown = (id: string) => presets.some((preset) => preset.id === id && preset.shared);
      return { presets, opensWith, roleOpensWith: forRoles.find(isShown) ?? null };
    }),
  );

  serve(app, calls.create, (call) =>
    inOwn(call, async (tx) => {
      const { name, shared, view } = call.body;
      if (shared) mayShare(call);
      const id = v7();
      await tx.run(
        `insert into analytics_preset (tenant_id, id, account_id, screen, name, shared_with_org, filters)
        values ($1, $2, $3, $4, $5, $6, $7)`,
        [
          tx.tenantId,
          id,
          call.account.accountId,
          screen,
          name,
          shared ? call.org.id : null,
          JSON.stringify(view),
        ],
      );
      return answer(await readOne(tx, id), call);
    }),
  );

  serve(app, calls.change, (call) =>
    inOwn(call, async (tx) => {
      const { id } = call.params;
      const { version, name, view, shared, locked } = call.body;
      const before = await takeOne(tx, call, id);
      if (shared || locked !== undefined) mayShare(call);
      if (before.locked_by !== null && locked !== false) throw new AppError('view-locked');
      if (before.version !== version) throw new AppError('conflict');
      const isShared = shared ?? before.shared_with_org !== null;
      if (!isShared && !isOwn(before, call))
        throw new AppError('forbidden', { message: 'Only its owner can stop sharing a view.' });
      if (!isShared && locked) throw refused('locked', 'invalid-value', 'only a shared view can be locked');
      await tx.run(
        // Its owner may act for another organization now; it stays shared where it was.
        `update analytics_preset set name = coalesce($3, name), filters = coalesce($4, filters),
          shared_with_org = case when $5 then coalesce(shared_with_org, $6) end,
          locked_by = case when $7 then $8::uuid end, version = version + 1
        where tenant_id = $1 and id = $2`,
        [
          tx.tenantId,
          id,
          name ?? null,
          view === undefined ? null : JSON.stringify(view),
          isShared,
          call.org.id,
          locked ?? false,
          call.account.accountId,
        ],
      );
      if (!isShared)
        await tx.run('delete from role_opening where tenant_id = $1 and preset_id = $2', [tx.tenantId, id]);
      if (isShared || before.shared_with_org !== null)
        call.audit({
          action: locked === undefined ? 'view/changed' : locked ? 'view/locked' : 'view/unlocked',
          detail: { screen, view: id, version: version + 1 },
        });
      return answer(await readOne(tx, id), call);
    }),
  );

  serve(app, calls.remove, (call) =>
    inOwn(call, async (tx) => {
      const { id } = call.params;
      const { locked_by, shared_with_org, version } = await takeOne(tx, call, id);
      if (locked_by !== null) throw new AppError('view-locked');
      if (version !== call.query.version) throw new AppError('conflict');
      await tx.run('delete from analytics_preset where tenant_id = $1 and id = $2', [tx.tenantId, id]);
      if (shared_with_org !== null) call.audit({ action: 'view/deleted', detail: { screen, view: id } });
      return {};
    }),
  );

  serveOpenings(app, calls, given);
}

const isOwn = (row: { account_id: string }, call: Call): boolean => row.account_id === call.account.accountId;

/** Throws `forbidden` for people who may not share views. */
function mayShare(call: Call): void {
  if (!call.may('presets/share')) throw new AppError('forbidden', { permission: 'presets/share' });
}
