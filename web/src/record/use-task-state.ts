import { readWaiting } from '@caseway/contract/waiting';
import { workTaskRecord } from '@caseway/contract/work-tasks';
import { becameOld, callApi, useCall } from '../data/api.ts';
import { notify } from '../session/notify.ts';
import { offerUndo } from './offer-undo.ts';

const { endpoints } = workTaskRecord;

/**
 * The possible next states of a task, the usual first; a withdrawn one comes back only with its transition.
 */
export const nextStates: Readonly<Record<string, readonly ('done' | 'not-needed' | 'open')[]>> = {
  open: ['done', 'not-needed'],
  done: ['open'],
  'not-needed': ['open'],
  withdrawn: [],
};

/** Sets a task's state, and offers to undo that. `also`: what else becomes stale. */
export function useTaskState(also: readonly { path: string }[] = []) {
  const old = [endpoints.search, endpoints.history, ...also];
  const change = useCall(endpoints.change, { invalidates: old });
  const set = (
    { id, version }: { id: string; version: number },
    state: 'done' | 'not-needed' | 'open',
  ): void =>
    change.mutate(
      { params: { id }, body: { version, state } },
      {
        onSuccess: (changed) => {
          becameOld(readWaiting);
          offerUndo(
            `work-tasks:ended.${state}`,
            () => callApi(endpoints.undo, { params: { id }, body: { version: changed.version } }),
            { old: [...old, readWaiting] },
          );
        },
        onError: (error) => notify('error', `error.${error.code}`),
      },
    );
  return { set, isPending: change.isPending, old };
}
