import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { type CaseReportField, type CaseReportRow, caseReportGrid } from '@caseway/contract/case-reports';
import { csvLine } from '@caseway/contract/csv';
import type { Column, GridQuery } from '@caseway/contract/grid';
import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns/format';
import type { Database, Tx } from '../../platform/db/database.ts';
import { allRowsStatement, type GridContext, sortOf } from '../../platform/grid/grid-sql.ts';
import type { Lookups } from '../../platform/grid/lookups.ts';
import { lookupsSortedBy, tenantScopes } from '../../platform/grid/serve-grid.ts';
import type { Call } from '../../platform/http/serve.ts';
import { labelOverridesOf } from '../../platform/label-overrides.ts';
import { wordsIn } from '../../platform/words.ts';
import { readCaseRows } from './rows.ts';
import { caseReportSource } from './source.ts';

/** Rows read at a time: enough to be quick, few enough to weigh nothing. */
const batchSize = 1000;

/**
 * All matching cases as CSV, in the order asked for, of several tenants one after the other: the columns asked for,
 * titles and labels in the reader's language, days as YYYY-MM-DD, times in the tenant's time zone. Read from the
 * database in one pass while it is sent, so its size does not matter; a reader that goes away ends it. The audit log
 * names every case before it is sent. [P15]
 */
export async function exportCases(
  database: Database,
  lookups: Lookups,
  call: Call,
  query: GridQuery,
  fields: readonly CaseReportField[],
): Promise<Readable> {
  const columns: Record<string, Column> = caseReportGrid.columns;
  // A jurisdiction reads several tenants, each with words of its own.
  const overrides =
    call.org.orgType === 'PHJ'
      ? {}
      : await database.withScope(call.scope, (tx) => labelOverridesOf(tx, call.org.tenantIds[0]!));
  const words = wordsIn('case-reports', call.language, call.org.experience, overrides);
  const labels = new Map<string, ReadonlyMap<string, string>>();
  for (const field of fields) {
    const { options } = columns[field]!;
    if (typeof options === 'string') labels.set(field, await lookups.labels(options, call));
  }
  const sortedBy = sortOf(caseReportSource, query).map(({ field }) => field);
  const context: GridContext = {
    engine: 'postgres',
    timeZone: call.org.timeZone,
    orders: await lookups.orders(lookupsSortedBy(caseReportSource, sortedBy), call),
  };

  const cell = (row: CaseReportRow, field: CaseReportField): string | number | null => {
    const value = row[field];
    if (value === null) return null;
    const column = columns[field]!;
    if (column.kind === 'choice')
      return labels.get(field)?.get(String(value)) ?? words(`${codeGroup(field)}.${value}`) ?? String(value);
    if (column.withTime) return format(new TZDate(String(value), call.org.timeZone), 'yyyy-MM-dd HH:mm');
    return value;
  };

  // Spreadsheets take a file without this mark for another character set.
  const out = new PassThrough();
  out.write(`\ufeff${csvLine(fields.map((field) => words(`column.${field}`) ?? field))}`);
  const write = async () => {
    for (const scope of tenantScopes(call))
      await database.withScope(
        scope,
        async (tx) => {
          for await (const ids of idsOf(tx, query, context)) {
            if (call.signal.aborted) return;
            const rows = new Map((await readCaseRows(tx, ids)).map((row) => [row.id, row]));
            const found = ids.flatMap((id) => rows.get(id) ?? []);
            const lines = found.map((row) => csvLine(fields.map((field) => cell(row, field))));
            await call.writeAudit(scope.tenantId, {
              action: 'export',
              recordKind: 'case',
              recordIds: found.map(({ id }) => id),
            });
            if (!out.write(lines.join(''))) await once(out, 'drain', { signal: call.signal });
          }
        },
        { readOnly: true },
      );
  };
  write().then(
    () => out.end(),
    // What was sent is cut off in the middle, so that nobody takes it for the whole.
    (error) => out.destroy(error as Error),
  );
  return out;
}

/** Where the words of a fixed code stand among the locales. */
export const codeGroup = (field: string): string => (field === 'pregnant' ? 'yesNoUnknown' : field);

/** The ids of all matching cases in their order, some at a time, from one state of the database. */
async function* idsOf(tx: Tx, query: GridQuery, context: GridContext): AsyncGenerator<string[]> {
  const { select, params } = allRowsStatement(caseReportSource, query, context, ['f.id']);
  await tx.run(`declare matching no scroll cursor for ${select}`, params);
  for (;;) {
    const rows = await tx.rows<{ id: string }>(`fetch ${batchSize} from matching`);
    if (rows.length === 0) break;
    yield rows.map(({ id }) => id);
  }
  await tx.run('close matching');
}
