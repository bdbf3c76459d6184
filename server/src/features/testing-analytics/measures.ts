import type { MeasureValue } from '@caseway/contract/analytics';
import { addDays, type DateRange, daysBetween, startOfMmwrWeek } from '@caseway/contract/date-range';
import type { TestingMeasure } from '@caseway/contract/testing-analytics';
import {
  type Answers,
  type Cell,
  type Granularity,
  type Histogram,
  type Span,
  type Totals,
  testsOf,
} from './queries.ts';

/**
 * A plain count of tests or persons.
 * Tests: results of the range that are neither superseded nor entered in error, and are an answer: positive, negative or
 * a doubt between them. Excluded: pending, "not done", numbers and words that are neither, routine chemistry, blood
 * counts and comments, susceptibilities, single bands of an immunoblot. Source: `performed` of the view result_fact. Persons: distinct patients with such a test; a merged patient counts once.
 */
export const count = (n: number): MeasureValue => ({
  value: n,
  numerator: n,
  denominator: null,
  suppressed: false,
});

/** A part of a whole, from 0 to 1. If the whole is zero, the value is null. */
export const share = (numerator: number, denominator: number): MeasureValue => ({
  value: denominator === 0 ? null : numerator / denominator,
  numerator,
  denominator,
  suppressed: false,
});

/**
 * Positivity. Numerator: positive tests. Denominator: positive and negative tests. Excluded: every other answer
 * (presumptive and weak positive, inconclusive, indeterminate, equivocal, invalid, unsatisfactory).
 * Source: Healthy People 2020, STD-1.1; CDC, Calculating SARS-CoV-2 Laboratory Test Percent Positivity.
 */
export const positivity = ({ positive, negative }: Answers): MeasureValue =>
  share(positive, positive + negative);

/**
 * A quantile of turnaround in hours. Numerator: none. Denominator: tests with both times, in order. Excluded: tests that
 * lack one or have them the wrong way round. Between two values it is interpolated as PostgreSQL's percentile_cont does.
 * Durations are rounded down to a tenth of an hour, from a day on to a whole hour.
 */
export function turnaround(tenths: Histogram, quantile: number): MeasureValue {
  let n = 0;
  for (const times of tenths.values()) n += times;
  const value = n === 0 ? null : quantileOf(tenths, n, quantile) / 10;
  return { value, numerator: null, denominator: n, suppressed: false };
}

function quantileOf(histogram: Histogram, n: number, quantile: number): number {
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

/** Every tile of the screen. `undated` counts results without the chosen date that were entered in the range. */
export function measuresOf(totals: Totals, undated?: number): Partial<Record<TestingMeasure, MeasureValue>> {
  const tests = testsOf(totals);
  const turnarounds = Object.fromEntries(
    (Object.entries(totals.durations) as [Span, Histogram][]).flatMap(([span, histogram]) => [
      [`${span}Median`, turnaround(histogram, 0.5)],
      [`${span}P90`, turnaround(histogram, 0.9)],
    ]),
  );
  return {
    tests: count(tests),
    people: count(totals.people),
    ...answerValues(totals),
    ...turnarounds,
    // Numerator: invalid tests and unsatisfactory specimens. Denominator: tests.
    failedShare: share(totals.failed, tests),
    // Numerator: tests of persons whose sex, age, race or ethnicity is unknown. Denominator: tests.
    missingDemographicsShare: share(totals.missingDemographics, tests),
    ...(undated !== undefined && { undated: count(undated) }),
  };
}

export const answerValues = (answers: Answers) => ({
  positive: count(answers.positive),
  negative: count(answers.negative),
  other: count(answers.other),
  positivity: positivity(answers),
});

/** The values of one row of a series. */
export const rowValues = (cell: Answers): Record<string, MeasureValue> => ({
  tests: count(testsOf(cell)),
  ...answerValues(cell),
});

/**
 * The first incomplete day: judging by the delays of the last half year, fewer than nine in ten results of that day and
 * later ones have been entered by now. Today is always incomplete. Null if nothing is known.
 */
export function incompleteFrom(delays: Histogram, today: string): string | null {
  let n = 0;
  for (const times of delays.values()) n += times;
  if (n === 0) return null;
  let arrived = 0;
  for (const [days, times] of [...delays].sort(([a], [b]) => a - b)) {
    arrived += times;
    // In whole numbers, so that nine of ten are nine of ten.
    if (10 * arrived >= 9 * n) return addDays(today, -days);
  }
  throw new Error('the delays do not add up');
}

const noAnswers: Answers = { positive: 0, negative: 0, other: 0 };

/** A trend's cells in order of time, with zero tests if there are none: every day, or every MMWR week, of the range. */
export function everyPeriod(
  cells: readonly Cell[],
  { start, end }: DateRange,
  granularity: Granularity,
): Cell[] {
  const known = new Map(cells.map((cell) => [cell.key, cell]));
  const step = granularity === 'day' ? 1 : 7;
  const first = granularity === 'day' ? start : startOfMmwrWeek(start);
  const periods = Math.floor(daysBetween(first, end) / step) + 1;
  return Array.from({ length: periods }, (_, index) => {
    const key = addDays(first, index * step);
    return known.get(key) ?? { key, ...noAnswers };
  });
}

/**
 * The mean over the seven days that end with each day: tests per day, and pooled positivity (positive over positive and
 * negative of all seven, not the mean of daily shares). Null for the first six days, whose week began before the range.
 */
export function sevenDayMeans(
  days: readonly Answers[],
): ({ tests: MeasureValue; positivity: MeasureValue } | null)[] {
  return days.map((_, index) => {
    if (index < 6) return null;
    const sum = { ...noAnswers };
    for (const day of days.slice(index - 6, index + 1)) {
      sum.positive += day.positive;
      sum.negative += day.negative;
      sum.other += day.other;
    }
    return { tests: share(testsOf(sum), 7), positivity: positivity(sum) };
  });
}
