import type { ImportRow } from '@caseway/contract/imports';

/**
 * How an import ended, by what became of its messages: one of which nothing was taken is not simply done. Every file
 * has a message at least, so that of a done one without any all are withheld from the reader.
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
