import type { Permission } from '@caseway/contract/endpoint';
import { conditionsOf, type Grid, type GridQuery, hasColumn } from '@caseway/contract/grid';
import type { Answering } from '../analytics/readings.ts';
import type { App } from '../http/app.ts';
import type { Call } from '../http/serve.ts';
import type { Scope } from '../scope.ts';
import { countFound, type FoundRows, findRows } from './find-rows.ts';
import { fieldsOfOrder } from './grid-sql.ts';
import { lookupsSortedBy } from './lookups.ts';
import type { GridService } from './serve-grid.ts';

/* The served lists, for code that queries several of them: each answers as on its own screen. */

/** A served list, and the analytics that answer for it. */
interface ServedList extends GridService<{ id: string }> {
  analytics: Answering;
}
const lists = new WeakMap<App, Map<string, ServedList>>();

export function keepList(app: App, list: ServedList): void {
  const known = lists.get(app) ?? new Map<string, ServedList>();
  lists.set(app, known);
  known.set(list.source.grid.id, list);
}

/** How to find and read the rows of a served list. */
export const servedList = (app: App, { id }: Pick<Grid, 'id'>): ServedList => lists.get(app)!.get(id)!;

/** The scope of each tenant that the request reads, or of some of them. */
export const tenantScopes = (
  call: Pick<Call, 'org' | 'scopeIn'>,
  tenantIds: readonly string[] = call.org.tenantIds,
): (Scope & { tenantId: string })[] =>
  tenantIds.map((tenantId) => ({ ...call.scopeIn(tenantId), tenantId }) as Scope & { tenantId: string });

/** The tenants in which the caller may see a list. */
export const tenantsOfList = (
  call: Pick<Call, 'tenantsFor'>,
  { permission, feature }: { permission: Permission; feature?: Grid['feature'] },
): readonly string[] => call.tenantsFor(permission, feature);

type Narrowing = Pick<GridQuery, 'filterModel' | 'filters'>;

/**
 * How many rows of a served list the caller sees for each query, in one statement, counted as on the list's own
 * screen. None if they may not see the list, or if a filter uses a column that they do not have.
 */
export async function countRows(
  app: App,
  grid: Pick<Grid, 'id'>,
  call: Call,
  queries: readonly Narrowing[],
): Promise<number[]> {
  const { source, analytics } = servedList(app, grid);
  const { columns, ...list }: Grid = source.grid;
  const isUnread = ({ field }: { field: string }) =>
    !hasColumn(columns[field] ?? { kind: 'text' }, call.org.orgType);
  const asked = queries.filter(({ filterModel }) => !conditionsOf(filterModel).some(isUnread));
  const tenantIds = tenantsOfList(call, list);
  if (tenantIds.length === 0 || asked.length === 0) return queries.map(() => 0);
  const first = { sortModel: [], paginationModel: { page: 0, pageSize: 1 } };
  const counts = await countFound(
    analytics,
    source,
    asked.map((query) => ({ ...query, ...first })),
    {
      scopes: tenantScopes(call, tenantIds),
      timeZone: call.org.timeZone,
      signal: call.signal,
      budgetMs: app.listMs,
    },
  );
  return queries.map((query) => counts[asked.indexOf(query)] ?? 0);
}

/**
 * The first rows of a served list for a caller, in the list's default order, and the number of all rows. None if they
 * may not see the list.
 */
export async function firstRows(
  app: App,
  grid: Pick<Grid, 'id'>,
  call: Call,
  narrowing: Narrowing,
  most: number,
): Promise<FoundRows> {
  const { source, analytics, orders } = servedList(app, grid);
  const tenantIds = tenantsOfList(call, source.grid);
  if (tenantIds.length === 0) return { rows: [], rowCount: 0 };
  const query = { ...narrowing, sortModel: [], paginationModel: { page: 0, pageSize: most } };
  return findRows(analytics, source, query, {
    scopes: tenantScopes(call, tenantIds),
    context: {
      timeZone: call.org.timeZone,
      orders: await orders(lookupsSortedBy(source, fieldsOfOrder(source, query)), call),
    },
    signal: call.signal,
    budgetMs: app.listMs,
  });
}
