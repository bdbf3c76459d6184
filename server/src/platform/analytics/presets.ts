import type { AnalyticsScreen } from '@caseway/contract/analytics';
import { analyticsPresets, type Preset, type PresetView } from '@caseway/contract/analytics-presets';
import { v7 } from 'uuid';
import type { Tx } from '../db/database.ts';
import type { App } from '../http/app.ts';
import { AppError } from '../http/app-error.ts';
import { type Call, serve } from '../http/serve.ts';

interface Row {
  id: string;
  name: string;
  account_id: string;
  shared_with_org: string | null;
  filters: PresetView;
}

/** Serves the saved views of an analytics screen: the person's own, and those shared in the organisation. [S4.10] */
export function servePresets(app: App, screen: AnalyticsScreen): void {
  const { list, create, change, remove } = analyticsPresets(screen);

  serve(app, list, async (call) => {
    const rows = await inOwn(call, (tx) =>
      tx.rows<Row>(
        `select id, name, account_id, shared_with_org, filters from analytics_preset
        where tenant_id = $1 and screen = $2 order by lower(name), id`,
        [tx.tenantId, screen.id],
      ),
    );
    // One that a later version of the screen can no longer read is left out.
    const isReadable = ({ name, view }: Preset) =>
      create.body!.safeParse({ name, shared: false, view }).success;
    return { presets: rows.map((row) => asPreset(row, call, screen)).filter(isReadable) };
  });

  serve(app, create, (call) =>
    inOwn(call, async (tx) => {
      const [row] = await tx.rows<Row>(
        `insert into analytics_preset (tenant_id, id, account_id, screen, name, shared_with_org, filters)
        values ($1, $2, $3, $4, $5, $6, $7)
        returning id, name, account_id, shared_with_org, filters`,
        [
          tx.tenantId,
          v7(),
          call.account.accountId,
          screen.id,
          call.body.name,
          sharedWith(call),
          JSON.stringify(call.body.view),
        ],
      );
      return asPreset(row!, call, screen);
    }),
  );

  serve(app, change, (call) =>
    inOwn(call, async (tx) => {
      const [row] = await tx.rows<Row>(
        // Its owner may act for another organization now: it stays shared where it was.
        `update analytics_preset set name = coalesce($4, name), filters = coalesce($5, filters),
          shared_with_org = case when $6 then coalesce(shared_with_org, $7) when not $6 then null
            else shared_with_org end
        where tenant_id = $1 and id = $2 and screen = $3 and account_id = $8
        returning id, name, account_id, shared_with_org, filters`,
        [
          tx.tenantId,
          call.params.id,
          screen.id,
          call.body.name ?? null,
          call.body.view === undefined ? null : JSON.stringify(call.body.view),
          call.body.shared ?? null,
          sharedWith(call),
          call.account.accountId,
        ],
      );
      if (!row) throw new AppError('not-found');
      return asPreset(row, call, screen);
    }),
  );

  serve(app, remove, (call) =>
    inOwn(call, async (tx) => {
      const removed = await tx.run(
        'delete from analytics_preset where tenant_id = $1 and id = $2 and screen = $3 and account_id = $4',
        [tx.tenantId, call.params.id, screen.id, call.account.accountId],
      );
      if (removed === 0) throw new AppError('not-found');
      return {};
    }),
  );
}

/** Where the saved views of an organisation are kept, whatever features its tenants have switched on. */
const inOwn = <T>(call: Call, work: (tx: Tx) => Promise<T>): Promise<T> =>
  call.withScope(work, { own: true });

/** The organisation that a saved view is shared with. Throws `forbidden` for people who may not share. */
function sharedWith(call: Call<unknown, unknown, { shared?: boolean | undefined }>): string | null {
  if (!call.body.shared) return null;
  if (!call.may('presets/share')) throw new AppError('forbidden', { permission: 'presets/share' });
  return call.org.id;
}

/** A saved view without the names that are no more; which they were is said. */
function asPreset(
  row: Row,
  call: Call,
  { retired = [], listFilters, stringFilters = {} }: AnalyticsScreen,
): Preset {
  const { filters, range, eventDate } = row.filters;
  const isGone = (name: string) => retired.includes(name);
  const gone = [...Object.keys(filters), ...(eventDate === null ? [] : [eventDate])].filter(isGone);
  const kept = Object.fromEntries(Object.entries(filters).filter(([name]) => !isGone(name)));
  return {
    id: row.id,
    name: row.name,
    shared: row.shared_with_org !== null,
    own: row.account_id === call.account.accountId,
    view: {
      // A filter that is newer than the view is not set.
      filters: { ...Object.fromEntries(listFilters.map((name) => [name, []])), ...stringFilters, ...kept },
      range,
      eventDate: eventDate !== null && isGone(eventDate) ? null : eventDate,
    },
    ...(gone.length > 0 && { retired: gone }),
  };
}
