import { type RefObject, useEffect, useRef } from 'react';

/** Marks an element that takes the focus. */
export const takesFocus = { 'data-takes-focus': true } as const;

/**
 * Moves the focus to the marked element (`takesFocus`) in a part of the screen after the control that had it
 * is gone; otherwise the keyboard would start at the top of the page. `at`: what is shown now; null while
 * something covers it.
 */
export function useFocusTaken(at: string | null): {
  frame: RefObject<HTMLDivElement | null>;
  /** Moves the focus there as soon as this is shown. */
  take: (when: string) => void;
} {
  const frame = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current === null || wanted.current !== at) return;
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    // A busy button is disabled, and about to be removed.
    if (!isLost && activeElement.matches(':disabled')) return;
    wanted.current = null;
    if (isLost) frame.current?.querySelector<HTMLElement>('[data-takes-focus]')?.focus();
  });
  return {
    frame,
    take: (when) => {
      wanted.current = when;
    },
  };
}
