import { useEffect } from 'react';
import { outsideValue } from '../data/outside-value.ts';
import { currentMark } from '../kept/mark.ts';
import { hasDrafts } from './drafts.ts';

/**
 * What leaving would interrupt. `draft`: unsaved, kept in this tab. `upload`: a file being sent. `unsent`:
 * offline work that exists only on this device.
 */
export type Unsaved = 'draft' | 'upload' | 'unsent';

/**
 * How the user leaves: for another screen, by reloading the page (another organization), or by signing out.
 */
export type Leaving = 'screen' | 'page' | 'session';

export interface LeaveQuestion {
  leaving: Leaving;
  unsaved: Unsaved;
  answer(go: boolean): void;
}

const held = new Map<symbol, Unsaved>();
const question = outsideValue<LeaveQuestion | null>(null);

const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/** Marks something as unsaved until the returned function is called. Closing the tab also asks. */
export function holdUnsaved(kind: Exclude<Unsaved, 'unsent'>): () => void {
  const key = Symbol(kind);
  held.set(key, kind);
  window.addEventListener('beforeunload', beforeUnload);
  return () => {
    held.delete(key);
    if (held.size === 0) window.removeEventListener('beforeunload', beforeUnload);
  };
}

/** The same while a component needs it. */
export function useUnsaved(unsaved: boolean): void {
  useEffect(() => (unsaved ? holdUnsaved('draft') : undefined), [unsaved]);
}

/**
 * The unsaved work that leaving in this way would interrupt. An upload continues while the user opens other
 * screens.
 */
function touched(leaving: Leaving): Unsaved | null {
  if (leaving === 'session' && (currentMark()?.unsent ?? 0) > 0) return 'unsent';
  const kinds = new Set(held.values());
  if (kinds.has('draft') || (leaving === 'session' && hasDrafts())) return 'draft';
  return leaving !== 'screen' && kinds.has('upload') ? 'upload' : null;
}

export const leavesUnsaved = (leaving: Leaving): boolean => touched(leaving) !== null;

/** Whether the user wants to leave; asks if something is unsaved. */
export async function mayLeave(leaving: Leaving): Promise<boolean> {
  const unsaved = touched(leaving);
  if (unsaved === null) return true;
  question.get()?.answer(false);
  const go = await new Promise<boolean>((answer) => question.set({ leaving, unsaved, answer }));
  question.set(null);
  if (go && leaving !== 'screen') leaveUnasked();
  return go;
}

/** Leaves without the browser's question: the user has answered ours, or has signed out in another tab. */
export const leaveUnasked = (): void => window.removeEventListener('beforeunload', beforeUnload);

/** The current question, if any. */
export const useLeaveQuestion = question.use;
