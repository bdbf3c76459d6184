import { readWaiting, type Waits, waitingSums } from '@caseway/contract/waiting';
import { useEffect } from 'react';
import { useAppSelector } from '../session/store.ts';
import { useApi } from './api.ts';
import { isBelow } from './is-below.ts';

/** Others create work too, and no event says so. */
const askAgainMs = 60_000;

/**
 * What waits for the reader in the current organization. `beside`: how much of it belongs to a menu entry.
 */
export function useWaiting(): {
  all: readonly Waits[];
  beside: (path: string) => number;
} {
  const { user, selectedTenantOrg } = useAppSelector((state) => state.authentication);
  const enabled = user !== null && selectedTenantOrg !== null && !selectedTenantOrg.secondFactorNeeded;
  const { data, refetch } = useApi(
    readWaiting,
    {},
    { enabled, staleTime: 5000, keepPrevious: false, later: true },
  );
  useEffect(() => {
    if (!enabled) return;
    const timer = setInterval(() => void refetch(), askAgainMs);
    return () => clearInterval(timer);
  }, [enabled, refetch]);
  const all = data?.waits ?? [];
  const beside = (path: string) =>
    path === '/'
      ? 0
      : all
          .filter(({ kind, to }) => !waitingSums.includes(kind) && isBelow(to.split('?')[0]!, path))
          .reduce((sum, { count }) => sum + count, 0);
  return { all, beside };
}
