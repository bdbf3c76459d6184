import type { AnalyticsAnswer, MeasureValue } from '@caseway/contract/analytics';
import { testing } from '@caseway/contract/dashboards/testing';
import { testingRecords } from '@caseway/contract/testing-analytics';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from '../test/server.ts';
import { DashboardScreen } from './DashboardScreen.tsx';

await startTestLocales('analytics', 'dashboards/testing', 'charts');

const count = (value: number): MeasureValue => ({
  value,
  numerator: value,
  denominator: null,
  suppressed: false,
});
const numbers: AnalyticsAnswer = {
  asOf: '2026-11-22T12:00:00.000Z',
  dateRangeValue: { start: '2026-10-01', end: '2026-10-10' },
  timeZone: 'UTC',
  suppressionThreshold: null,
  anySuppressed: false,
  measures: { tests: count(150), undated: count(0) },
  series: {},
  granularity: 'day',
  incompleteFrom: null,
};
const before = {
  asOf: numbers.asOf,
  previousRange: { start: '2026-09-21', end: '2026-09-30' },
  measures: { tests: count(120) },
};
const records = { results: { grid: testingRecords, path: '/analytics/testing/records' } };
const address = '/analytics/testing?range=2026-10-01..2026-10-10&sexFilter=F';
const show = (path = address) => renderInApp(<DashboardScreen of={testing} records={records} />, { path });

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

test('the numbers are there before what they are compared with, which the same query asks', async () => {
  let answerLater = () => {};
  const later = new Promise<void>((resolve) => {
    answerLater = resolve;
  });
  const requests = serve({
    'POST /api/web/analytics/testing': { body: numbers },
    'POST /api/web/analytics/testing/comparison': () => later.then(() => ({ body: before })),
  });
  show();
  const tile = within(await screen.findByRole('region', { name: 'Tests' }));
  expect(tile.getByText('150')).toBeInTheDocument();
  expect(tile.queryByText('25.0%')).toBeNull();
  answerLater();
  expect(await tile.findByText('25.0%')).toBeInTheDocument();
  const asked = requests.filter(({ method }) => method === 'POST');
  expect(asked.map(({ path }) => path)).toEqual([
    '/api/web/analytics/testing',
    '/api/web/analytics/testing/comparison',
  ]);
  expect(asked[1]!.body).toEqual(asked[0]!.body);
});

test('while reports are still arriving, nothing is asked for a comparison', async () => {
  const requests = serve({
    'POST /api/web/analytics/testing': { body: { ...numbers, incompleteFrom: '2026-10-08' } },
  });
  show();
  expect(await screen.findByText(/Not compared with the previous period/)).toBeInTheDocument();
  expect(requests.filter(({ path }) => path.endsWith('/comparison'))).toEqual([]);
});
