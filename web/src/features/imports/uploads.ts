import { type ImportFormat, uploadImport } from '@caseway/contract/imports';
import { orgKey } from '@caseway/contract/session';
import { upload } from '../../data/api.ts';
import { outsideValue } from '../../data/outside-value.ts';
import { AppError } from '../../data/transport.ts';
import { store } from '../../session/store.ts';
import { holdUnsaved } from '../../session/unsaved.ts';

/** What a user states about dropped files. */
export interface UploadOptions {
  facilityId?: string | undefined;
  dryRun?: boolean;
  format?: ImportFormat;
}

/** A file being uploaded. It continues while other screens are open. */
export interface Upload {
  key: number;
  name: string;
  state: 'waiting' | 'sending' | 'sent' | 'failed';
  /** The share of its bytes sent, 0 to 1. */
  share: number;
  importId: string | null;
  error: AppError | null;
}

interface Sending extends Upload {
  org: string | null;
  file: Blob;
  options: UploadOptions;
  stop: AbortController;
  onSent: ((importId: string) => void) | undefined;
}

const all = outsideValue<readonly Sending[]>([]);
let nextKey = 1;
let busy = false;
/** Ends the leave question while files are being sent. */
let release: (() => void) | null = null;

const currentOrg = () => {
  const { selectedTenantOrg } = store.getState().authentication;
  return selectedTenantOrg ? orgKey(selectedTenantOrg) : null;
};

function set(next: readonly Sending[]): void {
  all.set(next);
  const sending = next.some(({ state }) => state === 'waiting' || state === 'sending');
  if (sending) release ??= holdUnsaved('upload');
  else {
    release?.();
    release = null;
  }
}
const change = (key: number, to: Partial<Sending>) =>
  set(all.get().map((one) => (one.key === key ? { ...one, ...to } : one)));

/** Sends files one after another; a failed one does not hold up the next. */
export function startUploads(
  files: readonly File[],
  options: UploadOptions,
  onSent?: (importId: string) => void,
): void {
  set([
    ...all.get(),
    ...files.map((file): Sending => {
      const key = nextKey;
      nextKey += 1;
      return {
        key,
        name: file.name,
        state: 'waiting',
        share: 0,
        importId: null,
        error: null,
        org: currentOrg(),
        file,
        options,
        stop: new AbortController(),
        onSent,
      };
    }),
  ]);
  void sendAll();
}

/** Stops a running upload, and removes it from the list. */
export function removeUpload(key: number): void {
  const found = all.get().find((one) => one.key === key);
  set(all.get().filter((one) => one !== found));
  found?.stop.abort();
}

/** Sends a failed one again. */
export function retryUpload(key: number): void {
  change(key, { state: 'waiting', share: 0, error: null });
  void sendAll();
}

async function sendAll(): Promise<void> {
  if (busy) return;
  busy = true;
  for (;;) {
    const next = all.get().find(({ state }) => state === 'waiting');
    if (!next) break;
    const { key, name, file, options, stop, org, onSent } = next;
    // A file belongs to the organization it was dropped in.
    if (org !== currentOrg()) {
      removeUpload(key);
      continue;
    }
    change(key, { state: 'sending' });
    try {
      const { facilityId, dryRun, format } = options;
      const { id } = await upload(
        uploadImport,
        {
          query: {
            fileName: name,
            ...(format ? { format } : {}),
            ...(facilityId ? { facilityId } : {}),
            ...(dryRun ? { dryRun: 'true' } : {}),
          },
        },
        // The bytes unchanged: the type the browser guesses from the name is useless.
        new Blob([file]),
        (share) => change(key, { share }),
        stop.signal,
      );
      change(key, { state: 'sent', share: 1, importId: id });
      onSent?.(id);
    } catch (error) {
      if (stop.signal.aborted) continue;
      change(key, {
        state: 'failed',
        error: error instanceof AppError ? error : new AppError(0, 'internal', String(error)),
      });
    }
  }
  busy = false;
}

/** The current organization's files, in the order in which they were dropped. */
export function useUploads(): readonly Upload[] {
  return all.use().filter(({ org }) => org === currentOrg());
}
