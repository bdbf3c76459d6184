import { describe, expect, test } from 'vitest';
import {
  everyPeriod,
  incompleteFrom,
  measuresOf,
  positivity,
  sevenDayMeans,
  share,
  turnaround,
} from './measures.ts';
import type { Answers, Totals } from './queries.ts';

const answers = (positive: number, negative: number, other = 0): Answers => ({ positive, negative, other });

describe('positivity', () => {
  test('is positive over positive and negative; every other answer is outside it', () => {
    // 3 of 12; the 5 others are neither.
    expect(positivity(answers(3, 9, 5))).toEqual({
      value: 0.25,
      numerator: 3,
      denominator: 12,
      suppressed: false,
    });
  });
  test('of no positive and no negative test is unknown, not zero', () => {
    expect(positivity(answers(0, 0, 7))).toEqual({
      value: null,
      numerator: 0,
      denominator: 0,
      suppressed: false,
    });
  });
  test('of negatives alone is zero', () => {
    expect(positivity(answers(0, 4)).value).toBe(0);
  });
});

describe('turnaround', () => {
  test('median and 90th percentile in hours, interpolated between values', () => {
    // Hours 1, 2, 3, 4, 10. Median: the third. 90th percentile: at place 0.9 × 4 = 3.6, so 4 + 0.6 × (10 − 4) = 7.6.
    const tenths = new Map([
      [100, 1],
      [10, 1],
      [30, 1],
      [20, 1],
      [40, 1],
    ]);
    expect(turnaround(tenths, 0.5)).toEqual({ value: 3, numerator: null, denominator: 5, suppressed: false });
    expect(turnaround(tenths, 0.9).value).toBeCloseTo(7.6, 10);
  });
  test('counts a duration as often as it occurs', () => {
    // 24 h three times, 48 h once: places 0 to 3, median at 1.5 is 24 h.
    const tenths = new Map([
      [480, 1],
      [240, 3],
    ]);
    expect(turnaround(tenths, 0.5).value).toBe(24);
    expect(turnaround(tenths, 1).value).toBe(48);
  });
  test('of no timed test is unknown', () => {
    expect(turnaround(new Map(), 0.5)).toEqual({
      value: null,
      numerator: null,
      denominator: 0,
      suppressed: false,
    });
  });
});

describe('the tiles', () => {
  const totals: Totals = {
    ...answers(6, 18, 6),
    people: 25,
    perPerson: new Map(),
    failed: 3,
    missingDemographics: 12,
    durations: {
      collectedToReceived: new Map([[15, 30]]),
      receivedToResulted: new Map(),
      collectedToResulted: new Map(),
    },
  };
  test('name their numerators and denominators', () => {
    const measures = measuresOf(totals, 4);
    expect(measures.tests).toMatchObject({ value: 30, denominator: null });
    expect(measures.people).toMatchObject({ value: 25 });
    expect(measures.positivity).toMatchObject({ value: 0.25, numerator: 6, denominator: 24 });
    expect(measures.failedShare).toMatchObject({ value: 0.1, numerator: 3, denominator: 30 });
    expect(measures.missingDemographicsShare).toMatchObject({ value: 0.4, numerator: 12, denominator: 30 });
    expect(measures.collectedToReceivedMedian).toMatchObject({ value: 1.5, denominator: 30 });
    expect(measures.undated).toMatchObject({ value: 4 });
  });
  test('a share of nothing is unknown', () => {
    expect(share(0, 0).value).toBeNull();
  });
});

describe('which days are incomplete', () => {
  const delays = (...pairs: [number, number][]) => new Map(pairs);
  test('those for which fewer than nine tenths of the results have arrived, judging by past delays', () => {
    // 50 on the day, 30 after one, 10 after two: 90 of 100 within two days.
    expect(incompleteFrom(delays([0, 50], [1, 30], [2, 10], [9, 10]), '2026-03-31')).toBe('2026-03-29');
    // 89 of 100 within two days: only after nine days are they nine tenths.
    expect(incompleteFrom(delays([0, 50], [1, 30], [2, 9], [9, 11]), '2026-03-31')).toBe('2026-03-22');
  });
  test('today is, even if everything is entered immediately', () => {
    expect(incompleteFrom(delays([0, 10]), '2026-03-31')).toBe('2026-03-31');
  });
  test('none are known without any result', () => {
    expect(incompleteFrom(new Map(), '2026-03-31')).toBeNull();
  });
});

describe('a trend', () => {
  test('by days has every day of the range, with 0 if there was nothing', () => {
    const cells = [{ key: '2026-03-02', ...answers(1, 2) }];
    expect(everyPeriod(cells, { start: '2026-03-01', end: '2026-03-03' }, 'day')).toEqual([
      { key: '2026-03-01', ...answers(0, 0) },
      { key: '2026-03-02', ...answers(1, 2) },
      { key: '2026-03-03', ...answers(0, 0) },
    ]);
  });
  test('by MMWR weeks begins with the Sunday before the range', () => {
    // 2026-03-04 is a Wednesday, 2026-03-16 a Monday.
    const weeks = everyPeriod([], { start: '2026-03-04', end: '2026-03-16' }, 'week');
    expect(weeks.map(({ key }) => key)).toEqual(['2026-03-01', '2026-03-08', '2026-03-15']);
  });
  test('its means are over seven days, positivity pooled and not averaged', () => {
    // Six days of 1 in 2 positive, one day of 8 in 8: 14 of 20 pooled; the mean of the shares would be 4/7.
    const days = [...Array.from({ length: 6 }, () => answers(1, 1)), answers(8, 0, 1), answers(0, 0)];
    const means = sevenDayMeans(days);
    expect(means.slice(0, 6)).toEqual(Array(6).fill(null));
    expect(means[6]!.positivity).toMatchObject({ value: 0.7, numerator: 14, denominator: 20 });
    // 6 × 2 + 9 tests in seven days.
    expect(means[6]!.tests).toMatchObject({ value: 3, numerator: 21, denominator: 7 });
    // The eighth day drops the first and adds none: 5 × 2 + 9.
    expect(means[7]!.tests).toMatchObject({ numerator: 19 });
  });
});
