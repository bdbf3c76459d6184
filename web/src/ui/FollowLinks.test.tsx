import { createEvent, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { describe, expect, test, vi } from 'vitest';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { FollowLinks } from './FollowLinks.tsx';

await startTestLocales();

const followed = vi.fn();
function Menu() {
  const { pathname, search } = useLocation();
  return (
    <>
      <p>{pathname + search}</p>
      <FollowLinks onFollow={followed}>
        <a href="/tasks?mine=1">
          <span>Tasks</span>
        </a>
        <a href="/help" target="_blank" rel="noreferrer">
          Help
        </a>
        <a href="https://elsewhere.example/">Elsewhere</a>
      </FollowLinks>
    </>
  );
}

describe('links a menu follows', () => {
  test('a click and Enter go to the screen without loading the page', async () => {
    const user = userEvent.setup();
    renderInApp(<Menu />, { path: '/' });
    const inside = screen.getByText('Tasks');
    const click = createEvent.click(inside);
    fireEvent(inside, click);
    expect(click.defaultPrevented).toBe(true);
    expect(screen.getByText('/tasks?mine=1')).toBeVisible();
    expect(followed).toHaveBeenCalledTimes(1);
    screen.getByRole('link', { name: 'Tasks' }).focus();
    await user.keyboard('{Enter}');
    expect(followed).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['with Ctrl', 'Tasks', { ctrlKey: true }],
    ['with Command', 'Tasks', { metaKey: true }],
    ['with Shift', 'Tasks', { shiftKey: true }],
    ['of the middle button', 'Tasks', { button: 1 }],
    ['on a link to a tab of its own', 'Help', {}],
    ['on a link to elsewhere', 'Elsewhere', {}],
  ])('a click %s is left to the browser', (_, text, how) => {
    followed.mockClear();
    renderInApp(<Menu />, { path: '/' });
    const link = screen.getByText(text);
    const click = createEvent.click(link, how);
    // Only so that jsdom loads nothing; the menu has handled the click by then.
    const isTaken = new Promise<boolean>((resolve) => {
      window.addEventListener(
        'click',
        (event) => {
          resolve(event.defaultPrevented);
          event.preventDefault();
        },
        { once: true },
      );
    });
    fireEvent(link, click);
    expect(screen.getByText('/')).toBeVisible();
    expect(followed).not.toHaveBeenCalled();
    return expect(isTaken).resolves.toBe(false);
  });
});
