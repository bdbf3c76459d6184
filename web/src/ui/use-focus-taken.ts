import { type RefObject, useEffect, useRef } from 'react';

/** Marks what takes the focus. */
export const takesFocus = { 'data-takes-focus': true } as const;

/**
 * Gives the focus to what takes it (`takesFocus`) in a part of the screen, where the control that had it is gone: otherwise
 * it falls to the page, and the keyboard begins at its top. `at`: what is shown now; null while something lies over it.
 */
export function useFocusTaken(at: string | null): {
  frame: RefObject<HTMLDivElement | null>;
  /** The focus goes there as soon as this is shown. */
  take: (when: string) => void;
} {
  const frame = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current === null || wanted.current !== at) return;
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    // A button that works is off, and will be gone.
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
