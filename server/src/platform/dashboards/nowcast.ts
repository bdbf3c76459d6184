/*
 * Estimates how many rows recent periods will have once all have arrived, by the chain ladder method, with an
 * interval. Every function is pure. Source: baselinenowcast (Johnson and others, Wellcome Open Research 2025,
 * 10:614).
 */

/** Counts of each period, the oldest first, by how many periods later they arrived; undefined if still to come. */
export type Triangle = readonly (readonly (number | undefined)[])[];

/** How many rows of a period have arrived, and for how many delays the count is known. */
function arrivedOf(row: Triangle[number]): { known: number; total: number } {
  const known = row.findLastIndex((one) => one !== undefined) + 1;
  return { known, total: row.slice(0, known).reduce<number>((total, one) => total + (one ?? 0), 0) };
}

/**
 * The share of a period that has arrived by each delay; by the last one it is 1. Each delay adds its ratio. Numerator:
 * rows that arrive with the delay. Denominator: rows of the same periods that arrived before it. Excluded: periods in
 * which the delay is still to come.
 */
export function partsArrived(triangle: Triangle): number[] {
  const delays = Math.max(0, ...triangle.map((row) => row.length));
  const first = Math.max(
    0,
    Array.from({ length: delays }, (_, delay) => delay).findIndex((delay) =>
      triangle.some((row) => (row[delay] ?? 0) > 0),
    ),
  );
  // Nothing is known to arrive before the first delay that has rows.
  const cumulated = [...Array<number>(first).fill(0), 1];
  for (let delay = first + 1; delay < delays; delay++) {
    const rows = triangle.filter((row) => row[delay] !== undefined);
    const before = rows.reduce((sum, row) => sum + arrivedOf(row.slice(0, delay)).total, 0);
    const now = rows.reduce((sum, row) => sum + row[delay]!, 0);
    cumulated.push(cumulated[delay - 1]! * (1 + (before === 0 ? 0 : now / before)));
  }
  const whole = cumulated.at(-1)!;
  return cumulated.map((one) => one / whole);
}

/**
 * The rows still expected for a period at each later delay, after `total` rows have arrived by the first `known`
 * delays. One more than was seen, weighted by what is to come: a period without reports may still have events.
 */
function expectedOf({ known, total }: { known: number; total: number }, parts: readonly number[]): number[] {
  const expected: number[] = [];
  let sum = total;
  for (let delay = known; delay < parts.length; delay++) {
    const by = parts[delay - 1]!;
    const one = by === 0 ? 0 : ((parts[delay]! - by) * (sum + 1 - by)) / by;
    expected.push(one);
    sum += one;
  }
  return expected;
}

const added = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** The logarithm of the gamma function (Lanczos). */
export function logGamma(x: number): number {
  const c = [76.18009172947146, -86.50532032941678, 24.01409824083091, -1.231739572450155];
  const all = [...c, 0.1208650973866179e-2, -0.5395239384953e-5];
  let series = 1.000000000190015;
  all.forEach((one, index) => {
    series += one / (x + 1 + index);
  });
  return (x + 0.5) * Math.log(x + 5.5) - (x + 5.5) + Math.log((2.5066282746310007 * series) / x);
}

/** The logarithm of the probability of a count in the negative binomial distribution with a mean and a size. */
const logProbability = (n: number, mean: number, size: number): number =>
  logGamma(n + size) -
  logGamma(size) -
  logGamma(n + 1) +
  size * Math.log(size / (size + mean)) +
  n * Math.log(mean / (size + mean));

/** A later count, and the expectation for it. */
export interface Past {
  seen: number;
  expected: number;
}
/** Keeps the likelihood defined if nothing was expected. */
const padding = 0.001;
const [leastSize, largestSize] = [0.1, 1000];

/**
 * The size of the negative binomial distribution of past nowcast errors: the most likely one, by golden-section
 * search over its logarithm. Without past nowcasts the smallest size, which has the widest intervals.
 */
export function sizeOfErrors(past: readonly Past[]): number {
  if (past.length === 0) return leastSize;
  const unlikely = (log: number) =>
    -added(past.map(({ seen, expected }) => logProbability(seen, expected + padding, Math.exp(log))));
  const golden = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [Math.log(leastSize), Math.log(largestSize)];
  while (high - low > 1e-6) {
    const width = golden * (high - low);
    if (unlikely(high - width) < unlikely(low + width)) high = low + width;
    else low = high - width;
  }
  return Math.exp((low + high) / 2);
}

/** The smallest count whose cumulative probability in the negative binomial distribution reaches a part. */
export function negativeBinomialQuantile(part: number, mean: number, size: number): number {
  if (mean <= 0) return 0;
  let below = 0;
  for (let n = 0; ; n++) {
    below += Math.exp(logProbability(n, mean, size));
    // Rounding may keep the sum below the part forever.
    if (below >= part || n > 20 * (mean + 10) * (1 + 1 / size)) return n;
  }
}

export interface Nowcast {
  /** The expected final count of the period. */
  value: number;
  /** Its 95 % interval; never below what has arrived. */
  interval: { low: number; high: number };
}

/** The triangle as it was a number of periods ago. */
const asOf = (triangle: Triangle, ago: number): Triangle =>
  triangle.slice(0, triangle.length - ago).map((row, index, rows) => {
    const known = rows.length - index;
    return row.map((one, delay) => (delay < known ? one : undefined));
  });

/**
 * The nowcast of each of the last `window` periods. The interval reflects how far the nowcasts of the `past` periods
 * before were off at the same delay, as far as their rows have arrived since.
 */
export function nowcast(
  triangle: Triangle,
  { window, past }: { window: number; past: number },
): { parts: number[]; nowcasts: Nowcast[] } {
  const errors = new Map<number, Past[]>();
  for (let ago = 1; ago <= past; ago++) {
    const then = asOf(triangle, ago).slice(-window);
    if (then.length < window) break;
    const parts = partsArrived(then);
    for (const [index, row] of then.entries()) {
      const arrived = arrivedOf(row);
      const since = triangle[triangle.length - ago - window + index]!.slice(arrived.known).filter(
        (one) => one !== undefined,
      );
      if (arrived.known === parts.length || since.length === 0) continue;
      const expected = added(expectedOf(arrived, parts).slice(0, since.length));
      errors.set(arrived.known, [...(errors.get(arrived.known) ?? []), { seen: added(since), expected }]);
    }
  }
  const rows = triangle.slice(-window);
  const parts = partsArrived(rows);
  return {
    parts,
    nowcasts: rows.map((row): Nowcast => {
      const arrived = arrivedOf(row);
      const toCome = added(expectedOf(arrived, parts));
      const size = sizeOfErrors(errors.get(arrived.known) ?? []);
      const by = (part: number) => arrived.total + negativeBinomialQuantile(part, toCome, size);
      const value = arrived.total + toCome;
      return {
        value,
        interval: toCome === 0 ? { low: value, high: value } : { low: by(0.025), high: by(0.975) },
      };
    }),
  };
}
