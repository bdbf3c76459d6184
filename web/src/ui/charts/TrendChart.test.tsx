import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { TrendChart, type TrendPoint } from './TrendChart.tsx';

await startTestLocales('charts');

const solid = { color: 'teal', pattern: 'solid' } as const;

/** The heights in px of what is withheld in a chart 220 px high, of which 184 px are for numbers from 0 to 100. */
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

test('[P17] of a column the known layers are drawn, and what is withheld is as high as it is', () => {
  // 50 and 25 of 100 are known: the fourth quarter of 184 px is not.
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

test('a column of which all is known has no part withheld', () => {
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
