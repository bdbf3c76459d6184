import {
  type ImportRow,
  importFormats,
  importGrid,
  importRuns,
  importStates,
} from '@caseway/contract/imports';
import type { Tx } from '../../platform/db/database.ts';
import type { GridSource } from '../../platform/grid/grid-sql.ts';
import { importList } from './import-list.ts';

/**
 * Whether the reader of `importList` as `f` may know how much is in a file: its sender may, and so may readers from
 * whom nothing is hidden. For others, it would reveal how much is hidden. [P24]
 */
export const isWholeFor = (table: string) =>
  `coalesce((select app_hidden_families()) = '{}' or ${table}.created_by = (select app_account()), false)`;

/** The SQL for each column of the grid: a column of importList, whose counts are the reader's own. */
export const importSource: GridSource<typeof importGrid> = {
  grid: importGrid,
  table: importList,
  fields: {
    createdAt: { kind: 'instant', sql: 'f.created_at' },
    fileName: { kind: 'text', sql: 'f.file_name' },
    format: { kind: 'choice', sql: 'f.format', order: importFormats },
    state: { kind: 'choice', sql: 'f.state', order: importStates },
    messages: { kind: 'number', sql: 'f.messages' },
    taken: { kind: 'number', sql: 'f.taken' },
    waiting: { kind: 'number', sql: 'f.waiting' },
    refused: { kind: 'number', sql: 'f.refused' },
    duplicates: { kind: 'number', sql: 'f.duplicates' },
    facilityName: { kind: 'text', sql: 'f.facility_name' },
    byteSize: { kind: 'number', sql: `case when ${isWholeFor('f')} then f.byte_size end` },
    createdByName: { kind: 'text', sql: 'f.created_by_name' },
    run: { kind: 'choice', sql: "case when f.dry_run then 'dry-run' else 'import' end", order: importRuns },
    finishedAt: { kind: 'instant', sql: 'f.finished_at' },
  },
  filters: {},
  searchText: `' ' || translate(app_fold(f.file_name || ' ' || coalesce(f.facility_name, '')), '-/.,_()', '       ')
    || ' ' || translate(app_fold(f.file_name), '-/.,_() ', '')`,
};

interface ListedImport {
  id: string;
  created_at: Date;
  file_name: string;
  format: ImportRow['format'];
  state: ImportRow['state'];
  dry_run: boolean;
  byte_size: number;
  byte_offset: number;
  file_read: boolean;
  rerun_total: number;
  rerun_done: number;
  messages: number;
  taken: number;
  waiting: number;
  refused: number;
  duplicates: number;
  facility_name: string | null;
  created_by_name: string | null;
  finished_at: Date | null;
  options: { looked?: number };
  is_whole: boolean;
}

/** Imports in the form of the grid, as far as the scope of the transaction sees them; in no particular order. */
export async function readImportRows(tx: Tx, ids: readonly string[]): Promise<ImportRow[]> {
  const rows = await tx.rows<ListedImport>(
    `select f.*, ${isWholeFor('f')} as is_whole from ${importList('$1')} f where id = any ($2::uuid[])`,
    [tx.tenantId, ids],
  );
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    fileName: row.file_name,
    format: row.format,
    state: row.state,
    dryRun: row.dry_run,
    run: row.dry_run ? 'dry-run' : 'import',
    byteSize: row.is_whole ? row.byte_size : null,
    messages: row.messages,
    taken: row.taken,
    waiting: row.waiting,
    refused: row.refused,
    duplicates: row.duplicates,
    facilityName: row.facility_name,
    createdByName: row.created_by_name,
    finishedAt: row.finished_at?.toISOString() ?? null,
    progress: progressOf(row),
    ...(row.is_whole && row.state === 'running' && row.options.looked !== undefined
      ? { looked: row.options.looked }
      : {}),
  }));
}

function progressOf(row: ListedImport): number | null {
  if (!row.is_whole || (row.state !== 'running' && row.state !== 'queued')) return null;
  if (row.rerun_total > 0 && row.file_read) return Math.min(1, row.rerun_done / row.rerun_total);
  return row.byte_size > 0 ? Math.min(1, row.byte_offset / row.byte_size) : 0;
}
