import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { describe, expect, test, vi } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { TrendChart, type TrendPoint } from './TrendChart.tsx';

await startTestLocales('charts');

const solid = { color: 'teal', pattern: 'solid' } as const;

/** The heights in px of withheld parts in a chart 220 px high, with 184 px for numbers from 0 to 100. */
function heightsWithheld(...points: Pick<TrendPoint, 'values' | 'suppressed' | 'withheldPart'>[]): number[] {
  const { container } = renderInApp(
    <TrendChart
      label="Tests"
      unit="count"
      format={String}
      layers={['positive', 'negative'].map((id) => ({ id, label: id, paint: solid }))}
      points={points.map((point, index) => ({
        key: String(index),
        tick: String(index),
        text: String(index),
        ...point,
      }))}
    />,
    { path: '/' },
  );
  return [...container.querySelectorAll('g rect[fill*=suppressed]')].map((part) =>
    Number(part.getAttribute('height')),
  );
}

test('[P17] a column shows its known layers, and its withheld part at its true height', () => {
  // 50 and 25 of 100 are known; the fourth quarter of 184 px is not.
  expect(heightsWithheld({ values: [50, 25], withheldPart: 25 })).toEqual([46]);
  expect(screen.getByText('Withheld')).toBeInTheDocument();
});

test('[P17] a withheld number of unknown size is as high as any other', () => {
  expect(
    heightsWithheld(
      { values: [100, null], withheldPart: 'unknown' },
      { values: [4, null], withheldPart: 'unknown' },
      { values: [null, null], suppressed: true },
    ),
  ).toEqual([14, 14, 14]);
});

test('a fully known column has no withheld part', () => {
  expect(heightsWithheld({ values: [50, 50] }, { values: [60, 40], withheldPart: 0 })).toEqual([]);
  expect(screen.queryByText('Withheld')).toBeNull();
});

test('a layer with a pattern is one shape however many columns there are, so that a printed page stays small', () => {
  const dots = { color: 'teal', pattern: 'dots' } as const;
  const { container } = renderInApp(
    <TrendChart
      label="Tests"
      unit="count"
      format={String}
      layers={[{ id: 'suspect', label: 'Suspect', paint: dots }]}
      points={['a', 'b', 'c'].map((key) => ({ key, tick: key, text: key, values: [3] }))}
    />,
    { path: '/' },
  );
  const shapes = [...container.querySelectorAll('[data-chart=drawing] > g [fill*=dots]')];
  expect(shapes.map((shape) => shape.getAttribute('d')!.match(/M/g)?.length ?? 0)).toEqual([3, 0]);
});

/** A chart of five days with two layers, the second with 10 each day, and a mean. */
function fiveDays() {
  const opened: string[] = [];
  /** The address, which is that of the last records opened. */
  function Address() {
    const { pathname } = useLocation();
    useEffect(() => void (pathname !== '/' && opened.push(pathname)), [pathname]);
    return null;
  }
  const onChoose = vi.fn();
  const { container } = renderInApp(
    <>
      <Address />
      <TrendChart
        label="Tests"
        unit="count"
        format={String}
        layers={['positive', 'negative'].map((id) => ({ id, label: id, paint: solid }))}
        lineLabel="mean"
        points={[1, 2, 3, 4, 5].map((day) => ({
          key: `day ${day}`,
          tick: String(day),
          text: `Day ${day}`,
          values: [day, 10],
          line: day + 10,
        }))}
        range={{ text: (from, to) => `${from.key} to ${to.key}`, onChoose }}
        hrefOf={({ tick }) => `/days/${tick}`}
      />
    </>,
    { path: '/' },
  );
  const columns = () => [...container.querySelectorAll('g:has(> rect[fill=transparent])')];
  return { container, opened, onChoose, columns };
}

test('a screen reader gets a named list of columns, and each column as it is reached', async () => {
  fiveDays();
  const chart = screen.getByRole('listbox');
  // Orca does not read a list without options.
  expect(screen.getByRole('option')).toHaveTextContent(/^Use the arrow keys to read the values/);
  expect(screen.getByRole('option')).toHaveAttribute('aria-setsize', '5');
  act(() => chart.focus());
  const read: (string | null)[] = [];
  for (const key of ['{ArrowRight}', '{ArrowRight}', '{Shift>}{ArrowRight}{/Shift}', '{End}']) {
    await userEvent.keyboard(key);
    const option = screen.getByRole('option');
    expect(chart.getAttribute('aria-activedescendant')).toBe(option.id);
    expect(chart.getAttribute('aria-owns')).toBe(option.id);
    read.push(`${option.textContent} (${option.ariaPosInSet} of ${option.ariaSetSize})`);
  }
  expect(read).toEqual([
    'Day 1 (1 of 5)',
    'Day 2 (2 of 5)',
    'day 2 to day 3. Press Enter to show only these dates. (3 of 5)',
    'Day 5 (5 of 5)',
  ]);
});

describe('columns are selected', () => {
  test('with Shift and the arrow keys, and Enter', async () => {
    const { onChoose, opened } = fiveDays();
    act(() => screen.getByRole('listbox').focus());
    expect(screen.getByRole('listbox')).toHaveAccessibleDescription(/Hold Shift/);
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
    expect(screen.getByText('day 2 to day 4. Press Enter to show only these dates.')).toBeInTheDocument();
    await userEvent.keyboard('{Enter}');
    expect(onChoose.mock.calls.map(([from, to]) => [from.key, to.key])).toEqual([['day 2', 'day 4']]);
    expect(opened).toEqual([]);
  });

  test('backwards too, and not after Escape or another move', async () => {
    const { onChoose, opened } = fiveDays();
    act(() => screen.getByRole('listbox').focus());
    await userEvent.keyboard('{End}{Shift>}{Home}{/Shift}{Escape}{Enter}');
    expect(opened).toEqual(['/days/1']);
    await userEvent.keyboard('{End}{Shift>}{ArrowLeft}{/Shift}{ArrowLeft}{Enter}');
    expect(opened).toEqual(['/days/1', '/days/3']);
    await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}{Enter}');
    expect(onChoose.mock.calls.map(([from, to]) => [from.key, to.key])).toEqual([['day 2', 'day 3']]);
  });

  test('by dragging over them; a click on one opens its records', async () => {
    const { onChoose, opened, columns, container } = fiveDays();
    const [first, , third] = columns() as [Element, Element, Element];
    const user = userEvent.setup();
    await user.pointer([{ keys: '[MouseLeft>]', target: first }, { target: third }]);
    expect(screen.getByText('day 1 to day 3. Release to show only these dates.')).toBeInTheDocument();
    expect(container.querySelector('[data-part=chosen]')).not.toBeNull();
    await user.pointer([{ keys: '[/MouseLeft]', target: third }]);
    expect(onChoose.mock.calls.map(([from, to]) => [from.key, to.key])).toEqual([['day 1', 'day 3']]);
    expect(container.querySelector('[data-part=chosen]')).toBeNull();
    expect(opened).toEqual([]);
    await user.click(third);
    expect(opened).toEqual(['/days/3']);
  });

  test('not after Escape while they are dragged over, which opens no records either', async () => {
    const { onChoose, opened, columns, container } = fiveDays();
    const [first, , third] = columns() as [Element, Element, Element];
    const user = userEvent.setup();
    await user.pointer([{ keys: '[MouseLeft>]', target: first }, { target: third }, { target: first }]);
    await user.pointer([{ target: third }]);
    await user.keyboard('{Escape}');
    expect(container.querySelector('[data-part=chosen]')).toBeNull();
    await user.pointer([{ target: first }, { keys: '[/MouseLeft]', target: first }]);
    expect(onChoose).not.toHaveBeenCalled();
    expect(opened).toEqual([]);
  });

  test('not with a finger, which scrolls', async () => {
    const { onChoose, columns, container } = fiveDays();
    const [first, , third] = columns() as [Element, Element, Element];
    const user = userEvent.setup();
    await user.pointer([
      { keys: '[TouchA>]', target: first },
      { pointerName: 'TouchA', target: third },
    ]);
    expect(container.querySelector('[data-part=chosen]')).toBeNull();
    await user.pointer([{ keys: '[/TouchA]', target: third }]);
    expect(onChoose).not.toHaveBeenCalled();
  });
});

describe('a layer that is switched off in the legend', () => {
  const heightOf = (container: HTMLElement, layer: number) =>
    container
      .querySelectorAll('[data-chart=drawing] > g[pointer-events=none]')[0]!
      .children[layer]!.getAttribute('d')!;

  test('is not drawn, and the rest is drawn larger, without the lines for all layers', async () => {
    const { container } = fiveDays();
    const before = heightOf(container, 0);
    await userEvent.click(screen.getByRole('button', { name: 'negative' }));
    expect(screen.getByRole('button', { name: 'negative' })).toHaveAttribute('aria-pressed', 'false');
    expect(heightOf(container, 1)).toBe('');
    expect(heightOf(container, 0)).not.toBe(before);
    expect(screen.queryByText('mean')).toBeNull();
    expect(container.querySelectorAll('[data-chart=legend] > li:not([data-off])')).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: 'negative' }));
    expect(heightOf(container, 0)).toBe(before);
    expect(screen.getByText('mean')).toBeInTheDocument();
  });

  test('is drawn again when no other is left', async () => {
    const { container } = fiveDays();
    for (const name of ['negative', 'positive']) await userEvent.click(screen.getByRole('button', { name }));
    expect(heightOf(container, 0)).not.toBe('');
    expect(heightOf(container, 1)).not.toBe('');
  });
});

test("a column's records open in another tab with Ctrl, Command and the middle button", async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  const { opened, columns } = fiveDays();
  const [, second] = columns() as [Element, Element];
  const user = userEvent.setup();
  await user.keyboard('{Control>}');
  await user.click(second);
  await user.keyboard('{/Control}{Meta>}');
  await user.click(second);
  await user.keyboard('{/Meta}');
  await user.pointer({ keys: '[MouseMiddle]', target: second });
  screen.getByRole('listbox').focus();
  await user.keyboard('{Home}{Control>}{Enter}{/Control}');
  expect(open.mock.calls.map(([address, target]) => [address, target])).toEqual([
    ['/days/2', '_blank'],
    ['/days/2', '_blank'],
    ['/days/2', '_blank'],
    ['/days/1', '_blank'],
  ]);
  expect(opened).toEqual([]);
});
