import { z } from 'zod';
import {
  addDays,
  type DateRange,
  dateRange,
  endOfMonth,
  startOfMmwrWeek,
  startOfMonth,
} from './date-range.ts';

const monthsBefore = (today: string, months: number): string => {
  const [year, month] = today.split('-').map(Number) as [number, number];
  const first = new Date(Date.UTC(year, month - 1 - months, 1));
  return first.toISOString().slice(0, 10);
};
const lastDays = (count: number) => (today: string) => ({ start: addDays(today, 1 - count), end: today });
const nextDays = (count: number) => (today: string) => ({ start: today, end: addDays(today, count - 1) });
/** Whole MMWR weeks before the current one. */
const lastWeeks = (count: number) => (today: string) => {
  const thisWeek = startOfMmwrWeek(today);
  return { start: addDays(thisWeek, -7 * count), end: addDays(thisWeek, -1) };
};

/**
 * Ranges relative to today, in the tenant's time zone. `last-n-days` ends today, `next-n-days` begins today;
 * both have n days.
 */
const relativeRanges = {
  today: lastDays(1),
  yesterday: (today) => ({ start: addDays(today, -1), end: addDays(today, -1) }),
  tomorrow: (today) => ({ start: addDays(today, 1), end: addDays(today, 1) }),
  'last-7-days': lastDays(7),
  'last-14-days': lastDays(14),
  'last-30-days': lastDays(30),
  'last-90-days': lastDays(90),
  'next-7-days': nextDays(7),
  'next-14-days': nextDays(14),
  'next-30-days': nextDays(30),
  'this-mmwr-week': (today) => ({ start: startOfMmwrWeek(today), end: addDays(startOfMmwrWeek(today), 6) }),
  'last-mmwr-week': lastWeeks(1),
  'last-4-mmwr-weeks': lastWeeks(4),
  'last-12-mmwr-weeks': lastWeeks(12),
  'this-month': (today) => ({ start: startOfMonth(today), end: endOfMonth(today) }),
  'last-month': (today) => {
    const start = monthsBefore(today, 1);
    return { start, end: endOfMonth(start) };
  },
  'next-month': (today) => {
    const start = monthsBefore(today, -1);
    return { start, end: endOfMonth(start) };
  },
  'last-12-months': (today) => ({ start: monthsBefore(today, 11), end: endOfMonth(today) }),
  'this-year': (today) => ({ start: `${today.slice(0, 4)}-01-01`, end: `${today.slice(0, 4)}-12-31` }),
  'last-year': (today) => {
    const year = String(Number(today.slice(0, 4)) - 1).padStart(4, '0');
    return { start: `${year}-01-01`, end: `${year}-12-31` };
  },
} as const satisfies Record<string, (today: string) => DateRange>;
export type RelativeRange = keyof typeof relativeRanges;
export const relativeRangeNames = Object.keys(relativeRanges) as RelativeRange[];
export const relativeRange = z.enum(relativeRangeNames);

/** A user's choice: two days, or a relative range, which stays relative in an address. */
export type RangeChoice = DateRange | { relative: RelativeRange };

export const rangeChoice: z.ZodType<RangeChoice> = z.union([
  dateRange,
  z.strictObject({ relative: relativeRange }),
]);

/** The days a choice means today. */
export const resolveRange = (choice: RangeChoice, today: string): DateRange =>
  'relative' in choice ? relativeRanges[choice.relative](today) : choice;
