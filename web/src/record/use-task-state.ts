import { readWaiting } from '@caseway/contract/waiting';
import { workTaskRecord } from '@caseway/contract/work-tasks';
import { becameOld, callApi, useCall } from '../data/api.ts';
import { notify } from '../session/notify.ts';
import { offerUndo } from './offer-undo.ts';

const { endpoints } = workTaskRecord;

/** What can be made of a task in its state, what is usual first; one that was withdrawn comes back with its transition. */
export const nextStates: Readonly<Record<string, readonly ('done' | 'not-needed' | 'open')[]>> = {
  open: ['done', 'not-needed'],
  done: ['open'],
  'not-needed': ['open'],
  withdrawn: [],
};

/** Sets the state of a task, and offers to take that back. `also`: what else a change of a task makes old. */
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
