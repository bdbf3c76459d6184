import type { Dashboard } from '@caseway/contract/dashboard';
import {
  addDays,
  addMonths,
  type DateRange,
  mmwrWeek,
  previousRange,
  startOfMmwrWeek,
  startOfMonth,
} from '@caseway/contract/date-range';
import { type Granularity, lastDayOf } from '@caseway/contract/granularity';
import { type Histogram, sizeOf } from './measures.ts';

/** The first day of the period that contains a day. A range in four-week periods is widened to whole periods. */
const firstOf: Record<Granularity, (day: string) => string> = {
  day: (day) => day,
  week: startOfMmwrWeek,
  'four-weeks': (day) => day,
  month: startOfMonth,
};

/** The first days of the periods of a range. */
export function periodsOf({ start, end }: DateRange, granularity: Granularity): string[] {
  const periods: string[] = [];
  for (
    let first = firstOf[granularity](start);
    first <= end;
    first = addDays(lastDayOf(first, granularity), 1)
  )
    periods.push(first);
  return periods;
}

/** The comparison range; undefined if there is no comparison. */
export function comparedWith({ compare }: Dashboard, range: DateRange): DateRange | undefined {
  if (compare === 'none') return undefined;
  if (compare === 'range-before') return previousRange(range);
  return { start: addMonths(range.start, -12), end: addMonths(range.end, -12) };
}

/** The days before today whose entry delays are examined. */
export const delaysOver = (today: string): DateRange => ({ start: addDays(today, -180), end: today });

/**
 * The first incomplete day: judging by the delays of the last half year, fewer than nine in ten rows of that day and
 * later ones have been entered by now. Today is always incomplete. Null if nothing is known.
 */
export function incompleteFrom(delays: Histogram, today: string): string | null {
  const n = sizeOf(delays);
  if (n === 0) return null;
  let arrived = 0;
  for (const [days, times] of [...delays].sort(([a], [b]) => a - b)) {
    arrived += times;
    // In whole numbers, so that nine of ten is exactly nine tenths.
    if (10 * arrived >= 9 * n) return addDays(today, -days);
  }
  throw new Error('the delays do not add up');
}

/** For a fact of calendar years: the last day of the last year that has ended by the end of a range and by today. */
export function lastYearOf({ end }: DateRange, today: string): DateRange {
  const by = end < today ? end : today;
  const year = by.endsWith('-12-31') ? by.slice(0, 4) : String(Number(by.slice(0, 4)) - 1).padStart(4, '0');
  return { start: `${year}-12-31`, end: `${year}-12-31` };
}

/** The number of earlier years that a week is compared with, and how many of these must be known at least. */
const [yearsBefore, leastYears] = [5, 3];

const startOfWeek = (year: number, week: number): string =>
  addDays(startOfMmwrWeek(`${String(year).padStart(4, '0')}-01-04`), (week - 1) * 7);

/**
 * The weeks with the same number in the five years before. If a year has no week 53, week 1 of the next year is
 * used.
 */
export function sameWeeksBefore(start: string): { start: string; year: number }[] {
  const { year, week } = mmwrWeek(start);
  return Array.from({ length: yearsBefore }, (_, index) => {
    const before = year - 1 - index;
    const first = startOfWeek(before, week);
    return { start: first, year: mmwrWeek(first).year };
  });
}

/** The days that are read to count the weeks of earlier years for a range. */
export const yearsBeforeRange = ({ start, end }: DateRange): DateRange => {
  const [first, last] = [startOfMmwrWeek(start), startOfMmwrWeek(end)];
  return {
    start: sameWeeksBefore(first).at(-1)!.start,
    end: addDays(sameWeeksBefore(last)[0]!.start, 6),
  };
};

/**
 * The median of the same weeks of the five years before. Weeks before the first one with rows are unknown rather
 * than zero. No value if fewer than three years are known, or if one count is hidden.
 */
export function medianOfYears(
  week: string,
  countOf: (week: string) => number | null,
  since: string | undefined,
): { value: number | null; years: number[] } {
  const known = sameWeeksBefore(week).filter(({ start }) => since !== undefined && start >= since);
  const years = known.map(({ year }) => year);
  const counts = known
    .map(({ start }) => countOf(start))
    .filter((n) => n !== null)
    .sort((a, b) => a - b);
  if (known.length < leastYears || counts.length < known.length) return { value: null, years };
  const middle = (counts.length - 1) / 2;
  return { value: (counts[Math.floor(middle)]! + counts[Math.ceil(middle)]!) / 2, years };
}

/**
 * How many weeks late rows are expected at most, over how many weeks and from how many rows that is judged, and how
 * many weeks back nowcasts are repeated to see how far they were off.
 */
export const lateness = { weeks: 10, over: 30, least: 60, past: 10 } as const;
