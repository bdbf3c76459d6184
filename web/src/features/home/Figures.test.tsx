import type { AnalyticsAnswer, MeasureValue } from '@caseway/contract/analytics';
import { dashboards } from '@caseway/contract/dashboards/all';
import { caseReports } from '@caseway/contract/dashboards/case-reports';
import { testing } from '@caseway/contract/dashboards/testing';
import { analyticsFromParams } from '@caseway/contract/search-params';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, type Sent, serve } from '../../test/server.ts';
import { hasChanged } from './changed.ts';
import Figures from './Figures.tsx';

await startTestLocales('analytics', 'dashboards/case-reports', 'dashboards/testing');

const count = (value: number | null, more: Partial<MeasureValue> = {}): MeasureValue => ({
  value,
  numerator: value,
  denominator: null,
  suppressed: false,
  ...more,
});
const answer = (measures: Record<string, MeasureValue>, more: Partial<AnalyticsAnswer> = {}) => ({
  body: {
    asOf: '2024-03-12T12:00:00.000Z',
    dateRangeValue: { start: '2024-03-03', end: '2024-03-09' },
    timeZone: 'America/New_York',
    suppressionThreshold: null,
    anySuppressed: false,
    measures,
    series: {},
    granularity: 'day',
    incompleteFrom: null,
    ...more,
  },
});
const before = (measures: Record<string, MeasureValue>) => ({
  body: {
    asOf: '2024-03-12T12:00:00.000Z',
    previousRange: { start: '2024-02-25', end: '2024-03-02' },
    measures,
  },
});
const cases = 'POST /api/web/analytics/case-reports';
const tests = 'POST /api/web/analytics/testing';
let sent: Sent[];
const show = (
  answers: Parameters<typeof serve>[0],
  paths = ['/analytics/case-reports', '/analytics/testing'],
) => {
  sent = serve(answers);
  renderInApp(
    <Suspense fallback={null}>
      <Figures paths={paths} />
    </Suspense>,
  );
};

beforeEach(() => {
  // A Tuesday; the last whole MMWR week is from Sunday the 3rd to Saturday the 9th.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2024-03-12T16:00:00Z') });
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
});
afterEach(() => {
  // Before the answers are forgotten: a section that is still shown would ask again.
  cleanup();
  vi.useRealTimers();
  queryClient.clear();
  store.dispatch(signedOut());
});

describe('the figures of home', () => {
  test('are those that changed in the last whole week, each a link to its dashboard in that week', async () => {
    show({
      [cases]: answer({ cases: count(60) }),
      [`${cases}/comparison`]: before({ cases: count(30) }),
      [tests]: answer({ tests: count(105) }),
      [`${tests}/comparison`]: before({ tests: count(100) }),
    });
    const section = await screen.findByRole('region', { name: 'Figures that changed' });
    const link = await within(section).findByRole('link');
    expect(link).toHaveTextContent(/60.*Up from 30/);
    const address = new URL(link.getAttribute('href')!, 'http://x');
    expect(address.pathname).toBe('/analytics/case-reports');
    const range = { start: '2024-03-03', end: '2024-03-09' };
    expect(analyticsFromParams(caseReports, address.searchParams)).toMatchObject({ range });
    expect(sent.find(({ path }) => path.endsWith('/testing'))!.body).toMatchObject({ dateRangeValue: range });
    // Nothing but what its rule says.
    expect(section).toHaveTextContent('compared with the week before');
  });

  test('say when nothing changed, and when reports of the week still arrive', async () => {
    show({
      [cases]: answer({ cases: count(60) }, { incompleteFrom: '2024-03-06' }),
      [tests]: answer({ tests: count(100) }),
      [`${tests}/comparison`]: before({ tests: count(100) }),
    });
    expect(await screen.findByText('No figure changed by more than chance explains.')).toBeVisible();
    expect(screen.getByText(/^Some figures cannot be compared yet/)).toBeVisible();
    expect(sent.some(({ path }) => path.endsWith('/case-reports/comparison'))).toBe(false);
  });

  test('that could not be loaded say so beside the others, and are asked for again', async () => {
    const refused = { status: 403, body: { code: 'forbidden', message: 'no', requestId: 'r' } };
    let isRefused = true;
    show({
      [cases]: () => (isRefused ? refused : answer({ cases: count(30) })),
      [`${cases}/comparison`]: before({ cases: count(60) }),
      [tests]: answer({ tests: count(200) }),
      [`${tests}/comparison`]: before({ tests: count(100) }),
    });
    expect(await screen.findByText('Some figures could not be loaded.')).toBeVisible();
    expect(await screen.findByText('Up from 100')).toBeVisible();
    isRefused = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Down from 60')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Some figures could not be loaded.')).toBeNull());
  });

  test('ask only for dashboards that the user may open', async () => {
    show({ [tests]: answer({ tests: count(1) }), [`${tests}/comparison`]: before({ tests: count(1) }) }, [
      '/analytics/testing',
      '/imports',
    ]);
    await screen.findByText('No figure changed by more than chance explains.');
    const asked = sent.flatMap(({ path }) => (path.includes('/analytics/') ? [path] : []));
    expect(asked).toEqual(['/api/web/analytics/testing', '/api/web/analytics/testing/comparison']);
  });

  test('are counts of their dashboards', () => {
    for (const { home, measures } of dashboards) if (home) expect(measures[home]!.unit).toBe('count');
    expect(testing.home).toBe('tests');
  });
});

describe('a count has changed', () => {
  const changed = (a: MeasureValue, b: MeasureValue, half?: true) => hasChanged(a, b, { half });

  test('if it differs by more than chance', () => {
    // (60 − 40)² / 100 = 4, and (59 − 40)² / 99 = 3.65.
    expect(changed(count(60), count(40))).toBe(true);
    expect(changed(count(40), count(60))).toBe(true);
    expect(changed(count(59), count(40))).toBe(false);
  });

  test('of half of the persons, if it differs by twice as much', () => {
    // (60 − 40)² / 200 = 2, and (70 − 40)² / 220 = 4.09.
    expect(changed(count(60), count(40), true)).toBe(false);
    expect(changed(count(70), count(40), true)).toBe(true);
  });

  test('never, if it is small, withheld, rough, unstable or unknown', () => {
    // (19 − 0)² / 19 = 19, but of fewer than twenty; with one more it counts.
    expect(changed(count(19), count(0))).toBe(false);
    expect(changed(count(20), count(0))).toBe(true);
    for (const more of [{ suppressed: true }, { rough: true }, { unstable: true }] as const)
      expect(changed(count(90, more), count(10))).toBe(false);
    expect(changed(count(null), count(10))).toBe(false);
    expect(hasChanged(undefined, count(10), {})).toBe(false);
  });
});
