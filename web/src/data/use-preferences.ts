import type { Grid } from '@caseway/contract/grid';
import { type ColumnSettings, readGridColumns, saveGridColumns } from '@caseway/contract/grid-columns';
import { orgKey } from '@caseway/contract/session';
import { useCallback, useEffect, useRef } from 'react';
import { columnsArranged } from '../session/preferences.ts';
import { useAppDispatch, useAppSelector } from '../session/store.ts';
import type { Density } from '../theme.ts';
import { cacheMs, callApi, useApi } from './api.ts';
import { AppError } from './transport.ts';

/** Height of rows, as the person likes it. */
export const useDensity = (): Density => useAppSelector((state) => state.preferences.density);

/** The organisation that the person acts for: the settings of a list belong to it. */
export const useActingOrg = (): string =>
  useAppSelector(({ authentication: { selectedTenantOrg } }) =>
    selectedTenantOrg ? orgKey(selectedTenantOrg) : '',
  );

/** Whether single keys (J, K, /) do something. */
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

/** An arrangement is sent when it has rested so long: a column is dragged over many widths. */
const restMs = 1000;

/**
 * How the person arranged the columns of a grid, undefined if they have not, and a function to change it; null deletes
 * it. The server stores it; this browser shows its last known state until the server has answered.
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
          // This browser still has the arrangement; the next change is sent completely.
          if (!(error instanceof AppError)) throw error;
        });
      }, restMs);
    },
    [dispatch, grid.id, save],
  );
  return [settings, arrange];
}
