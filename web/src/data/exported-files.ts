import { events } from '@caseway/contract/events';
import { type ExportedFile, gridFile, readFiles, removeFile } from '@caseway/contract/exported-files';
import { useEffect } from 'react';
import { notify } from '../session/notify.ts';
import { becameOld, callApi, useApi } from './api.ts';
import { useEventStream } from './event-stream.ts';
import { AppError } from './transport.ts';
import { type Export, useExport } from './use-export.ts';

/** The screen with all the user's files. */
export const filesPath = '/files';

/** Milliseconds after which a file being made is polled, even without an event. */
const askAgainMs = 3000;

/** The user's files, kept up to date. */
export function useFiles() {
  const query = useApi(readFiles);
  useEventStream(events, ({ event }) => {
    if (event === 'file-progress') becameOld(readFiles);
  });
  const { data } = query;
  const isPreparing = data?.files.some(({ state }) => state === 'preparing') === true;
  useEffect(() => {
    if (!isPreparing || !data) return;
    const timer = setTimeout(() => becameOld(readFiles), askAgainMs);
    return () => clearTimeout(timer);
  }, [isPreparing, data]);
  return query;
}

/** The finished share of a file, from 0 to 1; null while it waits for its turn. */
export const shareOf = ({ total, done }: ExportedFile): number | null =>
  total === 0 || done === 0 ? null : Math.min(1, done / total);

/** Saves a file on the user's device. */
export function useFileDownload(
  file: Pick<ExportedFile, 'grid' | 'format'>,
): Export<ReturnType<typeof gridFile>> {
  // The server decides who may have it: the list of files does not know their grids.
  return useExport(
    gridFile({ id: file.grid, exportable: 'general/other', files: [file.format] }),
    `${file.grid}.${file.format}`,
  );
}

/** Cancels or deletes a file, and confirms it with the text `said`. */
export async function discardFile(id: string, said?: string): Promise<void> {
  try {
    await callApi(removeFile, { params: { id } });
    if (said) notify('success', said);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== 'not-found') notify('error', `error.${error.code}`);
  } finally {
    becameOld(readFiles);
  }
}
