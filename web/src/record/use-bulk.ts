import type { BulkAction, BulkEndpoints, BulkSelection } from '@caseway/contract/bulk';
import { events } from '@caseway/contract/events';
import { type AnyRecord, accessOf } from '@caseway/contract/record';
import { bulkTransitions, type ManyOf } from '@caseway/contract/record-transitions';
import { mayDo } from '@caseway/contract/workflow';
import { useEffect, useRef, useState } from 'react';
import { becameOld, useApi } from '../data/api.ts';
import { useEventStream } from '../data/event-stream.ts';
import { useMay } from '../session/permissions.ts';
import { browserStore } from '../session/storage.ts';
import type { QuerySelection } from '../ui/grid/selection.tsx';

/** A record that allows bulk changes (`bulk` in its declaration), as generic code sees it. */
export interface BulkRecord extends Pick<AnyRecord, 'id' | 'access'>, ManyOf {
  bulk: readonly string[];
  endpoints: BulkEndpoints & Readonly<Record<'read' | 'search', { path: string }>>;
}
export const bulkRecord = (record: Pick<BulkRecord, 'id' | 'fields' | 'bulk'>): BulkRecord =>
  record as unknown as BulkRecord;

/** The bulk actions the user may do: transitions, each with its own permission, and setting fields. */
export function useDeeds(record: BulkRecord) {
  const may = useMay();
  const { write } = accessOf(record);
  const mayWrite = may(write);
  return {
    transitions: bulkTransitions(record).filter((one) => mayDo(one, write, may)),
    fields: mayWrite ? record.bulk : [],
    mayUndo: mayWrite,
  };
}

/** The user's selection, as sent. */
export const selectionOf = ({ all, ids }: QuerySelection): BulkSelection =>
  all ? { query: all.query, except: [...ids] } : { ids: [...ids] };

/** How many of an action's records are decided. */
export const decided = ({ changed, same, refused }: BulkAction) => changed + same + refused;

/**
 * Milliseconds after which a running action is polled even without an event, because the stream may have been
 * down.
 */
const askAgainMs = 3000;

/** Reloads an answer about a running action with each event about it. */
function useProgress(action: BulkAction | null | undefined, endpoint: { path: string }): void {
  useEventStream(events, ({ event }) => {
    if (event === 'bulk-progress') becameOld(endpoint);
  });
  const isRunning = action?.state === 'running';
  useEffect(() => {
    if (!isRunning || !action) return;
    const timer = setTimeout(() => becameOld(endpoint), askAgainMs);
    return () => clearTimeout(timer);
  }, [isRunning, action, endpoint]);
}

/** The state of one action; null for none. */
export function useBulkAction(
  { endpoints: { readBulk } }: BulkRecord,
  id: string | null,
): BulkAction | undefined {
  const { data } = useApi(
    readBulk,
    { params: { action: id ?? '' } },
    { enabled: id !== null, keepPrevious: false },
  );
  useProgress(data, readBulk);
  return id === null ? undefined : data;
}

const dismissedKey = ({ id }: BulkRecord) => `bulk/${id}/dismissed`;

/** An action that began less than this many milliseconds ago may have changed a list just loaded. */
const recentMs = 5 * 60_000;

/**
 * The user's last action until they dismiss it, even after a reload and on another device. When it ends, the
 * record data on screen is reloaded.
 */
export function useLastBulk(record: BulkRecord): { last: BulkAction | null; dismiss: () => void } {
  const { lastBulk, read, search } = record.endpoints;
  const { data } = useApi(lastBulk, undefined, { later: true });
  const action = data?.action ?? null;
  useProgress(action, lastBulk);
  const [dismissed, setDismissed] = useState(() => browserStore.get(dismissedKey(record)));
  /** What was last seen of it here: nothing yet, the running action, or the ended one. */
  const seen = useRef<{ id: string | null; isRunning: boolean } | null>(null);
  const { id = null, state = null, at = null } = action ?? {};
  useEffect(() => {
    if (data === undefined) return;
    const before = seen.current;
    seen.current = { id, isRunning: state === 'running' };
    if (id === null || state === 'running' || (before?.id === id && !before.isRunning)) return;
    // A short action can end before it is seen running, or between the answers of the list and of this.
    if (before === null && Date.now() - Date.parse(at!) > recentMs) return;
    becameOld(search);
    becameOld(read);
  }, [data, id, state, at, search, read]);
  return {
    last: id === dismissed ? null : action,
    dismiss: () => {
      if (id === null) return;
      browserStore.set(dismissedKey(record), id);
      setDismissed(id);
    },
  };
}
