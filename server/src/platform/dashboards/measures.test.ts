import { describe, expect, test } from 'vitest';
import {
  adjustedRate,
  count,
  type Pair,
  poisson,
  prr,
  prrOverStrata,
  quantile,
  rate,
  share,
  standardAges,
  sum,
  wilson,
  within,
} from './measures.ts';

const near = (found: { low: number; high: number } | undefined, low: number, high: number, digits = 4) => {
  expect(found!.low).toBeCloseTo(low, digits);
  expect(found!.high).toBeCloseTo(high, digits);
};

describe('a share', () => {
  test('is its numerator over its denominator', () => {
    expect(share(3, 12)).toEqual({ value: 0.25, numerator: 3, denominator: 12, suppressed: false });
  });
  test('of nothing is unknown, not zero', () => {
    expect(share(0, 0)).toEqual({ value: null, numerator: 0, denominator: 0, suppressed: false });
  });
  test('of none is zero', () => {
    expect(share(0, 4).value).toBe(0);
  });
  test('has the interval of Wilson', () => {
    near(wilson(81, 263), 0.255289, 0.36621, 5);
    near(wilson(0, 20), 0, 0.161125, 5);
    near(wilson(1, 29), 0.006113, 0.171755, 5);
    near(wilson(29, 29), 0.88303, 1, 5);
    expect(wilson(0, 0)).toBeUndefined();
  });
});

describe('a quantile', () => {
  test('is interpolated between values', () => {
    // Hours 1, 2, 3, 4, 10. Median: the third. 90th percentile: at place 0.9 × 4 = 3.6, so 4 + 0.6 × (10 − 4) = 7.6.
    const tenths = new Map([
      [100, 1],
      [10, 1],
      [30, 1],
      [20, 1],
      [40, 1],
    ]);
    expect(quantile(tenths, 0.5, 10)).toEqual({
      value: 3,
      numerator: null,
      denominator: 5,
      suppressed: false,
    });
    expect(quantile(tenths, 0.9, 10).value).toBeCloseTo(7.6, 10);
  });
  test('counts a value as often as it occurs', () => {
    // 24 h three times, 48 h once: places 0 to 3; the median at 1.5 is 24 h.
    const tenths = new Map([
      [480, 1],
      [240, 3],
    ]);
    expect(quantile(tenths, 0.5, 10).value).toBe(24);
    expect(quantile(tenths, 1, 10).value).toBe(48);
  });
  test('of no row is unknown', () => {
    expect(quantile(new Map(), 0.5, 1)).toMatchObject({ value: null, denominator: 0 });
  });
});

describe('work done within a time', () => {
  // Two rows took 5 days, one 14, one 15; two have no day.
  const taken = new Map([
    [5, 2],
    [14, 1],
    [15, 1],
  ]);
  test('counts rows without the day as not within, or leaves them out and says how many', () => {
    expect(within(taken, 6, { days: 14, missing: 'counts-as-not' })).toEqual(share(3, 6));
    expect(within(taken, 6, { days: 14, missing: 'left-out' })).toEqual({ ...share(3, 4), excluded: 2 });
  });
});

test('a sum adds each value as often as it occurs', () => {
  expect(
    sum(
      new Map([
        [2, 3],
        [5, 1],
      ]),
    ),
  ).toEqual(count(11));
});

describe('a rate', () => {
  test('has the exact interval of Poisson', () => {
    near(poisson(0), 0, 3.6889);
    near(poisson(1), 0.0253, 5.5716);
    near(poisson(5), 1.6235, 11.6683);
    near(poisson(10), 4.7954, 18.3904);
    near(poisson(16), 9.1454, 25.983);
    near(poisson(20), 12.2165, 30.8884);
    near(poisson(100), 81.364, 121.6268);
  });
  test('is per so many people, and unstable below 16 events', () => {
    expect(rate(206, { people: 971_000 }, 100_000).value).toBeCloseTo(21.2152, 4);
    expect(rate(16, { people: 1000 }, 1000).unstable).toBeUndefined();
    expect(rate(15, { people: 1000 }, 1000).unstable).toBe(true);
  });
  // Source: CDC, Sexually Transmitted Infections Surveillance 2023, table 1; Census Bureau, Vintage 2023: 334,914,895.
  test.each([
    ['gonorrhea of 2023', 601_319, 179.5],
    ['chlamydia of 2023', 1_648_568, 492.2],
    ['primary and secondary syphilis of 2023', 53_007, 15.8],
  ])('is the published one for %s, and gives back its population', (_, cases, published) => {
    const people = 334_914_895;
    expect(Math.round(rate(cases, { people }, 100_000).value! * 10) / 10).toBe(published);
    // The population, as precisely as the rounding of the rate allows.
    expect((cases / (published + 0.05)) * 100_000).toBeLessThan(people);
    expect((cases / (published - 0.05)) * 100_000).toBeGreaterThan(people);
  });
  test('says how many events are of other counties', () => {
    expect(rate(3, { people: 1000 }, 1000, 2).excluded).toBe(2);
  });
  test('has no value without a population', () => {
    const missing = { without: 'no-population-by-age' } as const;
    expect(rate(3, missing, 100_000)).toMatchObject({ value: null, numerator: 3, ...missing });
    expect(rate(3, { people: 0 }, 100_000)).toMatchObject({ value: null, without: 'no-population' });
  });
  test('is adjusted to the US 2000 standard, with the interval of Fay, Feuer and Tiwari', () => {
    const cases = [2, 3, 6, 40, 55, 48, 30, 12, 6, 3, 1];
    const people = [12, 48, 125, 130, 128, 140, 135, 110, 80, 45, 18].map((thousand) => thousand * 1000);
    const found = adjustedRate(
      cases.map((events, index) => ({
        events,
        people: { people: people[index]! },
        weight: standardAges[index]!.weight,
      })),
      100_000,
      4,
    );
    expect(found.value).toBeCloseTo(21.77, 4);
    near(found.interval, 18.8867, 24.9802);
    expect(found).toMatchObject({ numerator: 206, denominator: 971_000, excluded: 4 });
  });
});

describe('events that are reported together', () => {
  const pair = (both: number, first: number, second: number, neither: number): Pair => ({
    both,
    first,
    second,
    neither,
  });
  test.each([
    ['DTP and screaming', pair(274, 610, 6, 1216), 63.1275, 28.2451, 141.0893],
    ['OPV and screaming', pair(148, 322, 132, 1504), 3.9028, 3.1602, 4.8198],
    ['DTP and convulsion', pair(92, 792, 39, 1183), 3.2609, 2.2651, 4.6945],
    ['HEP and nausea', pair(76, 369, 52, 1609), 5.4553, 3.8951, 7.6404],
  ])('%s, VAERS 1990', (_, given, value, low, high) => {
    const found = prr(given);
    expect(found.value).toBeCloseTo(value, 4);
    // The source uses 1.96 for the quantile of the normal distribution.
    expect(found.interval!.low / low).toBeCloseTo(1, 4);
    expect(found.interval!.high / high).toBeCloseTo(1, 4);
    // With one stratum, nothing is adjusted.
    expect(prrOverStrata([given]).value).toBeCloseTo(value, 4);
  });
  test('over strata agrees with both strata, where their sum says something else', () => {
    // In each stratum 2: (8 ÷ 10) ÷ (40 ÷ 100), and (20 ÷ 100) ÷ (1 ÷ 10). Together (28 ÷ 110) ÷ (41 ÷ 110) = 0.683.
    const strata = [pair(8, 2, 40, 60), pair(20, 80, 1, 9)];
    expect(prr(pair(28, 82, 41, 69)).value).toBeCloseTo(28 / 41, 10);
    expect(prrOverStrata(strata).value).toBeCloseTo(2, 10);
  });
  test('without other reports of it there is no value', () => {
    expect(prr(pair(3, 4, 0, 9))).toMatchObject({ value: null, without: 'no-others' });
    expect(prrOverStrata([pair(3, 4, 0, 9)])).toMatchObject({ value: null, without: 'no-others' });
  });
});

test('a protected sum limits each value to its cap, so that one person cannot dominate it', () => {
  const values = new Map([
    [3, 2],
    [50, 1],
    [900, 1],
    [-400, 1],
  ]);
  // 6 + 50 + 900 − 400, and 6 + 50 + 120 − 120.
  expect(sum(values).value).toBe(556);
  expect(sum(values, 120).value).toBe(56);
});
