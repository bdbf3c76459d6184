import type { AnyRecord } from '@caseway/contract/record';
import { callApi, queryClient } from '../data/api.ts';
import { takeBack } from '../data/take-back.ts';
import { notify } from '../session/notify.ts';

/** Marks answers as old; visible ones are asked for again. */
export const refresh = (old: readonly { path: string }[]): Promise<unknown> =>
  Promise.all(old.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })));

/**
 * Says that something is done, and offers to take it back. `done`, `undone`: the keys of the words; `old`: what that makes
 * old.
 */
export function offerUndo(
  done: string,
  undo: () => Promise<unknown>,
  {
    kind = 'success',
    values = {},
    undone = 'history.undone',
    old = [],
  }: {
    kind?: 'success' | 'warning';
    values?: Record<string, string>;
    undone?: string;
    old?: readonly { path: string }[];
  } = {},
): void {
  const back = async () => {
    await undo();
    await refresh(old);
  };
  notify(kind, done, {
    values,
    action: { label: 'history.undo', run: () => void takeBack(back, undone, values) },
  });
}

/**
 * What a record's screen does after a transition: it asks for what is old again, and offers to take the transition back.
 * `saved`, `undone`: the keys of the words.
 */
export const afterTransition = (
  { endpoints }: AnyRecord,
  id: string,
  { saved, undone, old }: { saved: string; undone: string; old: readonly { path: string }[] },
) => ({
  onRead: () => void refresh(old),
  onDone({ version }: { version: number }) {
    void refresh(old);
    const undo = () => callApi(endpoints.undo, { params: { id }, body: { version } });
    offerUndo(saved, undo, { undone, old });
  },
});
