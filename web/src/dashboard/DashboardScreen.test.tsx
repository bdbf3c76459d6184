import type { AnalyticsAnswer, MeasureValue } from '@caseway/contract/analytics';
import { cases } from '@caseway/contract/case-reports';
import { type Dashboard, dashboard, type WordsOf } from '@caseway/contract/dashboard';
import { testing } from '@caseway/contract/dashboards/testing';
import { addDays } from '@caseway/contract/date-range';
import { over } from '@caseway/contract/measure';
import { results } from '@caseway/contract/results';
import { testingRecords } from '@caseway/contract/testing-analytics';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
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
const show = (of: Dashboard = testing, path = address) =>
  renderInApp(<DashboardScreen of={of} records={records} />, { path });
const sentTo = (requests: ReturnType<typeof serve>, path: string) =>
  requests.filter((sent) => sent.path === path && sent.method === 'POST').map(({ body }) => body);

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  HTMLElement.prototype.scrollIntoView = vi.fn();
  queryClient.clear();
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer(undefined, { casbinPolicy: ['p, u1, T, line-lists/read, allow'] })));
});
afterEach(() => {
  vi.unstubAllGlobals();
  store.dispatch(signedOut());
});

test('the numbers come before their comparison, which the same query requests', async () => {
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

test('while reports are still arriving, no comparison is requested', async () => {
  const requests = serve({
    'POST /api/web/analytics/testing': { body: { ...numbers, incompleteFrom: '2026-10-08' } },
  });
  show();
  expect(await screen.findByText(/Not compared with the previous period/)).toBeInTheDocument();
  expect(requests.filter(({ path }) => path.endsWith('/comparison'))).toEqual([]);
});

describe('the controls of a dashboard follow from its declaration', () => {
  const [ofCases, ofTests] = [over(cases), over(results)];
  const declared = dashboard('sti', {
    permission: 'case-reports/read',
    facts: { cases, results },
    main: 'cases',
    filters: { sexFilter: 'sex' },
    textFilters: { statusFilter: 'status' },
    restrictedFilter: 'restrictedDiseaseFamilies',
    eventDates: { created: 'createdOn', onset: 'onsetOn' },
    clear: 'sets-filters',
    defaultRange: (today) => ({ start: addDays(today, -30), end: today }),
    measures: {
      cases: ofCases.count(),
      people: ofCases.persons(),
      tests: ofTests.count(),
      tested: ofTests.persons(),
    },
    leading: ['cases', 'people', 'tests', 'tested'],
    sections: { all: [] },
    series: { assay: { on: 'results', form: 'bars', by: 'assay', section: 'all' } },
  });
  const sti: Dashboard = declared;
  const word = (title: string) => ({ title, counted: title });
  const words = {
    title: 'STI',
    rows: { count_one: '{{number}} case', count_other: '{{number}} cases' },
    rowsOf: { results: { count_one: '{{number}} test', count_other: '{{number}} tests' } },
    section: { all: 'All' },
    day: { collectedOn: 'Day of the specimen' },
    measure: {
      cases: word('Cases'),
      people: word('People'),
      tests: word('Tests'),
      tested: word('People tested'),
    },
    series: { assay: { title: 'Assay' } },
  } satisfies WordsOf<typeof declared>;
  const asked = '/api/web/analytics/sti';
  const answers = {
    [`POST ${asked}`]: {
      body: {
        ...numbers,
        measures: { cases: count(40), people: count(30), tests: count(90), tested: count(80) },
        countedBy: { cases: 'createdOn', results: 'collectedOn' },
        incompleteFrom: '2026-10-08',
      },
    },
    [`GET ${asked}/presets`]: { body: { presets: [] } },
    'GET /api/web/list/options/restrictedFamilies': { body: { options: [{ id: 'hiv', label: 'HIV' }] } },
    'GET /api/web/list/options/sex': { body: { options: [{ id: 'F', label: 'Female' }] } },
  };
  beforeAll(() => {
    i18next.addResourceBundle('en', 'dashboards/sti', words);
    i18next.addResourceBundle('en', 'analytics', { filter: { status: 'Status' } }, true);
    i18next.addResourceBundle('en', 'case-reports', { status: { closed: 'Closed' } });
  });

  test('[S3.11] a text filter picks one value, and restricted families are a separate choice', async () => {
    const requests = serve(answers);
    show(sti, '/analytics/sti');
    await userEvent.click(await screen.findByRole('button', { name: 'Add filter' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Status' }));
    await userEvent.click(await screen.findByText('Closed'));
    expect(screen.queryByRole('dialog', { name: 'Status' })).toBeNull();
    await userEvent.click(await screen.findByRole('button', { name: 'Add filter' }));
    await userEvent.click(await screen.findByRole('option', { name: /^Restricted disease families/ }));
    await userEvent.click(await screen.findByText('HIV'));
    await expect
      .poll(() => sentTo(requests, asked).at(-1))
      .toMatchObject({
        filters: { sexFilter: [], statusFilter: 'closed', restrictedDiseaseFamilies: ['hiv'] },
      });
  });

  test('[P18] a reader who sees no restricted family is not offered any', async () => {
    serve({ ...answers, 'GET /api/web/list/options/restrictedFamilies': { body: { options: [] } } });
    show(sti, '/analytics/sti');
    await userEvent.click(await screen.findByRole('button', { name: 'Add filter' }));
    expect(await screen.findByRole('option', { name: 'Status' })).toBeInTheDocument();
    expect(screen.queryByRole('option', { name: /^Restricted disease families/ })).toBeNull();
  });

  test('[S4.11] Clear empties the filters', async () => {
    const requests = serve(answers);
    show(sti, '/analytics/sti?sexFilter=F&statusFilter=closed');
    await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
    await expect
      .poll(() => sentTo(requests, asked).at(-1))
      .toMatchObject({
        filters: { sexFilter: [], statusFilter: '', restrictedDiseaseFamilies: [] },
      });
  });

  test('counts by another date say which one', async () => {
    serve(answers);
    show(sti, '/analytics/sti');
    const tile = (name: string) => within(screen.getByRole('region', { name }));
    await screen.findByRole('region', { name: 'Cases' });
    expect(tile('Tests').getByText('Counted by: Day of the specimen')).toBeInTheDocument();
    expect(tile('Cases').queryByText(/Counted by/)).toBeNull();
    expect(tile('Assay').getByText(/Counted by: Day of the specimen/)).toBeInTheDocument();
  });
});

test('[P17] if numbers cover four weeks, thirteen weeks are shown at first', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-10-14T12:00:00Z'), shouldAdvanceTime: true });
  try {
    const requests = serve({
      'POST /api/web/analytics/testing': {
        body: {
          ...numbers,
          half: true,
          suppressionThreshold: 11,
          granularity: 'four-weeks',
          incompleteFrom: '2026-10-08',
        },
      },
    });
    show(testing, '/analytics/testing');
    // Today is the fourth day of the thirteenth week.
    await expect
      .poll(() => sentTo(requests, '/api/web/analytics/testing').at(-1))
      .toMatchObject({ dateRangeValue: { start: '2026-07-19', end: '2026-10-14' } });
  } finally {
    vi.useRealTimers();
  }
});

test('[P17] the dates state the days that protected numbers really cover', async () => {
  const widened = { start: '2026-09-20', end: '2026-10-17' };
  serve({
    'POST /api/web/analytics/testing': {
      body: {
        ...numbers,
        half: true,
        suppressionThreshold: 11,
        dateRangeValue: widened,
        incompleteFrom: '2026-10-08',
      },
    },
  });
  show();
  const button = await screen.findByRole('button', { name: /Sep 20, 2026 .* Oct 17, 2026/ });
  await userEvent.click(button);
  // The choice can still be changed by the day.
  expect(await screen.findByLabelText('Start')).toHaveValue('10/01/2026');
});
