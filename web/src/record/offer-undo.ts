import type { AnyRecord } from '@caseway/contract/record';
import { callApi, keepAnswered, queryClient } from '../data/api.ts';
import { takeBack } from '../data/take-back.ts';
import { notify } from '../session/notify.ts';

/** Marks answers as old; visible ones are asked for again. */
export const refresh = (old: readonly { path: string }[]): Promise<unknown> =>
  Promise.all(old.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })));

/** Shows a record as an answer has it, before it is asked for again. */
export const keepAnswer = ({ endpoints }: Pick<AnyRecord, 'endpoints'>, answer: { id: string }): void =>
  keepAnswered(endpoints.read, { params: { id: answer.id } }, answer as never);

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
 * What a record's screen does after a transition: it shows the new state, asks for what is old again, and offers to take the
 * transition back. `saved`: the key of the words.
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
