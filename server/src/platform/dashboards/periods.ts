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

/** The first day of the period that a day of a range is in. A range of four weeks at a time is widened to them. */
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

/** The range that a range is compared with; undefined if it is with none. */
export function comparedWith({ compare }: Dashboard, range: DateRange): DateRange | undefined {
  if (compare === 'none') return undefined;
  if (compare === 'range-before') return previousRange(range);
  return { start: addMonths(range.start, -12), end: addMonths(range.end, -12) };
}

/** For how long before today delays of entry are looked at. */
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
    // In whole numbers, so that nine of ten are nine of ten.
    if (10 * arrived >= 9 * n) return addDays(today, -days);
  }
  throw new Error('the delays do not add up');
}

/** Of a fact of calendar years the last one that has ended by the end of a range and by today, by its last day. */
export function lastYearOf({ end }: DateRange, today: string): DateRange {
  const by = end < today ? end : today;
  const year = by.endsWith('-12-31') ? by.slice(0, 4) : String(Number(by.slice(0, 4)) - 1).padStart(4, '0');
  return { start: `${year}-12-31`, end: `${year}-12-31` };
}

/** How many years before a week it is compared with, and of how many of these at least something has to be known. */
const [yearsBefore, leastYears] = [5, 3];

const startOfWeek = (year: number, week: number): string =>
  addDays(startOfMmwrWeek(`${String(year).padStart(4, '0')}-01-04`), (week - 1) * 7);

/**
 * The weeks of the same number in the five years before. Week 53 of a year is compared with week 1 of the year after it
 * where a year has no week 53.
 */
export function sameWeeksBefore(start: string): { start: string; year: number }[] {
  const { year, week } = mmwrWeek(start);
  return Array.from({ length: yearsBefore }, (_, index) => {
    const before = year - 1 - index;
    const first = startOfWeek(before, week);
    return { start: first, year: mmwrWeek(first).year };
  });
}

/** The days over which weeks of earlier years are counted for a range. */
export const yearsBeforeRange = ({ start, end }: DateRange): DateRange => {
  const [first, last] = [startOfMmwrWeek(start), startOfMmwrWeek(end)];
  return {
    start: sameWeeksBefore(first).at(-1)!.start,
    end: addDays(sameWeeksBefore(last)[0]!.start, 6),
  };
};

/**
 * The median of the same weeks of the five years before. Weeks before the first that has any row are not known, rather
 * than zero; no value where fewer than three years are, or where the count of one is hidden.
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
 * How many weeks late rows are expected at most, over how many weeks that is judged and by how many rows at least, and
 * how many weeks back nowcasts are made again, to see how far they were off.
 */
export const lateness = { weeks: 10, over: 30, least: 60, past: 10 } as const;
