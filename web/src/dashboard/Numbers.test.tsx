import type { AnalyticsAnswer, MeasureValue, SeriesRow } from '@caseway/contract/analytics';
import type { Dashboard } from '@caseway/contract/dashboard';
import { testing } from '@caseway/contract/dashboards/testing';
import { testingRecords } from '@caseway/contract/testing-analytics';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from '../test/server.ts';
import { useDashboardView } from '../view/dashboard-view.ts';
import { Numbers } from './Numbers.tsx';
import { comparedWith } from './test-forms.ts';

const records = { results: { grid: testingRecords, path: '/analytics/testing/records' } };
await startTestLocales('analytics', 'dashboards/testing', 'charts');

const count = (value: number): MeasureValue => ({
  value,
  numerator: value,
  denominator: null,
  suppressed: false,
});
const withheld: MeasureValue = { value: null, numerator: null, denominator: null, suppressed: true };
const row = (key: string, tests: number | MeasureValue, more: Partial<SeriesRow> = {}): SeriesRow => ({
  key,
  values: { tests: typeof tests === 'number' ? count(tests) : tests },
  ...more,
});
const answer = (more: Partial<AnalyticsAnswer> = {}): AnalyticsAnswer => ({
  asOf: '2026-11-22T12:00:00.000Z',
  dateRangeValue: { start: '2026-10-01', end: '2026-10-10' },
  timeZone: 'UTC',
  suppressionThreshold: null,
  anySuppressed: false,
  measures: { tests: count(150), undated: count(0) },
  series: {},
  granularity: 'day',
  incompleteFrom: null,
  ...more,
});

const onRange = vi.fn();
const onGranularity = vi.fn();
let address = '';
function Screen({
  given,
  of = testing,
  comparison = comparedWith({ tests: count(120) }),
}: {
  given: AnalyticsAnswer;
  of?: Dashboard;
  comparison?: ReturnType<typeof comparedWith>;
}) {
  const view = useDashboardView(testing);
  const { pathname, search } = useLocation();
  address = pathname + search;
  return (
    <Numbers
      of={of}
      answer={given}
      comparison={comparison}
      view={view}
      records={records}
      onClear={vi.fn()}
      onRange={onRange}
      onGranularity={onGranularity}
    />
  );
}
const option = (id: string, label: string) => ({ id, label });
function show(
  more: Partial<AnalyticsAnswer>,
  given: { of?: Dashboard; comparison?: ReturnType<typeof comparedWith> } = {},
) {
  serve({
    'GET /api/web/list/options/ageBands': { body: { options: [option('20-24', '20–24')] } },
    'GET /api/web/list/options/sex': { body: { options: [option('F', 'Female'), option('M', 'Male')] } },
  });
  renderInApp(<Screen given={answer(more)} {...given} />, { path: '/analytics/testing' });
}
const chart = (name: string) => within(screen.getByRole('region', { name }));

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer(undefined, { casbinPolicy: ['p, u1, T, line-lists/read, allow'] })));
  onRange.mockReset();
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

describe('tests without the chosen date', () => {
  test('rows entered without the date are counted too, and their number opens the records', async () => {
    show({ measures: { tests: count(0), undated: count(43_213) } });
    expect(screen.getByRole('heading', { name: 'Nothing to count' })).toBeInTheDocument();
    expect(screen.getByText(/Records entered in these dates have none/)).toBeInTheDocument();
    await userEvent.click(
      screen.getByRole('link', { name: '43,213 No date of this kind: open the records' }),
    );
    expect(decodeURIComponent(decodeURIComponent(address))).toContain(
      '/analytics/testing/records?range=all&behind=dashboard=testing&measure=undated&date=collected',
    );
  });

  test('if no such row was entered, the dates are empty', () => {
    show({ measures: { tests: count(0), undated: count(0) } });
    expect(screen.getByText(/Choose other dates\.$/)).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'No date of this kind' })).toBeNull();
  });
});

describe('the comparison with the previous period', () => {
  test('150 tests after 120 are a quarter more', () => {
    show({});
    const tile = within(screen.getByRole('region', { name: 'Tests' }));
    expect(tile.getByRole('img', { name: 'Up' })).toBeInTheDocument();
    expect(tile.getByText('25.0%')).toBeInTheDocument();
    expect(screen.getByText('Arrows: change from the 10 days before.')).toBeInTheDocument();
  });

  test('is left out, with the reason, while reports of some days are still arriving', async () => {
    show({ incompleteFrom: '2026-10-08' });
    const tile = within(screen.getByRole('region', { name: 'Tests' }));
    expect(tile.queryByRole('img')).toBeNull();
    expect(tile.queryByText('25.0%')).toBeNull();
    expect(
      screen.getByText(
        /Not compared with the previous period: reports from Oct 8, 2026 on are still arriving/,
      ),
    ).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Show complete days only' }));
    expect(onRange).toHaveBeenCalledWith({ start: '2026-10-01', end: '2026-10-07' });
  });

  test('a dashboard that looks a year back says so', () => {
    show({}, { of: { ...testing, compare: 'year-before' } });
    expect(screen.getByText('Arrows: change from the same time a year before.')).toBeInTheDocument();
    expect(screen.queryByText(/the 10 days before/)).toBeNull();
  });

  test('says so when it cannot be loaded, and can be requested again', async () => {
    const comparison = { data: undefined, isError: true, refetch: vi.fn() };
    show({}, { comparison });
    expect(screen.getByText(/What the numbers are compared with could not be loaded/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(comparison.refetch).toHaveBeenCalledOnce();
  });

  test('is missing if no day is complete', () => {
    show({ incompleteFrom: '2026-10-01' });
    expect(screen.queryByRole('button', { name: 'Show complete days only' })).toBeNull();
  });
});

test('[P17] a section that is hidden from the reader has no heading', () => {
  const of = { ...testing, series: {}, sections: { where: ['tests'], who: ['positivity'] } };
  show({ measures: { tests: count(150), undated: count(0) } }, { of });
  const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(headings).toContain('Where');
  expect(headings).not.toContain('Who');
});

test('[P17] rough bars follow the others by name, then the withheld ones', async () => {
  serve({
    'GET /api/web/list/options/race': {
      body: {
        options: [
          option('a', 'White'),
          option('b', 'Asian'),
          option('c', 'Black'),
          option('d', 'Other race'),
        ],
      },
    },
  });
  const rough = (value: number) => ({ ...count(value), rough: true as const });
  const rows = [row('d', withheld), row('a', rough(80)), row('b', rough(40)), row('c', 200)];
  renderInApp(<Screen given={answer({ half: true, suppressionThreshold: 11, series: { race: rows } })} />, {
    path: '/analytics/testing',
  });
  const race = chart('By race');
  await race.findAllByText('Asian');
  act(() => race.getByRole('listbox').focus());
  const said: string[] = [];
  for (const _ of rows) {
    await userEvent.keyboard('{ArrowRight}');
    said.push(race.getByText(/^(White|Asian|Black|Other race): /).textContent!.split(':')[0]!);
  }
  expect(said).toEqual(['Black', 'Asian', 'White', 'Other race']);
});

describe('the trend', () => {
  const rows = [
    row('2026-07-26', 10, { partial: true }),
    row('2026-08-02', 70),
    row('2026-08-09', 30, { incomplete: true }),
  ];
  const weeks = {
    granularity: 'week',
    series: { trend: rows, positivityTrend: rows },
  } as const satisfies Partial<AnalyticsAnswer>;

  test('marks a week with only some days in the range, in words and in its table', async () => {
    show(weeks);
    const tests = chart('Tests over time');
    expect(tests.getByText(/Hatched first or last week/)).toBeInTheDocument();
    await userEvent.click(tests.getByRole('button', { name: 'Show Tests over time as a table' }));
    const remarks = tests
      .getAllByRole<HTMLTableRowElement>('row')
      .map(({ cells }) => [...cells].at(-1)!.textContent);
    expect(remarks).toEqual(['Remark', 'only some days of the week', '', 'reports still arriving']);
  });

  test('reads out why a week is incomplete', async () => {
    show(weeks);
    const tests = chart('Tests over time');
    act(() => tests.getByRole('listbox').focus());
    await userEvent.keyboard('{ArrowRight}');
    expect(tests.getByText('Week of Jul 26, 2026: Tests 10; only some days of the week')).toBeInTheDocument();
  });

  test('names weeks if its points are weeks, and the mean if they are days', () => {
    show({ ...weeks, incompleteFrom: '2026-08-12' });
    const positivity = chart('Positivity over time');
    expect(positivity.getByText(/by MMWR week/)).toBeInTheDocument();
    expect(positivity.queryByText(/7-day mean|left out of the mean/)).toBeNull();
    expect(positivity.getByText('Hatched: reports still arriving.')).toBeInTheDocument();
  });

  test('by days, has no remarks if all are complete', async () => {
    show({ series: { trend: [row('2026-10-01', 10)], positivityTrend: [row('2026-10-01', 10)] } });
    const tests = chart('Tests over time');
    expect(chart('Positivity over time').getByText(/by day, 7-day mean/)).toBeInTheDocument();
    await userEvent.click(tests.getByRole('button', { name: 'Show Tests over time as a table' }));
    expect(tests.queryByText('Remark')).toBeNull();
  });
});

describe('tests not drawn in a chart', () => {
  test('tests with other or unknown sex or unknown age are counted', () => {
    show({
      series: {
        ageSex: [
          row('20-24', 80, { key2: 'F' }),
          row('20-24', 55, { key2: 'M' }),
          // 4 + 3 + 8 of the 150 have no bar.
          row('20-24', 4, { key2: 'U' }),
          row('20-24', 3, { key2: 'missing' }),
          row('missing', 8, { key2: 'F' }),
        ],
      },
    });
    expect(chart('Tests by age and sex').getByText(/^Not drawn: 15 tests of people/)).toBeInTheDocument();
  });

  test('[P17] without their number if one of them is withheld', () => {
    show({
      suppressionThreshold: 11,
      series: { ageSex: [row('20-24', 4, { key2: 'U' }), row('missing', withheld, { key2: 'F' })] },
    });
    expect(
      chart('Tests by age and sex').getByText(/^Not drawn: people of other or unknown sex/),
    ).toBeInTheDocument();
  });

  test('tests of people in other states and without a county are counted next to the map', () => {
    show({ series: { county: [row('12086', 90), row('12011', 40), row('13001', 1), row('missing', 19)] } });
    // 1 in Georgia and 19 without a county.
    expect(chart('Positivity by county').getByText(/^Not drawn: 20 tests of people/)).toBeInTheDocument();
  });

  test('without any known county, only the table is shown', async () => {
    show({ series: { county: [row('missing', 19)] } });
    const county = chart('Positivity by county');
    expect(await county.findByRole('table')).toBeInTheDocument();
    expect(county.queryByRole('listbox')).toBeNull();
    expect(county.getByText(/^Not drawn: 19 tests of people/)).toBeInTheDocument();
  });

  test('says nothing if everything is drawn', () => {
    show({ series: { ageSex: [row('20-24', 150, { key2: 'F' })], county: [row('12086', 150)] } });
    expect(screen.queryByText(/^Not drawn/)).toBeNull();
  });
});
