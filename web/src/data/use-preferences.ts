import type { Grid } from '@caseway/contract/grid';
import { type ColumnSettings, readGridColumns, saveGridColumns } from '@caseway/contract/grid-columns';
import { orgKey } from '@caseway/contract/session';
import { useCallback, useEffect, useRef } from 'react';
import { columnsArranged } from '../session/preferences.ts';
import { useAppDispatch, useAppSelector } from '../session/store.ts';
import type { Density } from '../theme.ts';
import { cacheMs, callApi, useApi } from './api.ts';
import { AppError } from './transport.ts';

/** The row height the user prefers. */
export const useDensity = (): Density => useAppSelector((state) => state.preferences.density);

/** The current organization, which list settings belong to. */
export const useActingOrg = (): string =>
  useAppSelector(({ authentication: { selectedTenantOrg } }) =>
    selectedTenantOrg ? orgKey(selectedTenantOrg) : '',
  );

/** Whether single-key shortcuts (J, K, /) are on. */
export const useSingleKeys = (): boolean => useAppSelector((state) => state.preferences.singleKeys);

const endpoints = new WeakMap<
  Grid,
  { read: ReturnType<typeof readGridColumns>; save: ReturnType<typeof saveGridColumns> }
>();
function endpointsOf(grid: Grid) {
  let both = endpoints.get(grid);
  if (!both) {
    both = { read: readGridColumns(grid), save: saveGridColumns(grid) };
    endpoints.set(grid, both);
  }
  return both;
}

/**
 * Milliseconds of rest before an arrangement is sent, because dragging a column changes its width many times.
 */
const restMs = 1000;

/**
 * The user's column arrangement of a grid, undefined if none, and a function to change it; null deletes it.
 * The server stores it; this browser shows the last known state until the server answers.
 */
export function useColumnSettings(
  grid: Grid,
): [ColumnSettings | undefined, (columns: ColumnSettings | null) => void] {
  const dispatch = useAppDispatch();
  const settings = useAppSelector((state) => state.preferences.columns[grid.id]);
  const { read, save } = endpointsOf(grid);
  const { data } = useApi(read, {}, { staleTime: cacheMs });
  const changed = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    if (data && !changed.current) dispatch(columnsArranged({ grid: grid.id, columns: data.columns }));
  }, [data, dispatch, grid.id]);

  const arrange = useCallback(
    (columns: ColumnSettings | null) => {
      changed.current = true;
      dispatch(columnsArranged({ grid: grid.id, columns }));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        callApi(save, { body: { columns } }).catch((error: unknown) => {
          // This browser still has the arrangement; the next change sends all of it.
          if (!(error instanceof AppError)) throw error;
        });
      }, restMs);
    },
    [dispatch, grid.id, save],
  );
  return [settings, arrange];
}
