import type { Measure, MeasureValue } from '@caseway/contract/analytics';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { describe, expect, test } from 'vitest';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { changeOf } from './change.ts';
import { Tile, type TileProps } from './Tile.tsx';

await startTestLocales();

const value = (
  number: number | null,
  numerator: number | null = number,
  denominator: number | null = null,
): MeasureValue => ({ value: number, numerator, denominator, suppressed: false });
const withheld: MeasureValue = { value: null, numerator: null, denominator: null, suppressed: true };

describe("a measure's change", () => {
  const share: Measure = { unit: 'share', direction: 'up-bad' };
  test('for a share is shown in points, and a rise is bad if more is worse', () => {
    expect(changeOf(share, value(0.06), value(0.05))).toEqual({
      kind: 'points',
      difference: expect.closeTo(0.01, 10),
      tone: 'bad',
    });
    expect(changeOf(share, value(0.05), value(0.06))?.tone).toBe('good');
    expect(changeOf(share, value(0.05), value(0.05))?.tone).toBe('neutral');
  });
  test('for a count is a share of the earlier count: 50 after 40 is a quarter more', () => {
    expect(changeOf({ unit: 'count' }, value(50), value(40))).toEqual({
      kind: 'relative',
      difference: 0.25,
      tone: 'neutral',
    });
  });
  test('for a time is in its unit', () => {
    expect(changeOf({ unit: 'hours', direction: 'up-bad' }, value(30), value(36))).toEqual({
      kind: 'absolute',
      difference: -6,
      tone: 'good',
    });
  });
  test('is not shown for a count after 0, or for withheld or missing values', () => {
    expect(changeOf({ unit: 'count' }, value(5), value(0))).toBeNull();
    expect(changeOf(share, withheld, value(0.05))).toBeNull();
    expect(changeOf(share, value(0.05), withheld)).toBeNull();
    expect(changeOf(share, value(null, 0, 0), value(0.05))).toBeNull();
  });
});

const show = (props: Partial<TileProps>) =>
  renderInApp(
    <Tile
      label="Positivity"
      measure={{ unit: 'share', direction: 'up-bad' }}
      value={value(0.0563, 23, 412)}
      definition={{
        numerator: 'Positive tests.',
        denominator: 'Positive and negative tests.',
        source: 'STD-1.1',
      }}
      {...props}
    />,
  );

describe('a tile', () => {
  test('shows a share with its parts, and opens the records', async () => {
    show({ to: '/results?behind=positivity' });
    expect(screen.getByText('23 of 412')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: '5.6% Positivity: open the records' })).toHaveAttribute(
      'href',
      '/results?behind=positivity',
    );
  });

  test.each(['count', 'share', 'hours', 'days'] as const)(
    '[P17] a withheld number of %s is shown as withheld, never as a number below eleven, and does not open',
    (unit) => {
      show({ value: withheld, to: '/results', measure: { unit } });
      expect(screen.getByText('Withheld')).toBeInTheDocument();
      expect(screen.getByText('Too few people are behind this number to show it')).toBeInTheDocument();
      expect(screen.queryByText(/<\s*11/)).toBeNull();
      expect(screen.queryByRole('link', { name: /open the records/ })).toBeNull();
    },
  );

  test('[P17] a share known only in whole percent has no decimal', () => {
    show({ value: { ...value(0.29, 58, 200), whole: true } });
    expect(screen.getByText('29%')).toBeInTheDocument();
  });

  test('a share of nothing is not zero', () => {
    show({ value: value(null, 0, 0) });
    expect(screen.getByText('–')).toBeInTheDocument();
    expect(screen.getByText('Nothing to count in this period')).toBeInTheDocument();
  });

  test('says what it counts and its source', async () => {
    show({});
    await userEvent.click(screen.getByRole('button', { name: 'About Positivity' }));
    expect(await screen.findByText('Positive and negative tests.')).toBeInTheDocument();
    expect(screen.getByText('STD-1.1')).toBeInTheDocument();
  });

  test('compares with the previous period', () => {
    show({ previous: value(0.0483, 20, 414) });
    expect(screen.getByText('0.8 points')).toBeInTheDocument();
    expect(screen.getByRole('img', { name: 'Up' })).toBeInTheDocument();
  });

  test.each([
    ['en', '1 point', '2 points'],
    ['es', '1 punto', '2 puntos'],
    ['ht', '1 pwen', '2 pwen'],
  ])('[S1.4] has the right singular and plural for points in %s', async (language, one, several) => {
    await i18next.changeLanguage(language);
    // From 5% to 6.04%: 1.04 points, written as 1.
    show({ value: value(0.0604), previous: value(0.05) });
    expect(screen.getByText(one)).toBeInTheDocument();
    show({ value: value(0.07), previous: value(0.05) });
    expect(screen.getByText(several)).toBeInTheDocument();
    await i18next.changeLanguage('en');
  });

  test('a change too small to show counts as no change, without a warning color', () => {
    // 0.04 points, 0.04% of 10,000 and 0.04 hours: each would be written as zero.
    const changes: [Measure['unit'], number, number][] = [
      ['share', 0.0504, 0.05],
      ['count', 10_004, 10_000],
      ['hours', 24.04, 24],
    ];
    for (const [unit, now, before] of changes) {
      const { unmount } = show({
        measure: { unit, direction: 'up-bad' },
        value: value(now),
        previous: value(before),
      });
      expect(screen.getByRole('img', { name: 'Unchanged' })).toBeInTheDocument();
      expect(screen.getByText('Unchanged')).toBeInTheDocument();
      unmount();
    }
  });
});
