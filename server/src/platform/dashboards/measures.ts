import { type MeasureValue, stableFrom } from '@caseway/contract/analytics';
import { logGamma } from './nowcast.ts';
import type { Ages, People } from './population.ts';

/*
 * How a measure is computed from its counts. Every function is pure, and names numerator, denominator, exclusions
 * and the source of the method. The declaration of the dashboard says what is counted.
 */

/** How often each value occurs. */
export type Histogram = ReadonlyMap<number, number>;

export const sizeOf = (histogram: Histogram): number => {
  let n = 0;
  for (const times of histogram.values()) n += times;
  return n;
};

/** A plain count: rows, distinct persons or distinct values. No denominator; nothing is excluded. */
export const count = (n: number): MeasureValue => ({
  value: n,
  numerator: n,
  denominator: null,
  suppressed: false,
});

/** A part of a whole, or one count per another. If the whole is zero, there is no value (rather than zero). */
export const share = (numerator: number, denominator: number): MeasureValue => ({
  value: denominator === 0 ? null : numerator / denominator,
  numerator,
  denominator,
  suppressed: false,
});

/**
 * Rows that took at most `days`. Numerator: these rows. Denominator: rows with the number, and rows without it if
 * they count as not within. Excluded: otherwise rows without the number; the result says how many.
 */
export function within(
  taken: Histogram,
  rows: number,
  { days, missing }: { days: number; missing: 'counts-as-not' | 'left-out' },
): MeasureValue {
  let numerator = 0;
  for (const [value, times] of taken) if (value <= days) numerator += times;
  if (missing === 'counts-as-not') return share(numerator, rows);
  const known = sizeOf(taken);
  return { ...share(numerator, known), excluded: rows - known };
}

/**
 * The sum of a number over all rows that have it. With a cap, a value counts as at most the cap, above and below
 * zero. No denominator; rows without the number add nothing.
 */
export function sum(values: Histogram, cap = Number.POSITIVE_INFINITY): MeasureValue {
  let total = 0;
  for (const [value, times] of values) total += Math.max(-cap, Math.min(value, cap)) * times;
  return count(total);
}

/**
 * A quantile. Numerator: none. Denominator: rows with the number. Excluded: rows without it. Between two values it is
 * interpolated, as by PostgreSQL's percentile_cont.
 */
export function quantile(values: Histogram, at: number, scale: number): MeasureValue {
  const n = sizeOf(values);
  return {
    value: n === 0 ? null : placeIn(values, n, at) / scale,
    numerator: null,
    denominator: n,
    suppressed: false,
  };
}

function placeIn(histogram: Histogram, n: number, quantile: number): number {
  const values = [...histogram].sort(([a], [b]) => a - b);
  const place = quantile * (n - 1);
  const at = (index: number) => {
    let passed = 0;
    for (const [value, times] of values) {
      passed += times;
      if (index < passed) return value;
    }
    throw new Error('a quantile lies outside its histogram');
  };
  const low = at(Math.floor(place));
  const high = at(Math.ceil(place));
  return low + (high - low) * (place - Math.floor(place));
}

/** The latest day or instant, in milliseconds since 1970; no value if there is none. */
export const latest = (at: number | undefined): MeasureValue => ({
  value: at ?? null,
  numerator: null,
  denominator: null,
  suppressed: false,
});

const z95 = 1.959963984540054;

/** The 95 % interval of a share by Wilson's score. */
export function wilson(x: number, n: number): { low: number; high: number } | undefined {
  if (n === 0) return undefined;
  const [p, zz] = [x / n, z95 ** 2];
  const middle = (p + zz / (2 * n)) / (1 + zz / n);
  const half = (z95 * Math.sqrt((p * (1 - p)) / n + zz / (4 * n * n))) / (1 + zz / n);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** The lower part of the gamma distribution with this shape and scale 1: a series below, a continued fraction above. */
function gammaBelow(shape: number, x: number): number {
  if (x <= 0) return 0;
  const factor = Math.exp(-x + shape * Math.log(x) - logGamma(shape));
  if (x < shape + 1) {
    let term = 1 / shape;
    let total = term;
    for (let n = 1; n < 10_000 && term > total * 1e-15; n++) {
      term *= x / (shape + n);
      total += term;
    }
    return total * factor;
  }
  let b = x + 1 - shape;
  let c = 1e300;
  let d = 1 / b;
  let h = d;
  for (let n = 1; n < 10_000; n++) {
    const a = -n * (n - shape);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return 1 - factor * h;
}

/** The value below which a part of the gamma distribution is, by halving. */
function gammaQuantile(part: number, shape: number): number {
  let low = 0;
  let high = shape + 1;
  while (gammaBelow(shape, high) < part) high *= 2;
  for (let n = 0; n < 100; n++) {
    const middle = (low + high) / 2;
    if (gammaBelow(shape, middle) < part) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The exact 95 % interval of a Poisson count. */
export const poisson = (n: number): { low: number; high: number } => ({
  low: n === 0 ? 0 : gammaQuantile(0.025, n),
  high: gammaQuantile(0.975, n + 1),
});

/**
 * A crude rate. Numerator: events of residents of the counties whose population is known. Denominator: their
 * person-years, or live births. Excluded: events elsewhere or in an unknown county; the result says how many.
 * Interval: exact Poisson. Without a population there is no value.
 */
export function rate(events: number, people: People, per: number, excluded = 0): MeasureValue {
  const parts = { numerator: events, suppressed: false, ...(excluded > 0 && { excluded }) };
  if ('without' in people || people.people === 0)
    return {
      ...parts,
      value: null,
      denominator: null,
      without: 'without' in people ? people.without : 'no-population',
    };
  const { low, high } = poisson(events);
  const of = (n: number) => (n / people.people) * per;
  return {
    ...parts,
    value: of(events),
    denominator: people.people,
    interval: { low: of(low), high: of(high) },
    ...(events < stableFrom && { unstable: true }),
  };
}

/** The US 2000 standard million by the first year of its age groups. Source: NVSS vol. 47, no. 3. */
const us2000: readonly (readonly [from: number, people: number])[] = [
  [0, 13_818],
  [1, 55_317],
  [5, 145_565],
  [15, 138_646],
  [25, 135_573],
  [35, 162_613],
  [45, 134_834],
  [55, 87_247],
  [65, 66_037],
  [75, 44_842],
  [85, 15_508],
];
/** The age groups of the standard, each with its share of the whole. */
export const standardAges: readonly (Ages & { weight: number })[] = us2000.map(([from, people], index) => ({
  from,
  below: us2000[index + 1]?.[0] ?? null,
  weight: people / 1_000_000,
}));

/**
 * The rate as if the population had the ages of the US 2000 standard. Numerator: events of known age of residents of
 * the counties whose population is known. Denominator: their person-years. Excluded: other events; the result says
 * how many. Interval: Fay–Feuer–Tiwari (gamma). No value if an age group with events has no people.
 */
export function adjustedRate(
  byAge: readonly { events: number; people: People; weight: number }[],
  per: number,
  excluded = 0,
): MeasureValue {
  const events = byAge.reduce((total, one) => total + one.events, 0);
  const parts = { numerator: events, suppressed: false, ...(excluded > 0 && { excluded }) };
  const groups: { events: number; people: number; weight: number }[] = [];
  for (const one of byAge) {
    if ('without' in one.people)
      return { ...parts, value: null, denominator: null, without: one.people.without };
    const { people } = one.people;
    if (people > 0) groups.push({ ...one, people });
    else if (one.events > 0)
      return { ...parts, value: null, denominator: null, without: 'no-population-by-age' };
  }
  const denominator = groups.reduce((total, one) => total + one.people, 0);
  if (denominator === 0) return { ...parts, value: null, denominator: null, without: 'no-population' };
  const weights = groups.map(({ weight, people }) => weight / people);
  const value = groups.reduce((total, one, index) => total + weights[index]! * one.events, 0);
  const variance = groups.reduce((total, one, index) => total + weights[index]! ** 2 * one.events, 0);
  const largest = Math.max(...weights);
  const lower = variance === 0 ? 0 : (variance / value) * gammaQuantile(0.025, value ** 2 / variance);
  const upperVariance = variance + largest ** 2;
  const upper =
    (upperVariance / (value + largest)) * gammaQuantile(0.975, (value + largest) ** 2 / upperVariance);
  return {
    ...parts,
    value: value * per,
    denominator,
    interval: { low: lower * per, high: upper * per },
    ...(events < stableFrom && { unstable: true }),
  };
}

/** Reports with both, with the first alone, with the second alone, and with neither. */
export interface Pair {
  both: number;
  first: number;
  second: number;
  neither: number;
}

/**
 * How much more often the second is reported with the first than without it (PRR). Numerator: the share of reports
 * with the first that have the second. Denominator: the same share of the other reports. No value if no other report
 * has the second. Interval: from the variance of the logarithm.
 */
export function prr({ both: a, first: b, second: c, neither: d }: Pair): MeasureValue {
  const parts = { numerator: a, denominator: a + b, suppressed: false };
  if (a === 0 || c === 0) return { ...parts, value: null, ...(c === 0 && { without: 'no-others' as const }) };
  const value = a / (a + b) / (c / (c + d));
  const error = z95 * Math.sqrt(1 / a - 1 / (a + b) + 1 / c - 1 / (c + d));
  return {
    ...parts,
    value,
    interval: { low: value * Math.exp(-error), high: value * Math.exp(error) },
  };
}

/**
 * The same over strata, so that differences by age and sex do not show as a pair: the Mantel–Haenszel risk ratio.
 * Interval: Greenland and Robins. Strata without reports on both sides are ignored.
 */
export function prrOverStrata(strata: readonly Pair[]): MeasureValue {
  let [above, below, spread] = [0, 0, 0];
  for (const { both: a, first: b, second: c, neither: d } of strata) {
    const n = a + b + c + d;
    if (a + b === 0 || c + d === 0) continue;
    above += (a * (c + d)) / n;
    below += (c * (a + b)) / n;
    spread += ((a + c) * (a + b) * (c + d) - a * c * n) / n ** 2;
  }
  const parts = { numerator: null, denominator: null, suppressed: false };
  if (above === 0 || below === 0)
    return { ...parts, value: null, ...(below === 0 && { without: 'no-others' as const }) };
  const value = above / below;
  const error = z95 * Math.sqrt(spread / (above * below));
  return { ...parts, value, interval: { low: value * Math.exp(-error), high: value * Math.exp(error) } };
}
