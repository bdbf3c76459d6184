import { z } from 'zod';
import { outsideValue } from '../data/outside-value.ts';
import { browserStore, readJson } from '../session/storage.ts';
import { removeProgram } from './program.ts';
import { emptyShelf } from './shelf.ts';

const markKey = 'caseway.kept';

/** A note that this browser stores data for offline work, for whom, and how much is unsent. */
const keptMark = z.object({
  /** The account and the organization, `orgType:id`, it is sent for. */
  account: z.string(),
  org: z.string(),
  /** Unsent entries, and how many of them need a decision. */
  unsent: z.int(),
  asks: z.int(),
});
export type KeptMark = z.infer<typeof keptMark>;

const stored = (): KeptMark | null => keptMark.safeParse(readJson(browserStore, markKey)).data ?? null;
const mark = outsideValue<KeptMark | null>(stored());

if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => {
    if (key !== markKey) return;
    mark.set(stored());
    if (mark.get() === null) for (const forget of forgetters) forget();
  });

export const currentMark = mark.get;
export const useKeptMark = mark.use;

export function setKeptMark(next: KeptMark | null): void {
  if (next === null) browserStore.remove(markKey);
  else browserStore.set(markKey, JSON.stringify(next));
  mark.set(next);
}

const forgetters = new Set<() => void>();
/** Calls `forget` when stored data is wiped, so that copies in memory go too. */
export const onWiped = (forget: () => void): void => void forgetters.add(forget);

/** Removes everything this browser stores, including unsent work. */
export async function wipeKept(): Promise<void> {
  const before = mark.get();
  if (before === null) return;
  for (const forget of forgetters) forget();
  // Marks it as no one's: if the page closes early or the browser refuses, the next sign-in wipes again.
  setKeptMark({ ...before, account: '', unsent: 0, asks: 0 });
  try {
    await emptyShelf();
    await removeProgram();
    setKeptMark(null);
  } catch (error) {
    // Sign-out continues anyway, and what remains is encrypted.
    console.error(error);
  }
}
