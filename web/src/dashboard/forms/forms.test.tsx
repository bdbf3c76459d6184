import type { AnalyticsAnswer } from '@caseway/contract/analytics';
import type { Dashboard } from '@caseway/contract/dashboard';
import { testingRecords } from '@caseway/contract/testing-analytics';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/api.ts';
import { signedOut, tokensReceived, userReady } from '../../session/authentication.ts';
import { store } from '../../session/store.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { accessToken, initAnswer, refreshToken, serve } from '../../test/server.ts';
import { useDashboardView } from '../../view/dashboard-view.ts';
import { Numbers } from '../Numbers.tsx';
import { comparedWith, forms, formsAnswer, formsLabels, formsWords } from '../test-forms.ts';

await startTestLocales('analytics', 'charts');
i18next.addResourceBundle('en', 'dashboards/forms', formsWords);

let address = '';
const onRange = vi.fn();
let saved: Blob[] = [];
function Screen({ of, answer = formsAnswer }: { of: Dashboard; answer?: AnalyticsAnswer }) {
  const view = useDashboardView(of);
  address = useLocation().search;
  return (
    <Numbers
      of={of}
      answer={answer}
      comparison={comparedWith({})}
      view={view}
      records={{ results: { grid: testingRecords, path: '/records' } }}
      onClear={vi.fn()}
      onRange={onRange}
      onGranularity={vi.fn()}
    />
  );
}

beforeEach(() => {
  address = '';
  saved = [];
  URL.createObjectURL = (blob) => {
    saved.push(blob as Blob);
    return 'blob:chart';
  };
  URL.revokeObjectURL = () => {};
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer(undefined, { casbinPolicy: ['p, u1, T, line-lists/read, allow'] })));
  serve(
    Object.fromEntries(
      Object.entries(formsLabels).map(([name, labels]) => [
        `GET /api/web/list/options/${name}`,
        { body: { options: Object.entries(labels).map(([id, label]) => ({ id, label })) } },
      ]),
    ),
  );
});
/** Draws only these series. */
async function show(...names: (keyof typeof forms.series)[]) {
  const series = Object.fromEntries(names.map((name) => [name, forms.series[name]]));
  renderInApp(<Screen of={{ ...forms, series }} />, { path: '/analytics/forms' });
  // Wait for the labels.
  for (const name of names)
    await screen.findByRole('button', { name: `Download ${formsWords.series[name].title}` });
}
afterEach(() => {
  queryClient.clear();
  store.dispatch(signedOut());
});

/** The region with this name; a scrolling table is not a region of its own. */
const chart = (title: string) => screen.getByRole('region', { name: title });
const download = async (title: string) => {
  await userEvent.click(screen.getByRole('button', { name: `Download ${title}` }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'CSV' }));
  const lines = (await saved.at(-1)!.text()).split('\r\n').filter(Boolean);
  return lines.map((line) => line.replaceAll('"', ''));
};
/** The number whose records the address requests. */
const opened = () => Object.fromEntries(new URLSearchParams(new URLSearchParams(address).get('behind')!));
/** The texts of a chart's marks, in order. */
const readOut = async (title: string, marks: number) => {
  const area = within(chart(title)).getByRole('listbox');
  act(() => area.focus());
  const said: string[] = [];
  for (let at = 0; at < marks; at++) {
    await userEvent.keyboard('{ArrowRight}');
    said.push(area.nextElementSibling!.textContent);
  }
  return said;
};

const population = 'Population: Estimates, Made up (2024), of 2023, 2024';

describe('an epidemic curve', () => {
  test('shows only the days of the selected weeks, within its own dates', async () => {
    onRange.mockClear();
    await show('curve');
    act(() => within(chart('Epidemic curve')).getByRole('listbox').focus());
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{Shift>}{ArrowRight}{/Shift}{Enter}');
    await userEvent.keyboard('{ArrowLeft}{Shift>}{End}{/Shift}{Enter}');
    expect(onRange.mock.calls).toEqual([
      [{ start: '2026-01-11', end: '2026-01-24' }],
      [{ start: '2026-01-11', end: '2026-04-11' }],
    ]);
  });

  test('says that its bars cover four weeks, if the numbers do', async () => {
    const of = { ...forms, series: { curve: forms.series.curve } };
    renderInApp(<Screen of={of} answer={{ ...formsAnswer, granularity: 'four-weeks' }} />, {
      path: '/analytics/forms',
    });
    await screen.findByRole('button', { name: 'Download Epidemic curve' });
    const curve = within(chart('Epidemic curve'));
    expect(curve.getByText(/^Cases by classification · by four MMWR weeks/)).toBeInTheDocument();
    expect(curve.getByRole('listbox', { name: /by four MMWR weeks/ })).toBeInTheDocument();
  });

  test('has weeks with their codes, the five-year median, the estimate and the changed definition', async () => {
    await show('curve');
    const curve = chart('Epidemic curve');
    for (const words of ['Confirmed', 'Probable', 'Suspected', 'Median of five years', 'Definition of 2026'])
      expect(within(curve).getAllByText(words)[0]).toBeInTheDocument();
    // In the fourth week one code is withheld, in the sixth all; the last but one is estimated, and the last
    // is too early to estimate.
    const said = await readOut('Epidemic curve', 14);
    expect(said[0]).toBe(
      'Week of Jan 4, 2026: Confirmed 10, Probable 8, Suspected 6; Median of five years 14',
    );
    expect(said[3]).toBe(
      'Week of Jan 25, 2026: Confirmed 15, Probable Withheld, Suspected 11; Median of five years 17',
    );
    expect(said[5]).toBe('Week of Feb 8, 2026: withheld; Median of five years 15');
    expect(said[12]).toMatch(/Median of five years 14; 26 expected \(23 to 30\); reports still arriving$/);
    expect(said[13]).toMatch(/too early to say; reports still arriving$/);
    // Years are names, without a thousands separator.
    expect(within(curve).getByText(/same MMWR weeks from 20\d\d to 20\d\d\.$/)).toBeInTheDocument();
  });

  test('opens all records of a week', async () => {
    await show('curve');
    await readOut('Epidemic curve', 1);
    await userEvent.keyboard('{Enter}');
    // With the dates it was counted in, so it is the same tomorrow.
    expect(opened()).toEqual({
      dashboard: 'forms',
      series: 'curve',
      key: '2026-01-04',
      range: '2026-01-04..2026-04-11',
    });
  });

  test('as a table, shows no withheld number, and expected ones only in columns that say so', async () => {
    await show('curve');
    const lines = await download('Epidemic curve');
    const lineOf = (start: string) => lines.find((line) => line.startsWith(start));
    expect(lineOf('Week beginning')).toMatch(
      /,Median of five years,"?Expected in the end"?,"?Expected, from"?,"?Expected, to"?,Remark$/,
    );
    expect(lineOf('2026-01-25')).toBe('2026-01-25,15,Withheld,11,17,,,,');
    expect(lineOf('2026-02-08')).toBe('2026-02-08,Withheld,Withheld,Withheld,15,,,,');
    expect(lineOf('2026-03-29')).toMatch(/,14,26,23,30,reports still arriving$/);
  });
});

describe('a heat chart', () => {
  test('names both values of a cell, and moves between rows', async () => {
    await show('heat');
    const [first] = await readOut('Age and race', 1);
    expect(first).toBe('White, 0–4: Tests 0');
    const area = within(chart('Age and race')).getByRole('listbox');
    await userEvent.keyboard('{ArrowDown}');
    expect(area.nextElementSibling).toHaveTextContent('Black or African American, 0–4: withheld');
    await userEvent.keyboard('{ArrowDown}');
    expect(area.nextElementSibling).toHaveTextContent('Asian, 0–4: Tests 80');
    await userEvent.keyboard('{Enter}');
    expect(opened()).toMatchObject({ series: 'heat', key: '2028-9', key2: '0-4' });
  });

  test('has one line per row in its table, and an empty cell for a missing value', async () => {
    await show('heat');
    const lines = await download('Age and race');
    expect(lines.at(-1)).toBe('Asian,80,89,116,161,');
    expect(lines.at(-2)).toBe('Black or African American,Withheld,49,76,121,184');
  });
});

describe('a box chart', () => {
  test('says the median with its number, and where nothing was measured', async () => {
    await show('box');
    expect(await readOut('Days to result', 4)).toEqual([
      'Chlamydia: 10% within 1 day, half within 4 days, 90% within 13 days; n = 212',
      'Syphilis: 10% within 2 days, half within 9 days, 90% within 28 days; n = 48',
      'Gonorrhea: withheld',
      'RSV: n = 0',
    ]);
  });

  test('says in its table how many had no value', async () => {
    await show('box');
    const lines = await download('Days to result');
    expect(lines.find((line) => line.startsWith('Chlamydia'))).toBe('Chlamydia,212,1 d,2 d,4 d,7 d,13 d,9');
    expect(lines.find((line) => line.startsWith('Gonorrhea'))).toBe(
      'Gonorrhea,Withheld,Withheld,Withheld,Withheld,Withheld,Withheld,',
    );
  });
});

test('buckets are in order, and named by their limits', async () => {
  await show('buckets');
  expect((await readOut('Days to onset', 6)).map((said) => said.split(':')[0])).toEqual([
    '0',
    '1',
    '2 to 3',
    '4 to 7',
    '8 to 30',
    '31 and more',
  ]);
});

test('the steps of a continuum are about the same people: a later one can be larger', async () => {
  await show('continuum');
  expect(await readOut('Care continuum', 3)).toEqual([
    'Tested: 72.0% (412 of 572)',
    'Linked to care: 52.4% (300 of 572)',
    'Kept in care: 55.9% (320 of 572)',
  ]);
});

describe('pairs', () => {
  test('have the ratio over strata with its interval, the most certain first', async () => {
    await show('pairs');
    expect(await readOut('Reported together', 3)).toEqual([
      'White – Female: 58.3 (26.1–130.4), 274 together',
      'Black or African American – Male: 1.1 (0.7–1.73), 40 together',
      'Asian – Female: no other reports, 3 together',
    ]);
    await userEvent.keyboard('{Home}{Enter}');
    expect(opened()).toMatchObject({ series: 'pairs', key: '2106-3', key2: 'F' });
  });

  test('also have the plain ratio in the table', async () => {
    await show('pairs');
    expect((await download('Reported together')).at(-3)).toBe('White,Female,274,63.13,58.3,26.1,130.4');
  });

  test('come with the caution that they prove no cause', async () => {
    await show('pairs');
    expect(screen.getByRole('note')).toHaveTextContent('does not prove that one thing caused another');
  });
});

describe('a table', () => {
  test("has its measures, and opens a row's records", async () => {
    await show('table');
    const table = within(chart('Diseases'));
    expect(table.getByRole('row', { name: 'Syphilis Withheld Withheld Withheld' })).toBeInTheDocument();
    expect(table.getByRole('row', { name: 'Chlamydia 212 18.9% 21.0' })).toBeInTheDocument();
    // A withheld number opens nothing.
    expect(table.queryByRole('link', { name: 'Syphilis' })).toBeNull();
    await userEvent.click(table.getByRole('link', { name: 'Chlamydia' }));
    expect(opened()).toMatchObject({ series: 'table', key: 'chlamydia' });
  });

  test('across a second column, has one column per value', async () => {
    await show('across');
    expect(
      within(chart('Diseases by sex')).getByRole('row', { name: 'Chlamydia 120 92' }),
    ).toBeInTheDocument();
  });

  test('shows the own counts of a feature', async () => {
    await show('own');
    expect(within(chart('Counted apart')).getByRole('row', { name: 'Feed A 7' })).toBeInTheDocument();
  });
});

/** The drawn forms, each with its first mark in words. */
const drawn = {
  curve: 'Week of Jan 4, 2026: Confirmed 10, Probable 8, Suspected 6; Median of five years 14',
  heat: 'White, 0–4: Tests 0',
  box: 'Chlamydia: 10% within 1 day, half within 4 days, 90% within 13 days; n = 212',
  buckets: '0: Tests 900',
  continuum: 'Tested: 72.0% (412 of 572)',
  pairs: 'White – Female: 58.3 (26.1–130.4), 274 together',
  bars: 'Chlamydia: Tests 212, Linked to care 18.9%',
  trend: 'Week of Jan 4, 2026: Tests 12',
  pyramid: '5–9, Female: Tests 7',
} as const;

test.each(Object.entries(drawn))(
  '%s is read by the arrow keys, and as a table whose rows have names',
  async (name, said) => {
    await show(name as keyof typeof drawn);
    const { title } = formsWords.series[name as keyof typeof drawn];
    const [area] = within(chart(title)).getAllByRole('listbox', { name: new RegExp(`^${title}`) });
    expect(area).toHaveAccessibleDescription(/^Use the arrow keys/);
    expect(await readOut(title, 1)).toEqual([said]);
    // Screen readers skip the drawing itself.
    expect(area!.querySelector('[data-chart=drawing]')).toHaveAttribute('aria-hidden', 'true');
    await userEvent.click(screen.getByRole('button', { name: `Show ${title} as a table` }));
    const table = within(chart(title)).getByRole('table', { name: title });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.length).toBeGreaterThan(0);
    expect(within(table).getAllByRole('rowheader')).toHaveLength(rows.length);
    expect(within(table).getAllByRole('columnheader').length).toBeGreaterThan(1);
  },
);

test('a chart without rows says so, and has no notes about what would be drawn', async () => {
  const { curve } = forms.series;
  renderInApp(
    <Screen of={{ ...forms, series: { curve } }} answer={{ ...formsAnswer, series: { curve: [] } }} />,
    { path: '/analytics/forms' },
  );
  const frame = within(chart('Epidemic curve'));
  expect(frame.getByText('Nothing to show for these dates and filters.')).toBeInTheDocument();
  expect(frame.queryByText(/^Dashed|^Hatched/)).toBeNull();
  expect(frame.queryByRole('button')).toBeNull();
});

test('what a rate is per is read aloud, and is below its table and in its file', async () => {
  const per = 'Incidence: per 100,000 people and year';
  const bars = { ...forms.series.bars, shows: ['incidence', 'tests'] };
  const series = { table: forms.series.table, bars };
  const rows = formsAnswer.series.table!.slice(0, 1);
  renderInApp(
    <Screen
      of={{ ...forms, series }}
      answer={{ ...formsAnswer, series: { table: formsAnswer.series.table!, bars: rows } }}
    />,
    { path: '/analytics/forms' },
  );
  await screen.findByRole('button', { name: 'Download Diseases' });
  expect(within(chart('Diseases')).getByText(per)).toBeInTheDocument();
  expect(await download('Diseases')).toContain(per);
  expect(await readOut('By disease', 1)).toEqual([
    'Chlamydia: Incidence 21.0 per 100,000 people and year, Tests 212',
  ]);
});

test('[P17] numbers hidden from protected readers say why', async () => {
  const { box } = forms.series;
  renderInApp(
    <Screen
      of={{ ...forms, series: { box } }}
      answer={{ ...formsAnswer, series: { box: [] }, leftOut: ['box'] }}
    />,
    { path: '/analytics/forms' },
  );
  expect(within(chart('Days to result')).getByText(/^Not shown with protected numbers/)).toBeInTheDocument();
});

test('[P17] a number about few people is marked as approximate, in a chart and in its table', async () => {
  const rough = { value: 12, numerator: 12, denominator: null, suppressed: false, rough: true as const };
  const rows = formsAnswer.series.buckets!.map((row, index) =>
    index === 1 ? { ...row, values: { tests: rough } } : row,
  );
  renderInApp(
    <Screen
      of={{ ...forms, series: { buckets: forms.series.buckets } }}
      answer={{ ...formsAnswer, series: { buckets: rows } }}
    />,
    { path: '/analytics/forms' },
  );
  const note = 'With ~: approximate, from fewer than 100 people.';
  expect(within(chart('Days to onset')).getByText(note)).toBeInTheDocument();
  expect(await readOut('Days to onset', 2)).toEqual(['0: Tests 900', '1: Tests about 12']);
  expect(await download('Days to onset')).toEqual(expect.arrayContaining([note, '1,~12']));
});

test('a tile says how certain its number is, what it leaves out, and why there is none', async () => {
  await show();
  for (const [name, said] of [
    ['Tested', '95% interval 68.2% – 75.6%'],
    ['People', 'Approximate: fewer than 100 people'],
    ['Incidence', 'per 100,000 people and year'],
    ['Incidence', 'Unstable: it can change a lot by chance'],
    ['Within two weeks', 'Left out: 14 without a value'],
    ['Disease intervention index PA01', 'Too few to say'],
  ] as const)
    expect(within(chart(name)).getByText(said)).toBeInTheDocument();
  // Once for all tiles of the group.
  expect(
    within(screen.getByRole('group', { name: 'Key figures' })).getByText(population),
  ).toBeInTheDocument();
});

test('a chart of a rate and its export state the source of the population', async () => {
  await show('table');
  expect(within(chart('Diseases')).getByText(population)).toBeInTheDocument();
  expect(await download('Diseases')).toContain(population);
});

test.each([
  ['all rows', []],
  ['all rows but a withheld one', ['chlamydia']],
])('a measure that %s lack says so once, and the next one replaces it', async (_, withheld) => {
  const without = { ...formsAnswer.measures.index!, without: 'no-population-of-place' as const };
  const hidden = { value: null, numerator: null, denominator: null, suppressed: true };
  const rows = ['chlamydia', 'syphilis'].map((key, index) => ({
    key,
    values: {
      incidence: withheld.some((one) => one === key) ? hidden : without,
      tests: formsAnswer.series.buckets![index]!.values.tests!,
    },
  }));
  const series = { ...forms.series.table, shows: ['incidence', 'tests'] };
  renderInApp(
    <Screen
      of={{ ...forms, series: { table: series } }}
      answer={{ ...formsAnswer, series: { table: rows } }}
    />,
    { path: '/analytics/forms' },
  );
  await screen.findByRole('button', { name: 'Download Diseases' });
  const table = within(chart('Diseases'));
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Disease family',
    'Tests',
  ]);
  expect(table.getByText('Incidence: No population for one place')).toBeInTheDocument();
});

test('numbers from half of the persons say so in one line', async () => {
  await show();
  expect(
    screen.getByText(/fixed secret half of the people, counted double/, { ignore: '[data-print] *' }),
  ).toBeInTheDocument();
});
