import { type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import {
  UNSAFE_NavigationContext as NavigationContext,
  type Navigator,
  parsePath,
  type To,
  useLocation,
} from 'react-router';
import { leavesUnsaved, mayLeave, useLeaveQuestion } from '../session/unsaved.ts';
import { Overlay } from './Overlay.tsx';
import { LeaveDialog } from './panels.ts';

/** The place of an entry in the history of this tab, which the router writes into it. */
const historyIndex = (): number => (window.history.state as { idx?: number } | null)?.idx ?? 0;

/**
 * Asks before a screen with something unsaved is left for another, by a link, a key or the browser's Back. The plain
 * router has no blocker of its own: whatever navigates below goes through here.
 */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const router = useContext(NavigationContext);
  const location = useLocation();
  const { pathname } = location;
  const question = useLeaveQuestion();
  const index = useRef(historyIndex());
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new entry has its own place.
  useEffect(() => {
    index.current = historyIndex();
  }, [location.key]);

  const guarded = useMemo(() => {
    const { navigator } = router;
    const unlessUnsaved = (to: To, go: () => void) => {
      const path = (typeof to === 'string' ? parsePath(to) : to).pathname ?? pathname;
      if (path === pathname || !leavesUnsaved('screen')) go();
      else void mayLeave('screen').then((agreed) => agreed && go());
    };
    const asking: Navigator = Object.assign(Object.create(navigator) as Navigator, {
      push: ((to, state, options) =>
        unlessUnsaved(to, () => navigator.push(to, state, options))) satisfies Navigator['push'],
      replace: ((to, state, options) =>
        unlessUnsaved(to, () => navigator.replace(to, state, options))) satisfies Navigator['replace'],
    });
    return { ...router, navigator: asking };
  }, [router, pathname]);

  useEffect(() => {
    let agreed = false;
    const onPop = (event: PopStateEvent) => {
      if (agreed || window.location.pathname === pathname || !leavesUnsaved('screen')) {
        agreed = false;
        return;
      }
      // The address has changed already: it is put back, unseen by the router, until the person has answered.
      event.stopImmediatePropagation();
      const step = historyIndex() - index.current;
      window.history.go(-step);
      void mayLeave('screen').then((answer) => {
        if (!answer) return;
        agreed = true;
        window.history.go(step);
      });
    };
    window.addEventListener('popstate', onPop, true);
    return () => window.removeEventListener('popstate', onPop, true);
  }, [pathname]);

  return (
    <NavigationContext.Provider value={guarded}>
      {children}
      {question ? (
        <Overlay>
          <LeaveDialog question={question} />
        </Overlay>
      ) : null}
    </NavigationContext.Provider>
  );
}
