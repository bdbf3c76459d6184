import { readWaiting } from '@caseway/contract/waiting';
import { workTaskRecord } from '@caseway/contract/work-tasks';
import { becameOld, callApi, useCall } from '../data/api.ts';
import { notify } from '../session/notify.ts';
import { useMay } from '../session/permissions.ts';
import { useAppSelector } from '../session/store.ts';
import { offerUndo, refresh } from './offer-undo.ts';

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

/** A task and who has it. */
interface Held {
  id: string;
  version: number;
  state?: string;
  account: string | null;
  team: string | null;
}

/** Sets a task's state, takes it or gives it back, and offers to undo that. `also`: what else becomes stale. */
export function useTaskState(also: readonly { path: string }[] = []) {
  const old = [endpoints.search, endpoints.history, ...also];
  const me = useAppSelector(({ authentication }) => authentication.user?.id);
  const mayTake = useMay()('case-reports/investigate');
  const change = useCall(endpoints.change, { invalidates: old });
  const save = (
    { id, version }: { id: string; version: number },
    fields: { state: 'done' | 'not-needed' | 'open' } | { account: string | null },
    { done, refused }: { done: string; refused?: string },
  ): void =>
    change.mutate(
      { params: { id }, body: { version, ...fields } },
      {
        onSuccess: (changed) => {
          becameOld(readWaiting);
          offerUndo(
            done,
            () => callApi(endpoints.undo, { params: { id }, body: { version: changed.version } }),
            { old: [...old, readWaiting] },
          );
        },
        onError: ({ code }) => {
          notify('error', code === 'conflict' && refused ? refused : `error.${code}`);
          // Shows who has it by now.
          if (code === 'conflict') void refresh([...old, readWaiting]);
        },
      },
    );
  const canBeTaken = ({ state = 'open', account }: Held) => mayTake && state === 'open' && account === null;
  /** Only a team gets it back: without one there is nobody who waits for it. */
  const canBeGivenBack = ({ state = 'open', account, team }: Held) =>
    state === 'open' && team !== null && account !== null && account === me;
  return {
    set: (task: { id: string; version: number }, state: 'done' | 'not-needed' | 'open') =>
      save(task, { state }, { done: `work-tasks:ended.${state}` }),
    canBeTaken,
    canBeGivenBack,
    /** Makes it the reader's own. */
    take: (task: Held) => {
      if (canBeTaken(task) && me)
        save(task, { account: me }, { done: 'work-tasks:take.taken', refused: 'work-tasks:take.lost' });
    },
    giveBack: (task: Held) => {
      if (canBeGivenBack(task)) save(task, { account: null }, { done: 'work-tasks:take.backDone' });
    },
    isPending: change.isPending,
    old,
  };
}

/** What can be done to a task. */
export type TaskDeeds = ReturnType<typeof useTaskState>;
