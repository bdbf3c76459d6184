import type { RoleOpening, SavedViewCalls } from '@caseway/contract/saved-views';
import type { Tx } from './db/database.ts';
import type { App } from './http/app.ts';
import { AppError } from './http/app-error.ts';
import { type Call, serve } from './http/serve.ts';

/** A screen that opens with one of its views. */
export interface OpenedScreen {
  /** In `analytics_preset` and `role_opening`: `grid/<id>`, or the id of a dashboard. */
  screen: string;
  /** In `grid_preference`: the id of a list, or `dashboard/<id>`. */
  preference: string;
}

/** The tenant that stores an organisation's saved views, whatever features its tenants have switched on. */
export const inOwn = <T>(call: Call, work: (tx: Tx) => Promise<T>): Promise<T> =>
  call.withScope(work, { own: true });

/**
 * The view or tab with which a screen opens by the reader's own choice, and the views for the roles that they have
 * themselves where they act, by the names of the roles: the first one that they see counts.
 */
export async function readOpening(
  tx: Tx,
  call: Call,
  { screen, preference }: OpenedScreen,
): Promise<{ opensWith: string | null; forRoles: string[] }> {
  const { accountId } = call.account;
  const [own] = await tx.rows<{ opens_with: string | null }>(
    'select opens_with from grid_preference where tenant_id = $1 and account_id = $2 and grid = $3',
    [tx.tenantId, accountId, preference],
  );
  const forRoles = await tx.rows<{ preset_id: string }>(
    `select d.preset_id from role_opening d
     join role r on r.tenant_id = d.tenant_id and r.id = d.role_id
     join membership_role mr on mr.tenant_id = d.tenant_id and mr.role_id = d.role_id
     join membership m on m.tenant_id = mr.tenant_id and m.id = mr.membership_id
     where d.tenant_id = $1 and d.screen = $2 and m.account_id = $3 and m.org_type = $4 and m.org_id = $5
       and m.ended_at is null
     order by app_fold(r.label), r.id`,
    [tx.tenantId, screen, accountId, call.org.orgType, call.org.id],
  );
  return { opensWith: own?.opens_with ?? null, forRoles: forRoles.map((row) => row.preset_id) };
}

/** Serves choosing the view with which a screen opens, for oneself and for roles. */
export function serveOpenings<View>(
  app: App,
  { open, openings, openFor }: Pick<SavedViewCalls<View>, 'open' | 'openings' | 'openFor'>,
  { screen, preference }: OpenedScreen,
): void {
  serve(app, open, async (call) => {
    const { opensWith } = call.body;
    await inOwn(call, (tx) =>
      tx.run(
        `insert into grid_preference (tenant_id, account_id, grid, opens_with) values ($1, $2, $3, $4)
        on conflict (tenant_id, account_id, grid)
        do update set opens_with = excluded.opens_with, updated_at = excluded.updated_at`,
        [tx.tenantId, call.account.accountId, preference, opensWith],
      ),
    );
    return { opensWith };
  });

  const answer = async (tx: Tx) => ({
    roles: (await readRoles(tx, screen)).map(({ code: _, ...role }): RoleOpening => role),
  });
  serve(app, openings, (call) => {
    mayOpenForRoles(call);
    return inOwn(call, answer);
  });

  serve(app, openFor, (call) => {
    mayOpenForRoles(call);
    return inOwn(call, async (tx) => {
      const known = new Map((await readRoles(tx, screen)).map((role) => [role.id, role]));
      const shared = new Set(await sharedViews(tx, call, screen));
      const done: { role: string; before: string | null; after: string | null }[] = [];
      for (const { id, before, opensWith } of call.body.roles) {
        const role = known.get(id);
        if (!role || (opensWith !== null && !shared.has(opensWith))) throw new AppError('not-found');
        if (role.opensWith !== before) throw new AppError('conflict');
        await changeRole(tx, screen, { id, before, opensWith });
        done.push({ role: role.code, before, after: opensWith });
      }
      call.audit({
        action: 'setting/view-for-role',
        detail: {
          screen,
          before: done.map(({ role, before }) => ({ role, view: before })),
          after: done.map(({ role, after }) => ({ role, view: after })),
        },
      });
      return answer(tx);
    });
  });
}

/** The roles by name, each with the view that people of the caller's organization see for it. */
const readRoles = (tx: Tx, screen: string): Promise<(RoleOpening & { code: string })[]> =>
  tx.rows(
    `select r.id, r.code, r.label, r.label_i18n as "labelI18N", d.preset_id as "opensWith" from role r
     left join role_opening d on d.tenant_id = r.tenant_id and d.role_id = r.id and d.screen = $2
     where r.tenant_id = $1 order by app_fold(r.label), r.id`,
    [tx.tenantId, screen],
  );

const sharedViews = async (tx: Tx, call: Call, screen: string): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(
      'select id from analytics_preset where tenant_id = $1 and screen = $2 and shared_with_org = $3 for share',
      [tx.tenantId, screen, call.org.id],
    )
  ).map(({ id }) => id);

/** Throws `conflict` if someone else has changed the default of the role since it was read. */
async function changeRole(
  tx: Tx,
  screen: string,
  { id, before, opensWith }: { id: string; before: string | null; opensWith: string | null },
): Promise<void> {
  if (before === opensWith) return;
  const of = [tx.tenantId, screen, id];
  const taken =
    before === null ||
    (await tx.run(
      'delete from role_opening where tenant_id = $1 and screen = $2 and role_id = $3 and preset_id = $4',
      [...of, before],
    )) > 0;
  const given =
    opensWith === null ||
    (await tx.run(
      `insert into role_opening (tenant_id, screen, role_id, preset_id) values ($1, $2, $3, $4)
       on conflict (tenant_id, screen, role_id) do nothing`,
      [...of, opensWith],
    )) > 0;
  if (!taken || !given) throw new AppError('conflict');
}

/** A default of a role is a setting of the whole tenant. It grants nothing. */
function mayOpenForRoles(call: Call): void {
  if (call.org.orgType !== 'T' || !call.may('settings/write'))
    throw new AppError('forbidden', { permission: 'settings/write' });
}
