import { leavesUnsaved, mayLeave } from './unsaved.ts';

/** Where the screen that is shown is in the history of this tab. */
let shown: { pathname: string; index: number } | null = null;
/** The next step through the history has been agreed to. */
let agreed = false;

/** The place of an entry, which the router writes into it. */
const indexNow = (): number => (window.history.state as { idx?: number } | null)?.idx ?? 0;

/** Says which screen is shown now; null: none that could be left. */
export function screenShown(pathname: string | null): void {
  shown = pathname === null ? null : { pathname, index: indexNow() };
}

/**
 * Asks before the browser's Back or Forward leaves a screen with something unsaved. Has to be called before the router
 * listens: what listens on the window hears in the order in which it came, and the router must not hear of a step that
 * is taken back.
 */
export function guardHistory(): void {
  window.addEventListener('popstate', (event) => {
    if (agreed || shown === null || window.location.pathname === shown.pathname || !leavesUnsaved('screen')) {
      agreed = false;
      return;
    }
    // The address has changed already: it is put back, unseen by the router, until the person has answered.
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
