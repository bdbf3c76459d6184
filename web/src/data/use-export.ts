import type { Grid } from '@caseway/contract/grid';
import { useState } from 'react';
import { notify } from '../session/notify.ts';
import { useMay } from '../session/permissions.ts';
import { download } from './api.ts';
import { type AnyEndpoint, AppError, type InputOf } from './transport.ts';

/** A list as a file, made by `endpoint`; the outcome is shown on any screen. */
export interface Export<E extends AnyEndpoint> {
  isRunning: boolean;
  start(input: InputOf<E>): void;
  cancel(): void;
}

/** Whether the user can export a list's rows, which needs both permissions. */
export function useMayExport(grid: Grid): boolean {
  const may = useMay();
  return grid.exportable !== undefined && may(grid.exportable) && may(grid.permission);
}

/**
 * @param fallbackName the file's name if the server gives none
 * @param onRefused explains why there is no file, if the error text is not enough
 */
export function useExport<E extends AnyEndpoint>(
  endpoint: E,
  fallbackName: string,
  onRefused: (error: AppError) => void = ({ code }) => notify('error', `error.${code}`),
): Export<E> {
  const [running, setRunning] = useState<AbortController | null>(null);
  const run = async (input: InputOf<E>) => {
    const stop = new AbortController();
    setRunning(stop);
    try {
      const file = await download(endpoint, input, fallbackName, stop.signal);
      notify('success', 'export.done', { values: { file } });
    } catch (error) {
      if (stop.signal.aborted) return;
      if (!(error instanceof AppError)) throw error;
      onRefused(error);
    } finally {
      setRunning(null);
    }
  };
  return {
    isRunning: running !== null,
    start: (input) => void run(input),
    cancel: () => running?.abort(),
  };
}
