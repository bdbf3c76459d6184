import { createContext, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

/** The area of an exported chart. */
export interface Paper {
  /** The chart's width in px. */
  width: number;
  /** Draws every mark, including those the screen shows only on request. */
  whole: boolean;
}

/** The paper that charts are now drawn on; null on the screen. */
export const PaperContext = createContext<Paper | null>(null);

/** A picture for a report. */
export const picturePaper: Paper = { width: 720, whole: true };
/**
 * A printed page: about the size of A4 and Letter within their margins. The style sheet stretches it to fit.
 */
export const printPaper: Paper = { width: 640, whole: false };

let printing = false;
const listeners = new Set<() => void>();
const tell = (next: boolean) => () => {
  printing = next;
  // The page is laid out for paper right after this event, so everything that depends on it must be
  // rendered by then.
  flushSync(() => {
    for (const listener of listeners) listener();
  });
};
const [begin, end] = [tell(true), tell(false)];

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  };
}

/** Whether the page is being printed. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => printing);
