import { leavesUnsaved, mayLeave } from './unsaved.ts';

/** The position of the current screen in this tab's history. */
let shown: { pathname: string; index: number } | null = null;
/** The user has agreed to the next step through the history. */
let agreed = false;

/** The position of an entry, which the router writes into it. */
const indexNow = (): number => (window.history.state as { idx?: number } | null)?.idx ?? 0;

/** Sets the current screen; null if there is none that could be left. */
export function screenShown(pathname: string | null): void {
  shown = pathname === null ? null : { pathname, index: indexNow() };
}

/**
 * Asks before the browser's Back or Forward leaves a screen with unsaved changes. Call it before the router
 * listens: window listeners run in order, and the router must not see a step that is undone.
 */
export function guardHistory(): void {
  window.addEventListener('popstate', (event) => {
    if (agreed || shown === null || window.location.pathname === shown.pathname || !leavesUnsaved('screen')) {
      agreed = false;
      return;
    }
    // The address has already changed: restore it, without the router, until the user has answered.
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
