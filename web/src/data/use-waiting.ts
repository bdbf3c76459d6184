import { readWaiting, type Waits, waitingSums } from '@caseway/contract/waiting';
import { useEffect, useRef } from 'react';
import { useAppSelector } from '../session/store.ts';
import { useApi } from './api.ts';
import { changes } from './changes.ts';
import { isBelow } from './is-below.ts';

/** Others create work too, and no event says so. */
const askAgainMs = 60_000;
/** After the reader's own changes, several of which can follow each other. */
const afterChangeMs = 1000;
/** The changes that have been asked about: the menu, tabs and home share one request. */
let asked = 0;

/**
 * What waits for the reader in the current organization. `beside`: how much of it belongs to a menu entry.
 */
export function useWaiting(): {
  all: readonly Waits[];
  /** The first answer is on its way, and did not fail. */
  isPending: boolean;
  beside: (path: string) => number;
  /** How much of it is on one screen. */
  at: (path: string) => number;
} {
  const { user, selectedTenantOrg } = useAppSelector((state) => state.authentication);
  const enabled = user !== null && selectedTenantOrg !== null && !selectedTenantOrg.secondFactorNeeded;
  const { data, dataUpdatedAt, errorUpdatedAt, refetch, isLoading, failureCount } = useApi(
    readWaiting,
    {},
    { enabled, staleTime: 5000, keepPrevious: false, later: true },
  );
  useEffect(() => {
    if (!enabled || Math.max(dataUpdatedAt, errorUpdatedAt) === 0) return;
    // Everyone who shows the counts asks at the same moment, and so asks once.
    const timer = setTimeout(() => void refetch({ cancelRefetch: false }), askAgainMs);
    return () => clearTimeout(timer);
  }, [enabled, dataUpdatedAt, errorUpdatedAt, refetch]);
  const made = changes.use();
  const seen = useRef(made);
  useEffect(() => {
    if (!enabled || made === seen.current) return;
    const timer = setTimeout(() => {
      seen.current = made;
      if (asked === made) return;
      asked = made;
      void refetch();
    }, afterChangeMs);
    return () => clearTimeout(timer);
  }, [enabled, made, refetch]);
  const all = data?.waits ?? [];
  const sumOf = (isThere: (path: string) => boolean) =>
    all
      .filter(({ kind, to }) => !waitingSums.includes(kind) && isThere(to.split('?')[0]!))
      .reduce((sum, { count }) => sum + count, 0);
  const beside = (path: string) => (path === '/' ? 0 : sumOf((to) => isBelow(to, path)));
  const at = (path: string) => sumOf((to) => to === path);
  return { all, isPending: isLoading && failureCount === 0, beside, at };
}
