import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { dismissed } from '../session/notifications.ts';
import { notify } from '../session/notify.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { NotificationStack } from './NotificationStack.tsx';

await startTestLocales();
beforeEach(() => {
  for (const { id } of store.getState().notifications.open) store.dispatch(dismissed(id));
});

test('notifications of one screen go with it; those that can be undone, or appear as the next one opens, stay', async () => {
  renderInApp(
    <>
      <Link to="/imports/2">Next</Link>
      <NotificationStack />
    </>,
    { path: '/imports/1' },
  );
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now - 3000);
  act(() => {
    notify('success', 'export.done', { values: { file: 'first' } });
    notify('success', 'export.done', {
      values: { file: 'second' },
      action: { label: 'gridViews.undo', run: () => {} },
    });
  });
  clock.mockReturnValue(now);
  act(() => void notify('success', 'export.done', { values: { file: 'third' } }));
  await userEvent.click(screen.getByRole('link', { name: 'Next' }));
  expect(screen.queryByText(/first/)).toBeNull();
  expect(screen.getByText(/second/)).toBeVisible();
  expect(screen.getByText(/third/)).toBeVisible();
  clock.mockRestore();
});
