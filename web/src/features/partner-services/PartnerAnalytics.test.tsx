import type { MeasureValue } from '@caseway/contract/analytics';
import { partnerServices } from '@caseway/contract/dashboards/partner-services';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from '../../test/server.ts';
import PartnerAnalytics from './PartnerAnalytics.tsx';

await startTestLocales('analytics', 'dashboards/partner-services', 'charts', 'partner-services');

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  queryClient.clear();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer(undefined, { casbinPolicy: ['p, u1, T, line-lists/read, allow'] })));
});
afterEach(() => {
  vi.unstubAllGlobals();
  store.dispatch(signedOut());
});

const of = (numerator: number, denominator: number | null = null): MeasureValue => ({
  value: denominator === null ? numerator : numerator / denominator,
  numerator,
  denominator,
  suppressed: false,
});

test('two indices of one name state their report, and what they count', async () => {
  // K1 to K4, as the server counts them.
  serve({
    [`POST /api/web/analytics/${partnerServices.id}`]: {
      body: {
        asOf: '2026-11-22T12:00:00.000Z',
        dateRangeValue: { start: '2026-11-01', end: '2026-11-30' },
        timeZone: 'UTC',
        suppressionThreshold: null,
        anySuppressed: false,
        measures: {
          assigned: of(3),
          interviewed: of(2, 3),
          contactIndex: of(4, 2),
          diiPa01: of(2, 3),
          tiPa01: of(4, 2),
          tiPartnersPa04: of(3, 2),
        },
        series: {
          role: [
            { key: 'partner', values: { contacts: of(4), examined: of(2, 4) } },
            { key: 'cluster', values: { contacts: of(2), examined: of(2, 2) } },
          ],
        },
        granularity: 'day',
        incompleteFrom: null,
      },
    },
  });
  renderInApp(<PartnerAnalytics />, { path: '/analytics/partner-services' });
  const leading = await screen.findByRole('group', { name: 'Key figures' });
  expect(leading).toHaveTextContent('66.7%');
  expect(leading).toHaveTextContent(/Disease intervention index.*PA01.*0\.67/);
  const indices = screen.getByRole('group', { name: 'Indices for infections other than HIV' });
  expect(indices).toHaveTextContent(/Treatment index.*PA01.*2/);
  expect(indices).toHaveTextContent(/Treatment index: partners.*PA04.*1\.5/);
  // Readers who may not see HIV get no number of it, so there is no heading for it either.
  expect(screen.queryByRole('group', { name: 'HIV' })).not.toBeInTheDocument();

  const exams = screen.getByRole('region', { name: 'Exams of partners and of clusters' });
  const rows = within(exams)
    .getAllByRole('row')
    .map(({ textContent }) => textContent);
  expect(rows).toEqual([
    expect.anything(),
    expect.stringMatching(/^Partners450/),
    expect.stringMatching(/^Clusters2100/),
  ]);

  const [about] = within(indices).getAllByRole('button', { name: /Treatment index/ });
  await userEvent.click(about!);
  expect(await screen.findByText(/People named, on any basis, with the disposition A, C or E/)).toBeVisible();
});
