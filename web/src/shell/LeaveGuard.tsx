import { type ReactNode, useContext, useEffect, useMemo } from 'react';
import {
  UNSAFE_NavigationContext as NavigationContext,
  type Navigator,
  parsePath,
  type To,
  useLocation,
} from 'react-router';
import { screenShown } from '../session/history-guard.ts';
import { leavesUnsaved, mayLeave, useLeaveQuestion } from '../session/unsaved.ts';
import { Overlay } from './Overlay.tsx';
import { LeaveDialog } from './panels.ts';

/**
 * Asks before leaving a screen with unsaved work. The plain router has no blocker: all navigation below goes
 * through here, the browser's own through `guardHistory`.
 */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const router = useContext(NavigationContext);
  const location = useLocation();
  const { pathname } = location;
  const question = useLeaveQuestion();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new entry has its own position in the history.
  useEffect(() => {
    screenShown(pathname);
    return () => screenShown(null);
  }, [pathname, location.key]);

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
