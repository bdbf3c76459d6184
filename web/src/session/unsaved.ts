import { useEffect, useSyncExternalStore } from 'react';
import { hasDrafts } from './drafts.ts';

/** What would suffer by leaving. `draft`: begun, not saved, kept in this tab. `upload`: a file that is being sent. */
export type Unsaved = 'draft' | 'upload';

/** How somebody leaves: for another screen, by loading the page anew (another organisation), or by signing out. */
export type Leaving = 'screen' | 'page' | 'session';

export interface LeaveQuestion {
  leaving: Leaving;
  unsaved: Unsaved;
  answer(go: boolean): void;
}

const held = new Map<symbol, Unsaved>();
let question: LeaveQuestion | null = null;
const listeners = new Set<() => void>();

function ask(next: LeaveQuestion | null): void {
  question = next;
  for (const listener of listeners) listener();
}

const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/** Says that something is not saved, until the returned function is called. Closing the tab asks as well. */
export function holdUnsaved(kind: Unsaved): () => void {
  const key = Symbol(kind);
  held.set(key, kind);
  window.addEventListener('beforeunload', beforeUnload);
  return () => {
    held.delete(key);
    if (held.size === 0) window.removeEventListener('beforeunload', beforeUnload);
  };
}

/** The same for as long as a component says so. */
export function useUnsaved(unsaved: boolean): void {
  useEffect(() => (unsaved ? holdUnsaved('draft') : undefined), [unsaved]);
}

/** What leaving in this way would touch: an upload goes on while other screens are looked at. */
function touched(leaving: Leaving): Unsaved | null {
  const kinds = new Set(held.values());
  if (kinds.has('draft') || (leaving === 'session' && hasDrafts())) return 'draft';
  return leaving !== 'screen' && kinds.has('upload') ? 'upload' : null;
}

export const leavesUnsaved = (leaving: Leaving): boolean => touched(leaving) !== null;

/** Whether the person wants to leave; asks them where something is not saved. */
export async function mayLeave(leaving: Leaving): Promise<boolean> {
  const unsaved = touched(leaving);
  if (unsaved === null) return true;
  question?.answer(false);
  const go = await new Promise<boolean>((answer) => ask({ leaving, unsaved, answer }));
  ask(null);
  if (go && leaving !== 'screen') leaveUnasked();
  return go;
}

/** The page that is left now does not ask by itself: somebody was asked already, or has signed out in another tab. */
export const leaveUnasked = (): void => window.removeEventListener('beforeunload', beforeUnload);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** What is being asked at present. */
export const useLeaveQuestion = (): LeaveQuestion | null => useSyncExternalStore(subscribe, () => question);
