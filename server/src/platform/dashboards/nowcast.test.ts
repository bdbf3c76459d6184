import { describe, expect, test } from 'vitest';
import { negativeBinomialQuantile, nowcast, partsArrived, sizeOfErrors, type Triangle } from './nowcast.ts';

const gone = undefined;
const withoutPast = { window: 100, past: 0 };
const shares = (parts: readonly number[]) => parts.map((part, delay) => part - (parts[delay - 1] ?? 0));

describe('the chain ladder', () => {
  test('gives the totals and parts of the example of baselinenowcast', () => {
    const { nowcasts, parts } = nowcast(
      [
        [100, 55, 30, 12],
        [70, 40, 24, 8],
        [80, 50, 25, 10],
        [100, 50, 20, gone],
        [90, 45, gone, gone],
        [110, gone, gone, gone],
        [95, gone, gone, gone],
      ],
      withoutPast,
    );
    [0.514994, 0.280906, 0.144576, 0.059524].forEach((share, delay) => {
      expect(shares(parts)[delay]).toBeCloseTo(share, 5);
    });
    // With its handling of zeros; without it 180.7595, 169.6193, 213.5947 and 184.4682.
    [197, 142, 165, 180.7633, 169.6625, 213.9703, 184.8437].forEach((total, index) => {
      expect(nowcasts[index]!.value).toBeCloseTo(total, 3);
    });
    // Nothing more is expected for a period in which everything has arrived.
    expect(nowcasts[0]!.interval).toEqual({ low: 197, high: 197 });
  });

  test('recovers the parts that a triangle was built from', () => {
    const made = [0.4, 0.3, 0.2, 0.1];
    const parts = partsArrived(
      [100, 150, 200, 250, 300].map((n, row) =>
        made.map((part, delay) => (row + delay < 5 ? n * part : undefined)),
      ),
    );
    made.forEach((part, delay) => {
      expect(shares(parts)[delay]).toBeCloseTo(part, 6);
    });
  });

  test('expects for five weeks of dengue in 1990 what was computed from the published reports', () => {
    // The reports of the 27 weeks before, by how many weeks later they arrived. The parts are rounded to four
    // digits.
    const published = [505, 4481, 2863, 757, 396, 188, 221, 232, 173, 0, 183];
    const complete = Array.from({ length: 22 }, () => published.map((part) => part * 1e6));
    const recent: readonly (readonly [reported: number, expected: number])[] = [
      [54, 60.1],
      [38, 44.32],
      [71, 90.73],
      [40, 81.23],
      [10, 216.67],
    ];
    const weeks = recent.map(([reported], index) =>
      published.map((_, delay) => (delay >= 5 - index ? gone : delay === 0 ? reported : 0)),
    );
    const { nowcasts } = nowcast([...complete, ...weeks], { window: 27, past: 0 });
    // The published computation does not go delay by delay, and differs by less than 1 %.
    recent.forEach(([, expected], index) => {
      expect(nowcasts[22 + index]!.value / expected).toBeGreaterThan(0.99);
      expect(nowcasts[22 + index]!.value / expected).toBeLessThan(1.01);
    });
  });

  test('knows that nothing arrives at once if nothing ever has', () => {
    const rows: Triangle = [
      [0, 6, 2],
      [0, 3, 1],
      [0, 9, gone],
      [0, gone, gone],
    ];
    expect(partsArrived(rows)).toEqual([0, 0.75, 1]);
    // With nine arrived: 9 + (0.25 ÷ 0.75) × 9.25. With none: (0.25 ÷ 0.75) × 0.25.
    [8, 4, 12.083333, 0.083333].forEach((value, index) => {
      expect(nowcast(rows, withoutPast).nowcasts[index]!.value).toBeCloseTo(value, 6);
    });
  });

  test('expects nothing from nothing', () => {
    expect(
      nowcast(
        [
          [0, 0],
          [0, gone],
        ],
        withoutPast,
      ).nowcasts.map(({ value }) => value),
    ).toEqual([0, 0]);
  });
});

describe('the interval of a nowcast', () => {
  test('has the size from past errors, as R and SciPy find it', () => {
    expect(sizeOfErrors([10, 40, 22, 5].map((seen) => ({ seen, expected: 20 })))).toBeCloseTo(2.12151, 3);
    expect(sizeOfErrors([5, 1, 8, 30].map((seen) => ({ seen, expected: 6 })))).toBeCloseTo(0.75509, 3);
    // The example of fit_nb: closer to the expectation than by chance alone.
    const expected = [3.1, 7.2, 11];
    expect(sizeOfErrors([4, 8, 10].map((seen, at) => ({ seen, expected: expected[at]! })))).toBeCloseTo(
      1000,
      0,
    );
    expect(sizeOfErrors([])).toBe(0.1);
  });

  test.each([
    [20, 3.5, [4, 18, 48]],
    [113.6, 10, [52, 110, 198]],
    [5, 1000, [1, 5, 10]],
    [0.5, 0.1, [0, 0, 5]],
    [0, 1, [0, 0, 0]],
  ])('has quantiles of the negative binomial: mean %d, size %d', (mean, size, expected) => {
    expect([0.025, 0.5, 0.975].map((part) => negativeBinomialQuantile(part, mean, size))).toEqual(expected);
  });

  test('comes from past nowcasts and what has arrived since', () => {
    const { nowcasts } = nowcast(
      [
        [78, 40, 24],
        [65, 46, 21],
        [70, 40, 20],
        [80, 50, 10],
        [100, 40, 31],
        [95, 45, 21],
        [82, 42, gone],
        [70, gone, gone],
      ],
      { window: 5, past: 3 },
    );
    // Two of three parts known: past nowcasts expected 22.5, 20.4 and 25.0, and 21, 31 and 10 arrived: size 4.55.
    // One part known: expected 41.8, 74.9 and 91.1, and 42, 66 and 71 arrived (the last part of the newest is not
    // known yet): size 62.6.
    expect(nowcasts[3]!.value).toBeCloseTo(142.7711, 3);
    expect(nowcasts[3]!.interval).toEqual({ low: 128, high: 166 });
    expect(nowcasts[4]!.value).toBeCloseTo(120.7986, 3);
    expect(nowcasts[4]!.interval).toEqual({ low: 103, high: 141 });
  });
});
