import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from '../../test/server.ts';
import TestingAnalytics from './TestingAnalytics.tsx';

await startTestLocales('analytics', 'dashboards/testing', 'charts');
beforeEach(() => {
  queryClient.clear();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  vi.useRealTimers();
  store.dispatch(signedOut());
});

test('[P6] during a database outage the screen says so, also while it retries', async () => {
  const requests = serve({
    'POST /api/web/analytics/testing': { status: 503, body: { code: 'unavailable', message: '' } },
  });
  const asked = () => requests.filter(({ path }) => path === '/api/web/analytics/testing').length;
  renderInApp(<TestingAnalytics />, { path: '/analytics/testing' });
  await vi.advanceTimersByTimeAsync(7200);
  expect(await screen.findByRole('alert')).toHaveTextContent('Caseway is not available right now');
  const before = asked();
  await vi.advanceTimersByTimeAsync(15_100);
  expect(asked()).toBeGreaterThan(before);
  expect(screen.getByRole('alert')).toHaveTextContent('Caseway is not available right now');
});
