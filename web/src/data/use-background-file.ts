import { type gridPrepare, readFiles } from '@caseway/contract/exported-files';
import { useState } from 'react';
import { notify } from '../session/notify.ts';
import { browserStore } from '../session/storage.ts';
import { becameOld, callApi } from './api.ts';
import { AppError, type InputOf } from './transport.ts';

type Prepare = ReturnType<typeof gridPrepare>;

/**
 * A list export that runs in the background. It stays visible after a reload, until the user dismisses it.
 */
export interface BackgroundFile {
  isStarting: boolean;
  /** Its id; null if there is none. */
  id: string | null;
  start(asked: Omit<InputOf<Prepare>['body'], 'id'>): void;
  forget(): void;
}

export function useBackgroundFile(grid: string, prepare: Prepare): BackgroundFile {
  const key = `export/${grid}`;
  const [id, setId] = useState(() => browserStore.get(key));
  const [isStarting, setStarting] = useState(false);
  const keep = (made: string | null) => {
    if (made === null) browserStore.remove(key);
    else browserStore.set(key, made);
    setId(made);
  };
  const start = async (asked: Omit<InputOf<Prepare>['body'], 'id'>) => {
    setStarting(true);
    try {
      const made = crypto.randomUUID();
      await callApi(prepare, { body: { ...asked, id: made } });
      becameOld(readFiles);
      keep(made);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      notify('error', `error.${error.code}`);
    } finally {
      setStarting(false);
    }
  };
  return {
    isStarting,
    id,
    start: (asked) => void start(asked),
    forget: () => keep(null),
  };
}
