import type { MeasureValue } from '@caseway/contract/analytics';
import { fieldVisits } from '@caseway/contract/dashboards/field-visits';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from '../../test/server.ts';
import FieldVisitAnalytics from './FieldVisitAnalytics.tsx';

await startTestLocales('analytics', 'dashboards/field-visits', 'charts', 'field-visits');

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

const count = (value: number): MeasureValue => ({
  value,
  numerator: value,
  denominator: null,
  suppressed: false,
});

test('bars of statuses are drawn as the classes that have them, and weekdays are in order', async () => {
  const ofStatus = (key: string, of: string) => ({
    key,
    values: { visits: count(2), done: count(0), cancelled: count(0), underWay: count(0), [of]: count(2) },
  });
  const tried = (key: string) => ({ key, key2: 'morning', values: { attempts: count(1) } });
  serve({
    [`POST /api/web/analytics/${fieldVisits.id}`]: {
      body: {
        asOf: '2026-11-22T12:00:00.000Z',
        dateRangeValue: { start: '2026-11-01', end: '2026-11-30' },
        timeZone: 'UTC',
        suppressionThreshold: null,
        anySuppressed: false,
        measures: { visits: count(4) },
        series: {
          status: [ofStatus('attempted', 'underWay'), ofStatus('done', 'done')],
          timeOfDay: ['wed', 'mon', 'sun', 'tue'].map(tried),
        },
        granularity: 'day',
        incompleteFrom: null,
      },
    },
  });
  renderInApp(<FieldVisitAnalytics />, { path: '/analytics/field-visits' });
  const statuses = await screen.findByRole('region', { name: 'By status' });
  expect(within(statuses).getAllByText('Attempted').length).toBeGreaterThan(0);
  const days = await screen.findByRole('region', { name: 'Attempts by weekday and time of day' });
  const shown = within(days)
    .getAllByText(/^(Sunday|Monday|Tuesday|Wednesday)$/)
    .map(({ textContent }) => textContent);
  expect([...new Set(shown)]).toEqual(['Sunday', 'Monday', 'Tuesday', 'Wednesday']);
});
