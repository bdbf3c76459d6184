import type { AuditRecordKind } from '@caseway/contract/audit-action';
import { todayIn } from '@caseway/contract/date-range';
import type { Permission } from '@caseway/contract/endpoint';
import {
  type ExportRequest,
  exportedRows,
  type Grid,
  type GridQuery,
  gridExport,
  gridQuery,
  gridSearch,
  hasColumn,
  mediaTypes,
  packedType,
  placedConditions,
} from '@caseway/contract/grid';
import { readGridColumns, saveGridColumns } from '@caseway/contract/grid-columns';
import { countedChoices, gridCounts } from '@caseway/contract/grid-counts';
import { missingKey } from '@caseway/contract/label';
import { savedFilter, saveFilter } from '@caseway/contract/saved-filter';
import { v7, validate } from 'uuid';
import type { Answering } from '../analytics/readings.ts';
import type { Tx } from '../db/database.ts';
import type { Exporter, ListReader } from '../exports/exporters.ts';
import { serveGridFiles } from '../exports/serve-files.ts';
import type { App } from '../http/app.ts';
import { AppError, faultAt, refuse, refused } from '../http/app-error.ts';
import { type Call, serve } from '../http/serve.ts';
import type { Scope } from '../scope.ts';
import { keepList, tenantScopes } from './asked-lists.ts';
import { exportRows, type RowTexts } from './export-rows.ts';
import { inExportTurn } from './export-turns.ts';
import { filteredBy } from './filtered-by.ts';
import { countChoices, countFound, type FoundRows, findRows, pageReadings } from './find-rows.ts';
import { fieldsOfOrder, type GridContext, type GridSource } from './grid-sql.ts';
import { serveGridViews } from './grid-views.ts';
import { type Lookups, lookupsSortedBy } from './lookups.ts';

export interface GridService<Row> {
  // biome-ignore lint/suspicious/noExplicitAny: the source of any grid
  source: GridSource<any>;
  /** The kind of its records in the audit log. */
  recordKind: AuditRecordKind;
  /** The entries of the look-ups that the query sorts by, in the reader's language. */
  orders(names: readonly string[], call: Call): Promise<GridContext['orders']>;
  /** Reads records of one tenant for the caller, in any order, without those that the reader may not see. */
  read(tx: Tx, ids: readonly string[], call: ListReader): Promise<Row[]>;
  /** For an exportable grid: how its rows are written into a file. */
  exported?: RowTexts<Row> & { lookups: Lookups };
}

/** Refuses the records behind a number that reveals a disease family hidden from the reader. [P18] */
export function refuseHidden(source: GridSource, { behind }: GridQuery, scopes: readonly Scope[]): void {
  if (!behind) return;
  const told = source.behind?.tells(behind) ?? [];
  const hides = (scope: Scope) =>
    'hiddenFamilies' in scope && told.some((one) => scope.hiddenFamilies.includes(one));
  if (scopes.some(hides)) throw refused('body.behind', 'unknown-filter', 'there is no such number');
}

/** Refuses a column that people at the reader's kind of place do not have, like an unknown column. */
export function refuseUnread(
  { columns }: Grid,
  call: Pick<Call, 'org'>,
  { filterModel, sortModel, grouping }: Pick<GridQuery, 'filterModel'> & Partial<GridQuery>,
  at: string,
  shown: readonly string[] = [],
): void {
  const isUnread = (field: string) => !hasColumn(columns[field] ?? { kind: 'text' }, call.org.orgType);
  const named: [place: string, field: string][] = [
    ...placedConditions(filterModel).map(([{ field }, at]): [string, string] => [
      `filterModel.${at.join('.')}.field`,
      field,
    ]),
    ...(sortModel ?? []).map(({ field }, index): [string, string] => [`sortModel.${index}.field`, field]),
    ...(grouping ? [['grouping.by', grouping.by] satisfies [string, string]] : []),
  ];
  refuse([
    ...named.flatMap(([place, field]) =>
      isUnread(field) ? [faultAt(`${at}.${place}`, 'unknown-field', 'there is no such field')] : [],
    ),
    ...shown.flatMap((field, index) =>
      isUnread(field) ? [faultAt(`columns.${index}`, 'unknown-field', 'there is no such field')] : [],
    ),
  ]);
}

/**
 * Serves the common endpoints of every grid: its search, filters from the address, and a person's column
 * arrangement. The ids of a page are found in the facts, but its rows are read from the tables under row-level
 * security, so that nothing is shown from an outdated replica. [S7.10]
 */
export function serveGrid<Row extends { id: string }>(
  app: App,
  analytics: Answering,
  service: GridService<Row>,
): void {
  const grid: Grid = service.source.grid;
  for (const reading of Object.values(pageReadings(service.source))) analytics.declare(reading);
  const find = async (call: Call, query: GridQuery): Promise<FoundRows> => {
    const fields = fieldsOfOrder(service.source, query);
    const orders = await service.orders(lookupsSortedBy(service.source, fields), call);
    return findRows(analytics, service.source, query, {
      scopes: tenantScopes(call),
      context: { timeZone: call.org.timeZone, orders },
      signal: call.signal,
      budgetMs: app.listMs,
    });
  };
  keepList(app, { ...service, analytics } as unknown as Parameters<typeof keepList>[1]);

  serve(app, gridSearch(grid), async (call) => {
    const query = call.body;
    refuseHidden(service.source, query, tenantScopes(call));
    refuseUnread(grid, call, query, 'body');
    const found = await find(call, query);
    const { rowCount, groups } = found;
    return {
      rows: await readRows(call, service, query, found),
      rowCount,
      ...(groups && {
        groups,
        groupOf: Object.fromEntries(found.rows.map(({ id, group = missingKey }) => [id, group])),
      }),
    };
  });

  if (grid.filters.length > 0)
    serve(app, gridCounts(grid), async (call) => {
      const { filter, query } = call.body;
      if (service.source.filters[filter]!.among)
        throw refused('body.filter', 'unknown-filter', 'the choices of this filter are not counted');
      const { [filter]: _, ...filters } = query.filters;
      refuseHidden(service.source, query, tenantScopes(call));
      refuseUnread(grid, call, query, 'body.query');
      call.audit({ recordKind: service.recordKind });
      // Grouping changes nothing, not even which groups are closed.
      const { grouping: __, ...ungrouped } = query;
      const found = await countChoices(analytics, service.source, { ...ungrouped, filters }, filter, {
        scopes: tenantScopes(call),
        timeZone: call.org.timeZone,
        signal: call.signal,
        budgetMs: app.listMs,
      });
      return { counts: found.slice(0, countedChoices), complete: found.length <= countedChoices };
    });

  const { exportable } = grid;
  if (exportable !== undefined) serveExport(app, analytics, { ...grid, exportable }, service);

  serve(app, saveFilter(grid), async (call) => {
    const id = v7();
    refuseUnread(grid, call, call.body, 'body');
    await call.withScope(
      (tx) =>
        tx.run(
          `insert into saved_filter (tenant_id, id, account_id, org_id, grid, filter_model)
           values ($1, $2, $3, $4, $5, $6)`,
          [
            tx.tenantId,
            id,
            call.account.accountId,
            call.org.id,
            grid.id,
            JSON.stringify(call.body.filterModel),
          ],
        ),
      { own: true },
    );
    return { id };
  });

  serve(app, savedFilter(grid), async (call) => {
    const { id } = call.params;
    if (!validate(id)) throw new AppError('not-found');
    call.audit({ recordKind: 'saved-filter', recordIds: [id] });
    const kept = await call.withScope(
      async (tx) => {
        const [row] = await tx.rows<{ filter_model: unknown }>(
          'select filter_model from saved_filter where tenant_id = $1 and id = $2 and grid = $3',
          [tx.tenantId, id, grid.id],
        );
        if (!row) throw new AppError('not-found');
        return row.filter_model;
      },
      { own: true },
    );
    // It may use a column or operator that no longer exists.
    const query = gridQuery(grid).safeParse({ filterModel: kept });
    if (!query.success) throw new AppError('not-found');
    return query.data;
  });

  serveGridViews(app, grid);

  serve(app, readGridColumns(grid), async (call) => {
    const rows = await call.withScope(
      (tx) =>
        tx.rows<{ columns: never }>(
          'select columns from grid_preference where tenant_id = $1 and account_id = $2 and grid = $3',
          [tx.tenantId, call.account.accountId, grid.id],
        ),
      { own: true },
    );
    return { columns: rows[0]?.columns ?? null };
  });

  serve(app, saveGridColumns(grid), async (call) => {
    const { columns } = call.body;
    const key = [call.account.accountId, grid.id];
    await call.withScope(
      (tx) =>
        tx.run(
          `insert into grid_preference (tenant_id, account_id, grid, columns) values ($1, $2, $3, $4)
          on conflict (tenant_id, account_id, grid) do update set columns = excluded.columns, updated_at = excluded.updated_at`,
          [tx.tenantId, ...key, columns && JSON.stringify(columns)],
        ),
      { own: true },
    );
    return { columns };
  });
}

function serveExport<Row extends { id: string }>(
  app: App,
  analytics: Answering,
  grid: Grid & { exportable: Permission },
  { source, recordKind, read, exported }: GridService<Row>,
): void {
  if (!exported) throw new Error(`nothing says how the rows of ${grid.id} are written into a file`);
  const { lookups, ...texts } = exported;
  const isPacked = (format: string) => grid.files?.includes(format) === true;
  const exporter: Exporter = {
    grid,
    recordKind,
    request: exportedRows(grid),
    refuse(call, { query, columns }) {
      // A file has the contents of the list.
      if (!call.may(grid.permission)) throw new AppError('forbidden', { permission: grid.permission });
      refuseHidden(source, query, tenantScopes(call));
      refuseUnread(grid, call, query, 'body.query', columns);
    },
    write: (call, { query, columns, format, ids, except }) =>
      exportRows(
        app.database,
        call,
        { source, recordKind, texts, lookups, read },
        { query, chosen: { ids, except }, fields: columns, format, scopes: tenantScopes(call) },
      ),
    named({ org }, format) {
      const day = todayIn(org.timeZone);
      if (isPacked(format)) return { name: `${format}-${day}.zip`, type: packedType };
      return {
        name: `${grid.id}-${day}.${format}`,
        type: format === 'xlsx' ? mediaTypes.xlsx : mediaTypes.csv,
      };
    },
  };
  // A list's own file format has fixed columns, whatever was requested: the log names only the format.
  const detailOf = ({ query, columns, format, ids, except }: ExportRequest) => ({
    ...(isPacked(format) ? { format } : { columns, format }),
    filteredBy: filteredBy(query),
    rowsTaken: ids ? 'chosen' : except?.length ? 'rest' : 'all',
  });
  serve(app, gridExport(grid), async (call) => {
    exporter.refuse(call, call.body);
    const file = await inExportTurn(app, call, async () => {
      // The log of every tenant whose records a jurisdiction exports gets an entry, before the rows that name the
      // records.
      for (const tenantId of call.org.tenantIds)
        await call.writeAudit(tenantId, { action: 'export', recordKind, detail: detailOf(call.body) });
      return exporter.write(call, call.body);
    });
    const { name, type } = exporter.named(call, call.body.format);
    if (type !== mediaTypes.csv) call.setHeader('content-type', type);
    call.setHeader('content-disposition', `attachment; filename="${name}"`);
    return file;
  });
  serveGridFiles(
    app,
    exporter,
    async (call, { query: { grouping: _, ...query }, ids, except }) => {
      if (ids) return ids.length;
      const [count] = await countFound(analytics, source, [query], {
        scopes: tenantScopes(call),
        timeZone: call.org.timeZone,
        signal: call.signal,
        budgetMs: app.listMs,
      });
      return Math.max(0, count! - (except?.length ?? 0));
    },
    detailOf,
  );
}

/** The rows of a page in order, read in one transaction per tenant, with its audit row. */
async function readRows<Row extends { id: string }>(
  call: Call,
  { read, recordKind }: GridService<Row>,
  query: GridQuery,
  { rows: found }: FoundRows,
): Promise<Row[]> {
  const byTenant = Map.groupBy(found, ({ tenantId }) => tenantId);
  const rows = new Map<string, Row>();
  // An empty page also says something about people, so it is logged in each queried tenant.
  const columns = filteredBy(query);
  const said = { recordKind, ...(columns.length > 0 && { detail: { filteredBy: columns } }) };
  call.audit(said);
  for (const [tenantId, members] of byTenant) {
    const ids = members.map(({ id }) => id);
    call.audit({ ...said, recordIds: ids });
    for (const row of await call.withScope((tx) => read(tx, ids, call), { tenantId })) rows.set(row.id, row);
  }
  return found.flatMap(({ id }) => rows.get(id) ?? []);
}
