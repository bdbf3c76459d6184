import { leavesUnsaved, mayLeave } from './unsaved.ts';

/** The position of the current screen in the history of this tab. */
let shown: { pathname: string; index: number } | null = null;
/** The next step through the history has been agreed to. */
let agreed = false;

/** The place of an entry, which the router writes into it. */
const indexNow = (): number => (window.history.state as { idx?: number } | null)?.idx ?? 0;

/** Sets the current screen; null: none that could be left. */
export function screenShown(pathname: string | null): void {
  shown = pathname === null ? null : { pathname, index: indexNow() };
}

/**
 * Asks before the browser's Back or Forward leaves a screen with something unsaved. Call it before the router listens:
 * listeners of the window are called in order, and the router must not get a step that is undone.
 */
export function guardHistory(): void {
  window.addEventListener('popstate', (event) => {
    if (agreed || shown === null || window.location.pathname === shown.pathname || !leavesUnsaved('screen')) {
      agreed = false;
      return;
    }
    // The address has already changed: it is restored, without the router, until the person has answered.
    event.stopImmediatePropagation();
    const step = indexNow() - shown.index;
    window.history.go(-step);
    void mayLeave('screen').then((answer) => {
      if (!answer) return;
      agreed = true;
      window.history.go(step);
    });
  });
}
