import type { RecordAccess } from '@caseway/contract/portal';

/** An action, and how often in a row on that day; the entry is the latest one. */
export interface Folded {
  entry: RecordAccess;
  times: number;
}

/**
 * Shows the patient's own actions once per day and kind: people look here for others, and every page they
 * open is an entry. Others' actions stay separate. `dayOf` gives the reader's day of an instant.
 */
export function foldOwn(entries: readonly RecordAccess[], dayOf: (at: string) => string): Folded[] {
  const folded: Folded[] = [];
  for (const entry of entries) {
    const last = folded.at(-1);
    const isSame =
      entry.by === 'you' &&
      last?.entry.by === 'you' &&
      last.entry.deed === entry.deed &&
      dayOf(last.entry.at) === dayOf(entry.at);
    if (isSame) last.times += 1;
    else folded.push({ entry, times: 1 });
  }
  return folded;
}
