import { caseRecord } from '@caseway/contract/case-record';
import { type CaseStatus, caseReportGrid, searchCaseReports } from '@caseway/contract/case-reports';
import type { GridQuery } from '@caseway/contract/grid';
import { type BulkFailure, bulkLimit } from '@caseway/contract/record';
import { callApi, queryClient } from '../../data/api.ts';
import { newId } from '../../record/new-id.ts';

/** The change to many cases: they are assigned to someone (null: to nobody), or their status is set. */
export type BulkDeed = { investigator: string | null } | { status: CaseStatus };

/** The outcome of a bulk change, or of a preview. */
export interface BulkOutcome {
  /** By which it can be undone. */
  action: string;
  /** How many were changed, and how many were so already. */
  changed: number;
  same: number;
  failed: BulkFailure[];
}

type UndoneMany = Awaited<ReturnType<typeof callApi<typeof caseRecord.endpoints.undoBulk>>>;

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

/** Answers about cases read so far are stale. */
const readAgain = () =>
  Promise.all(
    [searchCaseReports, caseRecord.endpoints.read].map(({ path }) =>
      queryClient.invalidateQueries({ queryKey: [path] }),
    ),
  );

/** Applies a change to many cases, some hundred at a time, or previews it. */
export async function changeMany(
  ids: readonly string[],
  deed: BulkDeed,
  { dryRun, onProgress }: { dryRun: boolean; onProgress: (share: number) => void },
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { action: newId(), changed: 0, same: 0, failed: [] };
  const { action } = outcome;
  try {
    for (let from = 0; from < ids.length; from += bulkLimit) {
      const { changed, same, failed } = await callApi(caseRecord.endpoints.bulk, {
        body: { ids: ids.slice(from, from + bulkLimit), change: deed, action, dryRun },
      });
      outcome.changed += changed.length;
      outcome.same += same.length;
      outcome.failed.push(...failed);
      onProgress(Math.min(1, (from + bulkLimit) / ids.length));
    }
    return outcome;
  } finally {
    if (!dryRun) await readAgain();
  }
}

/** Takes back what a bulk change did; cases that have been changed again since stay. */
export async function undoMany(
  { action, changed }: BulkOutcome,
  onProgress: (share: number) => void,
): Promise<{ undone: number; failed: BulkOutcome['failed'] }> {
  const all: { undone: number; failed: BulkFailure[] } = { undone: 0, failed: [] };
  try {
    for (let after: string | null = null; ; ) {
      const { undone, failed, next }: UndoneMany = await callApi(caseRecord.endpoints.undoBulk, {
        params: { action },
        body: after === null ? {} : { after },
      });
      all.undone += undone;
      all.failed.push(...failed);
      onProgress(Math.min(1, (all.undone + all.failed.length) / changed));
      if (next === null) return all;
      after = next;
    }
  } finally {
    await readAgain();
  }
}

/** The same records in another order, on another page, are the same question. */
export const askedOf = ({ filterModel, filters, dateRangeValue, rangeField }: GridQuery): string =>
  JSON.stringify([caseReportGrid.id, filterModel, filters, dateRangeValue, rangeField]);
