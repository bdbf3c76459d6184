import type { AnyRecord } from '@caseway/contract/record';
import { callApi, keepAnswered, queryClient } from '../data/api.ts';
import { takeBack } from '../data/take-back.ts';
import { notify } from '../session/notify.ts';

/** Marks answers as stale; visible ones are reloaded. */
export const refresh = (old: readonly { path: string }[]): Promise<unknown> =>
  Promise.all(old.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })));

/** Shows a record from an answer, before it is reloaded. */
export const keepAnswer = ({ endpoints }: Pick<AnyRecord, 'endpoints'>, answer: { id: string }): void =>
  keepAnswered(endpoints.read, { params: { id: answer.id } }, answer as never);

/**
 * Confirms an action and offers to undo it. `done`, `undone`: the keys of the texts; `old`: what it makes
 * stale.
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
 * What a record's screen does after a transition: shows the new state, reloads stale data, and offers to undo
 * the transition. `saved`: the key of the text.
 */
export const afterTransition = (
  record: AnyRecord,
  id: string,
  { saved, old }: { saved: string; old: readonly { path: string }[] },
) => ({
  onRead(latest: { id: string }) {
    keepAnswer(record, latest);
    void refresh(old);
  },
  onDone(answer: { id: string; version: number }) {
    keepAnswer(record, answer);
    void refresh(old);
    const undo = () => callApi(record.endpoints.undo, { params: { id }, body: { version: answer.version } });
    offerUndo(saved, undo, { old });
  },
});
