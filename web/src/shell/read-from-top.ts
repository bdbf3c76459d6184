import { type RefObject, useEffect, useRef } from 'react';

/**
 * A new screen is read from its top: its heading takes the focus as soon as it is there, and until then the
 * content has it. Screen readers do not announce the content on its own. The browser announces the first
 * screen, unless it follows the sign-in (`isFirstSaid`).
 */
export function useReadFromTop(
  main: RefObject<HTMLElement | null>,
  pathname: string,
  isFirstSaid: boolean,
): void {
  const shownPath = useRef(isFirstSaid ? pathname : undefined);
  useEffect(() => {
    const content = main.current;
    if (shownPath.current === pathname || !content) return;
    shownPath.current = pathname;
    content.focus({ preventScroll: true });
    content.scrollTo({ top: 0 });
    let heading: HTMLElement | null = null;
    const toHeading = () => {
      // A reloaded record can have a new heading.
      if (heading?.isConnected) return;
      // Users who have moved on in the meantime stay where they are.
      if (![content, document.body].some((one) => one === document.activeElement))
        return observer.disconnect();
      heading = content.querySelector('h1');
      if (!heading) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(toHeading);
    observer.observe(content, { childList: true, subtree: true });
    toHeading();
    return () => observer.disconnect();
  }, [main, pathname]);
}
