import type { Readable } from 'node:stream';
import type { AuditRecordKind } from '@caseway/contract/audit-action';
import { csvLine } from '@caseway/contract/csv';
import type { ChosenRows, Column, Grid, GridQuery, SortModel } from '@caseway/contract/grid';
import { labelIn } from '@caseway/contract/label';
import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns/format';
import { statementFor } from '../analytics/visible-facts.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Exporting } from '../exports/exporters.ts';
import type { Scope } from '../scope.ts';
import { wordsForFile } from '../words/label-overrides.ts';
import { csvFile, inBatches } from './csv-file.ts';
import { allRowsStatement, fieldsOfOrder, type GridContext, type GridSource } from './grid-sql.ts';
import { type Lookups, lookupsSortedBy } from './lookups.ts';
import { type CellValue, xlsxFile } from './xlsx-file.ts';

/** Numbers and days keep their type in a spreadsheet. A code made of digits is text, and keeps its zeros. */
const cellKinds = { text: 'text', choice: 'text', number: 'number', date: 'day' } as const;

/** How a grid's rows are written into a file. */
export interface RowTexts<Row> {
  /** The namespace of the words for its columns (`column.<name>`) and fixed codes (`<column>.<code>`). */
  words: string;
  /** The key of the column titles, if it is not `column`. */
  titles?: string;
  /** The key of a column's fixed codes, with its namespace, if it is not the column's own. */
  codesOf?: (field: string) => string;
  /** Special file formats of the grid, by name. */
  files?: Readonly<Record<string, OwnFile>>;
  /** The value of a column, if it is not the row's property of the same name. */
  value?: (row: Row, field: string, language: string) => unknown;
}

/** A file without the columns of the list. */
export interface OwnFile {
  /** The order of its rows. */
  sortedBy: SortModel;
  /** Begins the file, and ends it after all rows. */
  write(signal: AbortSignal, rows: RowsInTurn): Readable;
}
/**
 * Iterates over the rows of an export. `read`: converts rows of a tenant as the reader sees them; a row that it
 * leaves out is neither in the file nor in the log. `send` gets batches and is awaited.
 */
type RowsInTurn = <One extends { id: string }>(
  read: (tx: Tx, ids: readonly string[]) => Promise<One[]>,
  send: (rows: readonly One[]) => Promise<void>,
) => Promise<void>;

interface Exported<Row> {
  source: GridSource;
  /** The kind of its records in the audit log. */
  recordKind: AuditRecordKind;
  texts: RowTexts<Row>;
  lookups: Lookups;
  read(tx: Tx, ids: readonly string[], call: Exporting): Promise<Row[]>;
}

/**
 * All matching or chosen rows as CSV, XLSX or one of the grid's own formats, in the requested order, tenant by
 * tenant: the requested columns, titles and labels in the reader's language, days as YYYY-MM-DD, times in the
 * tenant's time zone, telephone numbers in E.164. The rows are read in one pass while the file is sent, so its size
 * does not matter; it ends if the reader leaves. The audit log names every record before it is sent. [P15]
 */
export async function exportRows<Row extends { id: string }>(
  database: Database,
  call: Exporting,
  { source, recordKind, texts, lookups, read }: Exported<Row>,
  {
    query: given,
    chosen,
    fields,
    format: asked,
    scopes,
  }: {
    query: GridQuery;
    chosen: ChosenRows;
    fields: readonly string[];
    /** `csv`, `xlsx` or one of the grid's own. */
    format: string;
    scopes: readonly (Scope & { tenantId: string })[];
  },
): Promise<Readable> {
  const { columns }: Grid = source.grid;
  const own = texts.files?.[asked];
  const { grouping: _, ...ungrouped } = given;
  const query: GridQuery = own ? { ...ungrouped, sortModel: own.sortedBy } : given;
  const wordsOf = await wordsForFile(database, call);
  const words = wordsOf(texts.words);
  const labels = new Map<string, ReadonlyMap<string, string>>();
  for (const field of fields) {
    const { options } = columns[field]!;
    if (typeof options === 'string') labels.set(field, await lookups.labels(options, call));
  }
  const sortedBy = fieldsOfOrder(source, query);
  const context: Omit<GridContext, 'tenantId'> = {
    engine: 'postgres',
    timeZone: call.org.timeZone,
    orders: await lookups.orders(lookupsSortedBy(source, sortedBy), call),
  };
  const valueIn = texts.value ?? ((row: Row, field: string) => (row as Record<string, unknown>)[field]);

  const codeText = (field: string, code: string): string => {
    const own = columns[field]!.optionWords?.[code];
    if (own) return labelIn(own, call.language);
    const [group, namespace = texts.words] = (texts.codesOf?.(field) ?? field).split(':').reverse();
    return labels.get(field)?.get(code) ?? wordsOf(namespace)(`${group}.${code}`) ?? code;
  };
  const cell = (row: Row, field: string): CellValue => {
    const value = valueIn(row, field, call.language) as string | number | string[] | null | undefined;
    if (value === null || value === undefined) return null;
    const column: Column = columns[field]!;
    if (Array.isArray(value)) return value.map((one) => codeText(field, one)).join(', ');
    if (column.kind === 'choice') return codeText(field, String(value));
    if (column.withTime) return format(new TZDate(String(value), call.org.timeZone), 'yyyy-MM-dd HH:mm');
    return value;
  };

  const titles = fields.map((field) => {
    const own = columns[field]?.words;
    return own ? labelIn(own, call.language) : (words(`${texts.titles ?? 'column'}.${field}`) ?? field);
  });
  // Refused before the file begins. The facts are as the reader sees them: a filter finds nothing that the list does
  // not show. [P18, P23]
  const parts = scopes.map((scope) => {
    const matching = allRowsStatement(
      source,
      query,
      { ...context, tenantId: scope.tenantId },
      ['f.id'],
      chosen,
    );
    const facts = source.fact ? [source.fact] : [];
    return { scope, statement: statementFor(facts, scope, matching, 'postgres', { asks: 'list' }) };
  });
  const inTurn: RowsInTurn = async (readSome, send) => {
    for (const { scope, statement } of parts)
      await database.withScope(
        scope,
        async (tx) => {
          const { text, params } = statement;
          for await (const batch of inBatches<{ id: string }>(tx, { select: text, params })) {
            if (call.signal.aborted) return;
            const ids = batch.map(({ id }) => id);
            const rows = new Map((await readSome(tx, ids)).map((row) => [row.id, row]));
            const found = ids.flatMap((id) => rows.get(id) ?? []);
            await call.writeAudit(scope.tenantId, {
              action: 'export',
              recordKind,
              recordIds: found.map(({ id }) => id),
            });
            call.gaveOut(scope.tenantId, found.length);
            await send(found);
          }
        },
        { readOnly: true },
      );
  };
  if (own) return own.write(call.signal, inTurn);
  const write = (send: (rows: readonly CellValue[][]) => Promise<void>) =>
    inTurn(
      (tx, ids) => read(tx, ids, call),
      (rows) => send(rows.map((row) => fields.map((field) => cell(row, field)))),
    );
  if (asked === 'csv')
    return csvFile(titles, call.signal, (send) => write((rows) => send(rows.map(csvLine))));
  const product = wordsOf('common');
  return xlsxFile(
    {
      columns: fields.map((field, index) => {
        const { kind, withTime, width = 120 }: Column = columns[field]!;
        return { title: titles[index]!, kind: withTime ? 'time' : cellKinds[kind], width };
      }),
      sheet: product('export.sheet')!,
      cut: ` ${product('export.cut')!}`,
    },
    call.signal,
    write,
  );
}
