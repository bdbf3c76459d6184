import { z } from 'zod';
import { outsideValue } from '../data/outside-value.ts';
import { browserStore, readJson } from '../session/storage.ts';
import { removeProgram } from './program.ts';
import { emptyShelf } from './shelf.ts';

const markKey = 'caseway.kept';

/** That this browser keeps something for work without a network, for whom, and how much is not sent. */
const keptMark = z.object({
  /** The account and the organization, `orgType:id`, that it is sent for. */
  account: z.string(),
  org: z.string(),
  /** What is not sent, and how much of it needs a decision. */
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
/** Calls `forget` when what is kept is wiped: what of it is in memory goes too. */
export const onWiped = (forget: () => void): void => void forgetters.add(forget);

/** Removes all that this browser keeps, what is not sent included. */
export async function wipeKept(): Promise<void> {
  const before = mark.get();
  if (before === null) return;
  for (const forget of forgetters) forget();
  // Nobody's: a page that is closed before the end, or a browser that refuses, wipes again when somebody signs in.
  setKeptMark({ ...before, account: '', unsent: 0, asks: 0 });
  try {
    await emptyShelf();
    await removeProgram();
    setKeptMark(null);
  } catch (error) {
    // The person leaves all the same, and what is left is sealed.
    console.error(error);
  }
}
