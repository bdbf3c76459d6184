import type { MouseEvent, ReactNode } from 'react';
import { useNavigate } from 'react-router';

/**
 * The app's link that a click follows without loading the page; null for other links, and for clicks that
 * open another tab or window.
 */
export function followedLink(event: MouseEvent): HTMLAnchorElement | null {
  const { button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event;
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey || defaultPrevented) return null;
  const link = (event.target as Element).closest('a');
  if (link?.target !== '' || link.origin !== window.location.origin) return null;
  event.preventDefault();
  return link;
}

/**
 * Follows the links inside it without loading the page. For a menu, because the router's own links all
 * rerender with every change of address.
 */
export function FollowLinks({
  onFollow,
  children,
}: {
  onFollow?: (() => void) | undefined;
  children: ReactNode;
}) {
  const navigate = useNavigate();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is pressed are the links in it.
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link is clicked by Enter too.
    <div
      style={{ display: 'contents' }}
      onClick={(event) => {
        const link = followedLink(event);
        if (!link) return;
        void navigate({ pathname: link.pathname, search: link.search, hash: link.hash });
        onFollow?.();
      }}
    >
      {children}
    </div>
  );
}
