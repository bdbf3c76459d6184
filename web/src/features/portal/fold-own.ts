import type { RecordAccess } from '@caseway/contract/portal';

/** What was done, and how often in a row on that day; the entry is the latest of them. */
export interface Folded {
  entry: RecordAccess;
  times: number;
}

/**
 * What patients did themselves, once a day and kind: someone looks here for others, and every page that they open is an
 * entry. What others did stays one by one. `dayOf` tells the day of an instant to its reader.
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
