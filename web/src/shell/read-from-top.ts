import { type RefObject, useEffect, useRef } from 'react';

/**
 * Another screen is read from its top: its heading takes the focus as soon as it is there, and the content has it until
 * then. Of a focused content alone, screen readers do not say what it is. The first screen is said by the browser, unless
 * it follows the sign-in (`isFirstSaid`).
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
      // A record that is loaded again can have another one.
      if (heading?.isConnected) return;
      // Who has gone on meanwhile stays where they are.
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
