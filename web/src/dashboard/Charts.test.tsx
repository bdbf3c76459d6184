import type { AnalyticsAnswer, MeasureValue, SeriesRow } from '@caseway/contract/analytics';
import type { Dashboard } from '@caseway/contract/dashboard';
import { testing } from '@caseway/contract/dashboards/testing';
import { permissionSubject } from '@caseway/contract/policy';
import type { OrgType } from '@caseway/contract/session';
import { testingRecords } from '@caseway/contract/testing-analytics';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../session/authentication.ts';
import { store } from '../session/store.ts';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { accessToken, initAnswer, org, refreshToken, serve } from '../test/server.ts';
import { useDashboardView } from '../view/dashboard-view.ts';
import { Numbers } from './Numbers.tsx';
import { comparedWith } from './test-forms.ts';

const records = { results: { grid: testingRecords, path: '/analytics/testing/records' } };
await startTestLocales('analytics', 'dashboards/testing', 'charts');

const uuid = 'd4e698d2-2312-5178-b5ac-34bd7ac44603';
const count = (value: number): MeasureValue => ({
  value,
  numerator: value,
  denominator: null,
  suppressed: false,
});
const withheld: MeasureValue = { value: null, numerator: null, denominator: null, suppressed: true };
const share = (value: number, denominator = 40): MeasureValue => ({
  value,
  numerator: value * denominator,
  denominator,
  suppressed: false,
});
const row = (key: string, more: Partial<SeriesRow> = {}): SeriesRow => ({
  key,
  values: {
    tests: count(40),
    positive: count(1),
    negative: count(38),
    other: count(1),
    positivity: share(0.025),
  },
  ...more,
});
const hidden = (key: string, more: Partial<SeriesRow> = {}): SeriesRow =>
  row(key, {
    values: {
      tests: withheld,
      positive: withheld,
      negative: withheld,
      other: withheld,
      positivity: withheld,
    },
    ...more,
  });

const days = [row('2026-10-01'), hidden('2026-10-02'), row('2026-10-03', { incomplete: true })];
const rowsOf = {
  trend: days,
  positivityTrend: days,
  county: [
    row('12086'),
    hidden('12011'),
    row('12099', { values: { tests: count(15), positivity: share(0.2, 15) } }),
  ],
  ageSex: [row('20-24', { key2: 'F' }), hidden('20-24', { key2: 'M' })],
  diseaseFamily: [row('hepatitis-c'), hidden('rsv')],
  resultCategory: [row('positive'), hidden('presumptive-positive')],
  programType: [row(uuid), hidden('p-two')],
  program: [row(uuid), hidden('p-two')],
  facility: Array.from({ length: 20 }, (_, index) => (index === 19 ? hidden('f-19') : row(`f-${index}`))),
  assay: [row('assay a', { label: 'Assay A' }), hidden('assay b', { label: 'Assay B' })],
  race: [row('2106-3'), hidden('2054-5')],
  ethnicity: [row('2135-2'), hidden('2186-5')],
} satisfies Record<keyof typeof testing.series, SeriesRow[]>;

const answer: AnalyticsAnswer = {
  asOf: '2026-11-22T12:00:00.000Z',
  countedBy: { results: 'collectedOn' },
  dateRangeValue: { start: '2026-10-01', end: '2026-10-03' },
  timeZone: 'UTC',
  suppressionThreshold: 11,
  half: true,
  anySuppressed: true,
  measures: { tests: count(150), undated: count(0) },
  series: rowsOf,
  granularity: 'day',
  incompleteFrom: '2026-10-03',
};

/** The look-ups behind the charts, with their labels. */
const labels: Record<string, Record<string, string>> = {
  counties: { '12086': 'Miami-Dade', '12011': 'Broward' },
  ageBands: { '20-24': 'From 20 to 24' },
  sex: { F: 'Female', M: 'Male' },
  diseaseFamilies: { 'hepatitis-c': 'Hepatitis C', rsv: 'Respiratory syncytial virus' },
  resultCategories: { positive: 'Positive', 'presumptive-positive': 'Presumptive positive' },
  programTypes: { [uuid]: 'Prevention', 'p-two': 'Surveillance' },
  programs: { [uuid]: 'School program', 'p-two': 'Clinic program' },
  tasks: {},
  facilities: Object.fromEntries(rowsOf.facility.map(({ key }) => [key, `Facility of ${key.slice(2)}`])),
  gender: {},
  race: { '2106-3': 'White', '2054-5': 'Black or African American' },
  ethnicity: { '2135-2': 'Hispanic or Latino', '2186-5': 'Not Hispanic or Latino' },
};

const onGranularity = vi.fn();
function Screen({ of, shown }: { of: Dashboard; shown: AnalyticsAnswer }) {
  const view = useDashboardView(of);
  return (
    <Numbers
      of={of}
      answer={shown}
      comparison={comparedWith({})}
      view={view}
      records={records}
      onClear={vi.fn()}
      onRange={vi.fn()}
      onGranularity={onGranularity}
    />
  );
}

type Entry = [string, Record<string, string>];
function show(
  given: (entry: Entry) => { status?: number; body?: unknown } | Promise<{ body: unknown }>,
  of: Dashboard = testing,
  shown = answer,
) {
  serve({
    ...Object.fromEntries(
      Object.entries(labels).map((entry) => [`GET /api/web/list/options/${entry[0]}`, () => given(entry)]),
    ),
  });
  // The font is a file of the product; the test does not need its content.
  const answered = globalThis.fetch;
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) =>
    address.includes('woff2') ? Promise.resolve(new Response('font')) : answered(address, init),
  );
  renderInApp(<Screen of={of} shown={shown} />, { path: '/analytics/testing' });
}
const asOptions = ([, entries]: Entry) => ({
  body: { options: Object.entries(entries).map(([id, label]) => ({ id, label })) },
});

let saved: Blob[] = [];
beforeEach(() => {
  saved = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  URL.createObjectURL = (blob) => {
    saved.push(blob as Blob);
    return 'blob:chart';
  };
  URL.revokeObjectURL = () => {};
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer(undefined, { casbinPolicy: [] })));
});
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

/** Every chart of the page by title, with labels that only its own drawing or table has. */
const charts: [title: string, names: readonly string[]][] = [
  ['Tests over time', ['7-day mean', 'Positive', 'Negative', 'Other results', 'Withheld', 'Incomplete']],
  ['Positivity over time', ['Positivity', 'Incomplete']],
  ['By disease family', ['Hepatitis C', 'Respiratory syncytial virus', 'Withheld']],
  ['By result', ['Positive', 'Presumptive positive', 'Withheld']],
  ['By assay', ['Assay A', 'Assay B', 'Withheld']],
  [
    'Positivity by county',
    ['2.5%', 'Unstable: fewer than 16 events, or a share of fewer than 16', 'Withheld', 'Nothing to count'],
  ],
  ['By program type', ['Prevention', 'Surveillance', 'Withheld']],
  ['By program', ['School program', 'Clinic program', 'Withheld']],
  ['By facility', [...Object.values(labels.facilities!), 'Withheld']],
  ['Tests by age and sex', ['From 20 to 24', 'Female', 'Male', 'Withheld']],
  ['By race', ['White', 'Black or African American', 'Withheld']],
  ['By ethnicity', ['Hispanic or Latino', 'Not Hispanic or Latino', 'Withheld']],
];

describe('the periods of a trend', () => {
  const { half: _, ...exact } = answer;
  const alone: Dashboard = { ...testing, series: { trend: testing.series.trend } };
  const field = () => screen.queryByRole('combobox', { name: 'Periods of Tests over time' });
  const drawn = () => screen.findByRole('button', { name: 'Download Tests over time' });

  test('are chosen beside it, for all trends', async () => {
    onGranularity.mockClear();
    show(asOptions, alone, exact);
    await drawn();
    const options = within(field()!).getAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual([
      'Automatic',
      'Days',
      'MMWR weeks',
      'Months',
    ]);
    expect(field()).toHaveDisplayValue('Automatic');
    await userEvent.selectOptions(field()!, 'Months');
    await userEvent.selectOptions(field()!, 'Automatic');
    expect(onGranularity.mock.calls).toEqual([['month'], [null]]);
  });

  test('[P17] cannot be chosen by readers of protected numbers', async () => {
    show(asOptions, alone);
    await drawn();
    expect(field()).toBeNull();
  });

  test('are months by name, with the note that the first has only some of its days', async () => {
    const trend = [row('2026-09-01', { partial: true }), row('2026-10-01')];
    show(asOptions, alone, { ...exact, granularity: 'month', series: { trend }, incompleteFrom: null });
    await drawn();
    await userEvent.click(screen.getByRole('button', { name: 'Show Tests over time as a table' }));
    expect(screen.getAllByRole('row').map((one) => one.firstElementChild!.textContent)).toEqual([
      'Month',
      'Sep 2026',
      'Oct 2026',
    ]);
    expect(screen.getByText(/^Hatched first or last month/)).toBeInTheDocument();
  });
});

describe('every chart in exports', () => {
  test('each declared series has a chart of its form, and is listed below', async () => {
    show(asOptions);
    await screen.findByRole('button', { name: 'Download By ethnicity' });
    const titles = screen
      .getAllByRole('region')
      .filter((region) => within(region).queryByRole('button', { name: /^Download / }))
      .map((region) => within(region).getByRole('heading').textContent);
    expect(titles).toEqual(charts.map(([title]) => title));
    expect(titles).toHaveLength(Object.keys(testing.series).length);
  });

  /** Downloads a chart in a format and returns the file's text. */
  async function download(title: string, form: 'SVG' | 'CSV'): Promise<string> {
    const before = saved.length;
    await userEvent.click(await screen.findByRole('button', { name: `Download ${title}` }));
    await userEvent.click(screen.getByRole('menuitem', { name: form }));
    await waitFor(() => expect(saved, title).toHaveLength(before + 1));
    return saved.at(-1)!.text();
  }

  test('as a picture, each has its title, dates, filters, time, legend, every name and the font', async () => {
    show(asOptions);
    for (const [title, names] of charts) {
      const page = new DOMParser().parseFromString(await download(title, 'SVG'), 'image/svg+xml');
      const words = [...page.querySelectorAll('text')].map((each) => each.lastChild!.textContent);
      const all = words.join(' ');
      expect(words[0]).toBe(title);
      expect(all, title).toContain('Oct 1, 2026 – Oct 3, 2026');
      expect(all, title).toContain('Counted by: Specimen collected');
      expect(all, title).toContain('Filters: none');
      expect(all, title).toContain('As of 11/22/2026, 7:00 AM');
      expect(all, title).toContain(
        'Numbers come from a fixed secret half of the people, counted double; numbers below 11 are hidden.',
      );
      for (const name of names) expect(words, title).toContain(name);
      expect(page.querySelector('style')!.textContent, title).toContain('@font-face');
      // Everything is within the edges of the picture.
      const [width, height] = ['width', 'height'].map((side) =>
        Number(page.documentElement.getAttribute(side)),
      );
      for (const each of page.documentElement.children) {
        expect(Number(each.getAttribute('x') ?? 0), title).toBeLessThan(width!);
        expect(Number(each.getAttribute('y') ?? 0), title).toBeLessThan(height!);
      }
      // The screen again shows only as much as fits.
      expect(screen.getByRole('button', { name: 'Show all 20' }), title).toBeInTheDocument();
    }
  });

  test('as CSV, each has its caption and days as YYYY-MM-DD', async () => {
    show(asOptions);
    for (const [title] of charts) {
      const lines = (await download(title, 'CSV')).replace('\uFEFF', '').split('\r\n');
      expect(lines[0]).toBe(title);
      const all = lines.join('\n');
      for (const said of [
        'Filters: none',
        'As of',
        'Counted by: Specimen collected',
        'numbers below 11 are hidden',
      ])
        expect(all, title).toContain(said);
      const body = lines.slice(lines.indexOf('') + 2).filter(Boolean);
      if (title === 'Tests over time') expect(body[0]).toMatch(/^2026-10-01,40,1,38,1,2\.5%/);
      else if (title === 'Positivity over time') expect(body[0]).toMatch(/^2026-10-01,2\.5%,1,38,1/);
      else if (title === 'By facility') expect(body).toHaveLength(20);
      // A withheld value may be large, so it is not shown as a number or share below eleven.
      expect(all, title).toContain('Withheld,Withheld,Withheld,Withheld');
      expect(all, title).not.toContain('<11');
    }
  });
});

describe('data that a reader may not see', () => {
  const said = /reported about a person is not shown to you\. Those records are under “Not recorded”/;
  const leftOut = 'Left out: records of diseases that need the permission “See restricted disease families”';
  const reader = (orgType: OrgType, permissions: readonly string[] = []) => {
    const here = { ...org('o1', 'Alder'), orgType };
    const subject = permissionSubject(here, 'u1');
    store.dispatch(
      userReady(
        initAnswer([here], {
          casbinPolicy: permissions.map((each) => `p, u1, ${subject}, ${each}, allow`),
        }),
      ),
    );
  };
  const captionOf = async (title: string) => {
    await userEvent.click(await screen.findByRole('button', { name: `Download ${title}` }));
    await userEvent.click(screen.getByRole('menuitem', { name: 'CSV' }));
    return saved.at(-1)!.text();
  };

  test.each(['O', 'F'] as const)(
    'for type %s: race, ethnicity and county reported only by others are missing on the screen and in exports [P23]',
    async (orgType) => {
      reader(orgType);
      show(asOptions);
      for (const title of ['By race', 'By ethnicity', 'Positivity by county']) {
        expect(await captionOf(title)).toMatch(said);
        expect(screen.getByRole('region', { name: title })).toHaveTextContent(said);
      }
      expect(await captionOf('By assay')).not.toMatch(said);
    },
  );

  test.each(['T', 'PHJ'] as const)(
    'for type %s: everything reported about a person is shown',
    async (orgType) => {
      reader(orgType);
      show(asOptions);
      expect(await captionOf('By race')).not.toMatch(said);
    },
  );

  test('only people who may not see restricted families learn that they are left out [P18]', async () => {
    reader('T');
    show(asOptions);
    expect(await captionOf('By assay')).toContain(leftOut);
    expect(screen.getByText(leftOut, { exact: false, ignore: '[data-print] *' })).toBeInTheDocument();
  });

  test('with the permission nothing is reported as left out', async () => {
    reader('T', ['restricted-families/read']);
    show(asOptions);
    expect(await captionOf('By assay')).not.toContain('Left out');
  });
});

describe('missing names', () => {
  const raw = /[0-9a-f]{8}-[0-9a-f]{4}|\b(hepatitis-c|rsv|p-two|f-\d+|2106-3|2135-2|12086|20-24)\b/;

  test('while labels are loading, no chart shows a code or can be exported', () => {
    show(() => new Promise(() => {}));
    expect(document.body.textContent).not.toMatch(raw);
    expect(screen.queryByRole('button', { name: 'Download By program' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Download By assay' })).toBeInTheDocument();
  });

  test('after a refused look-up, the charts refer to other organizations, and show no code', async () => {
    show(() => ({ status: 403, body: { code: 'forbidden', message: 'no' } }));
    const chart = within(screen.getByRole('region', { name: 'By facility' }));
    expect((await chart.findAllByText('A facility of another organization'))[0]).toBeInTheDocument();
    expect(document.body.textContent).not.toMatch(raw);
  });

  test('after a failed look-up, the chart says so and can load it again', async () => {
    const options = queryClient.getDefaultOptions();
    queryClient.setDefaultOptions({ queries: { ...options.queries, retry: false } });
    let fails = true;
    show((entry) => (fails ? { status: 500, body: { code: 'internal', message: 'no' } } : asOptions(entry)));
    const chart = within(screen.getByRole('region', { name: 'By program' }));
    const again = await chart.findByRole('button', { name: 'Try again' });
    expect(chart.getByText('The names for this chart could not be loaded.')).toBeInTheDocument();
    expect(document.body.textContent).not.toMatch(raw);
    queryClient.setDefaultOptions(options);
    fails = false;
    await userEvent.click(again);
    expect((await chart.findAllByText('School program'))[0]).toBeInTheDocument();
  });
});
