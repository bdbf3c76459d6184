import type { ImportRow } from '@caseway/contract/imports';

/**
 * The outcome of an import, from its messages: one that accepted nothing is not simply done. Every file has
 * at least one message, so if a finished one has none, all are withheld from the reader.
 */
export function outcomeOf({
  state,
  messages,
  waiting,
  refused,
}: Pick<ImportRow, 'state' | 'messages' | 'waiting' | 'refused'>) {
  if (state !== 'done') return state;
  if (messages === 0) return 'withheld';
  if (waiting + refused === 0) return state;
  return waiting + refused === messages ? 'nothingTaken' : 'partlyTaken';
}
