import { type BulkEndpoints, type BulkSelection, bulkLimit } from '@caseway/contract/bulk';
import { accessOf } from '@caseway/contract/record';
import type { Answering } from '../analytics/readings.ts';
import { tenantScopes } from '../grid/asked-lists.ts';
import { findIds } from '../grid/find-rows.ts';
import type { GridSource } from '../grid/grid-sql.ts';
import { refuseHidden, refuseUnread } from '../grid/serve-grid.ts';
import type { App } from '../http/app.ts';
import { AppError, refused } from '../http/app-error.ts';
import { type Call, serve } from '../http/serve.ts';
import { beginBulk, changedBy, lastBulk, readBulk, refusedBy } from './bulk-actions.ts';
import type { PatientServer } from './patient-record.ts';
import { refuseForbidden } from './serve-patient-records.ts';

/**
 * Serves changing many records of a kind, and undoing an action as a whole; `bulkWork` does both. `source`: the grid
 * source of its list.
 */
export function serveBulk(
  app: App,
  analytics: Answering,
  server: PatientServer,
  // biome-ignore lint/suspicious/noExplicitAny: the source of any grid
  source: GridSource<any>,
): void {
  const { record } = server;
  const endpoints = record.endpoints as unknown as BulkEndpoints;
  const { write } = accessOf(record);

  /** The ids of the selected records, by tenant. */
  async function selected(
    call: Call,
    { query, except = [], ids }: BulkSelection,
  ): Promise<Map<string, string[]>> {
    if (query) {
      // The query selects the rows of the list, so it needs the permission to see the list.
      const { permission } = record.grid;
      if (!call.may(permission)) throw new AppError('forbidden', { permission });
      refuseHidden(source, query, tenantScopes(call));
      refuseUnread(record.grid, call, query, 'body.selection.query');
      const found = await findIds(
        analytics,
        source,
        query,
        {
          scopes: tenantScopes(call),
          context: { timeZone: call.org.timeZone, orders: {} },
          signal: call.signal,
          budgetMs: app.listMs,
        },
        bulkLimit + except.length + 1,
      );
      const without = new Set(except);
      return new Map([...found].map(([tenantId, all]) => [tenantId, all.filter((id) => !without.has(id))]));
    }
    const left = new Set(ids);
    const found = new Map<string, string[]>();
    for (const tenantId of call.org.tenantIds) {
      const there = await call.withScope((tx) => server.read(tx, [...left]), { tenantId });
      found.set(
        tenantId,
        there.map(({ id }) => id),
      );
      for (const { id } of there) left.delete(id);
    }
    const [first] = call.org.tenantIds;
    // The job refuses each record that is not found.
    if (first !== undefined) found.get(first)!.push(...left);
    return found;
  }

  serve(app, endpoints.bulk, async (call) => {
    const { id, selection, transition, dryRun, expected } = call.body;
    const change = transition?.fields ?? call.body.change;
    if (transition) refuseForbidden(record, record.workflow!.flow, transition.id, call);
    else if (!call.may(write)) throw new AppError('forbidden', { permission: write });
    call.audit({
      recordKind: record.kind,
      detail: { bulk: id },
      ...(dryRun && { action: 'consider changes' as const, deed: 'read' as const }),
    });
    // A repeated request, because its answer was lost.
    const begun = await readBulk(call, record.id, id);
    if (begun) return { counted: begun.total, action: begun };
    const found = await selected(call, selection);
    const counted = [...found.values()].reduce((sum, ids) => sum + ids.length, 0);
    if (counted > bulkLimit)
      throw refused('selection', 'too-many', `an action changes no more than ${bulkLimit} records`);
    if (expected !== undefined && expected !== counted) return { counted, action: null };
    for (const [tenantId, ids] of found)
      await call.withScope(
        (tx) =>
          beginBulk(tx, call, {
            id,
            record: record.id,
            ids,
            selection: selection.query,
            change,
            transition: transition?.id,
            reason: transition?.reason,
            dryRun,
          }),
        { tenantId },
      );
    return { counted, action: await actionOf(call, id) };
  });

  serve(app, endpoints.undoBulk, async (call) => {
    const { action: undoes } = call.params;
    const { id } = call.body;
    const { accountId } = call.account;
    for (const tenantId of call.org.tenantIds)
      await call.withScope(
        async (tx) => {
          const ids = await changedBy(tx, record, undoes, accountId);
          if (ids.length > 0)
            await beginBulk(tx, call, { id, record: record.id, ids, undoes, dryRun: false });
        },
        { tenantId },
      );
    return actionOf(call, id);
  });

  async function actionOf(call: Call, id: string) {
    const action = await readBulk(call, record.id, id);
    if (!action) throw new AppError('not-found');
    return action;
  }

  serve(app, endpoints.lastBulk, async (call) => ({ action: await lastBulk(call, record.id) }));
  serve(app, endpoints.readBulk, (call) => actionOf(call, call.params.action));
  serve(app, endpoints.refusedByBulk, async (call) => {
    const { action } = call.params;
    await actionOf(call, action);
    return refusedBy(call, server, action, call.query.after);
  });
}
