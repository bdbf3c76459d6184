import { caseRecord } from '@caseway/contract/case-record';
import {
  bulkChangeLimit,
  type CaseStatus,
  type ChangeRefusal,
  caseReportGrid,
  changeCaseReports,
  searchCaseReports,
} from '@caseway/contract/case-reports';
import type { GridQuery } from '@caseway/contract/grid';
import { callApi, queryClient } from '../../data/api.ts';

/** The change to many cases: they are assigned to someone (null: to nobody), or their status is set. */
export type BulkDeed = { investigator: string | null } | { status: CaseStatus };

/** The requested change of one case; with a version, only if it still has that one. */
interface Asked {
  id: string;
  version?: number;
  status?: CaseStatus;
  investigator?: string | null;
  undo?: true;
}

/** The outcome of a bulk change, or of a preview. */
export interface BulkOutcome {
  /** Changed cases, with their earlier values. */
  changed: { id: string; version: number; before: { status: CaseStatus; investigator: string | null } }[];
  /** Were so already. */
  same: number;
  failed: { id: string; caseId: string | null; code: ChangeRefusal }[];
}

/** More than these cannot be selected together: every one of them is read before and after. */
export const selectionLimit = 5000;
const rowsPerRequest = 200;

/** The ids of every case that a list shows on all its pages; at most `selectionLimit` of them. */
export async function idsOf(
  query: GridQuery,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 0; ids.length < selectionLimit; page++) {
    const { rows, rowCount } = await callApi(
      searchCaseReports,
      { body: { ...query, paginationModel: { page, pageSize: rowsPerRequest } } },
      signal,
    );
    ids.push(...rows.map(({ id }) => id));
    onProgress(rowCount === 0 ? 1 : Math.min(1, ids.length / Math.min(rowCount, selectionLimit)));
    if (rows.length < rowsPerRequest) break;
  }
  return ids.slice(0, selectionLimit);
}

/** Requests changes, some hundred at a time; with `dryRun` nothing is changed. */
async function send(
  changes: readonly Asked[],
  dryRun: boolean,
  onProgress: (share: number) => void,
): Promise<Awaited<ReturnType<typeof callApi<typeof changeCaseReports>>>> {
  const all: Awaited<ReturnType<typeof callApi<typeof changeCaseReports>>> = { done: [], failed: [] };
  for (let from = 0; from < changes.length; from += bulkChangeLimit) {
    const { done, failed } = await callApi(changeCaseReports, {
      body: { changes: changes.slice(from, from + bulkChangeLimit), dryRun },
    });
    all.done.push(...done);
    all.failed.push(...failed);
    onProgress(Math.min(1, (from + bulkChangeLimit) / changes.length));
  }
  return all;
}

/** Answers about cases read so far are stale. */
const readAgain = () =>
  Promise.all(
    [searchCaseReports, caseRecord.endpoints.read].map(({ path }) =>
      queryClient.invalidateQueries({ queryKey: [path] }),
    ),
  );

/** Applies a change to many cases, or previews it. */
export async function changeMany(
  ids: readonly string[],
  deed: BulkDeed,
  { dryRun, onProgress }: { dryRun: boolean; onProgress: (share: number) => void },
): Promise<BulkOutcome> {
  try {
    const { done, failed } = await send(
      ids.map((id) => ({ id, ...deed })),
      dryRun,
      onProgress,
    );
    const differs = ({ before }: (typeof done)[number]) =>
      'status' in deed ? before.status !== deed.status : before.investigator !== deed.investigator;
    const changed = done.filter(differs);
    return { changed, same: done.length - changed.length, failed };
  } finally {
    if (!dryRun) await readAgain();
  }
}

/** Restores cases to their state before a bulk change; those that have been changed again since stay. */
export async function undoMany(
  { changed }: BulkOutcome,
  onProgress: (share: number) => void,
): Promise<{ undone: number; failed: BulkOutcome['failed'] }> {
  try {
    const { done, failed } = await send(
      changed.map(({ id, version, before }) => ({ id, version, ...before, undo: true as const })),
      false,
      onProgress,
    );
    return { undone: done.length, failed };
  } finally {
    await readAgain();
  }
}

/** The same records in another order, on another page, are the same question. */
export const askedOf = ({ filterModel, filters, dateRangeValue, rangeField }: GridQuery): string =>
  JSON.stringify([caseReportGrid.id, filterModel, filters, dateRangeValue, rangeField]);
