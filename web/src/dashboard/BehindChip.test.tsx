import { linkToGrid } from '@caseway/contract/search-params';
import { testingRecords } from '@caseway/contract/testing-analytics';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryClient } from '../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from '../test/server.ts';
import { useGridView } from '../view/grid-view.ts';
import { BehindChip } from './BehindChip.tsx';

await startTestLocales('analytics', 'dashboards/testing');

let shown: ReturnType<typeof useGridView>;
let address = '';
function Screen() {
  shown = useGridView(testingRecords);
  address = useLocation().search;
  return <BehindChip state={shown} />;
}
beforeEach(() => {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(
    userReady(initAnswer(undefined, { casbinPolicy: ['p, u1, T, testing-analytics/read, allow'] })),
  );
  const options = (id: string, label: string) => ({ body: { options: [{ id, label }] } });
  serve({
    'GET /api/web/list/options/diseaseFamilies': options('chlamydia', 'Chlamydia'),
    'GET /api/web/list/options/race': options('2106-3', 'White'),
  });
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

test('a list says whose records it shows, requests them by the number, and shows all once that is removed', async () => {
  renderInApp(<Screen />, {
    path: linkToGrid(testingRecords, '/analytics/testing/records', {
      range: 'all',
      behind: {
        dashboard: 'testing',
        series: 'race',
        key: '2106-3',
        filters: { diseaseFamilyFilter: ['chlamydia'] },
        eventDate: 'reported',
        range: { start: '2026-10-01', end: '2026-10-31' },
      },
    }),
  });
  expect(
    await screen.findByText(
      /White · Oct 1, 2026 – Oct 31, 2026 · Result reported · Disease family: Chlamydia/,
    ),
  ).toBeInTheDocument();
  // It leads back to the dashboard as it was counted.
  expect(screen.getByRole('link', { name: 'Back to Testing analytics' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/analytics\/testing\?(?=.*chlamydia)(?=.*2026-10-01)(?=.*reported)/),
  );
  expect(shown.request).toMatchObject({
    behind: {
      dashboard: 'testing',
      series: 'race',
      key: '2106-3',
      dateRangeValue: { start: '2026-10-01', end: '2026-10-31' },
    },
  });
  // The days are the number's: the list has none of its own.
  expect(shown.request.dateRangeValue).toBeUndefined();
  await userEvent.click(screen.getByRole('button', { name: 'Remove the filter on By race' }));
  expect(shown.request.behind).toBeUndefined();
  expect(shown.range).not.toBeNull();
  expect(address).toBe('');
});
