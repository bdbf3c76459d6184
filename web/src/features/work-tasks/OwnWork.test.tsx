import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { initAnswer, org, serve } from '../../test/server.ts';
import OwnWork from './OwnWork.tsx';

await startTestLocales();
beforeEach(() => queryClient.clear());

function show(counts: object, may = 'case-reports/read') {
  store.dispatch(
    userReady({ ...initAnswer([org('t1', 'Alder Health')]), casbinPolicy: [`p, u1, T, ${may}, allow`] }),
  );
  const sent = serve({ 'GET /api/web/work-tasks/own': { body: counts } });
  renderInApp(<OwnWork />);
  return sent;
}

test('the home screen says what waits, and leads to it', async () => {
  show({ open: 7, dueToday: 1, overdue: 2 });
  expect(
    await screen.findByText('7 follow-up tasks wait for you. 2 are overdue. 1 is due today.'),
  ).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Show my tasks' })).toHaveAttribute(
    'href',
    '/work-tasks?view=default',
  );
});

test('where nothing waits it says nothing, and people who see no cases are not asked about', async () => {
  const sent = show({ open: 0, dueToday: 0, overdue: 0 });
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(screen.queryByRole('alert')).toBeNull();
  queryClient.clear();
  expect(show({ open: 7, dueToday: 0, overdue: 0 }, 'patients/read')).toEqual([]);
});
